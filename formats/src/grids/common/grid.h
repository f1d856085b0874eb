/* What all block grids share: the first member of their state, which includes the description of a
 * source (attributes, names, storage) to be copied to a target; and the arithmetic of blocks.
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

/* The first member of the state of every grid. */
typedef struct blocks_grid {
    xta_status (*close)(void *self, bool complete, xta_error *err); /* frees `self`, too */
    bridge_description what; /* description of a source: attributes, names, storage */
    char *path;
    int64_t *edges;     /* edges of irregular cuts, all axes */
    blocks_mover mover; /* for a grid whose cells are in another order than in memory */
    char *unfinished;   /* path of a target's file until it is complete; NULL: a source */
} blocks_grid;

/* The `close` of every grid made here: a grid with this function begins with a blocks_grid. */
xta_status xta__blocks_close(void *self, bool complete, xta_error *err);
/* Allocate the state of a grid: `bytes` of zeros that begin with a blocks_grid. Its path is a copy,
 * its description is empty. NULL: out of memory; `err` says so. */
void *xta__blocks_grid_new(size_t bytes, const char *path,
                           xta_status (*close)(void *self, bool complete, xta_error *err),
                           xta_error *err);
/* Close a grid whose creation failed; NULL is allowed. */
void xta__blocks_abandon(void *self);
/* Free what a blocks_grid owns; `_free` also frees the grid that begins with it. */
void xta__blocks_grid_clear(blocks_grid *grid);
void xta__blocks_grid_free(blocks_grid *grid);
/* Copy a partition; the grid owns the edges of the copy. */
xta_status xta__blocks_keep_partition(blocks_grid *grid, const xta_partition *from,
                                      xta_partition *to, xta_error *err);

/* The cells of a block, clipped to the bounds; block 0 of an axis is the one that holds the bounds'
 * `lo`. */
xta_box xta__blocks_box(const xta_box *bounds, const xta_partition *partition,
                        const int64_t block[]);
/* Number of blocks on an axis. */
int64_t xta__blocks_count(const xta_box *bounds, const xta_cuts *cuts, int axis);
/* Bytes of the largest block. */
uint64_t xta__blocks_largest(const xta_box *bounds, const xta_partition *partition,
                             size_t cell_bytes);
xta_box xta__blocks_from_zero(int ndim, const int64_t bounds[]);

#endif
