/* Waiting for the other ranks, but not for ever.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_AGREE_RENDEZVOUS_H
#define XTA_PARALLEL_AGREE_RENDEZVOUS_H

#include <mpi.h>
#include <stdint.h>

#include <xta/status.h>

typedef struct xta__rendezvous {
    MPI_Comm comm;
    int rank, n_ranks, tag;
    double timeout_s;
    int64_t attempt; /* the number that this rank has used last; none is used twice */
} xta__rendezvous;

/* XTA_OK on all ranks, or XTA_ETIMEDOUT on all that have come. */
xta_status xta__rendezvous_wait(xta__rendezvous *r, const char *what, xta_error *err);

#endif
