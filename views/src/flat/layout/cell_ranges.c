/* Ranges of cells in row-major order as boxes.
 *
 * A slab of level k is one coordinate on each axis up to k and all of the axes behind it. From any
 * position the longest box is made of slabs of the first level at which one begins there and ends
 * within the range. Levels fall towards the middle of a range and rise behind it, each once, so d
 * axes give at most 2 d - 1 boxes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "flat/layout/cell_ranges.h"

bool xta__cell_range_next(xta__cell_range *range, xta_box *box, uint64_t *n_cells)
{
    const xta_box *whole = range->whole;
    uint64_t slab[XTA_MAX_NDIM]; // cells of a slab of each level
    uint64_t rest = range->at, left = range->end - range->at;
    int level = 0;

    if (range->at >= range->end) {
        return false;
    }
    slab[whole->ndim - 1] = 1;
    for (int axis = whole->ndim - 1; axis > 0; axis--) {
        slab[axis - 1] = slab[axis] * (uint64_t)(whole->hi[axis] - whole->lo[axis]);
    }
    while (range->at % slab[level] != 0 || slab[level] > left) {
        level++; // ends at the last axis, whose slabs are single cells
    }
    *box = *whole;
    for (int axis = 0; axis <= level; axis++) {
        box->lo[axis] = whole->lo[axis] + (int64_t)(rest / slab[axis]);
        box->hi[axis] = box->lo[axis] + 1;
        rest %= slab[axis];
    }
    uint64_t n = left / slab[level], most = (uint64_t)(whole->hi[level] - box->lo[level]);
    n = n < most ? n : most;
    box->hi[level] = box->lo[level] + (int64_t)n;
    *n_cells = n * slab[level];
    range->at += *n_cells;
    return true;
}
