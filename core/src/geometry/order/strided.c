/* Positions that are dot products of coordinates and strides.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/order/strided.h"

uint64_t xta__strided_position(const xta__grid *grid, const int64_t coord[])
{
    uint64_t position = 0;

    for (int axis = 0; axis < grid->ndim; axis++) {
        position += (uint64_t)coord[axis] * (uint64_t)grid->stride[axis];
    }
    return position;
}
