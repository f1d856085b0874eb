/* Chunks of a box in file order.
 *
 * Definition: all chunks of the box, sorted by address. Naive version: collect, sort. Improvement:
 * batches of a few thousand chunks bound the memory, whatever the box; inside a segment, row-major
 * order of coordinates is already file order, so most batches need no sorting, as one comparison
 * per chunk shows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/region/batches.h"

#include <stdlib.h>
#include <string.h>

typedef struct xta__batch_item {
    uint64_t address;
    size_t index; /* in `unsorted` */
} batch_item;

xta_status xta__batches_init(xta__batches *batches, const xta_box *chunks,
                             xta__address_of *address_of, void *user)
{
    size_t ndim = (size_t)chunks->ndim;
    uint64_t n = 0;

    memset(batches, 0, sizeof *batches);
    batches->chunks = *chunks;
    memcpy(batches->next, chunks->lo, sizeof batches->next);
    batches->ended = xta_box_empty(chunks);
    batches->address_of = address_of;
    batches->user = user;
    batches->capacity = xta_box_cells(chunks, &n) == XTA_OK && n < XTA__BATCH_CHUNKS
                            ? (size_t)n
                            : XTA__BATCH_CHUNKS;
    batches->items = xta__calloc(batches->capacity, sizeof batches->items[0]);
    batches->unsorted = xta__calloc(batches->capacity, ndim * sizeof batches->unsorted[0]);
    batches->batch.addresses = xta__calloc(batches->capacity, sizeof batches->batch.addresses[0]);
    batches->batch.coords = xta__calloc(batches->capacity, ndim * sizeof batches->batch.coords[0]);
    if (batches->items == NULL || batches->unsorted == NULL || batches->batch.addresses == NULL ||
        batches->batch.coords == NULL) {
        xta__batches_clear(batches);
        return XTA_ENOMEM;
    }
    return XTA_OK;
}

void xta__batches_clear(xta__batches *batches)
{
    free(batches->items);
    free(batches->unsorted);
    free(batches->batch.addresses);
    free(batches->batch.coords);
    memset(batches, 0, sizeof *batches);
}

static int compare_items(const void *a, const void *b)
{
    uint64_t left = ((const batch_item *)a)->address, right = ((const batch_item *)b)->address;

    return left < right ? -1 : left > right;
}

/* Step to the next chunk, row-major. */
static void advance(xta__batches *batches)
{
    for (int axis = batches->chunks.ndim - 1; axis >= 0; axis--) {
        if (++batches->next[axis] < batches->chunks.hi[axis]) {
            return;
        }
        batches->next[axis] = batches->chunks.lo[axis];
    }
    batches->ended = true;
}

const xta__batch *xta__batches_next(xta__batches *batches)
{
    size_t ndim = (size_t)batches->chunks.ndim, n = 0;
    bool ascending = true;
    xta__batch *batch = &batches->batch;

    while (!batches->ended && n < batches->capacity) {
        uint64_t address = batches->address_of(batches->user, batches->next);
        batches->items[n] = (batch_item){.address = address, .index = n};
        memcpy(batches->unsorted + n * ndim, batches->next, ndim * sizeof(int64_t));
        ascending = ascending && (n == 0 || address > batches->items[n - 1].address);
        n++;
        advance(batches);
    }
    if (n == 0) {
        return NULL;
    }
    if (!ascending) {
        qsort(batches->items, n, sizeof batches->items[0], compare_items);
    }
    batch->n = n;
    for (size_t k = 0; k < n; k++) {
        batch->addresses[k] = batches->items[k].address;
        memcpy(batch->coords + k * ndim, batches->unsorted + batches->items[k].index * ndim,
               ndim * sizeof(int64_t));
    }
    return batch;
}

size_t xta__batch_run(const xta__batch *batch, size_t first, size_t most)
{
    size_t n = 1;

    while (n < most && first + n < batch->n &&
           batch->addresses[first + n] == batch->addresses[first] + n) {
        n++;
    }
    return n;
}
