/* Functions common to both chunk stores of a file: its length, its space, and its use by other
 * handles.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_DATA_FILE_H
#define XTA_STORE_CHUNKS_DATA_FILE_H

#include "store/chunks/chunk_store.h"
#include "util/os.h"

/* Handles that store through a mapping hold a shared lock on this byte of the data file, from the
 * first store until they close; freeing blocks of the file requires an exclusive lock on it. No
 * slot extends that far, and array/handle/write_guard.c uses a byte beside it. */
#define XTA__IN_PLACE_BYTE (((uint64_t)1 << 62) - 16)

typedef struct xta__data_file {
    xta__chunk_store chunk_store; /* first, so that a pointer to it is a pointer to the struct */
    xta__file file;
    _Atomic int exact_fd; /* see xta__file_exact */
    bool writable;
    uint64_t length;      /* the file is at least this long */
    bool exclusive;       /* exclusive writer: no other handle lengthens the file */
    uint64_t least;       /* exclusive writer: length to truncate to, if the chunks need no more */
    bool stores_in_place; /* this handle stores through a mapping, and others are notified */
    bool by_lock_file;    /* byte locks do not reach all users of the file */
    bool reserved_behind; /* space beyond the end of the file is reserved */
} xta__data_file;

/* Notify all others that from now on this handle stores through a mapping, so that they free no
 * blocks. If the file system has no locks for that, stores_in_place stays false. */
xta_status xta__data_file_store_in_place(xta__data_file *data, xta_error *err);

/* Operations that do not depend on how cells are accessed. */
xta_status xta__data_file_resize(xta__chunk_store *chunk_store, uint64_t n_chunks, xta_error *err);
void xta__data_file_close(xta__chunk_store *chunk_store);
xta_status xta__data_file_next_used(xta__chunk_store *chunk_store, uint64_t address, uint64_t *used,
                                    xta_error *err);

/* Whether the file is at least this long now. */
bool xta__data_file_reaches(const xta__data_file *data, uint64_t bytes);

/* Make this an exclusive writer's chunk store: until it is freed only this handle assigns
 * addresses. */
void xta__chunks_of_exclusive_writer(xta__chunk_store *chunk_store);

/* Note that byte locks do not reach all handles that change the file: it is truncated only while
 * the lock of the journal is held. */
void xta__chunks_of_lock_file(xta__chunk_store *chunk_store);

/* Disown chunks that this process inherited by fork: the descriptor of the data file is closed, and
 * freeing the chunk store leaves the file unchanged. */
void xta__chunks_disown(xta__chunk_store *chunk_store);

/* Zero slots of a data file. Their space is freed unless a handle that stores through a mapping is
 * open: on a full disk a store of it into a hole would raise a signal. `stores_in_place`: the
 * caller's own handle is such a handle. */
xta_status xta__data_file_empty(const xta__file *file, bool stores_in_place, uint64_t offset,
                                uint64_t bytes, xta_error *err);

/* The data file of either chunk store; borrowed. */
xta__file *xta__chunks_file(xta__chunk_store *chunk_store);

#endif
