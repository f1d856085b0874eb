/* The chunks of a data file, accessed through a mapping.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_MAPPED_CHUNKS_H
#define XTA_STORE_CHUNKS_MAPPED_CHUNKS_H

#include "store/chunks/chunk_store.h"
#include "util/os.h"

/* The largest slot of a mapped file: 1 TiB. */
#define XTA__MOST_MAPPED_SLOT ((uint64_t)1 << 40)

/* Chunks of the data file, accessed through a mapping. The store takes ownership of `file`; on
 * failure it is closed. */
XTA_PRIVATE_API xta_status xta__mapped_chunks_new(xta__file *file, uint64_t slot_bytes,
                                                  uint64_t chunk_bytes, uint64_t n_chunks,
                                                  bool writable, xta__chunk_store **out,
                                                  xta_error *err);

#endif
