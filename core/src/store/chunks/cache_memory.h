/* A private header of store/: the memory of a chunk cache's entries.
 *
 * All chunks of a cache have one length. Short ones are cut from slabs, whose lengths double from
 * 64 KiB to 2 MiB, one huge page, so that a cache of a few chunks stays small and one of many needs
 * few slabs and page faults. Long chunks are pieces of their own. When the cache is freed, the
 * process keeps slabs and pieces, and the next cache of this kind starts with them: their pages
 * need no faults.
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
    uint8_t *next;   /* what is left of the last slab, */
    size_t rest;     /* and its length */
    uint8_t *unused; /* blocks given back: each begins with the address of the next one */
    size_t n_blocks; /* that somebody has */
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
