/* What an open array is made of, and what every call on it begins with.
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

struct xta_array {
    _Atomic(xta__structure *) structure;
    xta__holder *holder;
    uint32_t cell_bytes;
    const xta__coding *decode, *encode; /* from chunks, into chunks; NULL: the same bytes */
    bool writable;
    bool in_memory;
    bool at_step;
    bool sole;              /* the only one that changes the structure: see sole.c */
    bool replica;           /* see replica.c */
    bool in_order;          /* nothing is stored outside the bounds: see after_power_loss */
    _Atomic bool appending; /* cells of an append come from a function of the user's */
    bool littered; /* an append of this handle has left cells behind the last slot, perhaps */
    xta_access access;
    uint64_t cache_bytes;
    int threads;                    /* what XTA_THREADS said; 0: nothing, -1: nonsense */
    xta__lock locking;              /* how locks are to be taken; none is kept here */
    char *path;                     /* without suffix, for messages; "" in memory */
    char *journal_path, *data_path; /* as the caller named them, for messages */
    char *journal_file, *data_file; /* where they are: see paths.c */

    _Atomic(uint8_t *) staging; /* for the next transfer; NULL: none yet, or in use */
    struct xta__guard *guard;   /* of deferred writing: see guard.c; NULL: nothing is deferred */

    pthread_mutex_t lock; /* of everything below, and of structural changes */
    xta__state state;
    xta__journal journal;
    xta__growth_record *step; /* the growth or shrink on its way: large, so not on the stack */
    uint64_t n_moves;         /* how often the journal was followed to a new file */
    uint64_t checkpoint_due;  /* end of the journal beyond which one is to be tried */
    _Atomic bool broken;
    _Atomic uint64_t fresh_from; /* chunks from this address on were made since the last sync */
    _Atomic bool inherited;      /* from a parent process: see process.c */
    xta_array *next_handle, **before_handle;

    xta__coding coding[2]; /* what decode and encode point to */

    xta_array_watcher *watch; /* NULL: nobody wants to know of reads and writes */
    void *watch_user;
};

/* The structure as it is now. */
static inline xta__structure *xta__structure_of(const xta_array *array)
{
    return atomic_load_explicit(&array->structure, memory_order_acquire);
}

static inline xta__path xta__journal_of(const xta_array *array)
{
    return (xta__path){array->journal_file, array->journal_path};
}

static inline xta__path xta__data_of(const xta_array *array)
{
    return (xta__path){array->data_file, array->data_path};
}

/* Name of the array in messages. */
const char *xta__array_name(const xta_array *array);

/* Fails with XTA_ESTATE if the array is broken; clears `err`. */
xta_status xta__begin(xta_array *array, xta_error *err);

/* The same, and refuses read-only handles. */
xta_status xta__begin_change(xta_array *array, const char *what, xta_error *err);

#endif
