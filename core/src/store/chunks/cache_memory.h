/* A private header of store/: the memory of a chunk cache's entries.
 *
 * All chunks of a cache have one length. Short ones are cut from slabs, whose lengths double up to
 * 2 MiB, so that a cache of a few chunks stays small and one of many needs few slabs. Long
 * chunks are pieces of their own. Slabs and pieces are kept by the process when the cache is freed,
 * and the next cache starts with them: their pages need no faults.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_CACHE_MEMORY_H
#define XTA_STORE_CHUNKS_CACHE_MEMORY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cache_slab {
    uint8_t *memory;
    size_t bytes;
} cache_slab;

/* Its functions may be called by threads at the same time, but for init and free. */
typedef struct xta__cache_memory {
    pthread_mutex_t lock;
    size_t chunk_bytes;
    size_t cut_bytes;  /* of a block in a slab; 0: blocks are pieces of their own */
    cache_slab *slabs; /* or such pieces */
    size_t n_slabs, capacity;
    uint8_t *next, *end; /* the rest of the last slab */
    uint8_t *unused;     /* blocks given back: each begins with the address of the next one */
} xta__cache_memory;

/* For chunks of `chunk_bytes`. */
void xta__cache_memory_init(xta__cache_memory *memory, size_t chunk_bytes);

/* A block for a chunk, with any content; NULL if out of memory. */
uint8_t *xta__cache_memory_get(xta__cache_memory *memory);

/* Give a block back; NULL is ignored. */
void xta__cache_memory_put(xta__cache_memory *memory, uint8_t *block);

/* Free all blocks, whether given back or not. */
void xta__cache_memory_free(xta__cache_memory *memory);

#endif
