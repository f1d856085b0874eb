/* A run of bytes that grows: the payload of a record that is being put together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_BYTES_H
#define XTA_STORE_JOURNAL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing run of bytes. `failed` is set when memory ran out; then bytes are not to be used. It
 * may begin in memory of the caller, which is `borrowed` as long as it is enough. */
typedef struct xta__bytes {
    uint8_t *bytes;
    size_t n, room;
    bool failed, borrowed;
} xta__bytes;

/* Have capacity for `n` more bytes. Answers where they go; NULL if memory ran out. */
uint8_t *xta__bytes_reserve(xta__bytes *out, size_t n);

/* Append `n` bytes. */
void xta__bytes_add(xta__bytes *out, const void *bytes, size_t n);

void xta__bytes_clear(xta__bytes *out);

#endif
