/* Block grids that move cells by a format's own functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_COMMON_FORMAT_GRID_H
#define XTA_FORMATS_GRIDS_COMMON_FORMAT_GRID_H

#include <stdbool.h>

#include "description/format.h"
#include "grids/common/target_spec.h"

/* `settle` tells of an open source or target whether its blocks can only be moved whole, and gets
 * its state ready for that. */
xta_status xta__blocks_bridge_open(const bridge_format *format, const char *path,
                                   const xta_blocks_options *options,
                                   bool (*settle)(void *state, const bridge_description *what),
                                   xta_blocks *blocks, xta_error *err);
/* `what` is from xta__blocks_describe_wish and xta__blocks_want_chunks; the caller clears it. */
xta_status xta__blocks_bridge_create(const bridge_format *format, const blocks_wish *wish,
                                     const char *name_of_kind, bridge_description *what,
                                     bool (*settle)(void *state, const bridge_description *what),
                                     xta_blocks *blocks, xta_error *err);
/* Set chunk shape, and the attribute that a format finds it in, to the blocks wished for. */
xta_status xta__blocks_want_chunks(const blocks_wish *wish, const char *name,
                                   bridge_description *what, xta_error *err);

#endif
