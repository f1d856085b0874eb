/* The door of plan/: which chunks a box touches, which of their cells, and in which runs.
 * Decisions, no I/O.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLAN_PLAN_H
#define XTA_PLAN_PLAN_H

#include "base/base.h"

/* The cells lo, lo + step, ... of a box, against the grid of chunks. */
typedef struct xta__region {
    int ndim;
    int64_t lo[XTA_MAX_NDIM];
    int64_t step[XTA_MAX_NDIM];
    int64_t count[XTA_MAX_NDIM]; /* selected cells on each axis */
    int64_t chunk[XTA_MAX_NDIM];
    xta_box chunks; /* chunk coordinates from the first to the last selected cell */
    uint64_t n_cells;
    uint64_t n_chunks;
} xta__region;

/* What one chunk contributes on one axis: selected cells number `index` .. `index + count - 1`, the
 * first of them at `within` from the chunk's begin. count may be 0 where steps are longer than
 * chunks. */
typedef struct xta__slice {
    int64_t index;
    int64_t count;
    int64_t within;
} xta__slice;

/* `step` NULL: 1. XTA_EOVERFLOW where the region has more than 2^63 - 1 cells. */
xta_status xta__region_init(xta__region *region, const xta_box *box, const int64_t step[],
                            const int64_t chunk[]);

xta__slice xta__region_slice(const xta__region *region, int axis, int64_t chunk_coord);

/* The address of a chunk. */
typedef uint64_t xta__address_of(void *user, const int64_t coord[]);

/* Chunks of a box in batches of bounded size, each batch in ascending order of addresses. Within a
 * batch chunks whose addresses follow each other are a run. */
typedef struct xta__batch {
    size_t n;
    uint64_t *addresses;
    int64_t *coords; /* ndim for each */
} xta__batch;

typedef struct xta__batches {
    xta_box chunks;
    int64_t next[XTA_MAX_NDIM];
    bool ended;
    xta__address_of *address_of;
    void *user;
    size_t room;
    struct xta__batch_item *items;
    int64_t *unsorted;
    xta__batch batch;
} xta__batches;

#define XTA__BATCH_CHUNKS 4096

/* XTA_ENOMEM. */
xta_status xta__batches_init(xta__batches *batches, const xta_box *chunks,
                             xta__address_of *address_of, void *user);

/* The next batch; NULL when there are no more. Valid until the next call. */
const xta__batch *xta__batches_next(xta__batches *batches);
void xta__batches_clear(xta__batches *batches);

/* How many chunks from `first` on have addresses that follow each other, at most `most`. */
size_t xta__batch_run(const xta__batch *batch, size_t first, size_t most);

#endif
