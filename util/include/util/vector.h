/* Arrays that grow, with the capacity doubled, so that adding n items one by one copies O(n).
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
 * It begins as zeros and ends with free(runs). The size of an item is that of what `runs` points
 * to, and items are read and written as in any array, so the compiler checks their type.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_VECTOR_H
#define XTA_UTIL_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

/* Have capacity for at least `n` items. False, and the array as it was, where there is no memory
 * or the number of bytes overflows. `items` and `capacity` (a size_t) are changed; new items hold
 * anything. */
#define XTA__RESERVE(items, capacity, n) \
    ((n) <= (capacity) || xta__reserve_items(&(items), sizeof *(items), &(capacity), (n)))

/* What the macro calls. `items` is the address of a pointer to items. */
bool xta__reserve_items(void *items, size_t item_bytes, size_t *capacity, size_t n);

#endif
