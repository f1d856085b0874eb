/* Row-major order: the last axis is fastest, as in C.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/order/row.h"

#include "geometry/order/strided.h"

static void row_prepare(xta__grid *grid)
{
    int64_t stride = 1;

    for (int axis = grid->ndim - 1; axis >= 0; axis--) {
        grid->stride[axis] = stride;
        stride *= grid->length[axis];
    }
}

static void row_coord(const xta__grid *grid, uint64_t position, int64_t coord[])
{
    for (int axis = grid->ndim - 1; axis >= 0; axis--) {
        uint64_t length = (uint64_t)grid->length[axis];
        coord[axis] = (int64_t)(position % length);
        position /= length;
    }
}

const xta__layout xta__layout_row = {
    .needs_powers_of_two = false,
    .strided = true,
    .prepare = row_prepare,
    .position = xta__strided_position,
    .coord = row_coord,
    .block = NULL,
};
