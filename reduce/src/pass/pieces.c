/* Passing the cells of one slab of a chunk to the regions.
 *
 * First the part of the slab that is needed is determined, a box around all regions that have cells
 * in it; only that is read. Then each region gets its pieces: a box gets one, a sphere one for each
 * row, a label one for each of its runs. On the remaining axes a piece spans the whole slab.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "pass/buckets.h"
#include "pass/mask_window.h"
#include "pass/ranks.h"
#include "regions/next_row.h"
#include "regions/sphere.h"
#include "util/try.h"
#include "util/vector.h"

/* The part of the slab that was read. */
typedef struct block {
    xta_box cells;
    int64_t strides[XTA_MAX_NDIM];
} block;

/* A box with the axes of the space from `space`, and the remaining axes from `like`. */
static void from_space(const xta__pass *pass, const xta_box *space, const xta_box *like,
                       xta_box *out)
{
    *out = *like;
    for (int axis = 0; axis < space->ndim; axis++) {
        out->lo[pass->facts->axes[axis]] = space->lo[axis];
        out->hi[pass->facts->axes[axis]] = space->hi[axis];
    }
}

static void to_space(const xta__pass *pass, const xta_box *box, xta_box *space)
{
    space->ndim = pass->space.ndim;
    for (int axis = 0; axis < space->ndim; axis++) {
        space->lo[axis] = box->lo[pass->facts->axes[axis]];
        space->hi[axis] = box->hi[pass->facts->axes[axis]];
    }
}

/* ---- one piece ---- */

/* Add a piece to the statistics, row by row along the last axis. */
static void fold_piece(xta__pass *pass, size_t k, const xta_box *piece, const block *b)
{
    xta_extraction *e = pass->extraction;
    int last = piece->ndim - 1;
    size_t n = (size_t)(piece->hi[last] - piece->lo[last]);
    xta__fold *fold = pass->space_of[last] >= 0 ? e->fold.all : e->fold.each;
    int64_t at[XTA_MAX_NDIM];

    memcpy(at, piece->lo, (size_t)piece->ndim * sizeof at[0]);
    do {
        const uint8_t *cells = pass->cells;
        uint64_t position = 0;
        for (int axis = 0; axis < piece->ndim; axis++) {
            cells += (at[axis] - b->cells.lo[axis]) * b->strides[axis];
            position +=
                (uint64_t)((at[axis] - pass->facts->bounds.lo[axis]) * pass->rest_stride[axis]);
        }
        fold(e->accumulator + k * pass->facts->n_positions + position, cells, n);
    } while (xta__next_row(piece, last, at));
}

static xta_status process_piece(xta__pass *pass, size_t k, const xta_box *space, const block *b)
{
    xta_region_piece *piece = &pass->piece;
    const uint8_t *first = pass->cells;

    // On the remaining axes it is that of the whole block, from the beginning of the slab.
    for (int axis = 0; axis < space->ndim; axis++) {
        piece->cells.lo[pass->facts->axes[axis]] = space->lo[axis];
        piece->cells.hi[pass->facts->axes[axis]] = space->hi[axis];
    }
    if (pass->extraction->accumulator != NULL) {
        fold_piece(pass, k, &piece->cells, b);
    }
    if (pass->options.piece == NULL) {
        return XTA_OK;
    }
    for (int axis = 0; axis < b->cells.ndim; axis++) {
        first += (piece->cells.lo[axis] - b->cells.lo[axis]) * b->strides[axis];
    }
    piece->region = k;
    piece->first = first;
    piece->rank = xta__pass_rank(pass, k, space->lo);
    if (pass->options.piece(pass->options.user, piece) != 0) {
        return xta_error_set(pass->err, XTA_ECANCELLED, 0, "region %zu: the extraction was ended",
                             k);
    }
    return XTA_OK;
}

/* ---- boxes and spheres ---- */

static xta_status process_sphere(xta__pass *pass, size_t k, const xta_box *space, const block *b)
{
    const double *sphere = xta__region_sphere(pass->regions, k);
    xta_status status = XTA_OK;
    xta_box row = *space;
    int last = space->ndim - 1;
    int64_t at[XTA_MAX_NDIM];

    memcpy(at, space->lo, sizeof at);
    do {
        for (int axis = 0; axis < last; axis++) {
            row.lo[axis] = at[axis];
            row.hi[axis] = at[axis] + 1;
        }
        xta__sphere_run(sphere, space->ndim, at, &row.lo[last], &row.hi[last]);
        row.lo[last] = row.lo[last] > space->lo[last] ? row.lo[last] : space->lo[last];
        row.hi[last] = row.hi[last] < space->hi[last] ? row.hi[last] : space->hi[last];
        if (row.lo[last] < row.hi[last]) {
            status = process_piece(pass, k, &row, b);
        }
    } while (status == XTA_OK && xta__next_row(space, last, at));
    return status;
}

/* Extend a box so that it contains another. */
static void widen(xta_box *box, const xta_box *by)
{
    for (int axis = 0; axis < by->ndim; axis++) {
        box->lo[axis] = by->lo[axis] < box->lo[axis] ? by->lo[axis] : box->lo[axis];
        box->hi[axis] = by->hi[axis] > box->hi[axis] ? by->hi[axis] : box->hi[axis];
    }
}

/* Find the regions with cells in a box of one chunk, and the box around these cells. */
static xta_status find_regions(xta__pass *pass, const xta_box *space, xta_box *need)
{
    const xta__buckets *b = &pass->buckets;
    uint64_t bucket = xta__buckets_at(b, space);
    xta_box box;

    pass->n_here = 0;
    for (uint64_t i = bucket < b->n ? b->begin[bucket] : 0;
         bucket < b->n && i < b->begin[bucket + 1]; i++) {
        size_t k = b->region[i];
        xta__pass_region(pass, k, &box);
        box = xta_box_intersect(&box, space);
        if (xta_box_empty(&box) ||
            (xta__region_is_sphere(pass->regions, k) &&
             !xta__sphere_meets(xta__region_sphere(pass->regions, k), box.ndim, box.lo, box.hi))) {
            continue;
        }
        if (!XTA__RESERVE(pass->here, pass->here_capacity, pass->n_here + 1)) {
            return xta_error_set(pass->err, XTA_ENOMEM, 0, "no memory for %zu regions of a chunk",
                                 pass->n_here + 1);
        }
        if (pass->n_here == 0) {
            *need = box;
        }
        widen(need, &box);
        pass->here[pass->n_here++] = (uint32_t)k;
    }
    return XTA_OK;
}

static xta_status process_regions(xta__pass *pass, const xta_box *space, const block *b)
{
    xta_status status = XTA_OK;
    xta_box box;

    for (size_t i = 0; status == XTA_OK && i < pass->n_here; i++) {
        size_t k = pass->here[i];
        xta__pass_region(pass, k, &box);
        box = xta_box_intersect(&box, space);
        status = xta__region_is_sphere(pass->regions, k) ? process_sphere(pass, k, &box, b)
                                                         : process_piece(pass, k, &box, b);
    }
    return status;
}

/* ---- labels ---- */

/* The region numbers in the row of the window at `at`, along the last axis. */
static const int64_t *window_row(const xta__window *w, const int64_t at[])
{
    uint64_t offset = 0;

    for (int axis = 0; axis < w->box.ndim; axis++) {
        offset = offset * (uint64_t)(w->box.hi[axis] - w->box.lo[axis]) +
                 (uint64_t)(at[axis] - w->box.lo[axis]);
    }
    return w->region + offset;
}

/* Find the box around all labels in a box of the space; n_here says whether there are any. */
static xta_status find_labels(xta__pass *pass, const xta_box *space, xta_box *need)
{
    int last = space->ndim - 1;
    int64_t n = space->hi[last] - space->lo[last];
    int64_t at[XTA_MAX_NDIM];
    xta_box row = *space;
    xta_status status = xta__window_show(pass, space);

    pass->n_here = 0;
    memcpy(at, space->lo, sizeof at);
    do {
        const int64_t *region = status == XTA_OK ? window_row(&pass->window, at) : NULL;
        int64_t first = 0;
        int64_t end = region != NULL ? n : 0;
        for (; first < end && region[first] < 0; first++) {}
        for (; end > first && region[end - 1] < 0; end--) {}
        if (first >= end) {
            continue;
        }
        for (int axis = 0; axis < last; axis++) {
            row.lo[axis] = at[axis];
            row.hi[axis] = at[axis] + 1;
        }
        row.lo[last] = space->lo[last] + first;
        row.hi[last] = space->lo[last] + end;
        if (pass->n_here == 0) {
            *need = row;
        }
        widen(need, &row);
        pass->n_here = 1;
    } while (status == XTA_OK && xta__next_row(space, last, at));
    return status;
}

/* Process the runs of one row of the mask. */
static xta_status process_row(xta__pass *pass, xta_box *row, int64_t n, const int64_t *region,
                              const block *b)
{
    int last = row->ndim - 1;
    int64_t begin = row->lo[last];
    xta_status status = XTA_OK;

    for (int64_t from = 0, to; status == XTA_OK && from < n; from = to) {
        for (to = from + 1; to < n && region[to] == region[from]; to++) {}
        if (region[from] >= 0) {
            row->lo[last] = begin + from;
            row->hi[last] = begin + to;
            status = process_piece(pass, (size_t)region[from], row, b);
        }
    }
    return status;
}

static xta_status process_labels(xta__pass *pass, const xta_box *space, const block *b)
{
    int last = space->ndim - 1;
    int64_t at[XTA_MAX_NDIM];
    xta_status status = XTA_OK;

    memcpy(at, space->lo, sizeof at);
    do {
        xta_box row = *space;
        for (int axis = 0; axis < last; axis++) {
            row.lo[axis] = at[axis];
            row.hi[axis] = at[axis] + 1;
        }
        status = process_row(pass, &row, space->hi[last] - space->lo[last],
                             window_row(&pass->window, at), b);
    } while (status == XTA_OK && xta__next_row(space, last, at));
    return status;
}

/* ---- a slab ---- */

xta_status xta__process_slab(xta__pass *pass, const xta_box *slab)
{
    bool labels = pass->regions->mask != NULL;
    int64_t stride = (int64_t)pass->cell_bytes;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_box space, need;
    uint64_t n = 0;
    block b;
    xta_status status = XTA_OK;

    to_space(pass, slab, &space);
    XTA_TRY(labels ? find_labels(pass, &space, &need) : find_regions(pass, &space, &need));
    if (pass->n_here == 0) {
        return XTA_OK;
    }
    from_space(pass, &need, slab, &b.cells);
    for (int axis = slab->ndim - 1; axis >= 0; axis--) {
        b.strides[axis] = stride;
        stride *= b.cells.hi[axis] - b.cells.lo[axis];
    }
    pass->piece = (xta_region_piece){.cells = b.cells, .strides = b.strides};
    io.threads = 1; // the caller's threads may each be running a pass
    XTA_TRY(xta_array_read(pass->array, &b.cells, &io, pass->cells, pass->err));
    XTA_TRY(xta_box_cells(&b.cells, &n));
    pass->facts->n_cells_read += n;
    XTA_TRY(labels ? process_labels(pass, &need, &b) : process_regions(pass, &need, &b));
done:
    return status;
}
