/* Which bytes of a file to fetch before a read reaches them.
 *
 * Definition: all units of the file with a cell that is read, each once, in file order. Naive
 * version: each cell's unit, sorted. Improvement: the cells of a chunk are a product of axes, so
 * axes whose cells lie less than a unit apart form one range together, and only the others are
 * iterated over. A gap shorter than a unit contains no whole unit, so joining across it fetches
 * nothing that the cells on its two sides do not fetch anyway.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/region/read_ahead.h"

#include <stdlib.h>

static bool is_near(const xta__file_ranges *ranges, uint64_t end, uint64_t begin)
{
    return begin <= end || begin - end < ranges->unit;
}

static uint64_t unit_of(const xta__file_ranges *ranges, uint64_t at)
{
    return (at + ranges->phase) / ranges->unit;
}

/* Axes with more than one cell, by ascending strides. */
static int sort_axes(const xta__file_cells *cells, int axes[])
{
    int n = 0;

    for (int axis = 0; axis < cells->ndim; axis++) {
        int k = n;
        if (cells->count[axis] < 2) {
            continue;
        }
        for (; k > 0 && cells->stride[axes[k - 1]] > cells->stride[axis]; k--) {
            axes[k] = axes[k - 1];
        }
        axes[k] = axis;
        n++;
    }
    return n;
}

static bool add_range(xta__file_ranges *ranges, const xta__file_range *range, uint64_t *bytes)
{
    xta__file_range *last = ranges->n > 0 ? &ranges->items[ranges->n - 1] : NULL;

    if (last != NULL && range->begin >= last->begin && is_near(ranges, last->end, range->begin)) {
        uint64_t before = unit_of(ranges, last->end - 1);
        last->end = range->end > last->end ? range->end : last->end;
        last->turn = range->turn > last->turn ? range->turn : last->turn;
        *bytes += (unit_of(ranges, last->end - 1) - before) * ranges->unit;
        return true;
    }
    if (ranges->n == XTA__MOST_RANGES) {
        return false;
    }
    ranges->items[ranges->n++] = *range;
    *bytes += (unit_of(ranges, range->end - 1) - unit_of(ranges, range->begin) + 1) * ranges->unit;
    return true;
}

bool xta__ranges_add(xta__file_ranges *ranges, const xta__file_cells *cells, uint64_t turn,
                     uint64_t *bytes)
{
    int axes[XTA_MAX_NDIM], n = sort_axes(cells, axes), inner = 0, k;
    size_t index[XTA_MAX_NDIM] = {0};
    uint64_t span = cells->cell_bytes, at = cells->begin;

    for (; inner < n && is_near(ranges, span, (uint64_t)cells->stride[axes[inner]]); inner++) {
        span += (cells->count[axes[inner]] - 1) * (uint64_t)cells->stride[axes[inner]];
    }
    do {
        const xta__file_range range = {.begin = at, .end = at + span, .turn = turn};
        if (!add_range(ranges, &range, bytes)) {
            return false;
        }
        for (k = inner; k < n; k++) {
            uint64_t stride = (uint64_t)cells->stride[axes[k]];
            at += stride;
            if (++index[k] < cells->count[axes[k]]) {
                break;
            }
            at -= cells->count[axes[k]] * stride;
            index[k] = 0;
        }
    } while (k < n);
    return true;
}

static int compare_ranges(const void *a, const void *b)
{
    uint64_t left = ((const xta__file_range *)a)->begin;
    uint64_t right = ((const xta__file_range *)b)->begin;

    return left < right ? -1 : left > right;
}

static void mark_runs(xta__file_ranges *ranges)
{
    for (size_t k = 0; k < ranges->n; k++) {
        xta__file_range *range = &ranges->items[k];
        bool on = k == 0 && range->begin >= ranges->run_end &&
                  is_near(ranges, ranges->run_end, range->begin);
        ranges->run_begin = on ? ranges->run_begin : range->begin;
        ranges->run_end = range->end;
        range->run = ranges->run_end - ranges->run_begin >= XTA__RUN_BYTES;
    }
}

void xta__ranges_order(xta__file_ranges *ranges)
{
    xta__file_range *items = ranges->items;
    size_t n = 0;

    qsort(items, ranges->n, sizeof items[0], compare_ranges);
    for (size_t k = 0; k < ranges->n; k++) {
        if (n == 0 || !is_near(ranges, items[n - 1].end, items[k].begin)) {
            items[n++] = items[k];
            continue;
        }
        xta__file_range *last = &items[n - 1];
        last->end = items[k].end > last->end ? items[k].end : last->end;
        last->turn = items[k].turn > last->turn ? items[k].turn : last->turn;
    }
    ranges->n = n;
    mark_runs(ranges);
}

uint64_t xta__range_cut(const xta__file_ranges *ranges, const xta__file_range *range)
{
    uint64_t next = (unit_of(ranges, range->begin) + 1) * ranges->unit - ranges->phase;

    return next < range->end ? next : range->end;
}
