/* The specification of a new block grid.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_COMMON_TARGET_SPEC_H
#define XTA_FORMATS_GRIDS_COMMON_TARGET_SPEC_H

#include <stddef.h>

#include <xta/blocks.h>

#include "description/description.h"

/* The specification of a target. */
typedef struct target_spec {
    const char *path;
    const xta_blocks_options *options;
    xta_box bounds;
    xta_type type;
    size_t cell_bytes;
    xta_partition partition;        /* borrowed edges */
    const bridge_description *like; /* description of the source; NULL: unknown */
    const xta_blocks *source;
    const char *source_path; /* NULL: unknown */
} target_spec;

/* Copy the description of the source, or start an empty one, with the bounds and chunks of the
 * spec. */
xta_status xta__target_spec_describe(const target_spec *spec, bridge_description *what,
                                     xta_error *err);
/* Refuse coordinates that do not cover the cells of the target, or leave them out if the options
 * say so; `names` are the coordinates that the format writes, a list ended by NULL. */
xta_status xta__target_spec_check_coordinates(const target_spec *spec, const char *const names[],
                                              bridge_description *what, xta_error *err);

#endif
