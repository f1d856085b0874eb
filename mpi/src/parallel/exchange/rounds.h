/* What a rank moves in one call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_EXCHANGE_ROUNDS_H
#define XTA_PARALLEL_EXCHANGE_ROUNDS_H

#include "parallel/exchange/sharing.h"

/* A rank's part of one call. */
typedef struct xta__share {
    xta__share_of_call part;
    int64_t strides[XTA_MAX_NDIM]; /* strides of the memory, in bytes */
    int64_t tile[XTA_MAX_NDIM];    /* chunks of a round, on each axis */
    int64_t tiles[XTA_MAX_NDIM];   /* number of tiles on each axis */
    uint64_t n_rounds;
    xta__skips *skips; /* chunks that go through their owners; NULL: none */
    xta__sharing sharing;
} xta__share;

/* Check this rank's arguments and plan its part. On failure it has nothing to move, but still takes
 * part. The plan points into `s`, and to the caller's memory and `step` of the options. */
xta_status xta__plan_share(xta__share *s, xta_parallel *p, const xta_box *box,
                           const xta_io_options *options, xta__direction direction, void *memory,
                           xta_error *err);

/* Move the cells. Collective where the file is not mapped; the status is this rank's. */
xta_status xta__move_share(xta__share *s, xta_error *err);

#endif
