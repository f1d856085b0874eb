/* F* of a chunk, with a lock where the mapping is more than a look-up in tables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"

uint64_t xta__find_address(const xta__structure *structure, const int64_t chunk[],
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

uint64_t xta__address(xta_array *array, const xta__structure *structure, const int64_t chunk[])
{
    return xta__find_address(structure, chunk, &array->lock);
}
