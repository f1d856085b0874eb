/* An allocator that fails on request and counts the blocks still allocated.
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

/* Make the n-th allocation made while armed fail (1: the next), and with `for_good` all later ones
 * too; 0: none fails. */
void failing_alloc_at(uint64_t n, bool for_good);

/* Only allocations made while armed count and fail, so that the test's own allocations are left
 * out. */
void failing_alloc_arm(bool armed);

/* Whether an allocation was refused since the last failing_alloc_at. */
bool failing_alloc_happened(void);

/* Blocks that are allocated and not freed. Those that the process keeps for later (see
 * util/kept_memory.h) are freed first. */
int64_t failing_alloc_live(void);

/* The longest block requested while armed, in bytes, since the last call of this function. */
uint64_t failing_alloc_longest(void);

#endif
