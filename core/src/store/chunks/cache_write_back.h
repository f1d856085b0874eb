/* The state of a chunk cache, and writing the changed cells of its chunks back to the file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_CACHE_WRITE_BACK_H
#define XTA_STORE_CHUNKS_CACHE_WRITE_BACK_H

#include "store/chunks/cache_memory.h"
#include "store/chunks/cache_table.h"
#include "store/chunks/data_file.h"
#include "store/chunks/write_guard.h"

enum { MOST_SHARDS = 16 };

typedef struct cached_chunks {
    xta__data_file data;
    uint32_t cell_bytes;
    uint64_t most_bytes; /* that a chunk may have */
    size_t n_cells;      /* of a slot, rounded up */
    uint64_t holes_from; /* slots missing in the file from here on are holes, not damage */
    bool asks_server;    /* the file may be on another machine */
    xta__write_guard guard;
    xta__cache_memory memory;
    int n_shards;
    shard shards[MOST_SHARDS];
} cached_chunks;

/* One session with the guard, for one write-back or several of a shard, whose lock is held. */
typedef struct guard_session {
    bool begun, token;
} guard_session;

/* Mark the entry as holding nothing that is not in the file. */
void xta__cache_clean_entry(cached_chunks *chunks, entry *e);

/* Write the dirty cells of an entry, run by run, in a session with the guard, which is begun if
 * necessary. The bits are cleared when everything is written. The lock of its shard is held. */
xta_status xta__cache_write_back(cached_chunks *chunks, entry *e, guard_session *a, xta_error *err);

/* End a session, if it was begun. */
void xta__cache_end_writing(cached_chunks *chunks, guard_session *a);

#endif
