/* Axial vectors: creating a mapping, and growing it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_MAPPING_AXIAL_H
#define XTA_GEOMETRY_MAPPING_AXIAL_H

#include "geometry/mapping/types.h"

/* Allocate the first box, row-major from address 0. `lo` is 0 on each axis for a new array; an
 * empty box may begin elsewhere. XTA_EOVERFLOW, XTA_ENOMEM: nothing is left behind. */
xta_status xta__mapping_init(xta__mapping *mapping, int ndim, const int64_t lo[],
                             const int64_t hi[], uint64_t table_limit);

void xta__mapping_clear(xta__mapping *mapping);

/* Reserve capacity for a sequence of growths and check that no coordinate exceeds
 * `coord_limit[axis]` (in chunks, either sign) and that there will be at most `max_chunks` chunks.
 * XTA_EOVERFLOW, XTA_ENOMEM: nothing changed. */
xta_status xta__mapping_reserve(xta__mapping *mapping, const xta__chunk_growth *growths, int n,
                                const int64_t coord_limit[], uint64_t max_chunks);

/* Do one growth for which capacity was reserved. */
void xta__mapping_grow(xta__mapping *mapping, const xta__chunk_growth *growth);

/* Try to reserve capacity for `n` more records, and for as many coordinates at either end of each
 * axis. */
void xta__mapping_reserve_runs(xta__mapping *mapping, uint32_t n);

/* Do one growth of at least one chunk if its capacity has been reserved and it keeps all limits;
 * else false, and nothing is done: xta__mapping_reserve then reserves capacity, or reports what is
 * wrong. */
bool xta__mapping_grow_within(xta__mapping *mapping, const xta__chunk_growth *growth,
                              int64_t coord_limit, uint64_t max_chunks);

/* The state that undo restores. */
typedef struct xta__mapping_mark {
    int64_t lo[XTA_MAX_NDIM];
    int64_t hi[XTA_MAX_NDIM];
    uint64_t n_chunks;
    uint32_t n_records;
} xta__mapping_mark;

/* Save the state of the mapping; restore it after growths that nobody else has seen yet. Restoring
 * returns false if there is no memory for new trees: then the mapping must no longer be used. */
void xta__mapping_mark_here(const xta__mapping *mapping, xta__mapping_mark *mark);
bool xta__mapping_undo(xta__mapping *mapping, const xta__mapping_mark *mark);

#endif
