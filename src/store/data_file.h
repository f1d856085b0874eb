/* A room of store/: what both holders of chunks in a file have in common.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_DATA_FILE_H
#define XTA_STORE_DATA_FILE_H

#include "store/store.h"

typedef struct xta__data_file {
    xta__holder holder; /* first, so that a pointer to one is a pointer to the other */
    xta__file file;
    bool writable;
    uint64_t length; /* the file is at least so long */
    bool sole;       /* nobody else makes it longer */
    uint64_t least;  /* then: what it is cut back to, if the chunks need no more */
} xta__data_file;

/* The offers that do not depend on how cells are reached. */
xta_status xta__data_file_resize(xta__holder *holder, uint64_t n_chunks, xta_error *err);
void xta__data_file_close(xta__holder *holder);
xta_status xta__data_file_next_used(xta__holder *holder, uint64_t address, uint64_t *used,
                                    xta_error *err);

#endif
