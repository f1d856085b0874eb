/* Checked arithmetic, memory, and small texts for messages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <inttypes.h>
#include <stdio.h>
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

bool xta__add_i64(int64_t a, int64_t b, int64_t *out)
{
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b)) {
        return false;
    }
    *out = a + b;
    return true;
}

void *xta__calloc(size_t n, size_t bytes)
{
    // malloc(0) may give NULL, which callers take for failure.
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

const char *xta__box_text(const xta_box *box, char *text, size_t capacity)
{
    size_t used = 0;

    text[0] = '\0';
    for (int axis = 0; axis < box->ndim && used < capacity; axis++) {
        int n = snprintf(text + used, capacity - used, "%s%" PRId64 ":%" PRId64,
                         axis > 0 ? "," : "", box->lo[axis], box->hi[axis]);
        used += n > 0 ? (size_t)n : 0;
    }
    return text;
}

const char *xta__coord_text(const int64_t coord[], int n, char *text, size_t capacity)
{
    size_t used = 0;

    text[0] = '\0';
    for (int axis = 0; axis < n && used < capacity; axis++) {
        int m =
            snprintf(text + used, capacity - used, "%s%" PRId64, axis > 0 ? "," : "", coord[axis]);
        used += m > 0 ? (size_t)m : 0;
    }
    return text;
}
