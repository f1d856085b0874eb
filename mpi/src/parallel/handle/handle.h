/* The door of parallel/: DRX-MP, one array and many processes, over MPI and MPI-IO.
 *
 * Rank 0 has a keeper: an ordinary handle of the array, which alone reads and writes the journal.
 * Every rank has a replica (array/replica.c), whose structure rank 0 has told it, over a holder
 * that reaches chunks through MPI-IO. So the ranks always see one and the same structure, and a
 * thousand of them read the journal once.
 *
 * Every collective call has three parts: meet (agree on the call, its arguments and everybody's
 * first checks), the work, and agree (one status for all). Nobody leaves in between.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_PARALLEL_H
#define XTA_PARALLEL_PARALLEL_H

#include <pthread.h>

#include <xta/parallel.h>

#include "array/array.h"
#include "base/base.h"
#include "util/os.h"
#include "plan/plan.h"

/* ---- agree.c ---- */

/* Which call a rank is in; names in agree.c. */
typedef enum xta__call {
    XTA__CALL_CREATE,
    XTA__CALL_OPEN,
    XTA__CALL_SYNC,
    XTA__CALL_CLOSE,
    XTA__CALL_EXTEND,
    XTA__CALL_SHRINK,
    XTA__CALL_ADD_AXIS,
    XTA__CALL_REFRESH,
    XTA__CALL_READ_ALL,
    XTA__CALL_WRITE_ALL,
    XTA__CALL_READ_ALL_BEGIN,
    XTA__CALL_WRITE_ALL_BEGIN,
    XTA__CALL_ALL_END,
    XTA__N_CALLS
} xta__call;

/* An argument that must be the same on all ranks. Those of one call are told apart by their
 * place. */
typedef struct xta__argument {
    const char *name;
    int64_t value;
} xta__argument;

enum { XTA__MOST_ARGUMENTS = 3 * 2 * XTA_MAX_NDIM + 8 };

/* What a rank brings to a collective call. */
typedef struct xta__meeting {
    xta__call call;
    xta_status mine; /* this rank's own checks */
    int n;
    xta__argument arguments[XTA__MOST_ARGUMENTS];
} xta__meeting;

void xta__argue(xta__meeting *meeting, const char *name, int64_t value);

/* Hints: all keys with their values, in any sequence. */
void xta__argue_info(xta__meeting *meeting, MPI_Info info);

/* First in every collective call: the same status on all ranks. `err` holds this rank's text if
 * `mine` is a failure. */
xta_status xta__meet(xta_parallel *p, const xta__meeting *meeting, xta_error *err);

/* The same before there is a handle. */
xta_status xta__meet_on(MPI_Comm comm, const xta__meeting *meeting, xta_error *err);

/* The words of MPI for a failed call. */
xta_status xta__mpi_failed(xta_error *err, const char *path, const char *what, int code);

/* Whether all ranks run on one machine. Collective. */
bool xta__on_one_machine(MPI_Comm comm);

/* ---- notice.c ---- */

/* So long payloads go with the notice itself. */
#define XTA__NOTICE_ROOM 1008

/* The word of rank 0, which alone has worked since the ranks met: its `status` and text on all
 * ranks, or, with XTA_OK, its payload, which on the other ranks has room for XTA__NOTICE_ROOM
 * bytes. Collective. XTA_ENOMEM (longer payloads only): of any rank, on all. */
xta_status xta__notify(MPI_Comm comm, int rank, xta_status status, xta__bytes *payload,
                       xta_error *err);

/* ---- rendezvous.c ---- */

/* Waiting for the other ranks, but not for ever. */
typedef struct xta__rendezvous {
    MPI_Comm comm;
    int rank, n_ranks, tag;
    double timeout_s;
    int64_t attempt; /* the number that this rank has given out last; none comes twice */
} xta__rendezvous;

/* XTA_OK on all ranks, or XTA_ETIMEDOUT on all that have come. */
xta_status xta__rendezvous_wait(xta__rendezvous *r, const char *what, xta_error *err);

/* ---- mpi_chunks.c ---- */

/* Bytes of the file and where they lie in memory. */
typedef struct xta__piece {
    uint64_t offset;
    uint8_t *bytes;
    size_t n;
} xta__piece;

/* Chunks on their way between the file and the cells of a call. */
typedef struct xta__round {
    size_t n;            /* chunks */
    uint64_t *addresses; /* ascending; chunk k lies at buffer + k * slot_bytes */
    size_t addresses_room;
    uint8_t *buffer;
    size_t buffer_room;
    xta__piece *pieces; /* to be read, or written */
    size_t n_pieces, pieces_room;
    bool failed; /* no memory for a piece */
} xta__round;

typedef struct xta__mpi_chunks {
    xta__holder holder;
    MPI_File file;
    const char *path;  /* in messages */
    const char *at;    /* where it is */
    xta__file plain;   /* the same file, for what MPI does not tell */
    xta__round *round; /* chunks are those of a round; NULL: each is fetched by itself */
} xta__mpi_chunks;

/* Chunks of the file `path`, which this rank can open, or it fails; MPI opens it later (`file`,
 * which stays the caller's). */
xta_status xta__mpi_chunks_new(xta__path path, bool writable, const uint8_t uuid[XTA__UUID_BYTES],
                               const xta__constants *constants, uint64_t chunk_bytes,
                               xta__mpi_chunks **out, xta_error *err);

/* Use the chunks of a round (`collects`: what is written is collected there), or, NULL, none. */
void xta__mpi_chunks_use(xta__mpi_chunks *chunks, xta__round *round, bool collects);
void xta__round_clear(xta__round *round);

/* Add bytes to read or write; joined with the piece before where they continue it, as far as MPI
 * can count. */
void xta__round_add(xta__round *round, uint64_t offset, uint8_t *bytes, size_t n);

/* Room for n chunks. */
xta_status xta__round_reserve(const xta__mpi_chunks *chunks, xta__round *round, size_t n,
                              xta_error *err);

/* Bytes begin .. end of chunk k of a round are to be read, k ascending; a gap that costs less than
 * another operation is read as well. */
void xta__round_want(const xta__mpi_chunks *chunks, xta__round *round, size_t k, size_t begin,
                     size_t end);

/* One operation for each piece. */
xta_status xta__read_pieces(xta__mpi_chunks *chunks, const xta__round *round, xta_error *err);

/* The same, of pieces in any sequence: those that touch or overlap are one. */
xta_status xta__write_pieces(xta__mpi_chunks *chunks, xta__round *round, xta_error *err);

/* ---- rounds.c ---- */

/* Which bytes of a chunk its cells of a box lie in: from the first to the last of them; none where
 * steps pass over the chunk. */
void xta__bytes_of_chunk(const xta_array *array, const xta_box *cells, const int64_t chunk[],
                         size_t *begin, size_t *end);

/* ---- split.c ---- */

/* A collective transfer between its begin and its end. */
typedef struct xta__split xta__split;

/* XTA_ESTATE: `call` has to wait until the transfer that was begun has been ended. */
xta_status xta__refuse_split(const xta_parallel *p, const char *call, xta_error *err);

/* ---- the handle ---- */

struct xta_parallel {
    MPI_Comm comm;
    int rank, n_ranks;
    bool writable, broken;
    bool lost;       /* cells that this rank could not make durable, as MPI said once */
    bool only_alike; /* the ranks could only compare what the journal holds */
    uint64_t buffer_bytes;
    uint64_t window_bytes; /* an owner of shared chunks works on so much at a time */
    uint64_t unit_bytes;   /* what this rank knows of stripes: domains of owners follow them */
    int n_owners;          /* so many ranks own shared chunks */
    xta__rendezvous rendezvous;
    xta_array *array;        /* the replica */
    xta_array *keeper;       /* of rank 0; of others once they have grown the array alone */
    bool by_lock_file;       /* whether rank 0's takes a lock file, and so others' do */
    xta__replica_base base;  /* rank 0: what the replicas have taken up */
    xta__mpi_chunks *chunks; /* the replica's holder, owned by it; NULL where the file is mapped */
    MPI_File file;           /* seen as plain bytes */
    xta__round round;        /* memory that stays: chunks of a call */
    uint8_t *messages[2];    /* and their cells between ranks: an owner's, a member's */
    pthread_mutex_t lock;    /* of one transfer at a time */
    xta__split *split;       /* that was begun; NULL: none */
    MPI_Comm split_comm;     /* of its messages, made for the first one; MPI_COMM_NULL before */
};

#endif
