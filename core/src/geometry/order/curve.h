/* The position of cells along a curve, from tables shared by many blocks of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_ORDER_CURVE_H
#define XTA_GEOMETRY_ORDER_CURVE_H

#include "geometry/order/grid.h"

/* The grid of an order that is not strided, cut into blocks: aligned boxes of one shape, each
 * filled by one contiguous range of positions. The position of a cell is the number of its block,
 * times the cells of a block, plus its rank in the block; many blocks share one table of ranks.
 * Other folders read the members and do not change them. */
typedef struct xta__curve {
    xta__grid grid;
    int level;                   /* a block has the levels below this one; 0: it is one cell */
    int shift[XTA_MAX_NDIM];     /* a block has 1 << shift cells on the axis */
    size_t stride[XTA_MAX_NDIM]; /* of the cells of a block in row-major order */
    size_t block_cells;
    size_t n_patterns;
    uint16_t *rank;  /* [pattern][row-major number of the cell in the block] */
    uint64_t *block; /* [row-major number of the block]: number << 32 | pattern. NULL: there are too
                        many, level is 0 and numbers are computed one by one */
} xta__curve;

/* Make the tables. XTA_ENOMEM: no memory; `curve` is then all zeros. */
xta_status xta__curve_init(xta__curve *curve, const xta__grid *grid) XTA_MUST_CHECK;
void xta__curve_clear(xta__curve *curve);

/* The position of the first cell of the block at the block coordinates coord[axis] >> shift[axis],
 * and the ranks of its cells. */
uint64_t xta__curve_block(const xta__curve *curve, const int64_t block[], const uint16_t **rank);

/* The same as xta__grid_position. */
uint64_t xta__curve_position(const xta__curve *curve, const int64_t coord[]);

#endif
