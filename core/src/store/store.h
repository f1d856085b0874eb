/* The door of store/: the journal, and chunks in a data file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_STORE_H
#define XTA_STORE_STORE_H

#include "base/base.h"
#include "chunk/chunk.h"
#include "store/data_header.h"
#include "store/format.h"
#include "store/journal.h"
#include "store/lock.h"
#include "util/os.h"

/* The largest slot that a mapped file may have: 1 TiB. */
#define XTA__MOST_MAPPED_SLOT ((uint64_t)1 << 40)

/* Chunks of the data file, reached through a mapping. The holder takes `file` over; on failure it
 * is closed. */
XTA_PRIVATE_API xta_status xta__mapped_chunks_new(xta__file *file, uint64_t slot_bytes,
                                                  uint64_t chunk_bytes, uint64_t n_chunks,
                                                  bool writable, xta__holder **out, xta_error *err);

/* The same through a cache of at most `cache_bytes` (but at least a few chunks), write-back. */
xta_status xta__cached_chunks_new(xta__file *file, uint64_t slot_bytes, uint64_t chunk_bytes,
                                  uint32_t cell_bytes, uint64_t n_chunks, bool writable,
                                  uint64_t cache_bytes, xta__holder **out, xta_error *err);

/* Who knows which deferred cells may still be written: another process may have taken them away
 * meanwhile, and what lies in their places now is not theirs. */
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

/* From here on only this handle gives out addresses, until the holder ends. */
void xta__chunks_of_sole_writer(xta__holder *holder);

/* Locks on bytes of the file do not reach all who change it: nothing is cut off unless the lock of
 * the journal is held. */
void xta__chunks_of_lock_file(xta__holder *holder);

/* This process is a child and has inherited the chunks: the descriptor of the data file is closed,
 * and the holder's end leaves the file as it is. */
void xta__chunks_disown(xta__holder *holder);

/* Slots of a data file become zero. Their space is given back unless a handle that stores through a
 * mapping is open: a store of it could meet a hole and a full disk, and then it would be a signal.
 * `stores_in_place`: the caller's own handle is one. */
xta_status xta__data_file_empty(const xta__file *file, bool stores_in_place, uint64_t offset,
                                uint64_t bytes, xta_error *err);

/* The data file behind either holder; borrowed. */
xta__file *xta__chunks_file(xta__holder *holder);

#endif
