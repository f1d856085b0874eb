/* Block grids that move cells by a format's own functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_COMMON_FORMAT_GRID_H
#define XTA_FORMATS_GRIDS_COMMON_FORMAT_GRID_H

#include <stdbool.h>

#include "description/format.h"
#include "grids/common/target_spec.h"

/* `prepare` returns whether the blocks of an open source or target can only be moved whole, and if
 * so prepares its state. */
xta_status xta__format_grid_open(const bridge_format *format, const char *path,
                                 const xta_blocks_options *options,
                                 bool (*prepare)(void *state, const bridge_description *what),
                                 xta_blocks *blocks, xta_error *err);
/* `what` comes from xta__target_spec_describe and xta__format_grid_set_chunks; the caller clears
 * it. */
xta_status xta__format_grid_create(const bridge_format *format, const target_spec *spec,
                                   const char *name_of_kind, bridge_description *what,
                                   bool (*prepare)(void *state, const bridge_description *what),
                                   xta_blocks *blocks, xta_error *err);
/* Set the chunk shape to the blocks of the spec, and also the attribute from which a format reads
 * it. */
xta_status xta__format_grid_set_chunks(const target_spec *spec, const char *name,
                                       bridge_description *what, xta_error *err);

#endif
