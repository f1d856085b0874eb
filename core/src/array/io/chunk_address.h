/* F*: the address of a chunk in an open array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_CHUNK_ADDRESS_H
#define XTA_ARRAY_IO_CHUNK_ADDRESS_H

#include "array/state/open_array.h"

/* F* of a chunk. `lock` is taken if the mapping is more than a look-up in tables. */
static inline uint64_t xta__find_address(const xta__structure *structure, const int64_t chunk[],
                                         pthread_mutex_t *lock)
{
    uint64_t address = 0;

    if (!xta__mapping_try_address(&structure->mapping, chunk, &address)) {
        xta__mapping *mapping = (xta__mapping *)(uintptr_t)&structure->mapping;
        pthread_mutex_lock(lock);
        address = xta__mapping_address(mapping, chunk);
        pthread_mutex_unlock(lock);
    }
    return address;
}

/* The same with the lock of the array. `structure` is the array's. */
XTA_PRIVATE_API uint64_t xta__address(xta_array *array, const xta__structure *structure,
                                      const int64_t chunk[]);

#endif
