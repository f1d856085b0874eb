/* A large box cut into slabs of whole chunks, which several threads move.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_SLABS_H
#define XTA_ARRAY_IO_BOX_SLABS_H

#include "array/io/box/transfer_call.h"

/* The value of XTA_THREADS: 0 if it is not set, -1 if it is not a number from 1 to
 * XTA__MOST_THREADS. */
int xta__threads_wanted(void);

/* How many threads are worthwhile for a prepared call that may use `wanted`. */
int xta__threads_for(const xta__transfer_call *t, int wanted);

/* Give a thread its own memory; on failure nothing stays allocated. */
typedef xta_status xta__slab_begin(xta__transfer_call *t, xta_error *err);
typedef void xta__slab_end(xta__transfer_call *t);

/* Move the chunks of t->region. */
typedef xta_status xta__slab_move(xta__transfer_call *t, xta_error *err);

typedef struct xta__slab_ops {
    xta__slab_begin *begin;
    xta__slab_move *move;
    xta__slab_end *end;
} xta__slab_ops;

/* Do all of the prepared call `t`, slab by slab: this thread and up to n - 1 others, which end with
 * the call. Returns the failure of the lowest slab that failed. */
xta_status xta__move_slabs(xta__transfer_call *t, int n, const xta__slab_ops *ops, xta_error *err);

#endif
