/* What both chunk stores of a file have in common: its length, its space, and who else uses it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_DATA_FILE_H
#define XTA_STORE_CHUNKS_DATA_FILE_H

#include "store/chunks/chunk_store.h"
#include "util/os.h"

/* Handles that store through a mapping hold a shared lock on this byte of the data file, from the
 * first time to their end; whoever takes blocks away from the file needs it alone. No slot reaches
 * so far, and array/guard.c has a byte beside it. */
#define XTA__IN_PLACE_BYTE (((uint64_t)1 << 62) - 16)

typedef struct xta__data_file {
    xta__chunk_store chunk_store; /* first, so that a pointer to one is a pointer to the other */
    xta__file file;
    _Atomic int exact_fd; /* see xta__file_exact */
    bool writable;
    uint64_t length;      /* the file is at least so long */
    bool sole;            /* nobody else makes it longer */
    uint64_t least;       /* then: what it is cut back to, if the chunks need no more */
    bool stores_in_place; /* this handle stores through a mapping, and the others know */
    bool by_lock_file;    /* locks on bytes do not reach all */
    bool reserved_behind; /* it has reserved space behind the end of the file */
} xta__data_file;

/* Notify all others that from now on this handle stores through a mapping, so that they keep blocks
 * where they are. Where the file system has no locks for that, stores_in_place stays false. */
xta_status xta__data_file_store_in_place(xta__data_file *data, xta_error *err);

/* Operations that do not depend on how cells are reached. */
xta_status xta__data_file_resize(xta__chunk_store *chunk_store, uint64_t n_chunks, xta_error *err);
void xta__data_file_close(xta__chunk_store *chunk_store);
xta_status xta__data_file_next_used(xta__chunk_store *chunk_store, uint64_t address, uint64_t *used,
                                    xta_error *err);

/* Whether the file is at least so long now. */
bool xta__data_file_reaches(const xta__data_file *data, uint64_t bytes);

/* From here on only this handle assigns addresses, until the chunk store is freed. */
void xta__chunks_of_sole_writer(xta__chunk_store *chunk_store);

/* Locks on bytes of the file do not reach all who change it: nothing is cut off unless the lock of
 * the journal is held. */
void xta__chunks_of_lock_file(xta__chunk_store *chunk_store);

/* This process is a child and has inherited the chunks: the descriptor of the data file is closed,
 * and freeing the chunk store leaves the file as it is. */
void xta__chunks_disown(xta__chunk_store *chunk_store);

/* Slots of a data file become zero. Their space is given back unless a handle that stores through a
 * mapping is open: a store of it could meet a hole and a full disk, and then it would be a signal.
 * `stores_in_place`: the caller's own handle is one. */
xta_status xta__data_file_empty(const xta__file *file, bool stores_in_place, uint64_t offset,
                                uint64_t bytes, xta_error *err);

/* The data file of either chunk store; borrowed. */
xta__file *xta__chunks_file(xta__chunk_store *chunk_store);

#endif
