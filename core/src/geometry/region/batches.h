/* The chunks of a box in file order, in batches of bounded size.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_REGION_BATCHES_H
#define XTA_GEOMETRY_REGION_BATCHES_H

#include "base/base.h"

/* The address of a chunk. */
typedef uint64_t xta__address_of(void *user, const int64_t coord[]);

/* Chunks of a box in batches of bounded size, each batch in ascending order of addresses. Within a
 * batch, chunks with consecutive addresses form a run. */
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
    size_t capacity;
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

/* How many chunks from `first` on have consecutive addresses, at most `most`. */
size_t xta__batch_run(const xta__batch *batch, size_t first, size_t most);

#endif
