/* Morton order, the Z curve.
 *
 * Definition. Write the coordinates in binary and interleave their bits, highest level first and,
 * on one level, first axis first: the result is the position. For (x, y) of two bits each it is x1
 * y1 x0 y0. The last axis is fastest, as in row-major order.
 *
 * Lengths that differ. A short axis has no bits on the high levels and is skipped there. The result
 * is the rank of the cell among the cells of the box on the Z curve of the smallest cube around it,
 * and has no gaps. An axis of length 1 has no bits at all and so no influence.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/order/morton.h"

/* The axis whose bit is `free` among the kept axes. */
static int axis_of(const xta__grid *grid, int bit)
{
    return grid->kept[grid->n_kept - 1 - bit];
}

/* The bits of the levels from `lowest` on: every block has the same pattern. */
static uint64_t morton_block(const xta__grid *grid, const int64_t coord[], int lowest,
                             uint64_t *pattern)
{
    uint64_t position = 0;

    *pattern = 0;
    for (int level = grid->n_levels - 1; level >= lowest; level--) {
        for (int bit = grid->n_kept - 1; bit >= 0; bit--) {
            uint64_t free = grid->free_axes[level] >> bit & 1;
            uint64_t value = (uint64_t)coord[axis_of(grid, bit)] >> level & 1;
            // A bit that is not free is 0, and the shift by 0 leaves no space for it.
            position = position << free | value;
        }
    }
    return position;
}

static uint64_t morton_position(const xta__grid *grid, const int64_t coord[])
{
    uint64_t pattern;

    return morton_block(grid, coord, 0, &pattern);
}

static void morton_coord(const xta__grid *grid, uint64_t position, int64_t coord[])
{
    for (int axis = 0; axis < grid->ndim; axis++) {
        coord[axis] = 0;
    }
    for (int level = 0; level < grid->n_levels; level++) {
        for (int bit = 0; bit < grid->n_kept; bit++) {
            uint64_t free = grid->free_axes[level] >> bit & 1;
            coord[axis_of(grid, bit)] |= (int64_t)((position & free) << level);
            position >>= free;
        }
    }
}

const xta__layout xta__layout_morton = {
    .needs_powers_of_two = true,
    .strided = false,
    .prepare = NULL,
    .position = morton_position,
    .coord = morton_coord,
    .block = morton_block,
};
