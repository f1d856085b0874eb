/* Finding the regions that may intersect a chunk.
 *
 * Naive: compare each region with each chunk. Better: a list of regions for each chunk. But a large
 * region intersects many chunks, and an array may have too many chunks for a list each. So the
 * lists are for buckets with sides of 2^shift chunks, with the least shift for which all lists fit
 * in a quarter of the remaining memory. Entries are counted first and then filled in, so that all
 * lists are in one table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/buckets.h"

#include <string.h>

#include "regions/next_row.h"
#include "util/checked.h"

#define MOST_SHIFT 61

/* The buckets that a box intersects on one axis: [*from, *to). */
static void interval(const xta__buckets *b, int shift, const xta_box *box, int axis, int64_t *from,
                     int64_t *to)
{
    int64_t side = (int64_t)1 << shift;

    *from = xta__floor_div(xta__floor_div(box->lo[axis], b->chunk[axis]), side);
    *to = xta__floor_div(xta__floor_div(box->hi[axis] - 1, b->chunk[axis]), side) + 1;
}

static double buckets_of(const xta__buckets *b, int shift, const xta_box *box)
{
    double n = 1;

    for (int axis = 0; axis < box->ndim; axis++) {
        int64_t from, to;
        interval(b, shift, box, axis, &from, &to);
        n *= (double)(to - from);
    }
    return n;
}

/* Bytes of all lists for a given size of buckets. */
static double bytes_with(const xta__pass *pass, int shift)
{
    const xta__buckets *b = &pass->buckets;
    double entries = 0;
    xta_box box;

    for (size_t k = 0; k < pass->regions->n; k++) {
        xta__pass_region(pass, k, &box);
        entries += xta_box_empty(&box) ? 0 : buckets_of(b, shift, &box);
    }
    return (buckets_of(b, shift, &pass->reach) + 1) * (double)sizeof b->begin[0] +
           entries * (double)sizeof b->region[0];
}

/* Visit every bucket of every region, to count or to fill in its entry. */
static void each_bucket(xta__pass *pass, bool fill)
{
    xta__buckets *b = &pass->buckets;
    xta_box box;
    xta_box grid = {.ndim = b->ndim};
    int64_t at[XTA_MAX_NDIM];

    for (size_t k = 0; k < pass->regions->n; k++) {
        xta__pass_region(pass, k, &box);
        if (xta_box_empty(&box)) {
            continue;
        }
        for (int axis = 0; axis < b->ndim; axis++) {
            interval(b, b->shift, &box, axis, &grid.lo[axis], &grid.hi[axis]);
        }
        memcpy(at, grid.lo, sizeof at);
        do {
            uint64_t number = 0;
            for (int axis = 0; axis < b->ndim; axis++) {
                number = number * (uint64_t)b->count[axis] + (uint64_t)(at[axis] - b->first[axis]);
            }
            if (fill) {
                // While filling, begin[number] is the position of the next entry.
                b->region[b->begin[number]++] = (uint32_t)k;
            } else {
                b->begin[number + 1]++;
            }
        } while (xta__next_row(&grid, -1, at));
    }
}

xta_status xta__buckets_begin(xta__pass *pass)
{
    xta__buckets *b = &pass->buckets;
    double quarter = (double)(pass->limit_bytes - pass->used_bytes) / 4;

    b->ndim = pass->space.ndim;
    for (int axis = 0; axis < b->ndim; axis++) {
        b->chunk[axis] = pass->chunk[pass->facts->axes[axis]];
    }
    if (xta_box_empty(&pass->reach)) {
        return XTA_OK;
    }
    while (b->shift < MOST_SHIFT && bytes_with(pass, b->shift) > quarter) {
        b->shift++;
    }
    b->n = 1;
    for (int axis = 0; axis < b->ndim; axis++) {
        int64_t to;
        interval(b, b->shift, &pass->reach, axis, &b->first[axis], &to);
        b->count[axis] = to - b->first[axis];
        b->n *= (uint64_t)b->count[axis];
    }
    b->begin = xta__pass_alloc(pass, b->n + 1, sizeof b->begin[0], "lists");
    if (b->begin == NULL) {
        return XTA_ENOMEM;
    }
    each_bucket(pass, false);
    for (uint64_t k = 0; k < b->n; k++) {
        b->begin[k + 1] += b->begin[k];
    }
    b->region = xta__pass_alloc(pass, b->begin[b->n], sizeof b->region[0], "lists");
    if (b->region == NULL) {
        return XTA_ENOMEM;
    }
    each_bucket(pass, true);
    // The beginning of each list has moved to its end, which is the beginning of the next list.
    memmove(b->begin + 1, b->begin, (size_t)b->n * sizeof b->begin[0]);
    b->begin[0] = 0;
    return XTA_OK;
}

/* The bucket of a box that lies in one chunk of the space; if it lies outside, the number of
 * buckets. */
uint64_t xta__buckets_at(const xta__buckets *b, const xta_box *space)
{
    uint64_t number = 0;

    if (b->region == NULL) {
        return b->n;
    }
    for (int axis = 0; axis < b->ndim; axis++) {
        int64_t chunk = xta__floor_div(space->lo[axis], b->chunk[axis]);
        int64_t at = xta__floor_div(chunk, (int64_t)1 << b->shift) - b->first[axis];
        if (at < 0 || at >= b->count[axis]) {
            return b->n;
        }
        number = number * (uint64_t)b->count[axis] + (uint64_t)at;
    }
    return number;
}
