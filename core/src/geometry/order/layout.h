/* A private header of order/: what a grid stores, and the functions that each order fills in.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_ORDER_LAYOUT_H
#define XTA_GEOMETRY_ORDER_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* The functions of one order; see below. */
typedef struct xta__layout xta__layout;

/* Positions lie below XTA__OFFSET_LIMIT = 2^62, so no more than 62 bits of coordinates go into
 * one. */
#define XTA__GRID_BITS 62

/* A grid. A plain value: it may be copied. Other folders read only `ndim`, `length` and `n_cells`,
 * and use the functions below for the rest. */
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

struct xta__layout {
    bool needs_powers_of_two;

    /* `prepare` sets grid->stride, and a position is the dot product. */
    bool strided;

    /* Called once; ndim, length, n_cells and the fields on axes and levels are set. May be NULL. */
    void (*prepare)(xta__grid *grid);

    uint64_t (*position)(const xta__grid *grid, const int64_t coord[]);
    void (*coord)(const xta__grid *grid, uint64_t position, int64_t coord[]);

    /* For orders that fill a block of the levels below `level` before they continue with the next:
     * the number of the cell's block in the order of positions, and in *pattern the order of its
     * cells: blocks with the same pattern have the same ranks. NULL: there are no blocks. */
    uint64_t (*block)(const xta__grid *grid, const int64_t coord[], int level, uint64_t *pattern);
};

#endif
