/* FNV-1a.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/hash.h"

uint64_t xta__hash_bytes(uint64_t hash, const void *data, size_t n_bytes)
{
    const unsigned char *bytes = data;

    for (size_t k = 0; k < n_bytes; k++) {
        hash = (hash ^ bytes[k]) * UINT64_C(0x100000001b3);
    }
    return hash;
}
