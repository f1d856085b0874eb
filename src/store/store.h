/* The door of store/: the journal, and chunks in a data file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_STORE_H
#define XTA_STORE_STORE_H

#include "base/base.h"
#include "chunk/chunk.h"
#include "os/os.h"
#include "store/format.h"
#include "store/journal.h"
#include "store/lock.h"

/* The largest slot that a mapped file may have: 1 TiB. */
#define XTA__MOST_MAPPED_SLOT ((uint64_t)1 << 40)

/* Chunks of the data file, reached through a mapping. The holder takes `file` over; on failure it
 * is closed. */
xta_status xta__mapped_chunks_new(xta__file *file, uint64_t slot_bytes, uint64_t chunk_bytes,
                                  uint64_t n_chunks, bool writable, xta__holder **out,
                                  xta_error *err);

/* The same through a cache of at most `cache_bytes` (but at least a few chunks), write-back. */
xta_status xta__cached_chunks_new(xta__file *file, uint64_t slot_bytes, uint64_t chunk_bytes,
                                  uint32_t cell_bytes, uint64_t n_chunks, bool writable,
                                  uint64_t cache_bytes, xta__holder **out, xta_error *err);

/* From here on only this handle gives out addresses, until the holder ends. */
void xta__chunks_of_sole_writer(xta__holder *holder);

/* The data file behind either holder; borrowed. */
xta__file *xta__chunks_file(xta__holder *holder);

#endif
