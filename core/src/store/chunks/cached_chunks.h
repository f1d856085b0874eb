/* The chunks of a data file, reached through a cache.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_CACHED_CHUNKS_H
#define XTA_STORE_CHUNKS_CACHED_CHUNKS_H

#include "store/chunks/chunk_store.h"
#include "util/os.h"

/* Chunks of the data file through a write-back cache of at most `cache_bytes`, but at least a few
 * chunks. The store takes `file` over; on failure it is closed. */
xta_status xta__cached_chunks_new(xta__file *file, uint64_t slot_bytes, uint64_t chunk_bytes,
                                  uint32_t cell_bytes, uint64_t n_chunks, bool writable,
                                  uint64_t cache_bytes, xta__holder **out, xta_error *err);

/* Decides which deferred cells may still be written: another process may have removed them
 * meanwhile, and what lies in their places now belongs to others. */
typedef struct xta__write_guard {
    void *user;

    /* A write-back begins. On failure nothing is written. *token is for `end`. */
    xta_status (*begin)(void *user, bool *token, xta_error *err);

    /* Clear the bits of those cells of a chunk that are not to be written: one bit for each cell,
     * by its position in the chunk. Whether there were any places for such cells. Only between
     * begin and end. */
    bool (*judge)(void *user, const int64_t chunk[], int ndim, uint8_t *dirty);
    void (*end)(void *user, bool token);
} xta__write_guard;

/* Of chunks in a cache; no cell has been written yet. */
void xta__cached_chunks_set_guard(xta__holder *holder, const xta__write_guard *guard);

#endif
