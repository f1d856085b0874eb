/* The memory of a handle and its chunk store.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_LIFETIME_H
#define XTA_ARRAY_HANDLE_LIFETIME_H

#include "array/state/open_array.h"

/* The size of the chunk cache if the caller does not give one. */
#define XTA__CACHE_BYTES ((uint64_t)64 << 20)

/* An empty handle; NULL: out of memory. Freeing NULL does nothing. */
xta_array *xta__new_array(void);
XTA_PRIVATE_API void xta__free_array(xta_array *array);

/* Update what the calls on cells use after the state was created or replaced. */
void xta__adopt_state(xta_array *array);

/* Open the data file and make a chunk store over it. `alone`: the journal is locked or new, so a
 * wrong length of the file can be repaired. */
xta_status xta__make_chunk_store(xta_array *array, bool alone, xta_error *err);

#endif
