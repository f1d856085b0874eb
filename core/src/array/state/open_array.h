/* The members of an open array, and the checks at the start of every call on it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_STATE_OPEN_ARRAY_H
#define XTA_ARRAY_STATE_OPEN_ARRAY_H

#include <pthread.h>
#include <stdatomic.h>

#include <xta/array.h>

#include "array/state/replay.h"
#include "base/base.h"
#include "chunk/chunk.h"
#include "store/store.h"

/* An open array, as threads share it.
 *
 * Reads, writes, get and put of several threads run at the same time and take `lock` only where F*
 * is more than a look-up in tables. They load `structure` once, atomically; the other members that
 * they use do not change while the array is open.
 *
 * A change of the structure holds `lock`, which protects every member declared after it. */
struct xta_array {
    /* The structure that calls on cells use: state.structure once it is complete. Stored with
     * release order, so that a thread that sees a new bound also sees the addresses that belong to
     * it. */
    _Atomic(xta__structure *) structure;

    /* Fixed once the array is open. */
    xta__chunk_store *chunk_store;
    uint32_t cell_bytes;
    const xta__coding *decode, *encode; /* from chunks, into chunks; NULL: the same bytes */
    bool writable;
    bool in_memory;
    bool at_step;          /* opened as of an earlier step */
    bool exclusive_writer; /* nobody else changes the structure: see change/exclusive_writer.c */
    bool replica;          /* its structure comes from another process: see handle/replica.c */
    xta_access access;
    uint64_t cache_bytes;
    int threads;                    /* value of XTA_THREADS; 0: not set, -1: invalid */
    xta__lock locking;              /* how locks are acquired; none is stored here */
    char *path;                     /* without suffix, for messages; "" in memory */
    char *journal_path, *data_path; /* as the caller named them, for messages */
    char *journal_file, *data_file; /* where they really are: see handle/paths.c */

    /* Once true, every call but close fails. Read without the lock. */
    _Atomic bool broken;
    _Atomic bool inherited; /* inherited from a parent process: see handle/fork.c */

    /* A function of the caller is writing the cells of an append, in the thread that holds `lock`.
     * Other threads of a transfer would wait for that lock forever, so none are started. */
    _Atomic bool appending;

    /* Staging memory for the next transfer, which takes it by an exchange with NULL; NULL: there is
     * none yet, or a transfer has it. */
    _Atomic(uint8_t *) staging;

    /* Chunks from this address on were created since the last sync. Read without a lock: an old
     * value only makes a write choose a different method. */
    _Atomic uint64_t fresh_from;

    /* Of deferred writing: see handle/write_guard.c. NULL: no writing is deferred. */
    struct xta__guard *guard;

    /* Protects everything below, and structural changes. Recursive: an append holds it and computes
     * addresses, which may need it. */
    pthread_mutex_t lock;
    xta__state state;
    xta__journal journal;
    xta__growth_record *step; /* the growth or shrink under way: too large for the stack */
    uint64_t n_moves;         /* how often a new journal file was opened in place of the old one */
    uint64_t checkpoint_due;  /* end of the journal beyond which a checkpoint is to be tried */
    bool in_order;            /* nothing is stored outside the bounds: see change/growth.c */
    bool has_leftovers;       /* a failed append may have left cells after the last chunk */

    xta_array *next_handle, **before_handle; /* in the list of handle/fork.c, under its lock */

    xta__coding coding[2]; /* what decode and encode point to */

    /* Called before each read and write. Set by the caller while no other thread uses the array. */
    xta_array_watcher *watch; /* NULL: no function is to be called */
    void *watch_user;
};

/* The current structure. It stays valid until the array is closed; that of a replica, until all
 * ranks get another state. */
static inline xta__structure *xta__structure_of(const xta_array *array)
{
    return atomic_load_explicit(&array->structure, memory_order_acquire);
}

/* Where the two files are, and what messages call them. */
static inline xta__path xta__journal_of(const xta_array *array)
{
    return (xta__path){array->journal_file, array->journal_path};
}

static inline xta__path xta__data_of(const xta_array *array)
{
    return (xta__path){array->data_file, array->data_path};
}

/* The name of the array in messages. */
const char *xta__array_name(const xta_array *array);

/* The start of every call: clears `err`; XTA_ESTATE if an earlier failure left the handle unusable,
 * or if it belongs to a parent process. */
xta_status xta__begin(xta_array *array, xta_error *err);

/* The start of every call that changes something: as xta__begin, and XTA_EACCESS if the array was
 * opened read-only or is a replica. `what` is a verb, for the message. */
xta_status xta__begin_change(xta_array *array, const char *what, xta_error *err);

#endif
