/* The door of order/: where a cell of a grid lies in a line, and which cell lies at a place.
 *
 * A grid is a box of cells [0, length) on each axis, and an order numbers its cells 0 .. n_cells
 * - 1 without gaps. Row and column order are dot products of coordinates and strides; Morton and
 * Hilbert order, which need lengths that are powers of two, keep neighbours near each other.
 *
 * No position depends on axes of length 1: they can be put in or taken out at any place, and the
 * position of every cell stays what it was.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ORDER_ORDER_H
#define XTA_ORDER_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* The functions of one order; see order/layout.h. */
typedef struct xta__layout xta__layout;

/* Positions lie below XTA__OFFSET_LIMIT = 2^62, so no more than 62 bits of coordinates go into
 * one. */
#define XTA__GRID_BITS 62

/* A grid. A plain value: it may be copied, and the copy is as good. Other folders read `ndim`,
 * `length` and `n_cells` and leave the rest to the functions below. */
typedef struct xta__grid {
    const xta__layout *layout;
    int ndim;
    uint64_t n_cells;
    int64_t length[XTA_MAX_NDIM];

    /* Row and column: cells from one coordinate to the next. */
    int64_t stride[XTA_MAX_NDIM];

    /* Morton and Hilbert. `kept` are the axes longer than 1, in order. Level k is bit k of every
     * coordinate; the kept axes that have a bit there are ones in free_axes[k], the first kept axis
     * being the highest of n_kept bits. */
    int n_kept;
    int n_levels;
    uint8_t kept[XTA_MAX_NDIM];
    uint32_t free_axes[XTA__GRID_BITS];
} xta__grid;

/* Initialise `grid`. Nothing is allocated, but call clear all the same when it is no longer wanted.
 * XTA_EARG: no such order, `ndim` not in 1 .. XTA_MAX_NDIM, a length below 1, or one that is not
 * a power of two where the order needs it. XTA_EOVERFLOW: 2^62 cells or more. `grid` is then all
 * zeros. */
xta_status xta__grid_init(xta__grid *grid, xta_order order, int ndim,
                          const int64_t lengths[]) XTA_MUST_CHECK;

/* Back to all zeros. A grid of zeros may be cleared. */
void xta__grid_clear(xta__grid *grid);

/* The position of the cell `coord`, each coordinate in [0, length). */
uint64_t xta__grid_position(const xta__grid *grid, const int64_t coord[]);

/* The cell at `position`, below n_cells. The inverse of the above. */
void xta__grid_coord(const xta__grid *grid, uint64_t position, int64_t coord[]);

/* Whether a position is the dot product of coordinates and strides (row and column order). */
XTA_PRIVATE_API bool xta__grid_is_strided(const xta__grid *grid);

/* Strides in cells, ndim of them, borrowed from `grid`; NULL if the grid is not strided. */
const int64_t *xta__grid_strides(const xta__grid *grid);

/* One of them. The grid must be strided. */
int64_t xta__grid_stride(const xta__grid *grid, int axis);

/* The grid of an order that is not strided, cut into blocks: aligned boxes of one shape, each
 * filled by one stretch of positions without gaps. Where a cell lies is the number of its block,
 * times the cells of a block, plus its rank in the block; and many blocks share one table of ranks.
 * Other folders read what is in here and leave it as it is. */
typedef struct xta__curve {
    xta__grid grid;
    int level;                   /* a block is what lies below this level; 0: it is one cell */
    int shift[XTA_MAX_NDIM];     /* a block has 1 << shift cells on the axis */
    size_t stride[XTA_MAX_NDIM]; /* of the cells of a block in row-major order */
    size_t block_cells;
    size_t n_patterns;
    uint16_t *rank;  /* [pattern][row-major number of the cell in the block] */
    uint64_t *block; /* [row-major number of the block]: number << 32 | pattern. NULL: too many of
                        them, level is 0 and numbers are worked out one by one */
} xta__curve;

/* Make the tables. XTA_ENOMEM: no memory; `curve` is then all zeros. */
xta_status xta__curve_init(xta__curve *curve, const xta__grid *grid) XTA_MUST_CHECK;
void xta__curve_clear(xta__curve *curve);

/* The position of the first cell of the block at the block coordinates coord[axis] >> shift[axis],
 * and the ranks of its cells. */
uint64_t xta__curve_block(const xta__curve *curve, const int64_t block[], const uint16_t **rank);

/* The same as xta__grid_position. */
uint64_t xta__curve_position(const xta__curve *curve, const int64_t coord[]);

/* Whether `order` needs lengths that are powers of two. */
bool xta__order_needs_powers_of_two(xta_order order);

/* "row", "column", "morton", "hilbert"; NULL if there is no such order. */
const char *xta__order_name(xta_order order);

#endif
