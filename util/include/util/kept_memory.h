/* Large pieces of memory that the process keeps between uses.
 *
 * malloc gives large pieces back to the system when they are freed, and the next piece costs a page
 * fault for each page again. A program that opens, fills and closes one array after another would
 * pay that for each array. Pieces given back here are kept, up to XTA__MOST_KEPT bytes in all as
 * they were requested, for the next caller who wants the same length. Each shared library has
 * a list of its own.
 *
 * All functions may be called from any thread, and in a child of fork whose parent had threads: a
 * thread that finds the list in use goes to malloc or free instead of waiting.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_KEPT_MEMORY_H
#define XTA_UTIL_KEPT_MEMORY_H

#include <stddef.h>

#define XTA__MOST_KEPT ((size_t)64 << 20)

/* A piece of exactly `bytes` that is kept, with any content; NULL if there is none. */
void *xta__kept_find(size_t bytes);

/* A kept piece, or a new one by xta__memory_of_huge_pages; NULL if out of memory. */
void *xta__kept_alloc(size_t bytes);

/* Give a piece of `bytes` back; NULL is ignored. It is kept, and those kept longest are freed where
 * it would be too much. */
void xta__kept_free(void *memory, size_t bytes);

/* Free all pieces that are kept, and say how many bytes they had; 0 and nothing is freed if another
 * thread uses the list. */
size_t xta__kept_release(void);

#endif
