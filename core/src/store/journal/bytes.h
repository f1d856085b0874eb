/* A growing run of bytes: the payload of a record that is being assembled.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_BYTES_H
#define XTA_STORE_JOURNAL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/private_api.h"

/* A growing run of bytes. `failed` is set when memory runs out; then the bytes must not be used. It
 * may start in the caller's memory, which stays `borrowed` as long as it suffices. */
typedef struct xta__bytes {
    uint8_t *bytes;
    size_t n, capacity;
    bool failed, borrowed;
} xta__bytes;

/* Reserve capacity for `n` more bytes; false if memory ran out. */
XTA_PRIVATE_API bool xta__bytes_grow(xta__bytes *out, size_t n);

/* Where the next `n` bytes go; NULL if memory ran out. */
static inline uint8_t *xta__bytes_reserve(xta__bytes *out, size_t n)
{
    if (out->failed || (n > out->capacity - out->n && !xta__bytes_grow(out, n))) {
        return NULL;
    }
    return out->bytes + out->n;
}

/* Append `n` bytes. */
static inline void xta__bytes_add(xta__bytes *out, const void *bytes, size_t n)
{
    uint8_t *at = n > 0 ? xta__bytes_reserve(out, n) : NULL;

    if (at != NULL) {
        memcpy(at, bytes, n);
        out->n += n;
    }
}

XTA_PRIVATE_API void xta__bytes_clear(xta__bytes *out);

#endif
