/* F* of a chunk, with a lock if the mapping is more than a look-up in tables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/chunk_address.h"

#include "array/state/structure.h"

uint64_t xta__address(xta_array *array, const xta__structure *structure, const int64_t chunk[])
{
    return xta__find_address(structure, chunk, &array->lock);
}
