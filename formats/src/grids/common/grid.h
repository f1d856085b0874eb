/* What all block grids have: the beginning of their state, with what is known of the source
 * (attributes, names, storage), which a target made like it is given; and the arithmetic of blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_COMMON_GRID_H
#define XTA_FORMATS_GRIDS_COMMON_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/blocks.h>

#include "description/description.h"
#include "grids/common/copy_cells.h"

/* The beginning of the state of every grid. */
typedef struct blocks_grid {
    xta_status (*close)(void *self, bool complete, xta_error *err); /* frees `self`, too */
    bridge_description what; /* of a source: attributes, names, storage */
    char *path;
    int64_t *edges;     /* of irregular cuts, all axes */
    blocks_mover mover; /* of a grid whose cells lie in another order than in memory */
    char *unfinished;   /* of a target: its file until it is complete; NULL: a source */
} blocks_grid;

/* The `close` of every grid made here: a grid that has it begins with a blocks_grid. */
xta_status xta__blocks_close(void *self, bool complete, xta_error *err);
/* The state of a grid, `bytes` of zeros that begin with a blocks_grid: its path is a copy, nothing
 * is described. NULL: out of memory; `err` says so. */
void *xta__blocks_grid_new(size_t bytes, const char *path,
                           xta_status (*close)(void *self, bool complete, xta_error *err),
                           xta_error *err);
/* Close a grid that could not be made; NULL is allowed. */
void xta__blocks_abandon(void *self);
/* Free what a blocks_grid owns, and with `_free` the grid that begins with it, too. */
void xta__blocks_grid_clear(blocks_grid *grid);
void xta__blocks_grid_free(blocks_grid *grid);
/* A copy of a partition whose edges are kept in the grid. */
xta_status xta__blocks_keep_partition(blocks_grid *grid, const xta_partition *from,
                                      xta_partition *to, xta_error *err);

/* The cells of a block; `lo` of an axis is that of the bounds. */
xta_box xta__blocks_box(const xta_box *bounds, const xta_partition *partition,
                        const int64_t block[]);
/* How many blocks an axis has. */
int64_t xta__blocks_count(const xta_box *bounds, const xta_cuts *cuts, int axis);
/* Bytes of the largest block. */
uint64_t xta__blocks_largest(const xta_box *bounds, const xta_partition *partition,
                             size_t cell_bytes);
xta_box xta__blocks_from_zero(int ndim, const int64_t bounds[]);

#endif
