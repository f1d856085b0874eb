/* A template: copy this file to add an order, and say here what it is, in prose: its definition,
 * the naive version, then what makes this one better.
 *
 * Then give it a number at the end of xta_order in <xta/array.h>, a line in `layouts` of grid.c,
 * one in CMakeLists.txt, and its name where names are read and written. The tests in
 * tests/unit/test_order_grid.c include all orders automatically.
 *
 * This one is a snake: row-major, but every other row runs backwards, so that successive cells are
 * neighbours, for any lengths. It compiles and is tested, but no array uses it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/order/template.h"

/* Called once, to compute what does not depend on the cell: grid->stride if the order is
 * strided. */
static void template_prepare(xta__grid *grid)
{
    int64_t stride = 1;

    for (int axis = grid->ndim - 1; axis >= 0; axis--) {
        grid->stride[axis] = stride;
        stride *= grid->length[axis];
    }
}

/* Position of a cell. An axis runs backwards if the number of rows before it is odd. */
static uint64_t template_position(const xta__grid *grid, const int64_t coord[])
{
    uint64_t rows = 0;

    for (int axis = 0; axis < grid->ndim; axis++) {
        int64_t length = grid->length[axis];
        int64_t along = rows % 2 == 0 ? coord[axis] : length - 1 - coord[axis];
        rows = rows * (uint64_t)length + (uint64_t)along;
    }
    return rows;
}

/* The inverse. */
static void template_coord(const xta__grid *grid, uint64_t position, int64_t coord[])
{
    uint64_t rows = 0;

    for (int axis = 0; axis < grid->ndim; axis++) {
        uint64_t stride = (uint64_t)grid->stride[axis];
        int64_t length = grid->length[axis];
        int64_t along = (int64_t)(position / stride);
        coord[axis] = rows % 2 == 0 ? along : length - 1 - along;
        rows = rows * (uint64_t)length + (uint64_t)along;
        position %= stride;
    }
}

const xta__layout xta__layout_template = {
    .needs_powers_of_two = false,
    .strided = false, // stride[] is private here: a position is not a dot product
    .prepare = template_prepare,
    .position = template_position,
    .coord = template_coord,
    .block = NULL,
};
