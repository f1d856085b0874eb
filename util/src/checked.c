/* Checked arithmetic and memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/checked.h"

#include <stdlib.h>
#include <string.h>

bool xta__add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (a > UINT64_MAX - b) {
        return false;
    }
    *out = a + b;
    return true;
}

bool xta__mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (b != 0 && a > UINT64_MAX / b) {
        return false;
    }
    *out = a * b;
    return true;
}

void *xta__calloc(size_t n, size_t bytes)
{
    // malloc(0) may return NULL, which callers would treat as a failure.
    return calloc(n > 0 ? n : 1, bytes > 0 ? bytes : 1);
}

void *xta__realloc_array(void *old, size_t n, size_t bytes)
{
    if (bytes != 0 && n > SIZE_MAX / bytes) {
        return NULL;
    }
    return realloc(old, n * bytes > 0 ? n * bytes : 1);
}

char *xta__strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = malloc(n);

    return copy != NULL ? memcpy(copy, text, n) : NULL;
}
