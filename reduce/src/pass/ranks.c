/* Ranks: how many cells of a region precede a given cell in row-major order.
 *
 * Naive: count them. In a box the number can be computed. Spheres and labels have a table of their
 * runs on the last axis, in row-major order, with the beginning of each run and the number of cells
 * before it. A run that is cut by a chunk is found by bisection. Table entries are counted first
 * and then filled in, each in one pass over the rows of the spheres, or over the mask.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/ranks.h"

#include <string.h>

#include "pass/mask_window.h"
#include "regions/next_row.h"
#include "regions/sphere.h"
#include "util/try.h"

/* The row-major number of a cell in the space. */
static uint64_t key_of(const xta__pass *pass, const int64_t at[])
{
    uint64_t key = 0;

    for (int axis = 0; axis < pass->space.ndim; axis++) {
        int64_t lo = pass->space.lo[axis];
        key = key * (uint64_t)(pass->space.hi[axis] - lo) + (uint64_t)(at[axis] - lo);
    }
    return key;
}

/* The state of filling the tables: the number of runs so far, and of their cells. */
typedef struct filling {
    xta__pass *pass;
    size_t *n_runs;
    uint64_t *n_cells;
    bool fill;
} filling;

static void add_run(filling *f, size_t k, const int64_t at[], int64_t n)
{
    xta__pass *pass = f->pass;

    if (f->fill) {
        pass->rank[pass->rank_begin[k] + f->n_runs[k]] =
            (xta__rank){.key = key_of(pass, at), .before = f->n_cells[k]};
    }
    f->n_runs[k]++;
    f->n_cells[k] += (uint64_t)n;
}

static void sphere_runs(filling *f, size_t k)
{
    const xta_regions *r = f->pass->regions;
    int64_t at[XTA_MAX_NDIM];
    int last = r->ndim - 1;
    xta_box box;

    xta__pass_region(f->pass, k, &box);
    if (xta_box_empty(&box)) {
        return;
    }
    memcpy(at, box.lo, sizeof at);
    do {
        int64_t lo, hi;
        xta__sphere_run(xta__region_sphere(r, k), r->ndim, at, &lo, &hi);
        lo = lo > box.lo[last] ? lo : box.lo[last];
        hi = hi < box.hi[last] ? hi : box.hi[last];
        at[last] = lo;
        if (lo < hi) {
            add_run(f, k, at, hi - lo);
        }
    } while (xta__next_row(&box, last, at));
}

/* Add the runs of one part of the mask. A run that continues one of the previous part counts as
 * two, which does no harm. */
static void window_runs(filling *f, const xta_box *box)
{
    const int64_t *region = f->pass->window.region;
    int last = box->ndim - 1;
    int64_t n = box->hi[last] - box->lo[last];
    int64_t at[XTA_MAX_NDIM];

    memcpy(at, box->lo, sizeof at);
    do {
        for (int64_t from = 0, to; from < n; from = to) {
            for (to = from + 1; to < n && region[to] == region[from]; to++) {}
            at[last] = box->lo[last] + from;
            if (region[from] >= 0) {
                add_run(f, (size_t)region[from], at, to - from);
            }
        }
        region += n;
    } while (xta__next_row(box, last, at));
}

/* Go through the mask in row-major order, with as many whole rows at a time as the window holds. */
static xta_status mask_runs(filling *f)
{
    const xta_box *space = &f->pass->space;
    xta_box part = *space;
    int split = space->ndim - 1;
    uint64_t row = 1;
    int64_t at[XTA_MAX_NDIM];

    while (split > 0 &&
           row * (uint64_t)(part.hi[split] - part.lo[split]) <= f->pass->window.capacity) {
        row *= (uint64_t)(part.hi[split] - part.lo[split]);
        split--;
    }
    int64_t step = (int64_t)(f->pass->window.capacity / row);
    memcpy(at, space->lo, sizeof at);
    for (;;) {
        for (int axis = 0; axis <= split; axis++) {
            int64_t end = at[axis] + (axis == split ? step : 1);
            part.lo[axis] = at[axis];
            part.hi[axis] = end < space->hi[axis] ? end : space->hi[axis];
        }
        f->pass->window.box.ndim = 0;
        xta_status status = xta__window_show(f->pass, &part);
        if (status != XTA_OK) {
            return status;
        }
        window_runs(f, &f->pass->window.box);
        at[split] = f->pass->window.box.hi[split];
        int axis = split;
        for (; axis > 0 && at[axis] >= space->hi[axis]; axis--) {
            at[axis] = space->lo[axis];
            at[axis - 1]++;
        }
        if (at[0] >= space->hi[0]) {
            return XTA_OK;
        }
    }
}

static xta_status all_runs(filling *f)
{
    const xta_regions *r = f->pass->regions;

    memset(f->n_runs, 0, r->n * sizeof f->n_runs[0]);
    memset(f->n_cells, 0, r->n * sizeof f->n_cells[0]);
    if (r->mask != NULL) {
        return mask_runs(f);
    }
    for (size_t k = 0; k < r->n; k++) {
        if (xta__region_is_sphere(r, k)) {
            sphere_runs(f, k);
        }
    }
    return XTA_OK;
}

/* Report each region to the caller. */
static xta_status announce(const filling *f)
{
    const xta__pass *pass = f->pass;

    for (size_t k = 0; pass->options.region != NULL && k < pass->regions->n; k++) {
        uint64_t n_cells = f->n_cells[k];
        xta_box box;
        xta__pass_region(pass, k, &box);
        if (pass->regions->mask == NULL && !xta__region_is_sphere(pass->regions, k) &&
            xta_box_cells(&box, &n_cells) != XTA_OK) {
            return xta_error_set(pass->err, XTA_EOVERFLOW, 0,
                                 "region %zu: more cells than 63 bits count", k);
        }
        if (pass->options.region(pass->options.user, k, n_cells, &box) != 0) {
            return xta_error_set(pass->err, XTA_ECANCELLED, 0,
                                 "region %zu: the extraction was ended", k);
        }
    }
    return XTA_OK;
}

/* Make a window for going through the mask; the pass later makes its own. */
static xta_status begin_window(xta__pass *pass)
{
    uint64_t quarter = (pass->limit_bytes - pass->used_bytes) / 4 / sizeof(int64_t);
    uint64_t n = 0;

    if (xta_box_cells(&pass->space, &n) != XTA_OK || n > quarter) {
        n = quarter;
    }
    pass->window.capacity = n > 0 ? n : 1;
    pass->window.region = xta__pass_alloc(pass, pass->window.capacity, sizeof(int64_t), "labels");
    return pass->window.region != NULL ? XTA_OK : XTA_ENOMEM;
}

static void end_window(xta__pass *pass)
{
    xta__pass_free(pass, pass->window.region, pass->window.capacity, sizeof(int64_t));
    pass->window = (xta__window){0};
}

xta_status xta__pass_ranks(xta__pass *pass)
{
    const xta_regions *r = pass->regions;
    filling f = {.pass = pass};
    xta_status status = XTA_ENOMEM;

    f.n_runs = xta__pass_alloc(pass, r->n, sizeof f.n_runs[0], "ranks");
    f.n_cells = xta__pass_alloc(pass, r->n, sizeof f.n_cells[0], "ranks");
    pass->rank_begin = xta__pass_alloc(pass, r->n + 1, sizeof pass->rank_begin[0], "ranks");
    if (f.n_runs == NULL || f.n_cells == NULL || pass->rank_begin == NULL) {
        goto done;
    }
    if (r->mask != NULL) {
        XTA_TRY(begin_window(pass));
    }
    XTA_TRY(all_runs(&f));
    for (size_t k = 0; k < r->n; k++) {
        pass->rank_begin[k + 1] = pass->rank_begin[k] + f.n_runs[k];
    }
    pass->rank = xta__pass_alloc(pass, pass->rank_begin[r->n], sizeof pass->rank[0], "ranks");
    status = pass->rank != NULL ? XTA_OK : XTA_ENOMEM;
    if (status == XTA_OK) {
        f.fill = true;
        XTA_TRY(all_runs(&f));
        XTA_TRY(announce(&f));
    }
done:
    if (r->mask != NULL) {
        end_window(pass);
    }
    xta__pass_free(pass, f.n_runs, r->n, sizeof f.n_runs[0]);
    xta__pass_free(pass, f.n_cells, r->n, sizeof f.n_cells[0]);
    return status;
}

uint64_t xta__pass_rank(const xta__pass *pass, size_t k, const int64_t at[])
{
    if (pass->rank_begin[k] == pass->rank_begin[k + 1]) {
        xta_box box;
        uint64_t rank = 0;
        xta__pass_region(pass, k, &box);
        for (int axis = 0; axis < box.ndim; axis++) {
            rank = rank * (uint64_t)(box.hi[axis] - box.lo[axis]) +
                   (uint64_t)(at[axis] - box.lo[axis]);
        }
        return rank;
    }
    uint64_t key = key_of(pass, at);
    size_t lo = pass->rank_begin[k];
    size_t hi = pass->rank_begin[k + 1];
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if (pass->rank[middle].key <= key) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return pass->rank[lo].before + (key - pass->rank[lo].key);
}
