/* The guard that a chunk cache asks before it writes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_WRITE_GUARD_H
#define XTA_STORE_CHUNKS_WRITE_GUARD_H

#include "base/base.h"

/* Decides which deferred cells may still be written: another process may have removed them
 * meanwhile, and their places may now hold cells of others. */
typedef struct xta__write_guard {
    void *user;

    /* Begin a write-back. On failure nothing must be written. *token is passed to `end`. */
    xta_status (*begin)(void *user, bool *token, xta_error *err);

    /* Clear the bits of the cells of a chunk that must not be written: one bit for each cell, by
     * its position in the chunk. Returns whether the chunk has any positions for such cells. Only
     * between begin and end. */
    bool (*judge)(void *user, const int64_t chunk[], int ndim, uint8_t *dirty);
    void (*end)(void *user, bool token);
} xta__write_guard;

#endif
