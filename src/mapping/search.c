/* From a coordinate on one axis to the axial record it reaches last.
 *
 * Definition: the records of an axis, sorted by their first coordinate, cut the axis into
 * intervals; the record of a coordinate is that of its interval (record 0 where the axis has none).
 *
 * Naive version: walk the records. First improvement: a direct table, one entry for each
 * coordinate, which makes F* as cheap as a conventional address. The table is replaced by one at
 * least twice as long when it is full, so that growth by one chunk costs constant time on average.
 * Where it would be longer than the limit, an O2-tree for each side takes over ([CXA] 4.2).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "mapping/search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

xta_status xta__mapping_retire_room(xta__mapping *mapping, size_t n)
{
    if (mapping->n_retired + n <= mapping->retired_room) {
        return XTA_OK;
    }
    size_t room = 2 * mapping->retired_room + n + 8;
    void **bigger = xta__realloc_array(mapping->retired, room, sizeof bigger[0]);
    if (bigger == NULL) {
        return XTA_ENOMEM;
    }
    mapping->retired = bigger;
    mapping->retired_room = room;
    return XTA_OK;
}

void xta__mapping_retire(xta__mapping *mapping, void *block)
{
    if (block != NULL) {
        mapping->retired[mapping->n_retired++] = block;
    }
}

uint32_t xta__axis_record_by_tree(const xta__axis_search *search, int64_t coord)
{
    uint32_t record = 0;

    // At the front coordinates count -1, -2, ...: mirrored they ascend as those at the back do.
    if (coord >= 0) {
        xta__o2tree_floor(search->back, coord, &record, NULL);
    } else {
        xta__o2tree_floor(search->front, -1 - coord, &record, NULL);
    }
    return record;
}

/* Every interval of the table becomes one record of a tree. */
static xta_status trees_from_table(const uint32_t *table, int64_t lo, int64_t hi, xta__o2tree *back,
                                   xta__o2tree *front)
{
    for (int64_t c = lo > 0 ? lo : 0; c < hi; c++) {
        bool begins = c == 0 || c == lo || table[c] != table[c - 1];
        if (begins && table[c] != 0 && xta__o2tree_insert(back, c, table[c]) != XTA_OK) {
            return XTA_ENOMEM;
        }
    }
    for (int64_t c = hi < 0 ? hi - 1 : -1; c >= lo; c--) {
        bool begins = c == -1 || c == hi - 1 || table[c] != table[c + 1];
        if (begins && table[c] != 0 && xta__o2tree_insert(front, -1 - c, table[c]) != XTA_OK) {
            return XTA_ENOMEM;
        }
    }
    return XTA_OK;
}

static xta_status turn_into_trees(xta__mapping *mapping, int axis)
{
    xta__axis_search *search = &mapping->search[axis];
    const uint32_t *table = atomic_load_explicit(&mapping->table[axis], memory_order_relaxed);
    xta__o2tree *back = xta__o2tree_new();
    xta__o2tree *front = xta__o2tree_new();
    xta_status status = back != NULL && front != NULL ? XTA_OK : XTA_ENOMEM;

    if (status == XTA_OK && table != NULL) {
        status = trees_from_table(table, mapping->lo[axis], mapping->hi[axis], back, front);
    }
    if (status == XTA_OK) {
        status = xta__mapping_retire_room(mapping, 1);
    }
    if (status != XTA_OK) {
        xta__o2tree_free(back);
        xta__o2tree_free(front);
        return status;
    }
    search->back = back;
    search->front = front;
    // The table stays, for readers that are under way with coordinates it knows.
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

xta_status xta__search_reserve(xta__mapping *mapping, int axis, int64_t lo, int64_t hi, int n)
{
    xta__axis_search *search = &mapping->search[axis];

    if (search->back != NULL) {
        return reserve_in_trees(search, n);
    }
    if (lo >= search->block_lo && hi <= search->block_hi && search->block != NULL) {
        return XTA_OK;
    }
    uint64_t length = (uint64_t)hi - (uint64_t)lo;
    if (length > mapping->table_limit) {
        xta_status status = turn_into_trees(mapping, axis);
        return status == XTA_OK ? reserve_in_trees(search, n) : status;
    }

    // Slack goes to the sides that have grown, so that growth at one end wastes nothing at the
    // other.
    int64_t slack = (int64_t)length / 2 + 8;
    int64_t new_lo = lo < search->block_lo ? lo - slack : search->block_lo;
    int64_t new_hi = hi > search->block_hi ? hi + slack : search->block_hi;
    if (xta__mapping_retire_room(mapping, 1) != XTA_OK) {
        return XTA_ENOMEM;
    }
    uint32_t *block = xta__calloc((size_t)(new_hi - new_lo), sizeof block[0]);
    if (block == NULL) {
        return XTA_ENOMEM;
    }
    if (search->block != NULL) {
        memcpy(block + (mapping->lo[axis] - new_lo),
               search->block + (mapping->lo[axis] - search->block_lo),
               (size_t)(mapping->hi[axis] - mapping->lo[axis]) * sizeof block[0]);
    }
    xta__mapping_retire(mapping, search->block);
    search->block = block;
    search->block_lo = new_lo;
    search->block_hi = new_hi;
    atomic_store_explicit(&mapping->table[axis], block - new_lo, memory_order_release);
    return XTA_OK;
}

void xta__search_set_in_trees(xta__axis_search *search, xta_side side, int64_t lo, int64_t hi,
                              uint32_t record)
{
    xta_status status = side == XTA_BACK ? xta__o2tree_insert(search->back, lo, record)
                                         : xta__o2tree_insert(search->front, -hi, record);

    // Room was made, and each record begins at a coordinate of its own.
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
        // A row keeps the first coordinate of its segment where the lowest ones of the others are.
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
    xta__o2tree_free(search->back);
    xta__o2tree_free(search->front);
}
