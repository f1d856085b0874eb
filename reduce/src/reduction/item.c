/* One item: a piece of the result, and a run of blocks.
 *
 * Naive: for each result cell, its input cells in the order that the definition gives. Chunks cut
 * through these in any way, and each of them should be visited once. So the partial sums of the
 * definition are kept on levels, one for each reduced axis a1 < ... < am:
 *
 *     level m    lanes: for each coordinate of a1 ... am-1 in the present band, slot of am, cell
 *     level j    for each coordinate of a1 ... aj-1 in the present band, slot of aj ... am, cell
 *     level 1    slots and cells: the partial sums of the item
 *
 * A band is what a chunk has of an axis, or less. sweep() goes through the bands of axis aj in
 * ascending order; after each of them the sums that the next level has for every coordinate of aj
 * are added to those of level j, in ascending order. Lanes are folded when axis am has been swept.
 * Chunks are thus visited in row-major order of their coordinates on the reduced axes.
 *
 * What does not depend on an order (exact sums, counts, least and greatest) goes into the partial
 * sums at once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduction/item.h"

#include <stdlib.h>
#include <string.h>

#include "reduction/plan.h"
#include "reduction/view.h"
#include "util/checked.h"
#include "util/try.h"

typedef struct item_work {
    const xta__reduction *r;
    const xta__item *item;
    const xta__partial *partial;
    xta__item_memory *memory;
    xta_error *err;
    xta_box band;                     // the present one on each reduced axis, piece on the others
    size_t inner[XTA_MAX_NDIM + 1];   // slots of axes j ... m, times cells
    int64_t row_stride[XTA_MAX_NDIM]; // of a coordinate of a1 ... am-1 in the number of a row
    size_t kept_stride[XTA_MAX_NDIM]; // of an axis of the array in the number of a kept cell
    size_t n_kept;
    size_t row_cells; // of a row across: along the last axis
} item_work;

/* A row of cells within a chunk, and where they belong. */
typedef struct cell_row {
    size_t row;   // of the lanes
    size_t kept;  // its first kept cell
    size_t slots; // number of the slots on a1 ... am-1
    const uint8_t *cells;
} cell_row;

/* ---- rows ---- */

/* The slot of a coordinate within the item; -1: it has none. */
static int64_t slot_at(const item_work *w, int k, int64_t at)
{
    const xta__slot_axis *axis = &w->r->reduced[k];

    if (axis->slot_of == NULL) {
        return xta__floor_div(at, XTA__BLOCK_CELLS) - axis->first_block -
               (int64_t)w->item->first_slot[k];
    }
    uint32_t slot = axis->slot_of[at - axis->lo];
    return slot == XTA__NO_SLOT ? -1 : (int64_t)slot - (int64_t)w->item->first_slot[k];
}

/* Where the next slot begins after that of a coordinate, or `hi` if that comes first. */
static int64_t slot_end(const item_work *w, int k, int64_t at, int64_t hi)
{
    const xta__slot_axis *axis = &w->r->reduced[k];
    int64_t end = at + 1;

    if (axis->slot_of == NULL) {
        end = (xta__floor_div(at, XTA__BLOCK_CELLS) + 1) * XTA__BLOCK_CELLS;
        return end < hi ? end : hi;
    }
    while (end < hi && axis->slot_of[end - axis->lo] == axis->slot_of[at - axis->lo]) {
        end++;
    }
    return end;
}

/* The cells of a row as those of the kernels' type. */
static const void *cells_of(const item_work *w, const uint8_t *cells, size_t n, float *half)
{
    if (!w->r->is_half) {
        return cells;
    }
    size_t bad = 0;
    (void)!xta_type_convert(XTA_F16, cells, XTA_F32, half, n, &bad);
    return half;
}

/* A stretch of a row whose cells belong to one slot of the last reduced axis: all of them go into
 * one result cell. */
static void add_along(item_work *w, const cell_row *row, size_t slot, const void *cells, size_t n,
                      unsigned lane)
{
    const xta__reduction *r = w->r;
    const xta__kernels *kernels = r->kernels;
    size_t n_slots = w->item->n_slots[r->n_reduced - 1];
    size_t at = (row->slots * n_slots + slot) * w->n_kept + row->kept;
    size_t lanes = ((row->row * n_slots + slot) * w->n_kept + row->kept) * XTA__LANES;
    const xta__partial *p = w->partial;
    xta__excluded excluded = {0, 0};

    if (p->sum != NULL) {
        kernels->sum_along(w->memory->lanes + lanes, cells, n, lane, r->missing_at, &excluded);
    } else if (r->may_exclude) {
        kernels->excluded_along(cells, n, r->missing_at, &excluded);
    }
    if (excluded.n > 0) {
        p->excluded[at] += excluded.n;
        p->n_missing[at] += excluded.n_missing;
    }
    if (p->exact != NULL) {
        kernels->exact_along(&p->exact[at], cells, n, r->missing_at);
    }
    if (p->least != NULL) {
        size_t cell = xta_type_bytes(kernels->type);
        kernels->range_along((uint8_t *)p->least + at * cell, (uint8_t *)p->most + at * cell, cells,
                             n, r->missing_at);
    }
    if (p->moments != NULL) {
        kernels->widen(w->memory->wide, cells, n, r->missing_at);
        xta__moments_along(w->memory->moment_lanes, lanes, w->memory->wide, n, lane);
    }
}

static void add_row_along(item_work *w, const cell_row *row, int64_t lo, int64_t hi)
{
    int last = w->r->n_reduced - 1;

    for (int64_t at = lo, end; at < hi; at = end) {
        int64_t slot = slot_at(w, last, at);
        end = slot_end(w, last, at, hi);
        if (slot < 0) {
            continue;
        }
        size_t n = (size_t)(end - at);
        const uint8_t *first = row->cells + (size_t)(at - lo) * w->r->info.cell_bytes;
        add_along(w, row, (size_t)slot, cells_of(w, first, n, w->memory->half), n,
                  (unsigned)xta__floor_mod(at, XTA__LANES));
    }
}

/* The rows of one lane and slot, in order: each cell goes into a result cell of its own. */
static void add_sums_across(item_work *w, const cell_row *row, size_t slot, unsigned lane,
                            const void *const rows[], int n_rows)
{
    const xta__reduction *r = w->r;
    size_t n_slots = w->item->n_slots[r->n_reduced - 1], n = w->row_cells;
    size_t at = (row->slots * n_slots + slot) * w->n_kept + row->kept;
    size_t lanes = ((row->row * n_slots + slot) * XTA__LANES + lane) * w->n_kept + row->kept;

    if (n_rows == 0 ||
        !r->kernels->sum_across(w->memory->lanes + lanes, rows, n_rows, n, r->missing_at)) {
        return;
    }
    for (int k = 0; k < n_rows; k++) {
        r->kernels->excluded_across(rows[k], n, r->missing_at, w->partial->excluded + at,
                                    w->partial->n_missing + at);
    }
}

/* Everything but the sums of floats, for one row. */
static void add_others_across(item_work *w, const cell_row *row, size_t slot, unsigned lane,
                              const void *cells)
{
    const xta__reduction *r = w->r;
    const xta__partial *p = w->partial;
    size_t n_slots = w->item->n_slots[r->n_reduced - 1], n = w->row_cells;
    size_t at = (row->slots * n_slots + slot) * w->n_kept + row->kept;
    size_t lanes = ((row->row * n_slots + slot) * XTA__LANES + lane) * w->n_kept + row->kept;

    bool some = p->least == NULL && p->moments == NULL; // then nobody has looked

    if (p->exact != NULL) {
        r->kernels->exact_across(p->exact + at, cells, n, r->missing_at);
    }
    if (p->least != NULL) {
        size_t cell = xta_type_bytes(r->kernels->type);
        some |= r->kernels->range_across((uint8_t *)p->least + at * cell,
                                         (uint8_t *)p->most + at * cell, cells, n, r->missing_at);
    }
    if (p->moments != NULL) {
        some |= r->kernels->widen(w->memory->wide, cells, n, r->missing_at);
        xta__moments_across(w->memory->moment_lanes, lanes, w->memory->wide, n);
    }
    if (some && p->sum == NULL && r->may_exclude) {
        r->kernels->excluded_across(cells, n, r->missing_at, p->excluded + at, p->n_missing + at);
    }
}

/* Some rows, one after the other on the last reduced axis from coordinate `lo` on: lane by lane, so
 * that a sum is loaded once for several of them. */
static void add_rows_across(item_work *w, const cell_row *row, int64_t lo, int n_rows,
                            int64_t stride)
{
    const void *cells[XTA__ROWS_AT_A_TIME];
    int64_t slot[XTA__ROWS_AT_A_TIME];
    int last = w->r->n_reduced - 1;

    for (int k = 0; k < n_rows; k++) {
        slot[k] = slot_at(w, last, lo + k);
        float *half = w->r->is_half ? w->memory->half + (size_t)k * w->row_cells : NULL;
        cells[k] = cells_of(w, row->cells + k * stride, w->row_cells, half);
    }
    for (int first = 0; w->partial->sum != NULL && first < XTA__LANES && first < n_rows; first++) {
        const void *rows[XTA__FUSED_ROWS];
        unsigned lane = (unsigned)xta__floor_mod(lo + first, XTA__LANES);
        int n = 0;
        int64_t of = -1;
        for (int k = first; k < n_rows; k += XTA__LANES) {
            if (slot[k] != of) {
                add_sums_across(w, row, (size_t)of, lane, rows, n);
                n = 0;
                of = slot[k];
            }
            rows[n] = cells[k];
            n += slot[k] >= 0;
        }
        add_sums_across(w, row, (size_t)of, lane, rows, n);
    }
    for (int k = 0; k < n_rows; k++) {
        if (slot[k] >= 0) {
            add_others_across(w, row, (size_t)slot[k], (unsigned)xta__floor_mod(lo + k, XTA__LANES),
                              cells[k]);
        }
    }
}

/* ---- a chunk ---- */

/* Where the rows at `at` belong; false if some coordinate is in no group. */
static bool place_row(const item_work *w, const xta_box *box, const int64_t at[],
                      const xta__view *view, cell_row *row)
{
    const xta__reduction *r = w->r;
    int last = r->n_reduced - 1;

    *row = (cell_row){.cells = view->first};
    for (int k = 0; k < r->n_kept; k++) {
        int axis = r->kept[k];
        row->kept += (size_t)(at[axis] - w->item->kept.lo[axis]) * w->kept_stride[axis];
        row->cells += (at[axis] - box->lo[axis]) * view->strides[axis];
    }
    for (int k = 0; k < last; k++) {
        int axis = r->reduced[k].axis;
        int64_t slot = slot_at(w, k, at[axis]);
        if (slot < 0) {
            return false;
        }
        row->slots = row->slots * w->item->n_slots[k] + (size_t)slot;
        row->row += (size_t)((at[axis] - w->band.lo[axis]) * w->row_stride[k]);
        row->cells += (at[axis] - box->lo[axis]) * view->strides[axis];
    }
    return true;
}

/* To the next row: the next coordinates on all axes before `inner` but axis `skip`. */
static bool next_row(const xta_box *box, int inner, int skip, int64_t at[])
{
    for (int axis = inner - 1; axis >= 0; axis--) {
        if (axis == skip) {
            continue;
        }
        if (++at[axis] < box->hi[axis]) {
            return true;
        }
        at[axis] = box->lo[axis];
    }
    return false;
}

/* The first of the axes along which cells lie together, in the chunk and in the piece: a row across
 * has all of them. */
static int inner_axis(item_work *w, const xta_box *box, const xta__view *view)
{
    int axis = box->ndim - 1;

    w->row_cells = (size_t)(box->hi[axis] - box->lo[axis]);
    while (!w->r->along && axis > 0 && w->r->reduced_of[axis - 1] < 0 &&
           view->strides[axis - 1] == (int64_t)(w->row_cells * w->r->info.cell_bytes) &&
           w->kept_stride[axis - 1] == w->row_cells) {
        axis--;
        w->row_cells *= (size_t)(box->hi[axis] - box->lo[axis]);
    }
    return axis;
}

/* The cells of a box within one chunk and the present band. */
static xta_status add_chunk(item_work *w, const xta_box *box)
{
    const xta__reduction *r = w->r;
    int across = r->reduced[r->n_reduced - 1].axis;
    int last = box->ndim - 1;
    int64_t at[XTA_MAX_NDIM];
    uint64_t n = 0;
    xta__view view;
    cell_row row;
    xta_status status = xta__view_cells(r, box, w->memory->copy, &view, w->err);

    if (status != XTA_OK) {
        return status;
    }
    (void)!xta_box_cells(box, &n);
    w->memory->n_cells_read += n;
    int inner = inner_axis(w, box, &view);
    memcpy(at, box->lo, sizeof at);
    do {
        if (!place_row(w, box, at, &view, &row)) {
            continue;
        }
        if (r->along) {
            add_row_along(w, &row, box->lo[last], box->hi[last]);
            continue;
        }
        for (int64_t lo = box->lo[across]; lo < box->hi[across]; lo += XTA__ROWS_AT_A_TIME) {
            int64_t rows = box->hi[across] - lo;
            rows = rows < XTA__ROWS_AT_A_TIME ? rows : XTA__ROWS_AT_A_TIME;
            add_rows_across(w, &row, lo, (int)rows, view.strides[across]);
            row.cells += rows * view.strides[across];
        }
    } while (next_row(box, inner, r->along ? -1 : across, at));
    xta__view_release(r, &view);
    return XTA_OK;
}

/* Where a chunk that has coordinate `at` of an axis ends, or `hi` if that comes first. */
static int64_t chunk_end(const xta__reduction *r, int axis, int64_t at, int64_t hi)
{
    int64_t chunk = r->info.chunk[axis];
    int64_t end = (xta__floor_div(at, chunk) + 1) * chunk;

    return end < hi ? end : hi;
}

/* All chunks of the present band: the piece may have several on the kept axes. */
static xta_status add_band(item_work *w)
{
    const xta__reduction *r = w->r;
    xta_status status = XTA_OK;
    xta_box box = w->band;

    for (int k = 0; k < r->n_kept; k++) {
        box.hi[r->kept[k]] =
            chunk_end(r, r->kept[k], box.lo[r->kept[k]], w->item->kept.hi[r->kept[k]]);
    }
    for (;;) {
        status = add_chunk(w, &box);
        int k = r->n_kept - 1;
        for (; k >= 0; k--) {
            int axis = r->kept[k];
            bool done = box.hi[axis] == w->item->kept.hi[axis];
            box.lo[axis] = done ? w->item->kept.lo[axis] : box.hi[axis];
            box.hi[axis] = chunk_end(r, axis, box.lo[axis], w->item->kept.hi[axis]);
            if (!done) {
                break;
            }
        }
        if (k < 0 || status != XTA_OK) {
            return status;
        }
    }
}

/* ---- levels ---- */

/* The sums of a level; those of level 0, the first axis, are the result. */
static double *sums_of(const item_work *w, int level)
{
    return level == 0 ? w->partial->sum : w->memory->sum[level];
}

static xta__moments *moments_of(const item_work *w, int level)
{
    return level == 0 ? w->partial->moments : w->memory->moments[level];
}

/* How many rows of sums a level has now: the coordinates of the axes before it. */
static size_t rows_of(const item_work *w, int level)
{
    size_t n = 1;

    for (int k = 0; k < level; k++) {
        int axis = w->r->reduced[k].axis;
        n *= (size_t)(w->band.hi[axis] - w->band.lo[axis]);
    }
    return n;
}

static void fold_sums(item_work *w, size_t n, double *sum)
{
    const double *lanes = w->memory->lanes;

    // Along rows lanes lie together; across them, the cells of each lane.
    for (size_t k = 0; w->r->along && k < n; k++) {
        sum[k] = xta__fold_lanes(lanes + k * XTA__LANES);
    }
    for (size_t k = 0; !w->r->along && k < n; k += w->n_kept) {
        xta__fold_lanes_across(lanes + k * XTA__LANES, w->n_kept, sum + k);
    }
}

static void fold_moments(item_work *w, size_t n, xta__moments *moments)
{
    bool along = w->r->along;
    size_t stride = along ? 1 : w->n_kept;

    for (size_t k = 0; k < n; k++) {
        size_t at = along ? k * XTA__LANES : k / w->n_kept * w->n_kept * XTA__LANES + k % w->n_kept;
        moments[k] = xta__moments_fold(w->memory->moment_lanes, at, stride);
    }
}

static void fold_lanes(item_work *w, int level)
{
    size_t n = rows_of(w, level) * w->inner[level];

    if (sums_of(w, level) != NULL) {
        fold_sums(w, n, sums_of(w, level));
    }
    if (moments_of(w, level) != NULL) {
        fold_moments(w, n, moments_of(w, level));
    }
}

/* Add the sums of a level, which has a row for each coordinate of the axis before, to that
 * axis. */
static void add_level(item_work *w, int level)
{
    int axis = w->r->reduced[level].axis;
    int64_t lo = w->band.lo[axis], hi = w->band.hi[axis];
    size_t n = w->inner[level + 1], rows = rows_of(w, level);
    double *sum = sums_of(w, level);
    xta__moments *moments = moments_of(w, level);
    size_t from = 0;

    for (size_t row = 0; row < rows; row++) {
        for (int64_t at = lo; at < hi; at++, from += n) {
            int64_t slot = slot_at(w, level, at);
            size_t to = (row * w->item->n_slots[level] + (size_t)slot) * n;
            for (size_t k = 0; slot >= 0 && sum != NULL && k < n; k++) {
                sum[to + k] += w->memory->sum[level + 1][from + k];
            }
            for (size_t k = 0; slot >= 0 && moments != NULL && k < n; k++) {
                xta__moments_merge(&moments[to + k], &w->memory->moments[level + 1][from + k]);
            }
        }
    }
}

static void clear_level(item_work *w, int level)
{
    size_t n = rows_of(w, level) * w->inner[level];

    if (level == w->r->n_reduced - 1) {
        if (w->partial->sum != NULL) {
            memset(w->memory->lanes, 0, n * XTA__LANES * sizeof(double));
        }
        xta__moment_lanes *m = &w->memory->moment_lanes;
        double *plane[4] = {m->n, m->pivot, m->sum, m->squares};
        for (int k = 0; w->partial->moments != NULL && k < 4; k++) {
            memset(plane[k], 0, n * XTA__LANES * sizeof(double));
        }
        return;
    }
    if (sums_of(w, level) != NULL) {
        memset(sums_of(w, level), 0, n * sizeof(double));
    }
    if (moments_of(w, level) != NULL) {
        memset(moments_of(w, level), 0, n * sizeof(xta__moments));
    }
}

/* Rows are numbered by the axes before the last one. */
static void number_rows(item_work *w)
{
    int64_t n = 1;

    for (int k = w->r->n_reduced - 2; k >= 0; k--) {
        int axis = w->r->reduced[k].axis;
        w->row_stride[k] = n;
        n *= w->band.hi[axis] - w->band.lo[axis];
    }
}

/* Where the band of reduced axis number `level` ends that begins at `lo`. */
static int64_t band_end(const xta__reduction *r, const xta__item *item, int level, int64_t lo)
{
    int axis = r->reduced[level].axis;
    int64_t end = chunk_end(r, axis, lo, item->kept.hi[axis]);

    return end - lo < r->band[level] ? end : lo + r->band[level];
}

/* Go through the bands of reduced axis number `level`. */
static xta_status sweep(item_work *w, int level)
{
    const xta__reduction *r = w->r;
    int axis = r->reduced[level].axis;
    int64_t lo = w->item->kept.lo[axis], hi = w->item->kept.hi[axis];
    bool last = level == r->n_reduced - 1;
    xta_status status = XTA_OK;

    clear_level(w, level);
    while (status == XTA_OK && lo < hi) {
        int64_t end = band_end(r, w->item, level, lo);
        w->band.lo[axis] = lo;
        w->band.hi[axis] = end;
        if (last) {
            number_rows(w);
            status = add_band(w);
        } else {
            status = sweep(w, level + 1);
            if (status == XTA_OK) {
                add_level(w, level);
            }
        }
        lo = end;
    }
    if (last) {
        fold_lanes(w, level);
    }
    return status;
}

/* The partial sums of no cell. */
static void begin_partial(const xta__reduction *r, const xta__partial *p)
{
    if (p->exact != NULL) {
        memset(p->exact, 0, p->n * sizeof p->exact[0]);
    }
    if (p->excluded != NULL) {
        memset(p->excluded, 0, p->n * sizeof p->excluded[0]);
        memset(p->n_missing, 0, p->n * sizeof p->n_missing[0]);
    }
    if (p->least != NULL) {
        r->kernels->range_begin(p->least, p->most, p->n);
    }
}

static void begin_work(item_work *w)
{
    const xta__reduction *r = w->r;
    const xta__item *item = w->item;
    size_t stride = 1;

    w->band = item->kept;
    w->n_kept = item->n_kept;
    for (int k = r->n_kept - 1; k >= 0; k--) {
        w->kept_stride[r->kept[k]] = stride;
        stride *= (size_t)(item->kept.hi[r->kept[k]] - item->kept.lo[r->kept[k]]);
    }
    w->inner[r->n_reduced] = item->n_kept;
    for (int k = r->n_reduced - 1; k >= 0; k--) {
        w->inner[k] = w->inner[k + 1] * item->n_slots[k];
    }
    begin_partial(r, w->partial);
}

xta_status xta__item_compute(const xta__reduction *r, const xta__item *item,
                             const xta__partial *partial, xta__item_memory *memory, xta_error *err)
{
    item_work w = {.r = r, .item = item, .partial = partial, .memory = memory, .err = err};

    begin_work(&w);
    return sweep(&w, 0);
}

/* ---- shares ---- */

size_t xta__item_bands(const xta__reduction *r, const xta__item *item)
{
    int axis = r->reduced[0].axis;
    size_t n = 0;

    for (int64_t lo = item->kept.lo[axis]; lo < item->kept.hi[axis]; n++) {
        lo = band_end(r, item, 0, lo);
    }
    return n;
}

void xta__item_begin(const xta__reduction *r, const xta__partial *partial)
{
    begin_partial(r, partial);
    if (partial->sum != NULL) {
        memset(partial->sum, 0, partial->n * sizeof partial->sum[0]);
    }
    if (partial->moments != NULL) {
        memset(partial->moments, 0, partial->n * sizeof partial->moments[0]);
    }
}

/* As sweep() does on the first axis, but for bands that other threads have begun. */
static xta_status sweep_share(item_work *w, xta__shared_bands *bands)
{
    const xta__reduction *r = w->r;
    int axis = r->reduced[0].axis;
    int64_t hi = w->item->kept.hi[axis];
    size_t mine = xta__shared_bands_next(bands), band = 0;
    xta_status status = XTA_OK;

    for (int64_t lo = w->item->kept.lo[axis], end; status == XTA_OK && lo < hi; lo = end, band++) {
        end = band_end(r, w->item, 0, lo);
        if (band != mine) {
            continue;
        }
        w->band.lo[axis] = lo;
        w->band.hi[axis] = end;
        status = sweep(w, 1);
        if (status != XTA_OK || !xta__shared_bands_wait(bands, band)) {
            break;
        }
        add_level(w, 0);
        xta__shared_bands_pass(bands);
        mine = xta__shared_bands_next(bands);
    }
    return status;
}

xta_status xta__item_compute_share(const xta__reduction *r, const xta__item *item,
                                   const xta__partial *partial, xta__shared_bands *bands,
                                   xta__item_memory *memory, xta_error *err)
{
    uint8_t *bytes = xta__calloc(xta__partial_bytes(r, partial->n), 1);
    xta_status status = XTA_OK;

    if (bytes == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "no memory for the partial sums of a thread"));
    }
    // Ordered sums go into those of the item, in turn; the others are added up at the end.
    xta__partial own = xta__partial_at(r, partial->n, bytes);
    own.sum = partial->sum;
    own.moments = partial->moments;
    item_work w = {.r = r, .item = item, .partial = &own, .memory = memory, .err = err};
    begin_work(&w);
    XTA_TRY(sweep_share(&w, bands));
    pthread_mutex_lock(&bands->lock);
    xta__partial_add_unordered(r, partial, &own, 0, partial->n);
    pthread_mutex_unlock(&bands->lock);

done:
    if (status != XTA_OK) {
        xta__shared_bands_stop(bands);
    }
    free(bytes);
    return status;
}
