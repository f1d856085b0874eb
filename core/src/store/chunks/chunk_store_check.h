/* Whether a chunk store is valid.
 *
 * Invariants
 *   C1  A store has every function that its users call without testing for NULL: reading by pin,
 *       one way to write a part of a chunk, resize, discard, next_used, sync and free.
 *   C2  A chunk is not empty, fits its slot, and all slots together stay below the limit of
 *       offsets.
 *   C3  An open window and the bytes of its units are accessed relative to where address 0 would
 *       be; a window that was not opened has neither.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_CHUNK_STORE_CHECK_H
#define XTA_STORE_CHUNKS_CHUNK_STORE_CHECK_H

#include "store/chunks/chunk_store.h"

/* NULL, or a constant text that names the first invariant that does not hold, by its number. Cost:
 * a few steps for each window. */
const char *xta__check_chunk_store(const xta__chunk_store *store);

#endif
