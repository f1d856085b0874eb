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
 * Invariants (check.c has them as code)
 *   M1  Base addresses ascend strictly from 0; each segment ends where the next one begins, and the
 *       last one at n_chunks.
 *   M2  The strides of a row are products of the lengths of its segment, and the grown axis, which
 *       has the greatest, is negative at the front.
 *   M3  F* maps each segment one-to-one to its addresses, and the inverse maps them back.
 *   M4  A segment is as wide as the box that it extends and adjoins it; all segments together fill
 *       the allocated box.
 *   M5  On the axis that a segment has grown, a search for its coordinates finds its record:
 *       whether by table, by runs or by tree, and an entry of the table that F* may read agrees.
 *   M6  `search_by` is no faster a method than the structures of the axes allow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/mapping/axial.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mapping/check.h"
#include "geometry/mapping/search.h"

static xta_status reserve_records(xta__mapping *mapping, uint32_t n)
{
    if (n <= mapping->records_capacity - mapping->n_records) {
        return XTA_OK;
    }
    if (mapping->n_records > UINT32_MAX / 4 - n) {
        return XTA_EOVERFLOW;
    }
    uint32_t capacity = 2 * mapping->n_records + n + 4;
    size_t words = xta__row_words(mapping->ndim);
    uint64_t *old_rows = atomic_load_explicit(&mapping->rows, memory_order_relaxed);

    if (xta__mapping_reserve_retired(mapping, 1) != XTA_OK) {
        return XTA_ENOMEM;
    }
    xta__axial_record *records =
        xta__realloc_array(mapping->records, capacity, sizeof mapping->records[0]);
    if (records == NULL) {
        return XTA_ENOMEM;
    }
    mapping->records = records;
    uint64_t *rows = xta__realloc_array(NULL, capacity, words * sizeof rows[0]);
    if (rows == NULL) {
        return XTA_ENOMEM;
    }
    if (mapping->n_records > 0) {
        memcpy(rows, old_rows, mapping->n_records * words * sizeof rows[0]);
    }
    atomic_store_explicit(&mapping->rows, rows, memory_order_release);
    xta__mapping_retire(mapping, old_rows);
    mapping->records_capacity = capacity;
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

/* Write row `r` of the segment that grows `axis` from its first coordinate on, over the current
 * box. Returns the chunks of one slab, modulo 2^64. */
static inline uint64_t fill_row(xta__mapping *mapping, uint32_t r, int axis, xta_side side,
                                int64_t first, uint64_t base)
{
    int ndim = mapping->ndim;
    uint64_t *rows = atomic_load_explicit(&mapping->rows, memory_order_relaxed);
    uint64_t *row = rows + r * xta__row_words(ndim);
    uint64_t *coefficient = row + 1;
    uint64_t *lowest = row + 1 + ndim;
    uint64_t stride = 1;
    uint64_t origin = base;

#pragma GCC unroll 1
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
    return stride;
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
        xta__search_set(mapping, axis, XTA_BACK, lo[axis], hi[axis], 0, false);
    }
    if (product > 0) {
        XTA_TRY(reserve_records(mapping, 1));
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
    const int ndim = mapping->ndim;

    if (n == 0) {
        return XTA_OK;
    }
    for (int axis = 0; axis < ndim; axis++) {
        lo[axis] = mapping->lo[axis];
        hi[axis] = mapping->hi[axis];
    }
    for (int k = 0; k < n; k++) {
        int axis = growths[k].axis;
        uint64_t slab = 0, more = 0;

        // Lengths are below 2^62, so neither side of these comparisons can overflow.
        uint64_t most = growths[k].side == XTA_BACK ? (uint64_t)(coord_limit[axis] - hi[axis])
                                                    : (uint64_t)(lo[axis] + coord_limit[axis]);
        if (growths[k].n > most) {
            return XTA_EOVERFLOW;
        }
        if (!slab_chunks(lo, hi, ndim, axis, &slab) || !xta__mul_u64(slab, growths[k].n, &more) ||
            !xta__add_u64(n_chunks, more, &n_chunks) || n_chunks > max_chunks) {
            return XTA_EOVERFLOW;
        }
        if (growths[k].side == XTA_BACK) {
            hi[axis] += (int64_t)growths[k].n;
        } else {
            lo[axis] -= (int64_t)growths[k].n;
        }
    }
    xta_status status = reserve_records(mapping, (uint32_t)n);
    for (int axis = 0; axis < ndim && status == XTA_OK; axis++) {
        status = xta__search_reserve(mapping, axis, lo[axis], hi[axis], n);
    }
    return status;
}

/* Whether a growth continues where the last one ended. */
static inline bool lengthens(const xta__mapping *mapping, int axis, xta_side side)
{
    if (mapping->n_records == 0) {
        return false;
    }
    const xta__axial_record *last = &mapping->records[mapping->n_records - 1];
    return !last->initial && last->axis == axis && last->side == side;
}

/* The row of a growth has been filled in, if it needs one: now make searches find it. */
static inline void adjoin(xta__mapping *mapping, const xta__chunk_growth *growth, uint64_t slab,
                          bool lengthened)
{
    int axis = growth->axis;
    int64_t m = (int64_t)growth->n;
    int64_t lo = growth->side == XTA_BACK ? mapping->hi[axis] : mapping->lo[axis] - m;
    uint32_t r = lengthened ? mapping->n_records - 1 : mapping->n_records;

    if (!lengthened) {
        mapping->records[r] =
            (xta__axial_record){.base = mapping->n_chunks, .axis = axis, .side = growth->side};
    }
    xta__search_set(mapping, axis, growth->side, lo, lo + m, r, lengthened);
    if (r == 1 && mapping->search_by == XTA__ONE_SEGMENT) {
        atomic_store_explicit(&mapping->search_by,
                              xta__search_has_runs(mapping) ? XTA__BY_RUNS : XTA__BY_TABLES,
                              memory_order_release);
    }
    mapping->n_records = r + 1;
    mapping->n_chunks += slab * growth->n;
}

static inline void widen_box(xta__mapping *mapping, const xta__chunk_growth *growth)
{
    if (growth->side == XTA_BACK) {
        mapping->hi[growth->axis] += (int64_t)growth->n;
    } else {
        mapping->lo[growth->axis] -= (int64_t)growth->n;
    }
}

static inline int64_t first_coordinate(const xta__mapping *mapping, int axis, xta_side side)
{
    return side == XTA_BACK ? mapping->hi[axis] : mapping->lo[axis] - 1;
}

void xta__mapping_grow(xta__mapping *mapping, const xta__chunk_growth *growth)
{
    int axis = growth->axis;
    uint64_t slab = 0;

    if (growth->n == 0) {
        return;
    }
    slab_chunks(mapping->lo, mapping->hi, mapping->ndim, axis, &slab);
    if (slab > 0) {
        bool lengthened = lengthens(mapping, axis, growth->side);
        if (!lengthened) {
            fill_row(mapping, mapping->n_records, axis, growth->side,
                     first_coordinate(mapping, axis, growth->side), mapping->n_chunks);
        }
        adjoin(mapping, growth, slab, lengthened);
    } else {
        // No chunk yet: coordinates that come before the first record.
        int64_t m = (int64_t)growth->n;
        int64_t lo = growth->side == XTA_BACK ? mapping->hi[axis] : mapping->lo[axis] - m;
        xta__search_set(mapping, axis, growth->side, lo, lo + m, 0, false);
    }
    widen_box(mapping, growth);
    assert(xta__check_last_segment(mapping) == NULL);
}

void xta__mapping_reserve_runs(xta__mapping *mapping, uint32_t n)
{
    bool good = reserve_records(mapping, n) == XTA_OK;

    for (int axis = 0; axis < mapping->ndim && good; axis++) {
        int64_t lo = mapping->lo[axis] - n, hi = mapping->hi[axis] + n;
        if (mapping->search[axis].back == NULL && (uint64_t)(hi - lo) < mapping->table_limit) {
            good = xta__search_reserve(mapping, axis, lo, hi, 1) == XTA_OK;
        }
    }
    if (good) {
        // The first touch of memory is a page fault, which should happen here and not in an
        // extension.
        size_t words = xta__row_words(mapping->ndim);
        memset(mapping->rows + mapping->n_records * words, 0, n * words * sizeof(uint64_t));
        memset(mapping->records + mapping->n_records, 0, n * sizeof mapping->records[0]);
    }
}

XTA__HOT bool xta__mapping_grow_within(xta__mapping *mapping, const xta__chunk_growth *growth,
                                       int64_t coord_limit, uint64_t max_chunks)
{
    int axis = growth->axis;
    const xta__axis_search *search = &mapping->search[axis];
    int64_t lo = mapping->lo[axis], hi = mapping->hi[axis];
    uint64_t n_chunks = 0;

    if (lo == hi || growth->n >= XTA__LONG_RUN) { // a long run needs capacity
        return false;
    }
    hi += growth->side == XTA_BACK ? (int64_t)growth->n : 0;
    lo -= growth->side == XTA_FRONT ? (int64_t)growth->n : 0;
    if (hi > coord_limit || lo < -coord_limit || mapping->n_records == mapping->records_capacity ||
        search->back != NULL || lo < search->block_lo || hi > search->block_hi) {
        return false;
    }
    // The next row is not in use yet. As every chunk of the box has an address and this axis is not
    // empty, a slab has at most as many chunks as there are; it has 0 if another axis is empty.
    uint64_t slab = fill_row(mapping, mapping->n_records, axis, growth->side,
                             first_coordinate(mapping, axis, growth->side), mapping->n_chunks);
    if (slab == 0 || __builtin_mul_overflow(slab, growth->n, &n_chunks) ||
        __builtin_add_overflow(n_chunks, mapping->n_chunks, &n_chunks) || n_chunks > max_chunks) {
        return false;
    }
    // Meanwhile, prefetch the cache lines that the next growths will write.
    __builtin_prefetch(
        (const char *)(mapping->rows + (mapping->n_records + 3) * xta__row_words(mapping->ndim)),
        1);
    adjoin(mapping, growth, slab, lengthens(mapping, axis, growth->side));
    widen_box(mapping, growth);
    assert(xta__check_last_segment(mapping) == NULL);
    return true;
}

void xta__mapping_mark_here(const xta__mapping *mapping, xta__mapping_mark *mark)
{
    for (int axis = 0; axis < mapping->ndim; axis++) {
        mark->lo[axis] = mapping->lo[axis];
        mark->hi[axis] = mapping->hi[axis];
    }
    mark->n_chunks = mapping->n_chunks;
    mark->n_records = mapping->n_records;
}

bool xta__mapping_undo(xta__mapping *mapping, const xta__mapping_mark *mark)
{
    bool grown = mapping->n_chunks != mark->n_chunks;

    for (int axis = 0; axis < mapping->ndim; axis++) {
        mapping->lo[axis] = mark->lo[axis];
        mapping->hi[axis] = mark->hi[axis];
    }
    mapping->n_chunks = mark->n_chunks;
    mapping->n_records = mark->n_records;
    for (int axis = 0; axis < mapping->ndim; axis++) {
        xta__search_cut(&mapping->search[axis], mark->lo[axis], mark->hi[axis]);
        if (grown && mapping->search[axis].back != NULL &&
            xta__search_rebuild(mapping, axis) != XTA_OK) {
            return false;
        }
    }
    assert(xta__check_last_segment(mapping) == NULL);
    return true;
}
