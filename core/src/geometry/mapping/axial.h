/* Axial vectors: a mapping begins and grows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_MAPPING_AXIAL_H
#define XTA_GEOMETRY_MAPPING_AXIAL_H

#include "geometry/mapping/types.h"

/* Allocate the first box, row-major from address 0. `lo` is 0 on each axis for an array that
 * begins; an empty box may begin elsewhere. XTA_EOVERFLOW, XTA_ENOMEM: nothing is left behind. */
xta_status xta__mapping_init(xta__mapping *mapping, int ndim, const int64_t lo[],
                             const int64_t hi[], uint64_t table_limit);

void xta__mapping_clear(xta__mapping *mapping);

/* Make room for a sequence of growths and check that no coordinate passes `coord_limit[axis]` (in
 * chunks, either sign) and that there will be at most `max_chunks` chunks. XTA_EOVERFLOW,
 * XTA_ENOMEM: nothing changed. */
xta_status xta__mapping_reserve(xta__mapping *mapping, const xta__chunk_growth *growths, int n,
                                const int64_t coord_limit[], uint64_t max_chunks);

/* Do one growth for which room was made. */
void xta__mapping_grow(xta__mapping *mapping, const xta__chunk_growth *growth);

/* Have room for `n` records more, and for as many coordinates at either end of each axis, if it can
 * be had. */
void xta__mapping_make_room(xta__mapping *mapping, uint32_t n);

/* Do one growth of at least one chunk if there is room for it and all that reserve asks for is so;
 * else false, and nothing is done: reserve makes room, or says what is wrong. */
bool xta__mapping_grow_within(xta__mapping *mapping, const xta__chunk_growth *growth,
                              int64_t coord_limit, uint64_t max_chunks);

/* What undo goes back to. */
typedef struct xta__mapping_mark {
    int64_t lo[XTA_MAX_NDIM];
    int64_t hi[XTA_MAX_NDIM];
    uint64_t n_chunks;
    uint32_t n_records;
} xta__mapping_mark;

/* Where the mapping stands, and back to it after growths that nobody has been told of. False, where
 * memory for new trees is wanting: then the mapping is not to be used any more. */
void xta__mapping_mark_here(const xta__mapping *mapping, xta__mapping_mark *mark);
bool xta__mapping_undo(xta__mapping *mapping, const xta__mapping_mark *mark);

#endif
