/* A run of bytes that grows by doubling, and records when memory runs out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/journal/bytes.h"

#include <stdlib.h>

bool xta__bytes_grow(xta__bytes *out, size_t n)
{
    size_t capacity = 2 * out->capacity + n + 64;
    uint8_t *bigger = realloc(out->borrowed ? NULL : out->bytes, capacity);

    if (bigger == NULL) {
        out->failed = true;
        return false;
    }
    if (out->borrowed) {
        memcpy(bigger, out->bytes, out->n);
        out->borrowed = false;
    }
    out->bytes = bigger;
    out->capacity = capacity;
    return true;
}

void xta__bytes_clear(xta__bytes *out)
{
    if (!out->borrowed) {
        free(out->bytes);
    }
    memset(out, 0, sizeof *out);
}
