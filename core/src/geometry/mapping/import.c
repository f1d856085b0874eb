/* A mapping from the records of a checkpoint, which may come from a damaged or hostile file.
 *
 * Nothing of a row is believed: the growths are done again, one for each record, with the number of
 * slabs that the bases imply. Whatever comes out tiles the allocated box, or the records are
 * refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/mapping/mapping.h"

#include <assert.h>

uint64_t xta__mapping_address(xta__mapping *mapping, const int64_t coord[])
{
    uint64_t address = 0;
    uint32_t owner = 0;

    if (xta__mapping_try_address(mapping, coord, &address)) {
        return address;
    }
    for (int axis = 0; axis < mapping->ndim; axis++) {
        uint32_t record = xta__search_record(&mapping->search[axis], coord[axis]);
        owner = record > owner ? record : owner;
    }
    const uint64_t *rows = atomic_load_explicit(&mapping->rows, memory_order_relaxed);
    const uint64_t *row = rows + owner * xta__row_words(mapping->ndim);
    address = row[0];
    for (int axis = 0; axis < mapping->ndim; axis++) {
        address += row[1 + axis] * (uint64_t)coord[axis];
    }
    if (atomic_load_explicit(&mapping->search_by, memory_order_relaxed) == XTA__BY_RUNS &&
        ++mapping->run_look_ups == XTA__RUN_LOOK_UPS) {
        xta__mapping_enter_runs(mapping);
    }
    return address;
}

void xta__mapping_first_box(const xta__mapping *mapping, xta_box *first)
{
    if (mapping->n_records == 0) {
        *first = xta_box_make(mapping->ndim, mapping->lo, mapping->hi);
        return;
    }
    uint64_t n_chunks = 0;
    xta__mapping_segment(mapping, 0, &n_chunks, first);
}

/* The box in which the first growth was done: the first segment without the slabs of its own
 * axis. */
static void box_before(const xta__axial_record *record, const xta_box *first, int64_t lo[],
                       int64_t hi[])
{
    for (int axis = 0; axis < first->ndim; axis++) {
        lo[axis] = first->lo[axis];
        hi[axis] = first->hi[axis];
    }
    if (record != NULL && !record->initial) {
        if (record->side == XTA_BACK) {
            hi[record->axis] = lo[record->axis];
        } else {
            lo[record->axis] = hi[record->axis];
        }
    }
}

static bool plausible(const xta_box *first, uint32_t n_records, const xta__axial_record records[],
                      const int64_t coord_limit[])
{
    for (int axis = 0; axis < first->ndim; axis++) {
        if (first->lo[axis] > 0 || first->hi[axis] < 0 || first->lo[axis] < -coord_limit[axis] ||
            first->hi[axis] > coord_limit[axis]) {
            return false;
        }
    }
    for (uint32_t r = 0; r < n_records; r++) {
        if (records[r].axis < 0 || records[r].axis >= first->ndim ||
            (records[r].initial && r > 0) || (r > 0 && records[r].base <= records[r - 1].base) ||
            (r == 0 && records[r].base != 0)) {
            return false;
        }
    }
    return true;
}

xta_status xta__mapping_import(xta__mapping *mapping, const xta_box *first, uint64_t n_chunks,
                               uint32_t n_records, const xta__axial_record records[],
                               const int64_t coord_limit[], uint64_t max_chunks,
                               uint64_t table_limit)
{
    xta_status status = XTA_OK;
    int64_t lo[XTA_MAX_NDIM] = {0}, hi[XTA_MAX_NDIM] = {0};

    if (!plausible(first, n_records, records, coord_limit)) {
        return XTA_ECORRUPT;
    }
    box_before(n_records > 0 ? &records[0] : NULL, first, lo, hi);
    for (int axis = 0; axis < first->ndim; axis++) {
        if (lo[axis] > 0 || hi[axis] < 0) {
            return XTA_ECORRUPT;
        }
    }
    status = xta__mapping_init(mapping, first->ndim, lo, hi, table_limit);
    if (status != XTA_OK) {
        return status == XTA_EOVERFLOW ? XTA_ECORRUPT : status;
    }
    for (uint32_t r = mapping->n_records; r < n_records; r++) {
        uint64_t end = r + 1 < n_records ? records[r + 1].base : n_chunks;
        uint64_t slab = 1;
        for (int axis = 0; axis < first->ndim; axis++) {
            uint64_t length = (uint64_t)(mapping->hi[axis] - mapping->lo[axis]);
            if (axis != records[r].axis && !xta__mul_u64(slab, length, &slab)) {
                XTA_TRY(XTA_ECORRUPT);
            }
        }
        if (records[r].base != mapping->n_chunks || end <= records[r].base || slab == 0 ||
            (end - records[r].base) % slab != 0) {
            XTA_TRY(XTA_ECORRUPT);
        }
        xta__chunk_growth growth = {
            .axis = records[r].axis, .side = records[r].side, .n = (end - records[r].base) / slab};
        status = xta__mapping_reserve(mapping, &growth, 1, coord_limit, max_chunks);
        XTA_TRY(status == XTA_EOVERFLOW ? XTA_ECORRUPT : status);
        xta__mapping_grow(mapping, &growth);
    }
    if (mapping->n_chunks != n_chunks || mapping->n_records != n_records) {
        XTA_TRY(XTA_ECORRUPT);
    }

done:
    if (status != XTA_OK) {
        xta__mapping_clear(mapping);
    }
    return status;
}
