/* From a coordinate on one axis to the last axial record at or before it.
 *
 * Definition: the records of an axis, sorted by their first coordinate, cut the axis into
 * intervals; the record of a coordinate is that of its interval (record 0 if the axis has none).
 *
 * Naive version: scan the records. First improvement: a direct table, one entry for each
 * coordinate, which makes F* as cheap as a conventional address. When the table is full, it is
 * replaced by one at least 1.5 times as long, so that growth by one chunk costs constant time on
 * average. Long runs of one record, which an array of many chunks has when it is opened, are
 * listed, and entered into the table once it is clear that many coordinates will be looked up. If
 * the table would be longer than the limit, an O2-tree for each side replaces it ([CXA] 4.2).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/mapping/search.h"
#include "util/vector.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

xta_status xta__mapping_reserve_retired(xta__mapping *mapping, size_t n)
{
    return XTA__RESERVE(mapping->retired, mapping->retired_capacity, mapping->n_retired + n)
               ? XTA_OK
               : XTA_ENOMEM;
}

void xta__mapping_retire(xta__mapping *mapping, void *block)
{
    if (block != NULL) {
        mapping->retired[mapping->n_retired++] = block;
    }
}

/* The run that a coordinate lies in, if any. */
static const xta__run *run_of(const xta__axis_search *search, int64_t coord)
{
    for (size_t k = search->n_runs; k > 0; k--) {
        const xta__run *run = &search->runs[k - 1];
        if (coord >= run->lo && coord < run->hi) {
            return run;
        }
    }
    return NULL;
}

/* The record of a coordinate that lies in no run: it is in the block. */
static uint32_t entry_of(const xta__axis_search *search, int64_t coord)
{
    assert(coord >= search->block_lo && coord < search->block_hi);
    return search->block[coord - search->block_lo];
}

uint32_t xta__search_record(const xta__axis_search *search, int64_t coord)
{
    uint32_t record = 0;

    if (search->back == NULL) {
        const xta__run *run = run_of(search, coord);
        return run != NULL ? run->record : entry_of(search, coord);
    }
    // At the front coordinates are -1, -2, ...: mirrored, they ascend like those at the back.
    if (coord >= 0) {
        xta__o2tree_floor(search->back, coord, &record, NULL);
    } else {
        xta__o2tree_floor(search->front, -1 - coord, &record, NULL);
    }
    return record;
}

/* ---- long runs ---- */

void xta__search_set_run(xta__mapping *mapping, int axis, int64_t lo, int64_t hi, uint32_t record)
{
    xta__axis_search *search = &mapping->search[axis];
    if (xta__search_continues_run(search, lo, hi, record)) {
        xta__run *last = &search->runs[search->n_runs - 1];
        last->lo = last->lo < lo ? last->lo : lo;
        last->hi = last->hi > hi ? last->hi : hi;
        return;
    }
    assert(search->n_runs < search->runs_capacity);
    search->runs[search->n_runs++] = (xta__run){.lo = lo, .hi = hi, .record = record};
    mapping->run_look_ups = 0;
    if (atomic_load_explicit(&mapping->search_by, memory_order_relaxed) == XTA__BY_TABLES) {
        atomic_store_explicit(&mapping->search_by, XTA__BY_RUNS, memory_order_release);
    }
}

static xta_status reserve_runs(xta__axis_search *search, size_t n)
{
    return XTA__RESERVE(search->runs, search->runs_capacity, search->n_runs + n) ? XTA_OK
                                                                                 : XTA_ENOMEM;
}

/* A block for coordinates lo .. hi - 1, with the entries of the old one. */
static xta_status make_block(xta__mapping *mapping, int axis, int64_t lo, int64_t hi)
{
    xta__axis_search *search = &mapping->search[axis];
    // Only sides that have grown get slack, so that growth at one end wastes nothing at the other.
    int64_t slack = (hi - lo) / 2 + 8;
    int64_t new_lo = lo < search->block_lo ? lo - slack : search->block_lo;
    int64_t new_hi = hi > search->block_hi ? hi + slack : search->block_hi;

    if (xta__mapping_reserve_retired(mapping, 1) != XTA_OK) {
        return XTA_ENOMEM;
    }
    uint32_t *block = xta__calloc((size_t)(new_hi - new_lo), sizeof block[0]);
    if (block == NULL) {
        return XTA_ENOMEM;
    }
    int64_t from = search->block_lo > mapping->lo[axis] ? search->block_lo : mapping->lo[axis];
    int64_t to = search->block_hi < mapping->hi[axis] ? search->block_hi : mapping->hi[axis];
    if (search->block != NULL && from < to) {
        memcpy(block + (from - new_lo), search->block + (from - search->block_lo),
               (size_t)(to - from) * sizeof block[0]);
    }
    xta__mapping_retire(mapping, search->block);
    search->block = block;
    search->block_lo = new_lo;
    search->block_hi = new_hi;
    atomic_store_explicit(&mapping->table[axis], block - new_lo, memory_order_release);
    return XTA_OK;
}

void xta__mapping_enter_runs(xta__mapping *mapping)
{
    for (int axis = 0; axis < mapping->ndim; axis++) {
        int64_t lo = mapping->lo[axis], hi = mapping->hi[axis];
        if (!xta__search_has_block(&mapping->search[axis], lo, hi) &&
            make_block(mapping, axis, lo, hi) != XTA_OK) {
            return; // it stays a run: slower
        }
    }
    // Nobody reads the entries of runs as long as they are runs.
    for (int axis = 0; axis < mapping->ndim; axis++) {
        xta__axis_search *search = &mapping->search[axis];
        for (size_t k = 0; k < search->n_runs; k++) {
            const xta__run *run = &search->runs[k];
            for (int64_t c = run->lo; c < run->hi; c++) {
                search->block[c - search->block_lo] = run->record;
            }
        }
        search->n_runs = 0;
    }
    atomic_store_explicit(&mapping->search_by, XTA__BY_TABLES, memory_order_release);
}

static void clear_entries(xta__axis_search *search, int64_t lo, int64_t hi)
{
    for (int64_t c = lo; c < hi; c++) {
        // Memory that was never touched stays untouched.
        if (search->block[c - search->block_lo] != 0) {
            search->block[c - search->block_lo] = 0;
        }
    }
}

void xta__search_cut(xta__axis_search *search, int64_t lo, int64_t hi)
{
    if (search->block != NULL) {
        clear_entries(search, search->block_lo, lo);
        clear_entries(search, hi, search->block_hi);
    }
    size_t kept = 0;
    for (size_t k = 0; k < search->n_runs; k++) {
        xta__run run = search->runs[k];
        run.lo = run.lo > lo ? run.lo : lo;
        run.hi = run.hi < hi ? run.hi : hi;
        if (run.lo < run.hi) {
            search->runs[kept++] = run;
        }
    }
    search->n_runs = kept;
}

/* ---- trees ---- */

/* Every interval of one side becomes one record of a tree; trees count coordinates 0 .. end - 1
 * away from the middle. */
static xta_status make_tree(const xta__axis_search *search, bool front, int64_t end,
                            xta__o2tree *tree)
{
    uint32_t before = 0;

    for (int64_t k = 0; k < end;) {
        int64_t coord = front ? -1 - k : k;
        const xta__run *run = run_of(search, coord);
        uint32_t record = run != NULL ? run->record : entry_of(search, coord);
        if (record != before && xta__o2tree_insert(tree, k, record) != XTA_OK) {
            return XTA_ENOMEM;
        }
        before = record;
        k = run == NULL ? k + 1 : front ? -run->lo : run->hi;
    }
    return XTA_OK;
}

static xta_status turn_into_trees(xta__mapping *mapping, int axis)
{
    xta__axis_search *search = &mapping->search[axis];
    xta__o2tree *back = xta__o2tree_new();
    xta__o2tree *front = xta__o2tree_new();
    xta_status status = back != NULL && front != NULL ? XTA_OK : XTA_ENOMEM;

    if (status == XTA_OK) {
        status = make_tree(search, false, mapping->hi[axis], back);
    }
    if (status == XTA_OK) {
        status = make_tree(search, true, -mapping->lo[axis], front);
    }
    if (status == XTA_OK) {
        status = xta__mapping_reserve_retired(mapping, 1);
    }
    if (status != XTA_OK) {
        xta__o2tree_free(back);
        xta__o2tree_free(front);
        return status;
    }
    search->back = back;
    search->front = front;
    // The table stays, for concurrent readers of coordinates that it contains.
    atomic_store_explicit(&mapping->search_by, XTA__BY_TREES, memory_order_release);
    xta__mapping_retire(mapping, search->block);
    search->block = NULL;
    return XTA_OK;
}

static xta_status reserve_in_trees(xta__axis_search *search, int n)
{
    xta_status status = xta__o2tree_reserve(search->back, (size_t)n);

    return status == XTA_OK ? xta__o2tree_reserve(search->front, (size_t)n) : status;
}

/* Whether one growth to lo .. hi - 1 creates or lengthens a run, and so needs no block. */
static bool becomes_run(const xta__mapping *mapping, int axis, int64_t lo, int64_t hi)
{
    const xta__axis_search *search = &mapping->search[axis];
    bool front = lo < mapping->lo[axis];
    int64_t longer = front ? mapping->lo[axis] - lo : hi - mapping->hi[axis];

    if (front && hi > mapping->hi[axis]) {
        return false; // both ends need entries
    }
    if (longer >= XTA__LONG_RUN || search->n_runs == 0) {
        return longer >= XTA__LONG_RUN;
    }
    const xta__run *last = &search->runs[search->n_runs - 1];
    const xta__axial_record *record = &mapping->records[last->record];
    return last->record + 1 == mapping->n_records && !record->initial && record->axis == axis &&
           record->side == (front ? XTA_FRONT : XTA_BACK);
}

xta_status xta__search_reserve(xta__mapping *mapping, int axis, int64_t lo, int64_t hi, int n)
{
    xta__axis_search *search = &mapping->search[axis];

    if (search->back != NULL) {
        return reserve_in_trees(search, n);
    }
    xta_status status = reserve_runs(search, (size_t)n);
    if (status != XTA_OK) {
        return status;
    }
    if (xta__search_has_block(search, lo, hi) ||
        (lo == mapping->lo[axis] && hi == mapping->hi[axis])) {
        return XTA_OK;
    }
    if ((uint64_t)hi - (uint64_t)lo > mapping->table_limit) {
        status = turn_into_trees(mapping, axis);
        return status == XTA_OK ? reserve_in_trees(search, n) : status;
    }
    return n == 1 && becomes_run(mapping, axis, lo, hi) ? XTA_OK
                                                        : make_block(mapping, axis, lo, hi);
}

void xta__search_set_in_trees(xta__axis_search *search, xta_side side, int64_t lo, int64_t hi,
                              uint32_t record)
{
    xta_status status = side == XTA_BACK ? xta__o2tree_insert(search->back, lo, record)
                                         : xta__o2tree_insert(search->front, -hi, record);

    // Capacity was reserved, and all records begin at different coordinates.
    assert(status == XTA_OK);
    (void)status;
}

xta_status xta__search_rebuild(xta__mapping *mapping, int axis)
{
    xta__axis_search *search = &mapping->search[axis];
    const uint64_t *rows = atomic_load_explicit(&mapping->rows, memory_order_relaxed);
    xta__o2tree *back = xta__o2tree_new();
    xta__o2tree *front = xta__o2tree_new();
    xta_status status = back != NULL && front != NULL ? XTA_OK : XTA_ENOMEM;

    for (uint32_t r = 1; r < mapping->n_records && status == XTA_OK; r++) {
        const xta__axial_record *record = &mapping->records[r];
        // A row stores the first coordinate of its segment where it stores the lowest ones of the
        // other axes.
        const uint64_t *lowest = rows + r * xta__row_words(mapping->ndim) + 1 + mapping->ndim;
        int64_t first = (int64_t)lowest[axis];
        if (record->axis == axis) {
            status = record->side == XTA_BACK ? xta__o2tree_insert(back, first, r)
                                              : xta__o2tree_insert(front, -1 - first, r);
        }
    }
    if (status != XTA_OK) {
        xta__o2tree_free(back);
        xta__o2tree_free(front);
        return status;
    }
    xta__o2tree_free(search->back);
    xta__o2tree_free(search->front);
    search->back = back;
    search->front = front;
    return XTA_OK;
}

void xta__search_clear(xta__axis_search *search)
{
    free(search->block);
    free(search->runs);
    xta__o2tree_free(search->back);
    xta__o2tree_free(search->front);
}
