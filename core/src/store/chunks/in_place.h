/* A private header of store/: where a mapped file may be stored into, and where that pays.
 *
 * The unit is 2 MiB of the file: the largest folio of a page cache. One store makes all of a folio
 * dirty, so the file needs a block under each byte of it, or the disk may be full and the store a
 * signal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_IN_PLACE_H
#define XTA_STORE_CHUNKS_IN_PLACE_H

#include <pthread.h>

#include "store/chunks/data_file.h"

/* Of a unit that was written by small calls. */
typedef struct xta__recent_unit {
    uint64_t number;    /* of the unit, plus 1; 0: none */
    uint64_t operation; /* the last one that wrote into it */
    bool repeated;      /* and so far only into pages that had been written before it */
    uint32_t operations, again;
    uint64_t pages[8]; /* a bit for each 4 KiB that was written */
} xta__recent_unit;

typedef struct xta__in_place {
    /* Shared by stores into parts of chunks; held alone by whatever takes blocks away. */
    pthread_rwlock_t discarding;
    pthread_mutex_t lock;     /* of all below, and of preparing a unit */
    bool announced;           /* the others have been told, or cannot be */
    atomic_bool checked;      /* copies may take blocks away: stores go by calls that tell */
    atomic_bool cannot_check; /* the system has no such calls */
    uint64_t operation;       /* number of the last one */
    uint64_t forgotten;       /* the last one before the last sync */
    xta__recent_unit *recent; /* by number modulo their count; NULL until one is wanted */
} xta__in_place;

void xta__in_place_init(xta__in_place *in_place);
void xta__in_place_clear(xta__in_place *in_place);

/* Bytes at .. at + n of the file, counted from its first byte, were written by a small call, one of
 * those that an operation takes. */
void xta__in_place_note(xta__in_place *in_place, uint64_t at, uint64_t n);

/* A new operation wants to know what is remembered of these bytes: of several units the least. */
void xta__in_place_recall(xta__in_place *in_place, uint64_t at, uint64_t n,
                          xta__range_facts *facts);

/* What was written has been synced: writing it again makes it dirty again. */
void xta__in_place_forget(xta__in_place *in_place);

/* Whether the file has a block of its own for each byte of unit `number`, and keeps it as long as
 * the handle is open. `reserve`: where there are none, get them. in_place->lock is held. */
bool xta__in_place_own(xta__in_place *in_place, xta__data_file *data, uint64_t number,
                       bool reserve);

#endif
