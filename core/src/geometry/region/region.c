/* A box with steps against the grid of chunks.
 *
 * Definition: the chunks that hold a selected cell, and the cells that each of them holds. Naive
 * version: visit every cell. Improvement: cells and chunks are products of axes, so each axis is
 * computed separately, by divisions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/region/region.h"

xta_status xta__region_init(xta__region *region, const xta_box *box, const int64_t step[],
                            const int64_t chunk[])
{
    region->ndim = box->ndim;
    region->n_cells = 1;
    region->n_chunks = 1;
    region->chunks.ndim = box->ndim;
    for (int axis = 0; axis < box->ndim; axis++) {
        int64_t by = step != NULL ? step[axis] : 1;
        int64_t length = box->hi[axis] - box->lo[axis];
        // A longer step selects only the first cell, as this one does, and sums with this one stay
        // small.
        by = length > 0 && by > length ? length : by;
        int64_t count = length > 0 ? (length - 1) / by + 1 : 0;

        region->lo[axis] = box->lo[axis];
        region->step[axis] = by;
        region->count[axis] = count;
        region->chunk[axis] = chunk[axis];
        region->chunks.lo[axis] = xta__floor_div(box->lo[axis], chunk[axis]);
        region->chunks.hi[axis] =
            count > 0 ? xta__floor_div(box->lo[axis] + (count - 1) * by, chunk[axis]) + 1
                      : region->chunks.lo[axis];
        uint64_t n_chunks = (uint64_t)(region->chunks.hi[axis] - region->chunks.lo[axis]);
        if (!xta__mul_u64(region->n_cells, (uint64_t)count, &region->n_cells) ||
            !xta__mul_u64(region->n_chunks, n_chunks, &region->n_chunks) ||
            region->n_cells > INT64_MAX) {
            return XTA_EOVERFLOW;
        }
    }
    return XTA_OK;
}

xta__slice xta__region_slice(const xta__region *region, int axis, int64_t chunk_coord)
{
    int64_t lo = region->lo[axis], step = region->step[axis], count = region->count[axis];
    int64_t begin = chunk_coord * region->chunk[axis];
    int64_t end = begin + region->chunk[axis];
    int64_t first, last;

    if (step == 1) {
        first = begin > lo ? begin - lo : 0;
        last = end - lo < count ? end - lo : count;
    } else {
        first = begin > lo ? (begin - lo - 1) / step + 1 : 0;
        last = end > lo ? (end - lo - 1) / step + 1 : 0;
        last = last < count ? last : count;
    }
    return (xta__slice){.index = first,
                        .count = last > first ? last - first : 0,
                        .within = lo + first * step - begin};
}
