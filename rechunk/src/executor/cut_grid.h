/* Private header: which block a coordinate lies in, and which cells a block has.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_CUT_GRID_H
#define XTA_EXECUTOR_CUT_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/partition.h>
#include <xta/status.h>

/* One axis of a grid of blocks. Block k begins at `first` + k * `length`, or at edges[k]. */
typedef struct xta__cut_axis {
    int64_t lo, hi; /* the bounds, to which blocks are clipped */
    int64_t first;  /* where block 0 would begin without clipping */
    int64_t length; /* 0: given by edges */
    int64_t n;      /* number of blocks */
    const int64_t *edges;
} xta__cut_axis;

/* A grid of blocks over the bounds. Edges are borrowed from the partition. */
typedef struct xta__cut_grid {
    int ndim;
    uint64_t n_blocks;
    xta__cut_axis axis[XTA_MAX_NDIM];
} xta__cut_grid;

/* XTA_EARG, with a text naming the axis, if cuts or bounds are invalid. `name` is for the text. */
xta_status xta__cut_grid_init(xta__cut_grid *grid, const xta_box *bounds,
                              const xta_partition *partition, const char *name, xta_error *err);

/* The cells of a block, within the bounds. Boxes are large values of which only ndim entries are
 * set, so the result is filled in, not returned. */
void xta__cut_box(const xta__cut_grid *grid, const int64_t block[], xta_box *cells);

/* The blocks that a box intersects, as a box of block numbers. */
void xta__cut_blocks(const xta__cut_grid *grid, const xta_box *box, xta_box *blocks);

/* The intersection of two boxes, and its number of cells; `common` is only set if that is not 0. */
uint64_t xta__blocks_met(const xta_box *one, const xta_box *other, xta_box *common);

/* The position of a block in a linear order of all blocks, the last axis fastest. */
uint64_t xta__cut_number(const xta__cut_grid *grid, const int64_t block[]);
void xta__cut_unnumber(const xta__cut_grid *grid, uint64_t number, int64_t block[]);

/* Step through a box of block numbers, the last axis fastest; false at the end. */
bool xta__cut_next(const xta_box *blocks, int64_t block[]);

/* Number of cells of a box that is known to be small enough. */
uint64_t xta__box_count(const xta_box *box);

#endif
