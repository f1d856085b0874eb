/* The handle of DRX-MP: one array and many processes, over MPI and MPI-IO.
 *
 * Rank 0 has the root handle: an ordinary handle of the array, which alone reads and writes the
 * journal. Every rank has a replica of the array's structure, which rank 0 has sent it, over a
 * chunk store that reads and writes through MPI-IO. So the ranks always see one and the same
 * structure, and a thousand of them read the journal once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_HANDLE_HANDLE_H
#define XTA_PARALLEL_HANDLE_HANDLE_H

#include <pthread.h>

#include <xta/parallel.h>

#include "parallel/agree/agree.h"
#include "parallel/agree/rendezvous.h"
#include "parallel/chunks/mpi_chunks.h"
#include "private/array.h"
#include "private/replica.h"

/* A collective transfer between its beginning and its end: see exchange/split.c. */
typedef struct xta__split xta__split;

struct xta_parallel {
    MPI_Comm comm;
    int rank, n_ranks;
    bool writable, broken;
    bool lost;       /* MPI has reported once that cells of this rank could not be made durable */
    bool only_alike; /* the ranks could only compare what the journal holds */
    uint64_t buffer_bytes;
    uint64_t window_bytes; /* an owner of shared chunks works on so much at a time */
    uint64_t unit_bytes;   /* what this rank knows of stripes: domains of owners follow them */
    int n_owners;          /* so many ranks own shared chunks */
    xta__rendezvous rendezvous;
    xta_array *array;       /* the replica */
    xta_array *root;        /* of rank 0; of others once they have grown the array alone */
    bool by_lock_file;      /* whether rank 0's takes a lock file, and so others' do */
    xta__replica_base base; /* rank 0: how far the replicas have come */
    xta__mpi_chunks
        *chunks;      /* the replica's chunk store, owned by it; NULL where the file is mapped */
    MPI_File file;    /* seen as plain bytes */
    xta__round round; /* memory that stays: chunks of a call */
    uint8_t *messages[2];   /* and their cells between ranks: an owner's, a member's */
    pthread_mutex_t lock;   /* of one transfer at a time */
    xta__split *split;      /* that was begun; NULL: none */
    const char *split_call; /* the call that began it */
    MPI_Comm split_comm;    /* of its messages, made for the first one; MPI_COMM_NULL before */
};

/* First in every collective call on a handle: the same status on all ranks. `err` holds this rank's
 * text if `mine` is a failure. */
xta_status xta__meet(xta_parallel *p, const xta__meeting *meeting, xta_error *err);

/* XTA_ESTATE: `call` has to wait until the transfer that was begun has been ended. */
xta_status xta__refuse_split(const xta_parallel *p, const char *call, xta_error *err);

#endif
