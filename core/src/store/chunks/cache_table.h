/* A private header of store/: the entries of a chunk cache, found by the addresses of chunks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_CACHE_TABLE_H
#define XTA_STORE_CHUNKS_CACHE_TABLE_H

#include <pthread.h>

#include "base/base.h"

/* The state of an entry's bytes. */
typedef enum entry_state {
    ENTRY_WHOLE,
    ENTRY_PARTIAL, /* only the dirty cells are valid: nobody has read the chunk yet */
    ENTRY_LOADING  /* being loaded; the entry is pinned meanwhile */
} entry_state;

typedef struct entry {
    uint64_t address;
    struct entry *next; /* in its bucket */
    uint8_t *bytes;
    uint8_t *dirty; /* one bit for each cell */
    int64_t *chunk; /* of the chunk, since the last pin_write: `ndim` coordinates */
    int ndim, chunk_capacity;
    int pins;
    int writers; /* the pins of threads that may be storing right now */
    bool used;   /* holds a chunk */
    entry_state state;
    bool recent; /* second chance */
    bool any_dirty;
    bool stale; /* not to be found any more once it is written */
} entry;

typedef struct shard {
    pthread_mutex_t lock;
    pthread_cond_t settled; /* an entry has lost its last writer, or has been loaded */
    entry **buckets;
    entry **entries; /* all of them, for the clock */
    size_t n_entries, entries_capacity, limit, hand;
    size_t n_buckets;
} shard;

/* How a chunk is loaded. `exact`: read nothing else from the disk. `ask_cold`: report in `cold`
 * whether some of it was read from the disk. */
typedef struct loading {
    bool exact, ask_cold, cold;
} loading;

static inline entry **bucket_of(const shard *s, uint64_t address)
{
    return &s->buckets[(address * UINT64_C(0x9e3779b97f4a7c15) >> 20) % s->n_buckets];
}

static inline entry *find(const shard *s, uint64_t address)
{
    entry *e = *bucket_of(s, address);

    while (e != NULL && e->address != address) {
        e = e->next;
    }
    return e;
}

static inline void unlink_entry(shard *s, entry *e)
{
    entry **at = bucket_of(s, e->address);

    while (*at != e) {
        at = &(*at)->next;
    }
    *at = e->next;
    e->used = e->stale = false;
}

static inline void link_entry(shard *s, entry *e, uint64_t address)
{
    e->address = address;
    e->used = true;
    e->next = *bucket_of(s, address);
    *bucket_of(s, address) = e;
}

/* The entry of a chunk, loaded. The lock may be released meanwhile. */
static inline entry *find_loaded(shard *s, uint64_t address)
{
    entry *e = find(s, address);

    while (e != NULL && e->state == ENTRY_LOADING) {
        pthread_cond_wait(&s->settled, &s->lock);
        e = find(s, address);
    }
    return e;
}

/* Wait until nobody stores into the entry any more, or it holds another chunk. The lock is held,
 * and released while waiting. */
static inline void wait_for_writers(shard *s, const entry *e)
{
    while (e->writers > 0) {
        pthread_cond_wait(&s->settled, &s->lock);
    }
}

#endif
