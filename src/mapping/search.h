/* A room of mapping/: how coordinates of one axis find their axial record.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_MAPPING_SEARCH_H
#define XTA_MAPPING_SEARCH_H

#include "mapping/mapping.h"

/* Keep `block` allocated until the mapping is cleared. The list has room for it: see
 * make_retire_room. */
void xta__mapping_retire(xta__mapping *mapping, void *block);

/* Room for `n` more retired blocks. */
xta_status xta__mapping_retire_room(xta__mapping *mapping, size_t n);

/* Make axis `axis` able to answer for coordinates lo .. hi - 1, and to take `n` more records;
 * entries not set yet are record 0. */
xta_status xta__search_reserve(xta__mapping *mapping, int axis, int64_t lo, int64_t hi, int n);

/* The same for trees. */
void xta__search_set_in_trees(xta__axis_search *search, xta_side side, int64_t lo, int64_t hi,
                              uint32_t record);

/* Coordinates lo .. hi - 1, which reserve made room for, reach `record` last. `lengthened`: the
 * record has been there before, with coordinates nearer to the middle. */
static inline void xta__search_set(xta__mapping *mapping, int axis, xta_side side, int64_t lo,
                                   int64_t hi, uint32_t record, bool lengthened)
{
    xta__axis_search *search = &mapping->search[axis];

    if (search->back == NULL) {
#pragma GCC unroll 1
        for (int64_t c = lo; c < hi; c++) {
            search->block[c - search->block_lo] = record;
        }
    } else if (!lengthened && record != 0) {
        xta__search_set_in_trees(search, side, lo, hi, record);
    }
}

/* Make the trees of an axis anew from the records there are, after some were taken back.
 * XTA_ENOMEM: they are not to be used. */
xta_status xta__search_rebuild(xta__mapping *mapping, int axis);

void xta__search_clear(xta__axis_search *search);

#endif
