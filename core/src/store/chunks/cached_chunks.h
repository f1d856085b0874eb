/* The chunks of a data file, accessed through a cache.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_CACHED_CHUNKS_H
#define XTA_STORE_CHUNKS_CACHED_CHUNKS_H

#include "store/chunks/chunk_store.h"
#include "store/chunks/write_guard.h"
#include "util/os.h"

/* Chunks of the data file through a write-back cache of at most `cache_bytes`, but at least a few
 * chunks. The store takes ownership of `file`; on failure it is closed. */
xta_status xta__cached_chunks_new(xta__file *file, uint64_t slot_bytes, uint64_t chunk_bytes,
                                  uint32_t cell_bytes, uint64_t n_chunks, bool writable,
                                  uint64_t cache_bytes, xta__chunk_store **out, xta_error *err);

/* For cached chunks only; call it before any cell is written. */
void xta__cached_chunks_set_guard(xta__chunk_store *chunk_store, const xta__write_guard *guard);

#endif
