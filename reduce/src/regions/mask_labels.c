/* Masks: finding their labels, and the region of each label.
 *
 * Labels are found in one pass over the mask in file order. A hash table maps a label to the number
 * of its region; neighbouring cells mostly have the same label, so there is one look-up for each
 * run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "regions/mask_labels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "regions/next_row.h"
#include "util/try.h"

#define SLAB_CELLS ((uint64_t)1 << 20)

static size_t slot_of(const xta_regions *r, int64_t label)
{
    uint64_t hash = (uint64_t)label * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)((hash ^ hash >> 32) % r->n_slots);

    while (r->slot[at] != 0 && r->label[r->slot[at] - 1] != label) {
        at = (at + 1) % r->n_slots;
    }
    return at;
}

int64_t xta__region_of_label(const xta_regions *regions, int64_t label)
{
    if (regions->n_slots == 0 || label == regions->background) {
        return -1;
    }
    return (int64_t)regions->slot[slot_of(regions, label)] - 1;
}

/* Rebuild the table, for at most `capacity` regions. */
static bool fill_slots(xta_regions *r, size_t capacity)
{
    size_t n_slots = 2 * capacity + 1;
    size_t *slot = calloc(n_slots, sizeof *slot);

    if (slot == NULL) {
        return false;
    }
    free(r->slot);
    r->slot = slot;
    r->n_slots = n_slots;
    for (size_t k = 0; k < r->n; k++) {
        r->slot[slot_of(r, r->label[k])] = k + 1;
    }
    return true;
}

/* ---- finding labels ---- */

typedef struct finding {
    xta_regions *regions;
    int64_t *labels; // of a slab
    xta_status status;
    xta_error *err;
} finding;

static bool new_region(xta_regions *r, int64_t label)
{
    if (r->n >= INT32_MAX || !xta__regions_grow(r)) {
        return false;
    }
    int64_t *limits = r->limits + 2 * (size_t)r->ndim * r->n;
    for (int axis = 0; axis < r->ndim; axis++) {
        limits[axis] = INT64_MAX;
        limits[r->ndim + axis] = INT64_MIN;
    }
    r->label[r->n] = label;
    r->n_cells[r->n] = 0;
    r->n++;
    if (r->n > r->n_slots / 2) {
        return fill_slots(r, 2 * r->n + 64);
    }
    r->slot[slot_of(r, label)] = r->n;
    return true;
}

/* Record that cells [from, to) on the last axis, in the row at `at`, have a label. */
static bool add_run(xta_regions *r, int64_t label, const int64_t at[], int64_t from, int64_t to)
{
    int64_t k = xta__region_of_label(r, label);

    if (k < 0) {
        if (!new_region(r, label)) {
            return false;
        }
        k = (int64_t)r->n - 1;
    }
    int64_t *lo = r->limits + 2 * (size_t)r->ndim * (size_t)k;
    int64_t *hi = lo + r->ndim;
    for (int axis = 0; axis < r->ndim; axis++) {
        int64_t first = (axis + 1 < r->ndim ? at[axis] : from) + r->shift[axis];
        int64_t end = axis + 1 < r->ndim ? first + 1 : to + r->shift[axis];
        lo[axis] = first < lo[axis] ? first : lo[axis];
        hi[axis] = end > hi[axis] ? end : hi[axis];
    }
    r->n_cells[k] += (uint64_t)(to - from);
    return true;
}

static bool scan_slab(xta_regions *r, const xta_box *slab, const int64_t *labels)
{
    int last = slab->ndim - 1;
    int64_t n = slab->hi[last] - slab->lo[last];
    int64_t at[XTA_MAX_NDIM];

    memcpy(at, slab->lo, sizeof at);
    do {
        for (int64_t from = 0, to; from < n; from = to) {
            for (to = from + 1; to < n && labels[to] == labels[from]; to++) {}
            if (labels[from] != r->background &&
                !add_run(r, labels[from], at, slab->lo[last] + from, slab->lo[last] + to)) {
                return false;
            }
        }
        labels += n;
    } while (xta__next_row(slab, last, at));
    return true;
}

static xta_status find_in(finding *f, const xta_box *cells)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_box slab = *cells;
    int split = slab.ndim - 1;
    uint64_t row = 1;

    // Whole lengths of the last axes, as many as fit; one coordinate of the axes before them.
    for (; split > 0 && row * (uint64_t)(slab.hi[split] - slab.lo[split]) <= SLAB_CELLS; split--) {
        row *= (uint64_t)(slab.hi[split] - slab.lo[split]);
    }
    int64_t step = (int64_t)(SLAB_CELLS / row);
    int64_t at[XTA_MAX_NDIM];
    memcpy(at, cells->lo, sizeof at);
    io.type = XTA_I64;
    io.threads = 1;
    for (;;) {
        for (int axis = 0; axis <= split; axis++) {
            int64_t end = at[axis] + (axis == split ? step : 1);
            slab.lo[axis] = at[axis];
            slab.hi[axis] = end < cells->hi[axis] ? end : cells->hi[axis];
        }
        xta_status status = xta_array_read(f->regions->mask, &slab, &io, f->labels, f->err);
        if (status == XTA_OK && !scan_slab(f->regions, &slab, f->labels)) {
            status = xta_error_set(f->err, XTA_ENOMEM, 0, "%s: no memory for more than %zu labels",
                                   xta_array_path(f->regions->mask), f->regions->n);
        }
        at[split] = slab.hi[split];
        int axis = split;
        for (; axis > 0 && at[axis] >= cells->hi[axis]; axis--) {
            at[axis] = cells->lo[axis];
            at[axis - 1]++;
        }
        if (status != XTA_OK || at[0] >= cells->hi[0]) {
            return status;
        }
    }
}

static int find_in_chunk(void *user, const xta_chunk *chunk)
{
    finding *f = user;

    f->status = xta_box_empty(&chunk->cells) ? XTA_OK : find_in(f, &chunk->cells);
    return f->status != XTA_OK;
}

/* ---- order ---- */

typedef struct found {
    int64_t label;
    size_t k;
} found;

static int by_label(const void *a, const void *b)
{
    int64_t x = ((const found *)a)->label;
    int64_t y = ((const found *)b)->label;

    return (x > y) - (x < y);
}

/* Number the regions by their labels. */
static bool sort_regions(xta_regions *r)
{
    size_t row = 2 * (size_t)r->ndim;
    found *order = calloc(r->n + 1, sizeof *order);
    int64_t *limits = calloc(r->n + 1, row * sizeof *limits);
    uint64_t *n_cells = calloc(r->n + 1, sizeof *n_cells);
    bool good = order != NULL && limits != NULL && n_cells != NULL;

    for (size_t k = 0; good && k < r->n; k++) {
        order[k] = (found){r->label[k], k};
    }
    if (good) {
        qsort(order, r->n, sizeof *order, by_label);
    }
    for (size_t k = 0; good && k < r->n; k++) {
        r->label[k] = order[k].label;
        n_cells[k] = r->n_cells[order[k].k];
        memcpy(limits + row * k, r->limits + row * order[k].k, row * sizeof *limits);
    }
    if (good) {
        free(r->limits);
        free(r->n_cells);
        r->limits = limits;
        r->n_cells = n_cells;
        limits = NULL;
        n_cells = NULL;
    }
    free(order);
    free(limits);
    free(n_cells);
    return good && fill_slots(r, r->n);
}

xta_status xta_regions_of_mask(xta_array *mask, int64_t background, const int64_t origin[],
                               xta_regions **out, xta_error *err)
{
    xta_box bounds = xta_array_bounds(mask);
    xta_regions *r = NULL;
    finding f = {.err = err};
    xta_status status = XTA_OK;

    *out = NULL;
    XTA_TRY(xta_regions_new(bounds.ndim, &r, err));
    r->mask = mask;
    r->background = background;
    for (int axis = 0; axis < bounds.ndim; axis++) {
        r->shift[axis] = origin != NULL ? origin[axis] - bounds.lo[axis] : 0;
    }
    f.regions = r;
    f.labels = malloc(SLAB_CELLS * sizeof f.labels[0]);
    if (f.labels == NULL || !fill_slots(r, 64)) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory to look at the mask",
                              xta_array_path(mask)));
    }
    status = xta_array_each_chunk(mask, &bounds, find_in_chunk, &f, err);
    status = f.status != XTA_OK ? f.status : status;
    if (status == XTA_OK && !sort_regions(r)) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for %zu labels",
                               xta_array_path(mask), r->n);
    }
done:
    free(f.labels);
    if (status != XTA_OK) {
        xta_regions_free(r);
        return status;
    }
    *out = r;
    return XTA_OK;
}
