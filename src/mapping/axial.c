/* Axial vectors: the records of a mapping, from the history of expansions.
 *
 *   paper ([DRX] III, [CXA] 3.3)          here
 *   N*_l, first index of the segment      lo[axis] of the row (hi - 1 for a front segment)
 *   M*_l, base address                    record.base
 *   C_j, multiplying coefficients         coefficients of the row
 *   Gamma_l, axial vector of axis l       search[l]: coordinate -> record
 *
 * A segment is the slab of new coordinates on one axis times the allocated box on the others.
 * Inside it the grown axis is the slowest and the others keep row-major order. With S_j the stride
 * of axis j in the segment and a_j the lowest coordinate of the box on axis j when the segment was
 * adjoined,
 *
 *   F*(c) = base + (c_l - first) S_l + sum over j != l of (c_j - a_j) S_j     at the back,
 *   F*(c) = base + (first - c_l) S_l + sum over j != l of (c_j - a_j) S_j     at the front,
 *
 * and everything that does not depend on c is folded into one word of the row.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "mapping/mapping.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "mapping/search.h"

static xta_status make_record_room(xta__mapping *mapping, uint32_t n)
{
    if (n <= mapping->records_room - mapping->n_records) {
        return XTA_OK;
    }
    if (mapping->n_records > UINT32_MAX / 4 - n) {
        return XTA_EOVERFLOW;
    }
    uint32_t room = 2 * mapping->n_records + n + 4;
    size_t words = xta__row_words(mapping->ndim);
    uint64_t *old_rows = atomic_load_explicit(&mapping->rows, memory_order_relaxed);

    if (xta__mapping_retire_room(mapping, 1) != XTA_OK) {
        return XTA_ENOMEM;
    }
    xta__axial_record *records =
        xta__realloc_array(mapping->records, room, sizeof mapping->records[0]);
    if (records == NULL) {
        return XTA_ENOMEM;
    }
    mapping->records = records;
    uint64_t *rows = xta__calloc(room, words * sizeof rows[0]);
    if (rows == NULL) {
        return XTA_ENOMEM;
    }
    if (mapping->n_records > 0) {
        memcpy(rows, old_rows, mapping->n_records * words * sizeof rows[0]);
    }
    atomic_store_explicit(&mapping->rows, rows, memory_order_release);
    xta__mapping_retire(mapping, old_rows);
    mapping->records_room = room;
    return XTA_OK;
}

/* Chunks of one slab: the product of the other axes' lengths. */
static bool slab_chunks(const int64_t lo[], const int64_t hi[], int ndim, int axis, uint64_t *out)
{
    uint64_t product = 1;

    for (int j = 0; j < ndim; j++) {
        uint64_t length = (uint64_t)(hi[j] - lo[j]);
        if (j != axis && !xta__mul_u64(product, length, &product)) {
            return false;
        }
    }
    *out = product;
    return true;
}

/* Write row `r` of the segment that grows `axis` from its first coordinate on, over the box as it
 * is. */
static void fill_row(xta__mapping *mapping, uint32_t r, int axis, xta_side side, int64_t first,
                     uint64_t base)
{
    int ndim = mapping->ndim;
    uint64_t *rows = atomic_load_explicit(&mapping->rows, memory_order_relaxed);
    uint64_t *row = rows + r * xta__row_words(ndim);
    uint64_t *coefficient = row + 1;
    uint64_t *lowest = row + 1 + ndim;
    uint64_t stride = 1;
    uint64_t origin = base;

    for (int j = ndim - 1; j >= 0; j--) {
        if (j == axis) {
            continue;
        }
        coefficient[j] = stride;
        lowest[j] = (uint64_t)mapping->lo[j];
        origin -= stride * (uint64_t)mapping->lo[j];
        stride *= (uint64_t)(mapping->hi[j] - mapping->lo[j]);
    }
    coefficient[axis] = side == XTA_BACK ? stride : 0 - stride;
    lowest[axis] = (uint64_t)first;
    origin -= coefficient[axis] * (uint64_t)first;
    row[0] = origin;
}

xta_status xta__mapping_init(xta__mapping *mapping, int ndim, const int64_t lo[],
                             const int64_t hi[], uint64_t table_limit)
{
    xta_status status = XTA_OK;
    uint64_t product = 1;

    memset(mapping, 0, sizeof *mapping);
    mapping->ndim = ndim;
    mapping->table_limit = table_limit;
    for (int axis = 0; axis < ndim; axis++) {
        assert(lo[axis] <= 0 && hi[axis] >= 0);
        if (!xta__mul_u64(product, (uint64_t)(hi[axis] - lo[axis]), &product)) {
            XTA_TRY(XTA_EOVERFLOW);
        }
    }
    for (int axis = 0; axis < ndim; axis++) {
        XTA_TRY(xta__search_reserve(mapping, axis, lo[axis], hi[axis], 1));
        mapping->lo[axis] = lo[axis];
        mapping->hi[axis] = hi[axis];
    }
    if (product > 0) {
        XTA_TRY(make_record_room(mapping, 1));
        mapping->records[0] = (xta__axial_record){.initial = true};
        fill_row(mapping, 0, 0, XTA_BACK, lo[0], 0);
        mapping->n_records = 1;
        mapping->n_chunks = product;
    }

done:
    if (status != XTA_OK) {
        xta__mapping_clear(mapping);
    }
    return status;
}

void xta__mapping_clear(xta__mapping *mapping)
{
    for (int axis = 0; axis < mapping->ndim; axis++) {
        xta__search_clear(&mapping->search[axis]);
    }
    for (size_t k = 0; k < mapping->n_retired; k++) {
        free(mapping->retired[k]);
    }
    free(mapping->retired);
    free(mapping->records);
    free(atomic_load_explicit(&mapping->rows, memory_order_relaxed));
    memset(mapping, 0, sizeof *mapping);
}

xta_status xta__mapping_reserve(xta__mapping *mapping, const xta__chunk_growth *growths, int n,
                                const int64_t coord_limit[], uint64_t max_chunks)
{
    int64_t lo[XTA_MAX_NDIM], hi[XTA_MAX_NDIM];
    uint64_t n_chunks = mapping->n_chunks;

    memcpy(lo, mapping->lo, sizeof lo);
    memcpy(hi, mapping->hi, sizeof hi);
    for (int k = 0; k < n; k++) {
        int axis = growths[k].axis;
        uint64_t slab = 0, more = 0;

        // Lengths are below 2^62, so neither side of these comparisons can overflow.
        uint64_t room = growths[k].side == XTA_BACK ? (uint64_t)(coord_limit[axis] - hi[axis])
                                                    : (uint64_t)(lo[axis] + coord_limit[axis]);
        if (growths[k].n > room) {
            return XTA_EOVERFLOW;
        }
        if (!slab_chunks(lo, hi, mapping->ndim, axis, &slab) ||
            !xta__mul_u64(slab, growths[k].n, &more) || !xta__add_u64(n_chunks, more, &n_chunks) ||
            n_chunks > max_chunks) {
            return XTA_EOVERFLOW;
        }
        if (growths[k].side == XTA_BACK) {
            hi[axis] += (int64_t)growths[k].n;
        } else {
            lo[axis] -= (int64_t)growths[k].n;
        }
    }
    xta_status status = make_record_room(mapping, (uint32_t)n);
    for (int axis = 0; axis < mapping->ndim && status == XTA_OK; axis++) {
        status = xta__search_reserve(mapping, axis, lo[axis], hi[axis], n);
    }
    return status;
}

void xta__mapping_grow(xta__mapping *mapping, const xta__chunk_growth *growth)
{
    int axis = growth->axis;
    int64_t m = (int64_t)growth->n;
    uint64_t slab = 0;

    if (m == 0) {
        return;
    }
    int64_t first = growth->side == XTA_BACK ? mapping->hi[axis] : mapping->lo[axis] - 1;
    int64_t lo = growth->side == XTA_BACK ? mapping->hi[axis] : mapping->lo[axis] - m;

    slab_chunks(mapping->lo, mapping->hi, mapping->ndim, axis, &slab);
    if (slab > 0) {
        uint32_t last = mapping->n_records - 1;
        bool lengthened = mapping->n_records > 0 && !mapping->records[last].initial &&
                          mapping->records[last].axis == axis &&
                          mapping->records[last].side == growth->side;
        uint32_t r = lengthened ? last : mapping->n_records;

        if (!lengthened) {
            mapping->records[r] =
                (xta__axial_record){.base = mapping->n_chunks, .axis = axis, .side = growth->side};
            fill_row(mapping, r, axis, growth->side, first, mapping->n_chunks);
        }
        xta__search_set(mapping, axis, growth->side, lo, lo + m, r, lengthened);
        if (r == 1 && mapping->search_by == XTA__ONE_SEGMENT) {
            atomic_store_explicit(&mapping->search_by, XTA__BY_TABLES, memory_order_release);
        }
        mapping->n_records = r + 1;
        mapping->n_chunks += slab * growth->n;
    }
    if (growth->side == XTA_BACK) {
        mapping->hi[axis] += m;
    } else {
        mapping->lo[axis] -= m;
    }
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

    // The history of the array with the new axis there from the start: every segment had length 1
    // on it, which leaves each address as it is.
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

void xta__mapping_mark_here(const xta__mapping *mapping, xta__mapping_mark *mark)
{
    memcpy(mark->lo, mapping->lo, sizeof mark->lo);
    memcpy(mark->hi, mapping->hi, sizeof mark->hi);
    mark->n_chunks = mapping->n_chunks;
    mark->n_records = mapping->n_records;
}

bool xta__mapping_undo(xta__mapping *mapping, const xta__mapping_mark *mark)
{
    bool grown = mapping->n_chunks != mark->n_chunks;

    memcpy(mapping->lo, mark->lo, sizeof mark->lo);
    memcpy(mapping->hi, mark->hi, sizeof mark->hi);
    mapping->n_chunks = mark->n_chunks;
    mapping->n_records = mark->n_records;
    // Table entries beyond the box are set again when the box reaches them; keys of a tree would
    // stay.
    for (int axis = 0; axis < mapping->ndim; axis++) {
        if (grown && mapping->search[axis].back != NULL &&
            xta__search_rebuild(mapping, axis) != XTA_OK) {
            return false;
        }
    }
    return true;
}
