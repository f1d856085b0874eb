/* Block grids over a file of dense cells; the blocks are runs of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_COMMON_DENSE_GRID_H
#define XTA_FORMATS_GRIDS_COMMON_DENSE_GRID_H

#include <stdbool.h>

#include "dense/dense_file.h"
#include "grids/common/target_spec.h"

#define BLOCKS_DEFAULT_MEMORY ((uint64_t)1 << 30)
#define BLOCKS_LONGEST_RUN    ((double)(4 << 20))

/* How a dense file is cut into runs: pure. `slow` lists its axes, slowest first; `suit` may be
 * NULL. */
void xta__blocks_runs(const xta_box *bounds, const int slow[], size_t cell_bytes,
                      const int64_t suit[], uint64_t memory_bytes, int64_t block[]);
/* Whether a grid is a dense file; if so, `slow` lists its axes, slowest first. */
bool xta__blocks_dense_order(const xta_blocks *blocks, int slow[]);
/* Cut it again, before anything has been read or written. */
void xta__blocks_dense_cut(xta_blocks *blocks, const int64_t block[]);
/* Turn an open file into a grid whose cell 0 lies at `lo`; the grid owns the file, and `what` is
 * moved into it. */
xta_status xta__blocks_dense_source(bridge_dense *file, bridge_description *what,
                                    const xta_blocks_options *options, xta_blocks *blocks,
                                    xta_error *err);
/* Create a dense file whose first bytes are `head`. `finished` (may be NULL) turns the file at
 * `unfinished` into the one at `path`. */
xta_status xta__blocks_dense_target(const target_spec *spec, xta_order order, const void *head,
                                    size_t head_bytes,
                                    xta_status (*finished)(const char *unfinished, const char *path,
                                                           xta_error *err),
                                    xta_blocks *blocks, xta_error *err);

#endif
