/* A mapping from the records of a checkpoint, which may come from a damaged or hostile file.
 *
 * No row is trusted: the growths are repeated, one for each record, with the number of slabs that
 * the bases imply. Either the result tiles the allocated box, or the records are refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/mapping/import.h"

#include <assert.h>
#include <stdlib.h>

#include "geometry/mapping/axial.h"
#include "geometry/mapping/check.h"
#include "geometry/mapping/inverse.h"

void xta__mapping_first_box(const xta__mapping *mapping, xta_box *first)
{
    if (mapping->n_records == 0) {
        *first = xta_box_make(mapping->ndim, mapping->lo, mapping->hi);
        return;
    }
    uint64_t n_chunks = 0;
    xta__mapping_segment(mapping, 0, &n_chunks, first);
}

/* The box to which the first growth was applied: the first segment without the slabs of its own
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
    assert((n_records <= XTA__CHECKED_RECORDS ? xta__check_mapping(mapping)
                                              : xta__check_last_segment(mapping)) == NULL);

done:
    if (status != XTA_OK) {
        xta__mapping_clear(mapping);
    }
    return status;
}

xta_status xta__mapping_add_axis(const xta__mapping *mapping, int position, xta__mapping *out)
{
    xta_status status = XTA_OK;
    xta_box first;
    int64_t coord_limit[XTA_MAX_NDIM];
    xta__axial_record *records = NULL;

    xta__mapping_first_box(mapping, &first);
    for (int axis = mapping->ndim; axis > position; axis--) {
        first.lo[axis] = first.lo[axis - 1];
        first.hi[axis] = first.hi[axis - 1];
    }
    first.ndim = mapping->ndim + 1;
    first.lo[position] = 0;
    first.hi[position] = 1;
    for (int axis = 0; axis <= mapping->ndim; axis++) {
        coord_limit[axis] = XTA__COORD_LIMIT;
    }

    // The history of the array as if the new axis had existed from the start: every segment has
    // length 1 on it, so no address changes.
    records = xta__calloc(mapping->n_records, sizeof records[0]);
    if (records == NULL) {
        XTA_TRY(XTA_ENOMEM);
    }
    for (uint32_t r = 0; r < mapping->n_records; r++) {
        records[r] = mapping->records[r];
        records[r].axis += records[r].axis >= position && !records[r].initial;
    }
    XTA_TRY(xta__mapping_import(out, &first, mapping->n_chunks, mapping->n_records, records,
                                coord_limit, XTA__OFFSET_LIMIT, mapping->table_limit));

done:
    free(records);
    return status;
}
