/* Grids: check what every order requires, prepare what the orders share, and call the order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/order/grid.h"

#include <assert.h>
#include <string.h>

#include "geometry/order/column.h"
#include "geometry/order/hilbert.h"
#include "geometry/order/morton.h"
#include "geometry/order/row.h"

/* The numbers are stored in files; a new order is added at the end. */
static const xta__layout *const layouts[] = {
    [XTA_ROW] = &xta__layout_row,
    [XTA_COLUMN] = &xta__layout_column,
    [XTA_MORTON] = &xta__layout_morton,
    [XTA_HILBERT] = &xta__layout_hilbert,
};

/* NULL if there is no such order; the number may come from a file. */
static const xta__layout *layout_of(xta_order order)
{
    return (unsigned)order < sizeof layouts / sizeof layouts[0] ? layouts[order] : NULL;
}

static bool is_power_of_two(int64_t length)
{
    return (length & (length - 1)) == 0;
}

/* Which axes have a bit at which level. Only for lengths that are powers of two. */
static void find_levels(xta__grid *grid)
{
    for (int axis = 0; axis < grid->ndim; axis++) {
        if (grid->length[axis] > 1) {
            grid->kept[grid->n_kept++] = (uint8_t)axis;
        }
    }
    for (int k = 0; k < grid->n_kept; k++) {
        int64_t length = grid->length[grid->kept[k]];
        int level = 0;
        for (; length >> level > 1; level++) {
            grid->free_axes[level] |= (uint32_t)1 << (grid->n_kept - 1 - k);
        }
        grid->n_levels = level > grid->n_levels ? level : grid->n_levels;
    }
}

static xta_status check_lengths(const xta__layout *layout, int ndim, const int64_t lengths[],
                                uint64_t *n_cells)
{
    uint64_t product = 1;

    if (layout == NULL || ndim < 1 || ndim > XTA_MAX_NDIM) {
        return XTA_EARG;
    }
    for (int axis = 0; axis < ndim; axis++) {
        if (lengths[axis] < 1 || (layout->needs_powers_of_two && !is_power_of_two(lengths[axis]))) {
            return XTA_EARG;
        }
    }
    for (int axis = 0; axis < ndim; axis++) {
        if (!xta__mul_u64(product, (uint64_t)lengths[axis], &product) ||
            product >= XTA__OFFSET_LIMIT) {
            return XTA_EOVERFLOW;
        }
    }
    *n_cells = product;
    return XTA_OK;
}

xta_status xta__grid_init_layout(xta__grid *grid, const xta__layout *layout, int ndim,
                                 const int64_t lengths[])
{
    uint64_t n_cells = 0;
    xta_status status = check_lengths(layout, ndim, lengths, &n_cells);

    *grid = (xta__grid){0};
    if (status != XTA_OK) {
        return status;
    }
    grid->layout = layout;
    grid->ndim = ndim;
    grid->n_cells = n_cells;
    memcpy(grid->length, lengths, (size_t)ndim * sizeof lengths[0]);
    if (layout->needs_powers_of_two) {
        find_levels(grid);
    }
    if (layout->prepare != NULL) {
        layout->prepare(grid);
    }
    return XTA_OK;
}

xta_status xta__grid_init(xta__grid *grid, xta_order order, int ndim, const int64_t lengths[])
{
    return xta__grid_init_layout(grid, layout_of(order), ndim, lengths);
}

void xta__grid_clear(xta__grid *grid)
{
    *grid = (xta__grid){0};
}

uint64_t xta__grid_position(const xta__grid *grid, const int64_t coord[])
{
    return grid->layout->position(grid, coord);
}

void xta__grid_coord(const xta__grid *grid, uint64_t position, int64_t coord[])
{
    assert(position < grid->n_cells);
    grid->layout->coord(grid, position, coord);
}

bool xta__grid_is_strided(const xta__grid *grid)
{
    return grid->layout->strided;
}

int64_t xta__grid_stride(const xta__grid *grid, int axis)
{
    assert(grid->layout->strided && axis >= 0 && axis < grid->ndim);
    return grid->stride[axis];
}

bool xta__order_needs_powers_of_two(xta_order order)
{
    const xta__layout *layout = layout_of(order);

    return layout != NULL && layout->needs_powers_of_two;
}
