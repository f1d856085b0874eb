/* Chunks in memory, of an array without files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_MEMORY_CHUNKS_H
#define XTA_STORE_CHUNKS_MEMORY_CHUNKS_H

#include "store/chunks/chunk_store.h"

xta_status xta__memory_chunks_new(uint64_t slot_bytes, uint64_t chunk_bytes, uint64_t n_chunks,
                                  xta__chunk_store **out, xta_error *err);

#endif
