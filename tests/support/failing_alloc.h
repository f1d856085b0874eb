/* An allocator that fails when told to, and counts what is still allocated.
 *
 * For programs linked with the options of XTA_FAILING_ALLOC (see tests/faults/CMakeLists.txt):
 * the linker then sends every call of malloc, calloc, realloc, aligned_alloc, posix_memalign,
 * strdup and free here, also those of the static library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_FAILING_ALLOC_H
#define XTA_TESTS_FAILING_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

/* Let the n-th allocation that is made while armed fail (1: the next), and with `for_good` all
 * after it; 0: none. */
void failing_alloc_at(uint64_t n, bool for_good);

/* Only allocations made while armed count and fail: those of the calls under test, not those
 * of the test. */
void failing_alloc_arm(bool armed);

/* Whether an allocation was refused since the last failing_alloc_at. */
bool failing_alloc_happened(void);

/* Blocks that are allocated and not freed. */
int64_t failing_alloc_live(void);

/* The longest block that was asked for while armed, in bytes, since this was asked last. */
uint64_t failing_alloc_longest(void);

#endif
