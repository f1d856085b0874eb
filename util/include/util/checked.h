/* Arithmetic and memory that cannot overflow unnoticed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_CHECKED_H
#define XTA_UTIL_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Coordinates lie strictly between -XTA__COORD_LIMIT and XTA__COORD_LIMIT, addresses and offsets
 * below XTA__OFFSET_LIMIT, so that sums and differences of two of them never overflow. */
#define XTA__COORD_LIMIT  ((int64_t)1 << 62)
#define XTA__OFFSET_LIMIT ((uint64_t)1 << 62)

/* Checked arithmetic: false, and *out untouched, if the result does not fit its type. */
bool xta__add_u64(uint64_t a, uint64_t b, uint64_t *out);
bool xta__mul_u64(uint64_t a, uint64_t b, uint64_t *out);

/* floor(a / b) towards minus infinity and the non-negative remainder, b > 0. */
static inline int64_t xta__floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - ((a % b) < 0);
}

static inline int64_t xta__floor_mod(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r < 0 ? r + b : r;
}

/* n items of `bytes` each, zeroed; NULL if out of memory, or if the product overflows. Frees with
 * free(). */
void *xta__calloc(size_t n, size_t bytes);

/* realloc with a checked product; the old block stays valid on failure. */
void *xta__realloc_array(void *old, size_t n, size_t bytes);

/* A copy of a string, freed with free(); NULL: out of memory. */
char *xta__strdup(const char *text);

#endif
