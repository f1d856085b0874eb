/* A room of order/: what one order offers, filled by name at the end of its file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ORDER_LAYOUT_H
#define XTA_ORDER_LAYOUT_H

#include "geometry/order/order.h"

struct xta__layout {
    const char *name;
    bool needs_powers_of_two;

    /* `prepare` sets grid->stride, and a position is the dot product. */
    bool strided;

    /* Called once; ndim, length, n_cells and the fields on axes and levels are set. May be NULL. */
    void (*prepare)(xta__grid *grid);

    uint64_t (*position)(const xta__grid *grid, const int64_t coord[]);
    void (*coord)(const xta__grid *grid, uint64_t position, int64_t coord[]);

    /* For orders that fill a block of the levels below `level` before they go on to the next: the
     * number of the cell's block in the order of positions, and in *pattern what tells how its
     * cells follow each other: blocks of one pattern have the same ranks. NULL: there are no
     * blocks. */
    uint64_t (*block)(const xta__grid *grid, const int64_t coord[], int level, uint64_t *pattern);
};

extern const xta__layout xta__layout_row;
extern const xta__layout xta__layout_column;
extern const xta__layout xta__layout_morton;
extern const xta__layout xta__layout_hilbert;
extern const xta__layout xta__layout_template;

/* xta__grid_init for an order that has no number of its own yet. */
xta_status xta__grid_init_layout(xta__grid *grid, const xta__layout *layout, int ndim,
                                 const int64_t lengths[]) XTA_MUST_CHECK;

/* The dot product, for the `position` of strided orders. */
uint64_t xta__strided_position(const xta__grid *grid, const int64_t coord[]);

#endif
