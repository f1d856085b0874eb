/* The handle of DRX-MP: one array and many processes, over MPI and MPI-IO.
 *
 * Rank 0 has the root handle: an ordinary handle of the array, which alone reads and writes the
 * journal. Every rank has a replica of the array's structure, which it got from rank 0, over a
 * chunk store that reads and writes through MPI-IO. So all ranks always see the same structure, and
 * however many they are, the journal is read once.
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
    uint64_t window_bytes; /* how much of its shared chunks an owner works on at a time */
    uint64_t unit_bytes;   /* the stripe that this rank knows of, which owners' domains follow */
    int n_owners;          /* the number of ranks that own shared chunks */
    xta__rendezvous rendezvous;
    xta_array *array;       /* the replica */
    xta_array *root;        /* on rank 0; on others once they have grown the array alone */
    bool by_lock_file;      /* whether rank 0's uses a lock file; others' then do so, too */
    xta__replica_base base; /* rank 0: how far the replicas have come */
    xta__mpi_chunks
        *chunks;      /* the replica's chunk store, owned by it; NULL where the file is mapped */
    MPI_File file;    /* the data file, as plain bytes */
    xta__round round; /* memory kept between calls: the chunks of a call, */
    uint8_t *messages[2];   /* and messages between ranks, an owner's and a member's */
    pthread_mutex_t lock;   /* held by one transfer at a time */
    xta__split *split;      /* the split transfer in progress; NULL: none */
    const char *split_call; /* the call that began it */
    MPI_Comm split_comm;    /* for its messages; MPI_COMM_NULL before the first one */
};

/* Called first in every collective call on a handle: returns the same status on all ranks. `err`
 * holds this rank's text if `mine` is a failure. */
xta_status xta__meet(xta_parallel *p, const xta__meeting *meeting, xta_error *err);

/* XTA_ESTATE if a split transfer is in progress: `call` is not allowed until it has been ended. */
xta_status xta__refuse_split(const xta_parallel *p, const char *call, xta_error *err);

#endif
