/* Whether a mapping is valid. The numbers are those of the invariants at the top of axial.c.
 *
 * Debug builds check the last segment after each growth, as a history may be long, and all segments
 * of a mapping that was made from records, if there are at most XTA__CHECKED_RECORDS.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/mapping/check.h"

#include <string.h>

#include "geometry/mapping/inverse.h"
#include "geometry/mapping/search.h"
#include "geometry/tree/check.h"

/* One segment, according to its record and its row. */
typedef struct segment {
    const xta__axial_record *record;
    const uint64_t *row;
    uint64_t end; /* base address of the next one */
    xta_box box;
} segment;

static const uint64_t *row_of(const xta__mapping *mapping, uint32_t r)
{
    return atomic_load_explicit(&mapping->rows, memory_order_relaxed) +
           r * xta__row_words(mapping->ndim);
}

/* F* of a chunk of the segment, by its row. */
static uint64_t address_in(const xta__mapping *mapping, const segment *s, const int64_t coord[])
{
    uint64_t address = s->row[0];

    for (int axis = 0; axis < mapping->ndim; axis++) {
        address += s->row[1 + axis] * (uint64_t)coord[axis];
    }
    return address;
}

/* M2: the last axis other than the grown one is fastest, and the grown one is slowest. */
static const char *check_strides(const xta__mapping *mapping, const segment *s)
{
    uint64_t stride = 1;

    for (int axis = mapping->ndim - 1; axis >= 0; axis--) {
        if (axis != s->record->axis) {
            if (s->row[1 + axis] != stride) {
                return "M2: a stride is not the product of the lengths of the box";
            }
            stride *= (uint64_t)(s->box.hi[axis] - s->box.lo[axis]);
        }
    }
    uint64_t slab = s->row[1 + s->record->axis];
    slab = s->record->side == XTA_BACK ? slab : 0 - slab;
    return slab == stride ? NULL : "M2: the stride of the grown axis is not the slab";
}

/* M3: the corners of the segment have its first and its last address, and the inverse finds
 * them. */
static const char *check_corners(const xta__mapping *mapping, const segment *s)
{
    int64_t first[XTA_MAX_NDIM], last[XTA_MAX_NDIM], back[XTA_MAX_NDIM];
    size_t bytes = (size_t)mapping->ndim * sizeof back[0];

    for (int axis = 0; axis < mapping->ndim; axis++) {
        bool reversed = axis == s->record->axis && s->record->side == XTA_FRONT;
        first[axis] = reversed ? s->box.hi[axis] - 1 : s->box.lo[axis];
        last[axis] = reversed ? s->box.lo[axis] : s->box.hi[axis] - 1;
    }
    if (address_in(mapping, s, first) != s->record->base ||
        address_in(mapping, s, last) != s->end - 1) {
        return "M3: a segment does not fill its addresses";
    }
    xta__mapping_inverse(mapping, s->record->base, back);
    if (memcmp(back, first, bytes) != 0) {
        return "M3: the inverse does not find the first chunk of a segment";
    }
    xta__mapping_inverse(mapping, s->end - 1, back);
    return memcmp(back, last, bytes) == 0
               ? NULL
               : "M3: the inverse does not find the last chunk of a segment";
}

/* M1, M2, M3 of segment `r`, which is filled in. */
static const char *check_segment(const xta__mapping *mapping, uint32_t r, segment *s)
{
    uint64_t n = 0;

    s->record = &mapping->records[r];
    s->row = row_of(mapping, r);
    s->end = r + 1 < mapping->n_records ? mapping->records[r + 1].base : mapping->n_chunks;
    if (s->end <= s->record->base || (r == 0) != (s->record->base == 0)) {
        return "M1: base addresses do not ascend from 0";
    }
    if (s->record->axis < 0 || s->record->axis >= mapping->ndim ||
        s->row[1 + s->record->axis] == 0) {
        return "M2: a record has no grown axis";
    }
    xta__mapping_segment(mapping, r, &n, &s->box);
    const char *flaw = check_strides(mapping, s);
    return flaw != NULL ? flaw : check_corners(mapping, s);
}

/* M4: on every axis a segment is as long as the allocated box was, and it adjoins the box on the
 * grown axis. The box becomes the union of both. */
static const char *adjoin_segment(const segment *s, xta_box *box)
{
    int grown = s->record->axis;

    for (int axis = 0; axis < box->ndim; axis++) {
        if (axis != grown &&
            (s->box.lo[axis] != box->lo[axis] || s->box.hi[axis] != box->hi[axis])) {
            return "M4: a segment is not as wide as the box that it extends";
        }
    }
    if (s->record->side == XTA_BACK) {
        bool adjoins = s->box.lo[grown] == box->hi[grown];
        box->hi[grown] = s->box.hi[grown];
        return adjoins ? NULL : "M4: a segment does not adjoin the box that it extends";
    }
    bool adjoins = s->box.hi[grown] == box->lo[grown];
    box->lo[grown] = s->box.lo[grown];
    return adjoins ? NULL : "M4: a segment does not adjoin the box that it extends";
}

/* The entry of the direct table for a coordinate, if F* reads it. */
static bool has_entry(const xta__axis_search *search, int64_t coord)
{
    if (!xta__search_has_block(search, coord, coord + 1)) {
        return false;
    }
    for (size_t k = 0; k < search->n_runs; k++) {
        if (coord >= search->runs[k].lo && coord < search->runs[k].hi) {
            return false;
        }
    }
    return true;
}

/* M5: a search on the axis returns `record`. */
static const char *check_search(const xta__mapping *mapping, int axis, int64_t coord,
                                uint32_t record)
{
    const xta__axis_search *search = &mapping->search[axis];
    const uint32_t *table = atomic_load_explicit(&mapping->table[axis], memory_order_relaxed);

    if (mapping->n_records > 1 && xta__search_record(search, coord) != record) {
        return "M5: a search finds another record than the one that grew last";
    }
    return has_entry(search, coord) && table[coord] != record
               ? "M5: the direct table does not agree with the search"
               : NULL;
}

/* M5 at both ends of a segment on the axis that has grown. */
static const char *check_ends(const xta__mapping *mapping, const segment *s, uint32_t r)
{
    int axis = s->record->axis;
    const char *flaw = s->record->initial ? NULL : check_search(mapping, axis, s->box.lo[axis], r);

    return flaw != NULL || s->record->initial ? flaw
                                              : check_search(mapping, axis, s->box.hi[axis] - 1, r);
}

/* M6: the search method of F* is one that the structures allow. */
static const char *check_search_by(const xta__mapping *mapping)
{
    unsigned search_by = atomic_load_explicit(&mapping->search_by, memory_order_relaxed);
    bool trees = false;

    for (int axis = 0; axis < mapping->ndim; axis++) {
        trees = trees || mapping->search[axis].back != NULL;
    }
    if (search_by == XTA__ONE_SEGMENT && mapping->n_records > 1) {
        return "M6: F* does not search although there are several segments";
    }
    if (search_by == XTA__BY_TABLES && (trees || xta__search_has_runs(mapping))) {
        return "M6: F* reads tables although an axis needs its runs or its tree";
    }
    return search_by < XTA__BY_TREES && trees ? "M6: F* does not know of a tree" : NULL;
}

const char *xta__check_last_segment(const xta__mapping *mapping)
{
    segment s;
    const char *flaw = check_search_by(mapping);

    if (flaw != NULL || mapping->n_records == 0) {
        return flaw != NULL ? flaw : mapping->n_chunks == 0 ? NULL : "M1: chunks without a record";
    }
    flaw = check_segment(mapping, mapping->n_records - 1, &s);
    for (int axis = 0; axis < mapping->ndim && flaw == NULL; axis++) {
        bool low = axis == s.record->axis && s.record->side == XTA_BACK && !s.record->initial;
        bool high = axis == s.record->axis && s.record->side == XTA_FRONT;
        if ((!low && s.box.lo[axis] != mapping->lo[axis]) ||
            (!high && s.box.hi[axis] != mapping->hi[axis])) {
            flaw = "M4: the last segment does not reach the ends of the allocated box";
        }
    }
    return flaw != NULL ? flaw : check_ends(mapping, &s, mapping->n_records - 1);
}

/* M5 for the coordinates lo .. hi - 1 of an axis; for a long run, which is one entry wherever it is
 * looked up, only at its ends. */
static const char *check_interval(const xta__mapping *mapping, int axis, int64_t lo, int64_t hi,
                                  uint32_t record)
{
    const char *flaw = NULL;

    if (lo < hi && hi - lo >= XTA__LONG_RUN) {
        flaw = check_search(mapping, axis, lo, record);
        return flaw != NULL ? flaw : check_search(mapping, axis, hi - 1, record);
    }
    for (int64_t c = lo; c < hi && flaw == NULL; c++) {
        flaw = check_search(mapping, axis, c, record);
    }
    return flaw;
}

/* M5: coordinates of the first segment find it on every axis, those of others where they grew. */
static const char *check_searches(const xta__mapping *mapping, const segment *s, uint32_t r)
{
    const char *flaw = NULL;

    for (int axis = 0; axis < mapping->ndim && flaw == NULL; axis++) {
        if (r == 0 || axis == s->record->axis) {
            flaw = check_interval(mapping, axis, s->box.lo[axis], s->box.hi[axis], r);
        }
    }
    return flaw;
}

static const char *check_trees(const xta__mapping *mapping)
{
    for (int axis = 0; axis < mapping->ndim; axis++) {
        const xta__axis_search *search = &mapping->search[axis];
        if (search->back != NULL &&
            (xta__check_tree(search->back) != NULL || xta__check_tree(search->front) != NULL)) {
            return "M5: a tree is not in order";
        }
    }
    return NULL;
}

const char *xta__check_mapping(const xta__mapping *mapping)
{
    const char *flaw = NULL;
    xta_box box = {0};

    for (uint32_t r = 0; r < mapping->n_records && flaw == NULL; r++) {
        segment s;
        flaw = check_segment(mapping, r, &s);
        if (flaw == NULL && r == 0) {
            box = s.box;
        } else if (flaw == NULL) {
            flaw = adjoin_segment(&s, &box);
        }
        flaw = flaw != NULL ? flaw : check_searches(mapping, &s, r);
    }
    for (int axis = 0; axis < box.ndim && flaw == NULL; axis++) {
        if (box.lo[axis] != mapping->lo[axis] || box.hi[axis] != mapping->hi[axis]) {
            flaw = "M4: the segments do not fill the allocated box";
        }
    }
    flaw = flaw != NULL ? flaw : check_trees(mapping);
    return flaw != NULL ? flaw : xta__check_last_segment(mapping);
}
