/* The linear position of a cell of a grid, and the cell at a position.
 *
 * A grid is a box of cells [0, length) on each axis, and an order numbers its cells 0 .. n_cells
 * - 1 without gaps. Row and column order are dot products of coordinates and strides; Morton and
 * Hilbert order, which need lengths that are powers of two, keep neighbours near each other.
 *
 * No position depends on axes of length 1: they can be inserted or removed anywhere, and no
 * position changes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_ORDER_GRID_H
#define XTA_GEOMETRY_ORDER_GRID_H

#include "geometry/order/layout.h"

/* Initialise `grid`. Nothing is allocated now, but clear must be called when it is no longer
 * needed. XTA_EARG: no such order, `ndim` not in 1 .. XTA_MAX_NDIM, a length below 1, or one that
 * is not a power of two although the order needs it. XTA_EOVERFLOW: 2^62 cells or more. `grid` is
 * then all zeros. */
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

/* The stride of an axis, in cells. The grid must be strided. */
int64_t xta__grid_stride(const xta__grid *grid, int axis);

/* xta__grid_init for an order that has no number yet. */
xta_status xta__grid_init_layout(xta__grid *grid, const xta__layout *layout, int ndim,
                                 const int64_t lengths[]) XTA_MUST_CHECK;

/* Whether `order` needs lengths that are powers of two. */
bool xta__order_needs_powers_of_two(xta_order order);

#endif
