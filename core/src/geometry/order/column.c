/* Column-major order: the first axis is fastest, as in Fortran.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/order/column.h"

#include "geometry/order/strided.h"

static void column_prepare(xta__grid *grid)
{
    int64_t stride = 1;

    for (int axis = 0; axis < grid->ndim; axis++) {
        grid->stride[axis] = stride;
        stride *= grid->length[axis];
    }
}

static void column_coord(const xta__grid *grid, uint64_t position, int64_t coord[])
{
    for (int axis = 0; axis < grid->ndim; axis++) {
        uint64_t length = (uint64_t)grid->length[axis];
        coord[axis] = (int64_t)(position % length);
        position /= length;
    }
}

const xta__layout xta__layout_column = {
    .needs_powers_of_two = false,
    .strided = true,
    .prepare = column_prepare,
    .position = xta__strided_position,
    .coord = column_coord,
    .block = NULL,
};
