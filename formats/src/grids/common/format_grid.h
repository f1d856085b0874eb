/* Block grids that move cells by a format's own functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_COMMON_FORMAT_GRID_H
#define XTA_FORMATS_GRIDS_COMMON_FORMAT_GRID_H

#include <stdbool.h>

#include "description/format.h"
#include "grids/common/target_spec.h"

/* `prepare` returns whether the blocks of an open source or target can only be moved whole, and
 * prepares its state for that. */
xta_status xta__format_grid_open(const bridge_format *format, const char *path,
                                 const xta_blocks_options *options,
                                 bool (*prepare)(void *state, const bridge_description *what),
                                 xta_blocks *blocks, xta_error *err);
/* `what` is from xta__target_spec_describe and xta__format_grid_set_chunks; the caller clears
 * it. */
xta_status xta__format_grid_create(const bridge_format *format, const target_spec *spec,
                                   const char *name_of_kind, bridge_description *what,
                                   bool (*prepare)(void *state, const bridge_description *what),
                                   xta_blocks *blocks, xta_error *err);
/* Set the chunk shape, and the attribute that a format reads it from, to the blocks of the spec. */
xta_status xta__format_grid_set_chunks(const target_spec *spec, const char *name,
                                       bridge_description *what, xta_error *err);

#endif
