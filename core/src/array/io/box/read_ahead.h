/* What a large read fetches ahead of itself when its file is not in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_READ_AHEAD_H
#define XTA_ARRAY_IO_BOX_READ_AHEAD_H

#include "array/io/box/transfer_call.h"

/* Whether a read is large enough to check whether its file is in memory. */
bool xta__ahead_is_worth(const xta__transfer_call *t);

/* To be called before the first chunk and after the last. Chunks are read row-major with axis
 * `line` fastest, or in the order of the batch that each step names. */
void xta__ahead_begin(xta__transfer_call *t, int line);
void xta__ahead_end(xta__transfer_call *t);

int xta__ahead_go(xta__transfer_call *t, const int64_t chunk[], int n);

/* Up to n chunks, from `chunk` on, are about to be read at once. Returns how many should be read:
 * fewer than n if the next ones are to be fetched meanwhile. */
static inline int xta__ahead_step(xta__transfer_call *t, const int64_t chunk[], int n)
{
    return t->ahead.wanted ? xta__ahead_go(t, chunk, n) : n;
}

/* The same for a batch, from its chunk number k on. */
static inline void xta__ahead_step_in(xta__transfer_call *t, const xta__batch *batch, size_t k)
{
    if (t->ahead.wanted) {
        t->ahead.batch = batch;
        t->ahead.in_batch = k;
        (void)xta__ahead_go(t, batch->coords + k * (size_t)t->region.ndim, 1);
    }
}

#endif
