/* A large box cut into slabs of whole chunks, which several threads move.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_SLABS_H
#define XTA_ARRAY_IO_BOX_SLABS_H

#include "array/io/box/transfer_call.h"

/* What XTA_THREADS says: 0 if it is not set, -1 if it is no number from 1 to XTA__MOST_THREADS. */
int xta__threads_wanted(void);

/* How many threads pay for a call that is prepared and may have `wanted`. */
int xta__threads_for(const xta__transfer_call *t, int wanted);

/* Give a thread memory of its own; on failure nothing is left of it. */
typedef xta_status xta__slab_begin(xta__transfer_call *t, xta_error *err);
typedef void xta__slab_end(xta__transfer_call *t);

/* Move the chunks of t->region. */
typedef xta_status xta__slab_move(xta__transfer_call *t, xta_error *err);

typedef struct xta__slab_ops {
    xta__slab_begin *begin;
    xta__slab_move *move;
    xta__slab_end *end;
} xta__slab_ops;

/* Move all of `t`, which is prepared, slab by slab: this thread and up to n - 1 others, which end
 * with the call. Returns the failure of the lowest slab that failed. */
xta_status xta__move_slabs(xta__transfer_call *t, int n, const xta__slab_ops *ops, xta_error *err);

#endif
