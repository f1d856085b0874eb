/* The session cache of one array on one rank: the chunks that its reads ask for most, in memory
 * ([CXA] 10.2).
 *
 * A chunk is taken in when it is asked for a second time, so a single pass over an array displaces
 * nothing. Among those taken in, the ones asked for least make way (GCLOCK). A chunk is kept as it
 * was read; whoever changes cells of it drops it first. Calls of several threads take turns.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_CACHE_CHUNK_CACHE_H
#define XTA_PEXTA_CACHE_CHUNK_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

typedef struct xta__chunk_cache xta__chunk_cache;

typedef struct xta__cache_counts {
    uint64_t requested; /* chunks that reads have asked for */
    uint64_t found;     /* of these, chunks that were in the cache */
    uint64_t bytes;     /* cells held now */
} xta__cache_counts;

/* A cache of at most `limit` bytes of cells for chunks of chunk[axis] cells. NULL: out of memory.
 * `limit` holds at least one chunk. */
xta__chunk_cache *xta__cache_new(int ndim, const int64_t chunk[], size_t cell_bytes,
                                 uint64_t limit);

void xta__cache_free(xta__chunk_cache *cache); /* may be NULL */

/* xta_array_read of a box, dense in `order`, with what the cache holds taken from it. */
xta_status xta__cache_read(xta__chunk_cache *cache, xta_array *array, const xta_box *box,
                           xta_order order, void *cells, xta_error *err);

/* Drop every chunk that has cells in `box`. */
void xta__cache_drop(xta__chunk_cache *cache, const xta_box *box);

/* Drop everything; from now on the chunks have this shape. */
void xta__cache_reset(xta__chunk_cache *cache, int ndim, const int64_t chunk[], size_t cell_bytes);

xta__cache_counts xta__cache_count(xta__chunk_cache *cache);

#endif
