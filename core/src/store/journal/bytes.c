/* A run of bytes that grows by doubling, and remembers that memory ran out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/journal/bytes.h"

#include <stdlib.h>
#include <string.h>

uint8_t *xta__bytes_reserve(xta__bytes *out, size_t n)
{
    if (out->failed) {
        return NULL;
    }
    if (n > out->room - out->n) {
        size_t room = 2 * out->room + n + 64;
        uint8_t *bigger = realloc(out->borrowed ? NULL : out->bytes, room);
        if (bigger == NULL) {
            out->failed = true;
            return NULL;
        }
        if (out->borrowed) {
            memcpy(bigger, out->bytes, out->n);
            out->borrowed = false;
        }
        out->bytes = bigger;
        out->room = room;
    }
    return out->bytes + out->n;
}

void xta__bytes_add(xta__bytes *out, const void *bytes, size_t n)
{
    uint8_t *at = n > 0 ? xta__bytes_reserve(out, n) : NULL;

    if (at != NULL) {
        memcpy(at, bytes, n);
        out->n += n;
    }
}

void xta__bytes_clear(xta__bytes *out)
{
    if (!out->borrowed) {
        free(out->bytes);
    }
    memset(out, 0, sizeof *out);
}
