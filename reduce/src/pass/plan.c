/* Preparing a pass: axes, limits, memory.
 *
 * The limit counts everything that is allocated here. Statistics and ranks get what they need. Of
 * the rest, the lists of regions or the window on the mask get up to a quarter, and the cells of a
 * slab up to a half. A larger chunk is processed in several slabs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/plan.h"

#include <inttypes.h>
#include <string.h>

#include "pass/buckets.h"
#include "pass/ranks.h"
#include "util/try.h"

#define DEFAULT_BYTES ((uint64_t)256 << 20)

/* ---- axes ---- */

/* Whether the mask has the lengths of the array's axes from `first` on. */
static bool lengths_match(const xta__pass *pass, const xta_box *mask, int first)
{
    const xta_box *b = &pass->facts->bounds;

    for (int axis = 0; axis < mask->ndim; axis++) {
        int of = first + axis;
        if (b->hi[of] - b->lo[of] != mask->hi[axis] - mask->lo[axis]) {
            return false;
        }
    }
    return true;
}

static xta_status guess_axes(xta__pass *pass)
{
    const xta_regions *r = pass->regions;
    int n_rest = pass->facts->bounds.ndim - r->ndim;
    int first = 0;

    if (n_rest > 0 && r->mask != NULL) {
        xta_box mask = xta_array_bounds(r->mask);
        bool at_begin = lengths_match(pass, &mask, 0);
        bool at_end = lengths_match(pass, &mask, n_rest);
        first = at_begin ? 0 : n_rest;
        if (at_begin == at_end) {
            return xta_error_set(pass->err, XTA_EARG, 0,
                                 "%s: %d axes, and the mask has %d, whose lengths fit %s; say "
                                 "which axes they are",
                                 xta__pass_array_name(pass), pass->facts->bounds.ndim, r->ndim,
                                 at_begin ? "the first as well as the last"
                                          : "neither the first nor the last");
        }
    } else if (n_rest != 0) {
        return xta_error_set(pass->err, XTA_EARG, 0, "%s: %d axes, and the regions have %d; %s",
                             xta__pass_array_name(pass), pass->facts->bounds.ndim, r->ndim,
                             n_rest > 0 ? "say which axes they are" : "they have too many");
    }
    for (int axis = 0; axis < r->ndim; axis++) {
        pass->facts->axes[axis] = first + axis;
    }
    return XTA_OK;
}

static xta_status choose_axes(xta__pass *pass)
{
    const xta_regions *r = pass->regions;
    xta_extract_facts *f = pass->facts;
    int before = -1;

    f->n_axes = r->ndim;
    if (pass->options.axes == NULL) {
        xta_status status = guess_axes(pass);
        if (status != XTA_OK) {
            return status;
        }
    }
    for (int axis = 0; axis < r->ndim; axis++) {
        int of = pass->options.axes != NULL ? pass->options.axes[axis] : f->axes[axis];
        if (of <= before || of >= f->bounds.ndim) {
            return xta_error_set(pass->err, XTA_EARG, 0,
                                 "%s: axis %d of the regions cannot be axis %d; give %d different "
                                 "axes below %d in ascending order",
                                 xta__pass_array_name(pass), axis, of, r->ndim, f->bounds.ndim);
        }
        f->axes[axis] = before = of;
    }
    return XTA_OK;
}

xta_status xta_extract_axes(xta_array *array, const xta_regions *regions, const int *wanted,
                            int axes[], xta_error *err)
{
    xta_extract_facts facts = {.bounds = xta_array_bounds(array)};
    xta_error own;
    xta__pass pass = {.array = array,
                      .regions = regions,
                      .options = {.axes = wanted},
                      .facts = &facts,
                      .err = err != NULL ? err : &own};
    xta_status status = choose_axes(&pass);

    if (status == XTA_OK) {
        memcpy(axes, facts.axes, (size_t)regions->ndim * sizeof axes[0]);
    }
    return status;
}

/* Split the bounds into space and remaining axes, and number the positions on the latter. */
static xta_status split_axes(xta__pass *pass)
{
    xta_extract_facts *f = pass->facts;
    double n_positions = 1;

    pass->space.ndim = f->n_axes;
    for (int axis = 0; axis < f->bounds.ndim; axis++) {
        pass->space_of[axis] = -1;
    }
    for (int axis = 0; axis < f->n_axes; axis++) {
        pass->space_of[f->axes[axis]] = axis;
        pass->space.lo[axis] = f->bounds.lo[f->axes[axis]];
        pass->space.hi[axis] = f->bounds.hi[f->axes[axis]];
    }
    f->n_positions = 1;
    for (int axis = 0; axis < f->bounds.ndim; axis++) {
        if (pass->space_of[axis] < 0) {
            f->rest[f->n_rest++] = axis;
            n_positions *= (double)(f->bounds.hi[axis] - f->bounds.lo[axis]);
        }
    }
    if (n_positions >= (double)((uint64_t)1 << 62)) {
        return xta_error_set(pass->err, XTA_EOVERFLOW, 0,
                             "%s: the remaining axes have more positions than 62 bits count",
                             xta__pass_array_name(pass));
    }
    for (int k = f->n_rest - 1; k >= 0; k--) {
        int axis = f->rest[k];
        pass->rest_stride[axis] = (int64_t)f->n_positions;
        f->n_positions *= (uint64_t)(f->bounds.hi[axis] - f->bounds.lo[axis]);
    }
    return XTA_OK;
}

/* ---- limits ---- */

static xta_status check_mask(const xta__pass *pass)
{
    const xta_regions *r = pass->regions;
    xta_box mask = xta_array_bounds(r->mask);

    for (int axis = 0; axis < r->ndim; axis++) {
        int64_t lo = mask.lo[axis] + r->shift[axis];
        int64_t hi = mask.hi[axis] + r->shift[axis];
        if (lo != pass->space.lo[axis] || hi != pass->space.hi[axis]) {
            return xta_error_set(pass->err, XTA_EBOX, 0,
                                 "%s: axis %d: %" PRId64 ":%" PRId64 "; the mask covers %" PRId64
                                 ":%" PRId64 "; give a mask of the same bounds",
                                 xta__pass_array_name(pass), pass->facts->axes[axis],
                                 pass->space.lo[axis], pass->space.hi[axis], lo, hi);
        }
    }
    return XTA_OK;
}

static xta_status check_box(const xta__pass *pass, size_t k)
{
    const int64_t *lo = xta__region_lo(pass->regions, k);
    const int64_t *hi = xta__region_hi(pass->regions, k);

    if (pass->options.clip || xta__region_is_sphere(pass->regions, k)) {
        return XTA_OK;
    }
    for (int axis = 0; axis < pass->space.ndim; axis++) {
        if (lo[axis] < pass->space.lo[axis] || hi[axis] > pass->space.hi[axis]) {
            return xta_error_set(
                pass->err, XTA_EBOX, 0,
                "%s: region %zu%s%s: axis %d: %" PRId64 ":%" PRId64 " leaves the bounds %" PRId64
                ":%" PRId64 "; stay within them or have boxes clipped",
                xta__pass_array_name(pass), k, pass->regions->name[k] != NULL ? " " : "",
                pass->regions->name[k] != NULL ? pass->regions->name[k] : "",
                pass->facts->axes[axis], lo[axis], hi[axis], pass->space.lo[axis],
                pass->space.hi[axis]);
        }
    }
    return XTA_OK;
}

/* Check every region, and find the box that all of them together may intersect. */
static xta_status find_reach(xta__pass *pass)
{
    xta_status status = pass->regions->mask != NULL ? check_mask(pass) : XTA_OK;
    bool any = false;
    xta_box box;

    pass->reach = pass->space;
    for (size_t k = 0; status == XTA_OK && k < pass->regions->n; k++) {
        status = pass->regions->mask != NULL ? XTA_OK : check_box(pass, k);
        xta__pass_region(pass, k, &box);
        if (xta_box_empty(&box)) {
            continue;
        }
        for (int axis = 0; axis < box.ndim; axis++) {
            int64_t *lo = &pass->reach.lo[axis];
            int64_t *hi = &pass->reach.hi[axis];
            *lo = !any || box.lo[axis] < *lo ? box.lo[axis] : *lo;
            *hi = !any || box.hi[axis] > *hi ? box.hi[axis] : *hi;
        }
        any = true;
    }
    if (!any) {
        pass->reach.hi[0] = pass->reach.lo[0];
    }
    return status;
}

/* ---- memory ---- */

static xta_status make_statistics(xta__pass *pass)
{
    xta_extraction *e = pass->extraction;

    if (pass->options.no_statistics) {
        return XTA_OK;
    }
    if (!xta__fold_functions_of(e->type, &e->fold)) {
        return xta_error_set(pass->err, XTA_ETYPE, 0,
                             "%s: there are no statistics of %s; take the cells alone, or an array "
                             "of real numbers",
                             xta__pass_array_name(pass), xta_type_name(e->type));
    }
    double n = (double)pass->regions->n * (double)pass->facts->n_positions;
    uint64_t count = n < 1e18 ? pass->regions->n * pass->facts->n_positions : UINT64_MAX;
    e->accumulator = xta__pass_alloc(pass, count, sizeof e->accumulator[0], "statistics");
    if (e->accumulator == NULL) {
        return XTA_ENOMEM;
    }
    xta__fold_begin(&e->fold, e->accumulator, (size_t)count);
    return XTA_OK;
}

static xta_status make_window(xta__pass *pass)
{
    uint64_t quarter = (pass->limit_bytes - pass->used_bytes) / 4 / sizeof(int64_t);
    uint64_t n = 0;

    if (xta_box_cells(&pass->space, &n) != XTA_OK || n > quarter) {
        n = quarter;
    }
    pass->window.capacity = n;
    pass->window.region = xta__pass_alloc(pass, n, sizeof(int64_t), "labels");
    return pass->window.region != NULL ? XTA_OK : XTA_ENOMEM;
}

static xta_status make_cells(xta__pass *pass)
{
    uint64_t half = (pass->limit_bytes - pass->used_bytes) / 2 / pass->cell_bytes;
    double in_chunk = 1;

    for (int axis = 0; axis < pass->facts->bounds.ndim; axis++) {
        in_chunk *= (double)pass->chunk[axis];
    }
    pass->slab_cells = in_chunk < (double)half ? (uint64_t)in_chunk : half;
    if (pass->regions->mask != NULL && pass->slab_cells > pass->window.capacity) {
        pass->slab_cells = pass->window.capacity;
    }
    // At least one cell is needed; the error text says how much memory would be enough.
    pass->slab_cells = pass->slab_cells > 0 ? pass->slab_cells : XTA__SPARE_BYTES;
    pass->cells = xta__pass_alloc(pass, pass->slab_cells, pass->cell_bytes, "cells");
    return pass->cells != NULL ? XTA_OK : XTA_ENOMEM;
}

/* ---- all of it ---- */

xta_status xta__pass_begin(xta__pass *pass)
{
    xta_array_info info;
    xta_extract_facts *f = pass->facts;
    xta_status status = XTA_OK;

    pass->limit_bytes = pass->options.memory_bytes > 0 ? pass->options.memory_bytes : DEFAULT_BYTES;
    if (pass->regions->n == 0) {
        return xta_error_set(pass->err, XTA_EARG, 0, "%s: no regions to take out of it; %s",
                             xta__pass_array_name(pass),
                             pass->regions->mask != NULL ? "the mask is all background"
                                                         : "add at least one");
    }
    XTA_TRY(xta_array_inquire(pass->array, &info, pass->err));
    f->n_regions = pass->regions->n;
    f->bounds = info.bounds;
    memcpy(pass->chunk, info.chunk, sizeof pass->chunk);
    pass->extraction->type = info.type;
    pass->cell_bytes = info.cell_bytes;
    XTA_TRY(choose_axes(pass));
    XTA_TRY(split_axes(pass));
    XTA_TRY(find_reach(pass));
    XTA_TRY(make_statistics(pass));
    if (pass->options.piece != NULL || pass->options.region != NULL) {
        XTA_TRY(xta__pass_ranks(pass));
    }
    XTA_TRY(pass->regions->mask != NULL ? make_window(pass) : xta__buckets_begin(pass));
    XTA_TRY(make_cells(pass));
done:
    return status;
}
