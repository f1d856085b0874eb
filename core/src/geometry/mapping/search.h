/* A private header of mapping/: how coordinates of one axis find their axial record.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_MAPPING_SEARCH_H
#define XTA_GEOMETRY_MAPPING_SEARCH_H

#include "geometry/mapping/types.h"

/* The last record at or before a coordinate of the axis, through runs or trees: the slow path. */
uint32_t xta__search_record(const xta__axis_search *search, int64_t coord);

/* Enter all runs into the tables, which are faster. */
void xta__mapping_enter_runs(xta__mapping *mapping);

/* Keep `block` allocated until the mapping is cleared. Capacity for it has been reserved. */
void xta__mapping_retire(xta__mapping *mapping, void *block);

/* Reserve capacity for `n` more retired blocks. */
xta_status xta__mapping_reserve_retired(xta__mapping *mapping, size_t n);

/* Make axis `axis` able to look up coordinates lo .. hi - 1, and to hold `n` more records; entries
 * not set yet are record 0. */
xta_status xta__search_reserve(xta__mapping *mapping, int axis, int64_t lo, int64_t hi, int n);

/* Whether the table of the axis has an entry for each of the coordinates lo .. hi - 1. */
static inline bool xta__search_has_block(const xta__axis_search *search, int64_t lo, int64_t hi)
{
    return search->block != NULL && lo >= search->block_lo && hi <= search->block_hi;
}

/* Whether coordinates lo .. hi - 1 continue the run that was listed last. */
static inline bool xta__search_continues_run(const xta__axis_search *search, int64_t lo, int64_t hi,
                                             uint32_t record)
{
    if (search->n_runs == 0) {
        return false;
    }
    const xta__run *last = &search->runs[search->n_runs - 1];
    return last->record == record && (last->hi == lo || last->lo == hi);
}

/* Set `record` for coordinates lo .. hi - 1, for which reserve made space: in a run, and in
 * trees. */
void xta__search_set_run(xta__mapping *mapping, int axis, int64_t lo, int64_t hi, uint32_t record);
void xta__search_set_in_trees(xta__axis_search *search, xta_side side, int64_t lo, int64_t hi,
                              uint32_t record);

/* The same for any structure. `lengthened`: the record already exists, with coordinates nearer to
 * the middle. */
static inline void xta__search_set(xta__mapping *mapping, int axis, xta_side side, int64_t lo,
                                   int64_t hi, uint32_t record, bool lengthened)
{
    xta__axis_search *search = &mapping->search[axis];

    // Beyond the end of the table even short ones are runs: look-ups since reserve may have entered
    // the run that these coordinates were to lengthen.
    if (search->back == NULL && lo < hi &&
        (hi - lo >= XTA__LONG_RUN || xta__search_continues_run(search, lo, hi, record) ||
         !xta__search_has_block(search, lo, hi))) {
        xta__search_set_run(mapping, axis, lo, hi, record);
    } else if (record == 0) {
        return; // as in unset entries
    } else if (search->back == NULL) {
#pragma GCC unroll 1
        for (int64_t c = lo; c < hi; c++) {
            search->block[c - search->block_lo] = record;
        }
    } else if (!lengthened) {
        xta__search_set_in_trees(search, side, lo, hi, record);
    }
}

/* Whether any axis has a run that is not in its table. */
static inline bool xta__search_has_runs(const xta__mapping *mapping)
{
    for (int axis = 0; axis < mapping->ndim; axis++) {
        if (mapping->search[axis].n_runs > 0) {
            return true;
        }
    }
    return false;
}

/* Forget the records of coordinates outside lo .. hi - 1, except keys of trees. */
void xta__search_cut(xta__axis_search *search, int64_t lo, int64_t hi);

/* Rebuild the trees of an axis from the remaining records, after some were undone. XTA_ENOMEM: the
 * trees must not be used. */
xta_status xta__search_rebuild(xta__mapping *mapping, int axis);

void xta__search_clear(xta__axis_search *search);

#endif
