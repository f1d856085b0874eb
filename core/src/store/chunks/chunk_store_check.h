/* Whether a chunk store is in order.
 *
 * Invariants
 *   C1  A store answers every call that its users make without asking: reading by pin, one way to
 *       write a part of a chunk, resize, discard, next_used, sync and free.
 *   C2  A chunk is not empty, fits its slot, and all slots together stay below the limit of
 *       offsets.
 *   C3  An open window is reached from where address 0 would be, and so are the bytes of its units;
 *       a window that was not opened has neither.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_CHUNK_STORE_CHECK_H
#define XTA_STORE_CHUNKS_CHUNK_STORE_CHECK_H

#include "store/chunks/chunk_store.h"

/* NULL, or a constant text that names the first invariant that does not hold, by its number. Cost:
 * a few steps for each window. */
const char *xta__check_chunk_store(const xta__chunk_store *store);

#endif
