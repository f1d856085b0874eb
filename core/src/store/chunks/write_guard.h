/* What a chunk cache asks before it writes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_WRITE_GUARD_H
#define XTA_STORE_CHUNKS_WRITE_GUARD_H

#include "base/base.h"

/* Decides which deferred cells may still be written: another process may have removed them
 * meanwhile, and what lies in their places now belongs to others. */
typedef struct xta__write_guard {
    void *user;

    /* A write-back begins. On failure nothing is written. *token is for `end`. */
    xta_status (*begin)(void *user, bool *token, xta_error *err);

    /* Clear the bits of those cells of a chunk that are not to be written: one bit for each cell,
     * by its position in the chunk. Whether there were any places for such cells. Only between
     * begin and end. */
    bool (*judge)(void *user, const int64_t chunk[], int ndim, uint8_t *dirty);
    void (*end)(void *user, bool token);
} xta__write_guard;

#endif
