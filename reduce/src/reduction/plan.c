/* Planning a reduction.
 *
 * Pieces of the result are as large as the partial sums of a thread fit its share of the caches:
 * some 8,192 cells, fewer where a block has many groups. An item is one piece and one block on each
 * reduced axis; where blocks are small (an array of one axis) it is a run of blocks on the last.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduction/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/options.h>

#include "reduction/slots.h"
#include "util/checked.h"
#include "util/try.h"

#define PIECE_CELLS  8192  // of the result
#define PIECE_SLOTS  32768 // cells times slots
#define STATE_SLOTS  65536 // cells times slots times rows
#define ITEM_CELLS   ((int64_t)1 << 18)
#define COPY_BYTES   ((int64_t)1 << 20)
#define MOST_THREADS 1024

const char *xta__reduction_name(const xta__reduction *r)
{
    const char *path = xta_array_path(r->array);

    return path[0] != '\0' ? path : "array in memory";
}

/* ---- what the caller wants ---- */

static xta_status find_axes(xta__reduction *r, xta_error *err)
{
    const xta_reduce_options *o = &r->options;
    int ndim = r->info.ndim;
    int n = o->axes != NULL ? o->n_axes : ndim;

    if (n < 1 || n > ndim) {
        return xta__fail(err, XTA_EARG, 0, "%s: %d axes to reduce; it has %d: give 1 to %d",
                         xta__reduction_name(r), n, ndim, ndim);
    }
    for (int axis = 0; axis < ndim; axis++) {
        r->reduced_of[axis] = -1;
    }
    for (int k = 0; k < n; k++) {
        int axis = o->axes != NULL ? o->axes[k] : k;
        if (axis < 0 || axis >= ndim || (k > 0 && axis <= r->reduced[k - 1].axis)) {
            return xta__fail(err, XTA_EARG, 0,
                             "%s: axis %d to reduce; give different axes from 0 to %d in ascending "
                             "order",
                             xta__reduction_name(r), axis, ndim - 1);
        }
        r->reduced[k].axis = axis;
        r->reduced[k].lo = r->info.bounds.lo[axis];
        r->reduced[k].hi = r->info.bounds.hi[axis];
        r->reduced_of[axis] = k;
    }
    r->n_reduced = n;
    for (int axis = 0; axis < ndim; axis++) {
        if (r->reduced_of[axis] < 0) {
            r->kept[r->n_kept++] = axis;
        }
    }
    r->along = r->reduced_of[ndim - 1] >= 0;
    return XTA_OK;
}

static xta_status count_groups(xta__reduction *r, xta_error *err)
{
    const xta_reduce_options *o = &r->options;
    const xta__slot_axis *axis = &r->reduced[r->grouped];

    if (o->labels != NULL) {
        if (o->n_labels != axis->hi - axis->lo) {
            return xta__fail(err, XTA_EARG, 0,
                             "%s: %" PRId64 " labels for axis %d, which has %" PRId64
                             " coordinates; give one for each",
                             xta__reduction_name(r), o->n_labels, axis->axis, axis->hi - axis->lo);
        }
        return xta_reduce_distinct_labels(o->labels, o->n_labels, &r->labels, &r->n_groups, err);
    }
    r->first_group = xta__floor_div(axis->lo, o->group_length);
    int64_t n = xta__floor_div(axis->hi - 1, o->group_length) - r->first_group + 1;
    if (axis->lo < axis->hi && n > XTA_REDUCE_MOST_GROUPS) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: axis %d: groups of %" PRId64 " make %" PRId64
                         " groups; more than %" PRId64 " are not supported: make them longer",
                         xta__reduction_name(r), axis->axis, o->group_length, n,
                         XTA_REDUCE_MOST_GROUPS);
    }
    r->n_groups = axis->lo < axis->hi ? (size_t)n : 0;
    return XTA_OK;
}

static xta_status find_groups(xta__reduction *r, xta_error *err)
{
    const xta_reduce_options *o = &r->options;
    int axis = o->group_axis;

    r->grouped = -1;
    r->n_groups = 1;
    if (o->labels == NULL && o->group_length == 0) {
        return XTA_OK;
    }
    if (o->labels != NULL && o->group_length != 0) {
        return xta__fail(err, XTA_EARG, 0, "%s: groups by labels and by length; give one of them",
                         xta__reduction_name(r));
    }
    if (o->group_length < 0) {
        return xta__fail(err, XTA_EARG, 0, "%s: groups of %" PRId64 " coordinates; give 1 or more",
                         xta__reduction_name(r), o->group_length);
    }
    if (axis < 0 || axis >= r->info.ndim || r->reduced_of[axis] < 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: axis %d has groups but is not reduced; add it to the reduced axes",
                         xta__reduction_name(r), axis);
    }
    r->grouped = r->reduced_of[axis];
    return count_groups(r, err);
}

static xta_status make_slots(xta__reduction *r, xta_error *err)
{
    xta_status status = XTA_OK;

    for (int k = 0; status == XTA_OK && k < r->n_reduced; k++) {
        xta__slot_axis *axis = &r->reduced[k];
        if (axis->hi <= axis->lo) {
            continue;
        }
        status =
            k == r->grouped ? xta__slots_of_groups(r, axis, err) : xta__slots_of_blocks(axis, err);
    }
    return status;
}

static xta_status set_missing(xta__reduction *r, xta_error *err)
{
    const void *missing = r->options.missing;
    size_t bad = 0;

    r->kernels = xta__kernels_of(r->info.type);
    r->is_half = r->info.type == XTA_F16;
    if (r->kernels == NULL) {
        return xta__fail(err, XTA_ETYPE, 0,
                         "%s: cells of type %s have no sum or mean; give an array of real numbers",
                         xta__reduction_name(r), xta_type_name(r->info.type));
    }
    if (missing != NULL) {
        if (r->is_half) {
            (void)!xta_type_convert(XTA_F16, missing, XTA_F32, r->missing, 1, &bad);
        } else {
            memcpy(r->missing, missing, r->info.cell_bytes);
        }
        r->missing_at = r->missing;
    }
    double value = 0;
    (void)!xta_type_convert(r->kernels->type, r->missing, XTA_F64, &value, 1, &bad);
    if (value != value) {
        // NaN cells are missing, and those are skipped.
        r->missing_at = NULL;
        r->options.propagate_nan = false;
    }
    return XTA_OK;
}

/* From here on the box stands in for the bounds. */
static xta_status use_box(xta__reduction *r, xta_error *err)
{
    const xta_box *box = r->options.box, *bounds = &r->info.bounds;

    for (int axis = 0; box != NULL && axis < bounds->ndim; axis++) {
        if (box->ndim != bounds->ndim || box->lo[axis] < bounds->lo[axis] ||
            box->hi[axis] > bounds->hi[axis] || box->lo[axis] > box->hi[axis]) {
            return xta__fail(err, XTA_EBOX, 0,
                             "%s: axis %d: the box has the cells %" PRId64 ":%" PRId64
                             ", the array %" PRId64 ":%" PRId64 "; give a box within them",
                             xta__reduction_name(r), axis, box->lo[axis], box->hi[axis],
                             bounds->lo[axis], bounds->hi[axis]);
        }
    }
    if (box != NULL) {
        r->info.bounds = *box;
    }
    return XTA_OK;
}

xta_status xta__reduction_begin(xta__reduction *r, xta_array *array,
                                const xta_reduce_options *options, xta_error *err)
{
    xta_reduce_options known = XTA_REDUCE_OPTIONS_INIT;
    xta_status status = XTA_OK;

    memset(r, 0, sizeof *r);
    r->array = array;
    XTA_TRY(xta_options_read(&known, sizeof known, options, "xta_reduce_options", err));
    r->options = known;
    XTA_TRY(xta_array_inquire(array, &r->info, err));
    XTA_TRY(use_box(r, err));
    if (known.threads < 0 || known.threads > MOST_THREADS) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0, "%s: %d threads; give 1 to %d, or 0 for all",
                          xta__reduction_name(r), known.threads, MOST_THREADS));
    }
    XTA_TRY(find_axes(r, err));
    XTA_TRY(find_groups(r, err));
    XTA_TRY(set_missing(r, err));
done:
    return status;
}

void xta__reduction_clear(xta__reduction *r)
{
    for (int k = 0; k < r->n_reduced; k++) {
        xta__slots_clear(&r->reduced[k]);
    }
    free(r->labels);
    free(r->group_begin);
    free(r->group_slots);
    free(r->group_cells);
}

/* ---- pieces of the result ---- */

/* The edges of pieces: chunks or parts of them, long on the last axes, so that cells that lie
 * together stay together; several chunks where these are small. */
static void choose_edges(xta__reduction *r)
{
    int64_t slots = 1, left;

    for (int k = 0; k < r->n_reduced; k++) {
        slots *= (int64_t)r->reduced[k].most_slots;
    }
    left = PIECE_SLOTS / slots < PIECE_CELLS ? PIECE_SLOTS / slots : PIECE_CELLS;
    // Lanes of moments are four times as long.
    left = r->wants_moments ? left / 4 : left;
    left = left > 0 ? left : 1;
    for (int k = r->n_kept - 1; k >= 0; k--) {
        int64_t chunk = r->info.chunk[r->kept[k]];
        r->edge[k] = chunk < left ? chunk : left;
        left /= r->edge[k];
    }
    for (int k = r->n_kept - 1; k >= 0; k--) {
        int64_t chunk = r->info.chunk[r->kept[k]];
        int64_t length = r->info.bounds.hi[r->kept[k]] - r->info.bounds.lo[r->kept[k]];
        int64_t times = length / chunk + 1;
        if (r->edge[k] == chunk && left > 1) {
            times = times < left ? times : left;
            r->edge[k] *= times;
            left /= times;
        }
    }
}

static xta_status cut_pieces(xta__reduction *r, xta_error *err)
{
    r->n_pieces = 1;
    r->most_kept = 1;
    for (int k = 0; k < r->n_kept; k++) {
        int64_t lo = r->info.bounds.lo[r->kept[k]], hi = r->info.bounds.hi[r->kept[k]];
        int64_t first = xta__floor_div(lo, r->edge[k]);
        r->first_piece[k] = first;
        r->n_pieces_on[k] = (uint64_t)(xta__floor_div(hi - 1, r->edge[k]) - first + 1);
        r->most_kept *= (size_t)r->edge[k];
        if (!xta__mul_u64(r->n_pieces, r->n_pieces_on[k], &r->n_pieces)) {
            return xta__fail(err, XTA_EOVERFLOW, 0, "%s: the result has more than 2^64 pieces",
                             xta__reduction_name(r));
        }
    }
    return XTA_OK;
}

xta_box xta__piece_box(const xta__reduction *r, uint64_t k)
{
    xta_box box = r->info.bounds;

    for (int j = r->n_kept - 1; j >= 0; j--) {
        int axis = r->kept[j];
        int64_t at = r->first_piece[j] + (int64_t)(k % r->n_pieces_on[j]);
        k /= r->n_pieces_on[j];
        int64_t lo = at * r->edge[j], hi = lo + r->edge[j];
        box.lo[axis] = lo > box.lo[axis] ? lo : box.lo[axis];
        box.hi[axis] = hi < box.hi[axis] ? hi : box.hi[axis];
    }
    return box;
}

size_t xta__kept_cells(const xta__reduction *r, const xta_box *box)
{
    size_t n = 1;

    for (int j = 0; j < r->n_kept; j++) {
        n *= (size_t)(box->hi[r->kept[j]] - box->lo[r->kept[j]]);
    }
    return n;
}

xta_box xta__reduction_bounds(const xta__reduction *r)
{
    xta_box box = {.ndim = 0};

    for (int axis = 0; axis < r->info.ndim; axis++) {
        int k = r->reduced_of[axis];
        if (k < 0) {
            box.lo[box.ndim] = r->info.bounds.lo[axis];
            box.hi[box.ndim++] = r->info.bounds.hi[axis];
        } else if (k == r->grouped) {
            box.lo[box.ndim] = r->first_group;
            box.hi[box.ndim++] = r->first_group + (int64_t)r->n_groups;
        }
    }
    if (box.ndim == 0) {
        box.hi[box.ndim++] = 1;
    }
    return box;
}

/* ---- items ---- */

/* How many coordinates of each reduced axis are reduced at a time, and how many blocks of the last
 * one make an item. */
static void choose_bands(xta__reduction *r)
{
    int last = r->n_reduced - 1;
    int64_t per_row = (int64_t)r->most_kept, left;
    int64_t block_cells = (int64_t)r->most_kept;

    for (int k = 0; k < r->n_reduced; k++) {
        const xta__slot_axis *axis = &r->reduced[k];
        int64_t length = axis->hi - axis->lo;
        per_row *= (int64_t)axis->most_slots;
        length = length < XTA__BLOCK_CELLS ? length : XTA__BLOCK_CELLS;
        block_cells = block_cells < ITEM_CELLS ? block_cells * length : block_cells;
    }
    left = STATE_SLOTS / per_row > 0 ? STATE_SLOTS / per_row : 1;
    r->most_rows = 1;
    for (int k = last - 1; k >= 0; k--) {
        int64_t chunk = r->info.chunk[r->reduced[k].axis];
        chunk = chunk < XTA__BLOCK_CELLS ? chunk : XTA__BLOCK_CELLS;
        r->band[k] = chunk < left ? chunk : left;
        r->most_rows *= (size_t)r->band[k];
        left /= r->band[k];
    }
    r->run_blocks = 1;
    if (r->along && r->grouped != last && block_cells < ITEM_CELLS) {
        int64_t times = ITEM_CELLS / block_cells;
        times = times < left ? times : left;
        size_t most = r->reduced[last].n_blocks;
        r->run_blocks = (size_t)times < most ? (size_t)times : most;
    }
    r->band[last] = (int64_t)r->run_blocks * XTA__BLOCK_CELLS;
    int64_t row_bytes = (int64_t)(r->most_kept * r->most_rows * r->info.cell_bytes);
    if (!r->direct && r->band[last] > COPY_BYTES / row_bytes) {
        r->band[last] = COPY_BYTES / row_bytes > 0 ? COPY_BYTES / row_bytes : 1;
    }
    int64_t chunk = r->info.chunk[r->reduced[last].axis];
    r->band[last] = r->band[last] < chunk ? r->band[last] : chunk;
    r->copy_bytes = (size_t)row_bytes * (size_t)r->band[last];
}

static xta_status cut_runs(xta__reduction *r, xta_error *err)
{
    r->n_runs_in_all = 1;
    r->most_slots = r->run_blocks;
    uint64_t n_slots = 1;
    for (int k = 0; k < r->n_reduced; k++) {
        const xta__slot_axis *axis = &r->reduced[k];
        size_t blocks = k == r->n_reduced - 1 ? r->run_blocks : 1;
        r->n_runs[k] = (axis->n_blocks + blocks - 1) / blocks;
        r->most_slots *= axis->most_slots;
        if (!xta__mul_u64(r->n_runs_in_all, r->n_runs[k], &r->n_runs_in_all) ||
            !xta__mul_u64(n_slots, axis->n_slots, &n_slots)) {
            return xta__fail(err, XTA_EOVERFLOW, 0, "%s: more than 2^64 blocks",
                             xta__reduction_name(r));
        }
    }
    if (n_slots > UINT64_MAX / 1024) {
        return xta__fail(err, XTA_EOVERFLOW, 0, "%s: more than 2^54 blocks",
                         xta__reduction_name(r));
    }
    // Besides the partial sums themselves, each item has an entry in a list.
    r->bytes_per_kept =
        n_slots * (xta__partial_bytes(r, 16) / 16) + r->n_runs_in_all * 32 / r->most_kept;
    return XTA_OK;
}

xta_status xta__reduction_cut(xta__reduction *r, const xta_reduce_statistic statistics[], int n,
                              xta_error *err)
{
    xta_status status = XTA_OK;

    for (int k = 0; k < n; k++) {
        r->wants_sum |= statistics[k] == XTA_REDUCE_SUM || statistics[k] == XTA_REDUCE_MEAN;
        r->wants_range |= statistics[k] == XTA_REDUCE_MIN || statistics[k] == XTA_REDUCE_MAX;
        r->wants_moments |= statistics[k] == XTA_REDUCE_VAR;
    }
    r->may_exclude = r->kernels->kind == 'f' || r->missing_at != NULL;
    XTA_TRY(make_slots(r, err));
    if (xta_box_empty(&r->info.bounds) || r->n_groups == 0) {
        return XTA_OK;
    }
    choose_edges(r);
    XTA_TRY(cut_pieces(r, err));
    choose_bands(r);
    XTA_TRY(cut_runs(r, err));
    r->options.memory_bytes =
        r->options.memory_bytes > 0 ? r->options.memory_bytes : XTA_REDUCE_MEMORY_BYTES;
done:
    return status;
}

void xta__item_of(const xta__reduction *r, uint64_t piece, uint64_t run, xta__item *item)
{
    item->kept = xta__piece_box(r, piece);
    item->n_kept = xta__kept_cells(r, &item->kept);
    item->n_slots_in_all = 1;
    for (int k = r->n_reduced - 1; k >= 0; k--) {
        const xta__slot_axis *axis = &r->reduced[k];
        size_t blocks = k == r->n_reduced - 1 ? r->run_blocks : 1;
        size_t first = (size_t)(run % r->n_runs[k]) * blocks;
        size_t end = first + blocks < axis->n_blocks ? first + blocks : axis->n_blocks;
        run /= r->n_runs[k];
        int64_t lo = (axis->first_block + (int64_t)first) * XTA__BLOCK_CELLS;
        int64_t hi = (axis->first_block + (int64_t)end) * XTA__BLOCK_CELLS;
        item->kept.lo[axis->axis] = lo > axis->lo ? lo : axis->lo;
        item->kept.hi[axis->axis] = hi < axis->hi ? hi : axis->hi;
        item->first_slot[k] = axis->begin[first];
        item->n_slots[k] = axis->begin[end] - axis->begin[first];
        item->n_slots_in_all *= item->n_slots[k];
    }
}

/* ---- partial sums ---- */

static uint8_t *next_field(uint8_t **at, bool wanted, size_t n, size_t bytes)
{
    uint8_t *field = *at;

    if (!wanted) {
        return NULL;
    }
    *at += (n * bytes + 15) / 16 * 16;
    return field;
}

xta__partial xta__partial_at(const xta__reduction *r, size_t n, uint8_t *bytes)
{
    bool real = r->kernels->kind == 'f';
    size_t cell = xta_type_bytes(r->kernels->type);
    xta__partial p = {.n = n};

    p.exact = (xta__exact *)(void *)next_field(&bytes, r->wants_sum && !real, n, sizeof p.exact[0]);
    p.sum = (double *)(void *)next_field(&bytes, r->wants_sum && real, n, sizeof p.sum[0]);
    p.excluded = (uint64_t *)(void *)next_field(&bytes, r->may_exclude, n, sizeof p.excluded[0]);
    p.n_missing = (uint64_t *)(void *)next_field(&bytes, r->may_exclude, n, sizeof p.n_missing[0]);
    p.least = next_field(&bytes, r->wants_range, n, cell);
    p.most = next_field(&bytes, r->wants_range, n, cell);
    p.moments =
        (xta__moments *)(void *)next_field(&bytes, r->wants_moments, n, sizeof p.moments[0]);
    return p;
}

size_t xta__partial_bytes(const xta__reduction *r, size_t n)
{
    bool real = r->kernels->kind == 'f';
    size_t cell = xta_type_bytes(r->kernels->type);
    size_t bytes = 0;

    bytes += r->wants_sum ? (n * (real ? sizeof(double) : sizeof(xta__exact)) + 15) / 16 * 16 : 0;
    bytes += r->may_exclude ? 2 * ((n * sizeof(uint64_t) + 15) / 16 * 16) : 0;
    bytes += r->wants_range ? 2 * ((n * cell + 15) / 16 * 16) : 0;
    bytes += r->wants_moments ? (n * sizeof(xta__moments) + 15) / 16 * 16 : 0;
    return bytes;
}

void xta__partial_add_unordered(const xta__reduction *r, const xta__partial *to,
                                const xta__partial *from, size_t at, size_t n)
{
    size_t cell = xta_type_bytes(r->kernels->type);

    for (size_t k = 0; from->exact != NULL && k < n; k++) {
        to->exact[k] += from->exact[at + k];
    }
    for (size_t k = 0; from->excluded != NULL && k < n; k++) {
        to->excluded[k] += from->excluded[at + k];
        to->n_missing[k] += from->n_missing[at + k];
    }
    if (from->least != NULL) {
        r->kernels->range_merge(to->least, to->most, (const uint8_t *)from->least + at * cell,
                                (const uint8_t *)from->most + at * cell, n);
    }
}
