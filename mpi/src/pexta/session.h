/* The session: open arrays, requests, and the frame of every collective call.
 *
 * Every collective call has the same frame: enter (a GA_Sync, then all ranks make sure that they
 * are in the same call with the same arguments), the work, leave (one status for all). No rank
 * leaves in between, except with a status that is already agreed on. Between two MPI operations
 * nobody calls Global Arrays without a GA_Sync after it: a rank that waits in MPI may not serve
 * others' gets and puts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_SESSION_H
#define XTA_PEXTA_SESSION_H

#include <mpi.h>

#include <xta/array.h>
#include <xta/parallel.h>
#include <xta/pexta.h>

#include "util/checked.h"
#include "util/try.h"

/* An open array. */
typedef struct xta__disk {
    struct xta__disk *next; /* by handle, ascending */
    int handle;
    int mode, type, ndim;
    size_t cell_bytes;
    xta_box bounds; /* in the file's coordinates, as agreed on last */
    int64_t chunk[XTA_MAX_NDIM];
    bool mapped;
    xta_array *array;
    struct xta__chunk_cache *cache; /* NULL: none */
    uint8_t uuid[16];               /* of the array: handles of the same files have the same */
    char name[PEXTA_NAME_BYTES];
    char filename[PEXTA_FILENAME_BYTES];
    char path[PEXTA_FILENAME_BYTES + 8];
} xta__disk;

/* One transfer between a section of a global array and one of an array; or a growth of the array,
 * which has no box and no global array. */
typedef struct xta__move {
    xta__disk *disk;
    bool grows;
    int g_a;
    bool write, transposed;
    xta_box box;                  /* in the file's coordinates */
    int64_t g_lo[PEXTA_MAX_NDIM]; /* first cell in the global array */
} xta__move;

/* A transfer that may still be in progress. */
typedef struct xta__request {
    struct xta__request *next; /* by number, ascending */
    int id;
    bool complete;
    xta__move move;
    struct xta__job *jobs; /* see worker.h */
    xta_error result;      /* agreed on when it is complete */
} xta__request;

/* A process has one instance of Global Arrays, and so one session. */
typedef struct xta__session {
    bool begun;
    MPI_Comm comm; /* a duplicate of that of Global Arrays */
    int rank, n_ranks;
    int io_ranks; /* 0: all */
    bool debug;   /* rank 0 prints the name of each collective call */
    bool apart;   /* on several machines (or the user asked for this), so files are not mapped */
    uint64_t max_memory;
    int last_handle, next_request;
    xta__disk *disks;
    xta__request *requests;
    xta_error last; /* why the last call failed */
} xta__session;

extern xta__session xta__pexta;

/* The arguments of a call that must be the same on all ranks. */
typedef struct xta__arguments {
    int n;
    const char *names[8 + 5 * PEXTA_MAX_NDIM];
    int64_t values[8 + 5 * PEXTA_MAX_NDIM];
} xta__arguments;

void xta__arguments_add(xta__arguments *arguments, const char *name, int64_t value);

/* Add `n` values (0 if `values` is NULL), and whether it is NULL. */
void xta__arguments_add_all(xta__arguments *arguments, const char *name, int n,
                            const int64_t values[]);

/* The beginning and the end of a collective call; `arguments` may be NULL for none. What they
 * return is the same on all ranks; texts are in xta__pexta.last. */
xta_status xta__enter(const char *call, const xta__arguments *arguments);
int xta__leave(xta_status status);

/* Enter a call about one array; NULL, and an agreed status, if there is none. */
xta__disk *xta__enter_with(const char *call, int p_a, xta_status *status);

/* NULL (and a text) if there is no such array. */
xta__disk *xta__disk_of(int p_a, xta_error *err);

#endif
