/* A box cut into slabs of bounded memory.
 *
 * Slabs are cut across the slowest axis of the foreign file, so that each is one contiguous range
 * of the file. Cuts lie on the array's chunk grid, so that each chunk is in only one slab. The next
 * axis is also cut only if one row of chunks is too large, and chunks are cut only if a single one
 * is too large.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "transfer/slabs.h"

static int64_t floor_to(int64_t value, int64_t step)
{
    int64_t rest = value % step;
    return value - (rest < 0 ? rest + step : rest);
}

/* Number of cells in a slab of these lengths; saturates. */
static double cells_of(const int64_t length[], int ndim)
{
    double cells = 1;
    for (int axis = 0; axis < ndim; axis++) {
        cells *= (double)length[axis];
    }
    return cells;
}

/* Shorten the step on `axis` to the longest multiple of `unit` for which the slab fits, at least
 * `unit`. */
static void shorten_step(int64_t length[], int ndim, int axis, int64_t unit, double limit)
{
    int64_t whole = length[axis];
    double rows = limit / (cells_of(length, ndim) / (double)whole);
    if (unit > whole) {
        unit = whole;
    }
    if (rows >= (double)whole) {
        return;
    }
    int64_t fits = (int64_t)rows / unit * unit;
    length[axis] = fits < unit ? unit : fits;
}

void xta__slabs_init(bridge_slabs *slabs, const xta_box *box, const int64_t chunk[],
                     const int slow[], size_t cell_bytes, uint64_t memory_bytes)
{
    double limit = (double)memory_bytes / (double)cell_bytes;
    slabs->box = *box;
    slabs->over = xta_box_empty(box);
    for (int axis = 0; axis < box->ndim; axis++) {
        slabs->step[axis] = box->hi[axis] > box->lo[axis] ? box->hi[axis] - box->lo[axis] : 1;
        slabs->slow[axis] = slow[axis];
    }
    for (int pass = 0; pass < 2; pass++) { // first whole chunks, then cells if necessary
        for (int k = 0; k < box->ndim; k++) {
            int axis = slow[k];
            if (cells_of(slabs->step, box->ndim) > limit) {
                shorten_step(slabs->step, box->ndim, axis, pass == 0 ? chunk[axis] : 1, limit);
            }
        }
    }
    slabs->cells = 1;
    for (int axis = 0; axis < box->ndim; axis++) {
        slabs->cells *= (uint64_t)slabs->step[axis];
        slabs->at[axis] = box->lo[axis];
    }
}

/* The end of the slab that holds coordinate `at`. An axis that is not cut is one slab. */
static int64_t slab_end(const bridge_slabs *slabs, int axis, int64_t at)
{
    int64_t step = slabs->step[axis];
    int64_t hi = slabs->box.hi[axis];
    if (step >= hi - slabs->box.lo[axis]) {
        return hi;
    }
    int64_t end = floor_to(at, step) + step;
    return end < hi ? end : hi;
}

bool xta__slabs_next(bridge_slabs *slabs, xta_box *slab)
{
    int ndim = slabs->box.ndim;
    if (slabs->over) {
        return false;
    }
    slab->ndim = ndim;
    for (int axis = 0; axis < ndim; axis++) {
        slab->lo[axis] = slabs->at[axis];
        slab->hi[axis] = slab_end(slabs, axis, slabs->at[axis]);
    }
    for (int k = ndim - 1; k >= 0; k--) { // the fastest axis first, as in the file
        int axis = slabs->slow[k];
        slabs->at[axis] = slab->hi[axis];
        if (slabs->at[axis] < slabs->box.hi[axis]) {
            return true;
        }
        slabs->at[axis] = slabs->box.lo[axis];
    }
    slabs->over = true;
    return true;
}
