/* Arrays that grow by doubling their capacity, so that adding n items one by one copies O(n) items.
 *
 * A growable array is three members of a struct, and items are added as in
 *
 *     run *runs;
 *     size_t n_runs, capacity;
 *     ...
 *     if (!XTA__RESERVE(runs, capacity, n_runs + 1)) {
 *         return XTA_ENOMEM;
 *     }
 *     runs[n_runs++] = next;
 *
 * It starts as all zeros and is freed with free(runs). The item size is that of the type `runs`
 * points to, and items are read and written as in any array, so the compiler checks their type.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_VECTOR_H
#define XTA_UTIL_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

/* Reserve capacity for at least `n` items. False, and the array unchanged, if there is no memory or
 * the number of bytes overflows. `items` and `capacity` (a size_t) are changed; new items are
 * uninitialised. */
#define XTA__RESERVE(items, capacity, n) xta__reserve(&(items), sizeof *(items), &(capacity), (n))

/* The function behind the macro. `items` is the address of a pointer to items; xta__grow_items is
 * called if the capacity is too small. */
bool xta__grow_items(void *items, size_t item_bytes, size_t *capacity, size_t n);

static inline bool xta__reserve(void *items, size_t item_bytes, size_t *capacity, size_t n)
{
    return n <= *capacity || xta__grow_items(items, item_bytes, capacity, n);
}

#endif
