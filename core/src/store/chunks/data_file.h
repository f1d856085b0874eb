/* A room of store/: what both holders of chunks in a file have in common.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_DATA_FILE_H
#define XTA_STORE_DATA_FILE_H

#include "store/store.h"

/* Handles that store through a mapping hold a shared lock on this byte of the data file, from the
 * first time to their end; whoever takes blocks away from the file needs it alone. No slot reaches
 * so far, and array/guard.c has a byte beside it. */
#define XTA__IN_PLACE_BYTE (((uint64_t)1 << 62) - 16)

typedef struct xta__data_file {
    xta__holder holder; /* first, so that a pointer to one is a pointer to the other */
    xta__file file;
    _Atomic int exact_fd; /* see xta__file_exact */
    bool writable;
    uint64_t length;      /* the file is at least so long */
    bool sole;            /* nobody else makes it longer */
    uint64_t least;       /* then: what it is cut back to, if the chunks need no more */
    bool stores_in_place; /* this handle stores through a mapping, and says so to the others */
    bool by_lock_file;    /* locks on bytes do not reach all */
    bool reserved_behind; /* it has reserved space behind the end of the file */
} xta__data_file;

/* Tell all others that from now on this handle stores through a mapping, so that they keep blocks
 * where they are. Where the file system has no locks for that, stores_in_place stays false. */
xta_status xta__data_file_store_in_place(xta__data_file *data, xta_error *err);

/* The offers that do not depend on how cells are reached. */
xta_status xta__data_file_resize(xta__holder *holder, uint64_t n_chunks, xta_error *err);
void xta__data_file_close(xta__holder *holder);
xta_status xta__data_file_next_used(xta__holder *holder, uint64_t address, uint64_t *used,
                                    xta_error *err);

/* Whether the file is at least so long now. */
bool xta__data_file_reaches(const xta__data_file *data, uint64_t bytes);

#endif
