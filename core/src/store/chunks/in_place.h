/* A private header of store/: where stores into a mapped file are safe, and where they are
 * worthwhile.
 *
 * The unit is 2 MiB of the file: the largest folio of a page cache. One store makes a whole folio
 * dirty, so the file needs an allocated block for each byte of it; otherwise the store would raise
 * a signal on a full disk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_IN_PLACE_H
#define XTA_STORE_CHUNKS_IN_PLACE_H

#include <pthread.h>

#include "store/chunks/data_file.h"

/* The record of a unit that was written by small calls. */
typedef struct xta__recent_unit {
    uint64_t number;    /* number of the unit, plus 1; 0: none */
    uint64_t operation; /* the last operation that wrote into it */
    bool repeated;      /* so far it has written only pages that earlier operations had written */
    uint32_t operations, again;
    uint64_t pages[8]; /* a bit for each written 4 KiB */
} xta__recent_unit;

typedef struct xta__in_place {
    /* Held shared by stores into parts of chunks, and exclusively by operations that free
     * blocks. */
    pthread_rwlock_t discarding;
    pthread_mutex_t lock;     /* protects all members below, and is held while a unit is prepared */
    bool announced;           /* other handles have been notified, or cannot be */
    atomic_bool checked;      /* copies may share blocks: stores use calls that report failures */
    atomic_bool cannot_check; /* the system has no such calls */
    uint64_t operation;       /* number of the last operation */
    uint64_t forgotten;       /* the last operation before the last sync */
    xta__recent_unit *recent; /* indexed by number modulo their count; NULL until needed */
} xta__in_place;

void xta__in_place_init(xta__in_place *in_place);
void xta__in_place_clear(xta__in_place *in_place);

/* Record that bytes at .. at + n of the file, counted from its first byte, were written by a small
 * call, one of those of an operation. */
void xta__in_place_note(xta__in_place *in_place, uint64_t at, uint64_t n);

/* Start a new operation, and set `facts` to what is recorded for these bytes: of several units the
 * least. */
void xta__in_place_recall(xta__in_place *in_place, uint64_t at, uint64_t n,
                          xta__range_facts *facts);

/* Forget all records after a sync: writing a page again makes it dirty again. */
void xta__in_place_forget(xta__in_place *in_place);

/* Whether the file has a block of its own for each byte of unit `number`, and keeps it as long as
 * the handle is open. `reserve`: allocate blocks that are missing. in_place->lock is held. */
bool xta__in_place_own(xta__in_place *in_place, xta__data_file *data, uint64_t number,
                       bool reserve);

#endif
