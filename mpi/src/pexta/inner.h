/* What the files of pexta/ share: the session, open arrays, requests.
 *
 * Every collective call has the same frame: enter (a GA_Sync, then all ranks make sure that they
 * are in the same call with the same arguments), the work, leave (one status for all). Nobody goes
 * out in between, but with a status that is already agreed on. Between two MPI operations nobody
 * calls Global Arrays without a GA_Sync after it: a rank that waits in MPI may not serve others'
 * gets and puts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_INNER_H
#define XTA_PEXTA_INNER_H

#include <mpi.h>
#include <pthread.h>

#include <xta/parallel.h>

#include "base/base.h"
#include "pexta/pexta.h"

/* ---- deal.c: who moves which cells, and in which pieces. Pure. ---- */

/* The cells of `section` in the chunks whose first cell inside the section lies in `block`. For
 * blocks that cover the section without overlap these boxes do so as well, along chunk borders. */
xta_box xta__begun_in(const xta_box *section, const int64_t chunk[], const xta_box *block);

/* Part `part` of `section` cut along chunk borders into `n_parts` (>= 1) boxes, as equal as that
 * allows; some may be empty. */
xta_box xta__even_part(const xta_box *section, const int64_t chunk[], int part, int n_parts);

/* The pieces in which a box is moved, in row-major order, each of at most `max_cells` cells; they
 * end at chunk borders unless a chunk alone is larger. */
typedef struct xta__pieces {
    xta_box box;
    bool done;
    int64_t at[XTA_MAX_NDIM];  /* first cell of the next piece */
    int64_t end[XTA_MAX_NDIM]; /* behind its last cell */
    int64_t chunk[XTA_MAX_NDIM];
    int64_t n_cells[XTA_MAX_NDIM]; /* of a piece on each axis: whole chunks, or part of one */
} xta__pieces;

void xta__pieces_begin(xta__pieces *p, const xta_box *box, const int64_t chunk[],
                       uint64_t max_cells);
bool xta__pieces_next(xta__pieces *p, xta_box *piece);

/* Cells of a box whose number is known to fit. */
uint64_t xta__cells_of(const xta_box *box);

/* ---- shape.c: the shape of chunks. Pure. ---- */

/* A chunk of an array that has `dims` cells so far, for requests of request[axis] cells, or blocks
 * of block[axis] cells where it is not above 0; each is not above 0 where it is unknown. False, and
 * `chunk` untouched, if all is unknown. */
bool xta__request_chunk(size_t cell_bytes, int ndim, const int64_t dims[], const int64_t request[],
                        const int64_t block[], int64_t chunk[]);

/* ---- types.c ---- */

/* The type of cells for a type code of Global Arrays; XTA_TYPE_SAME if there is none. */
xta_type xta__cells_of_ga(int ga_type);

/* "C_DBL" ...; "?" if there is none. */
const char *xta__ga_type_name(int ga_type);

/* The code for a name; 0 if there is none. */
int xta__ga_type_named(const char *name);

/* The code for cells of arrays that do not say which it was; 0 if there is none. */
int xta__ga_type_of(xta_type type);

/* ---- ga.c: asking global arrays ---- */

typedef struct xta__ga {
    int g_a, type, ndim;
    int64_t dims[PEXTA_MAX_NDIM];
    bool one_block; /* each process holds one box: neither block-cyclic nor tiled */
} xta__ga;

/* Fails on what is no global array, or not one of all processes. Not collective. */
xta_status xta__ga_inquire(int g_a, xta__ga *ga, xta_error *err);

/* The block of a process, half-open, possibly empty. Only where `one_block`. */
xta_box xta__ga_block(const xta__ga *ga, int rank);

/* The longest block on each axis. */
void xta__ga_block_lengths(const xta__ga *ga, int64_t lengths[]);

/* ---- worker.c: one thread for each process that reads and writes files ---- */

typedef struct xta__job {
    struct xta__job *next_of_request;
    struct xta__job *next_in_queue;
    xta_array *array;
    xta_box box;
    xta_order order;
    bool write;
    void *cells; /* freed when it is written */
    uint64_t bytes;
    bool done;
    xta_error result;
} xta__job;

/* Memory of `bytes` for a job; NULL if that is more than may be held, or cannot be had. */
void *xta__job_memory(uint64_t bytes);
void xta__job_memory_free(void *memory, uint64_t bytes);

/* Hand a job over; done at once where no thread can be started. */
void xta__submit(xta__job *job);
bool xta__job_is_done(const xta__job *job);
void xta__await(const xta__job *job);

/* Read or write the cells of a job, here and now. */
void xta__do_job(xta__job *job);

/* End the thread; all jobs are done. */
void xta__worker_stop(void);

/* ---- the session ---- */

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
    char name[PEXTA_NAME_BYTES];
    char filename[PEXTA_FILENAME_BYTES];
    char path[PEXTA_FILENAME_BYTES + 8];
} xta__disk;

/* One transfer between a section of a global array and one of an array. */
typedef struct xta__move {
    xta__disk *disk;
    int g_a;
    bool write, transposed;
    xta_box box;                  /* in the file's coordinates */
    int64_t g_lo[PEXTA_MAX_NDIM]; /* first cell in the global array */
} xta__move;

/* A transfer that may still be under way. */
typedef struct xta__request {
    struct xta__request *next; /* by number, ascending */
    int id;
    bool complete;
    xta__move move;
    xta__job *jobs;
    xta_error result; /* when it is complete: agreed */
} xta__request;

/* Global Arrays are one to a process, and so is this. */
typedef struct xta__session {
    bool begun;
    MPI_Comm comm; /* a duplicate of that of Global Arrays */
    int rank, n_ranks;
    int io_ranks; /* 0: all */
    bool apart;   /* on several machines, so files are not mapped (or the user wants it so) */
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

void xta__take(xta__arguments *arguments, const char *name, int64_t value);

/* `n` values (0 where `values` is NULL), and whether it is NULL. */
void xta__take_all(xta__arguments *arguments, const char *name, int n, const int64_t values[]);

/* The begin and the end of a collective call; `arguments` may be NULL for none. What they give back
 * is the same on all ranks; texts are in xta__pexta.last. */
xta_status xta__enter(const char *call, const xta__arguments *arguments);
int xta__leave(xta_status status);

/* Enter a call about one array; NULL, and an agreed status, if there is none. */
xta__disk *xta__enter_with(const char *call, int p_a, xta_status *status);

/* NULL (and a text) if there is no such array. */
xta__disk *xta__disk_of(int p_a, xta_error *err);

/* ---- files.c ---- */

/* Take rank 0's bounds on all ranks. Collective; `status` is this rank's so far, and what comes
 * back is agreed on. */
xta_status xta__take_bounds(xta__disk *disk, xta_status status, xta_error *err);

/* Close an array whose requests are complete. This rank's status: `so_far` if that is a failure. */
xta_status xta__close_disk(xta__disk *disk, xta_status so_far, xta_error *err);

/* Write back what this process holds, and forget what others may have changed: only where chunks
 * are cached, else nothing. Over several machines what was `written` is made durable as well: then
 * the server has it. */
xta_status xta__exchange(xta__disk *disk, bool written, xta_error *err);

/* ---- transfer.c ---- */

/* Check handles, modes, types and limits of a transfer, which are the same on all ranks. */
xta_status xta__check_move(const xta__move *move, xta_error *err);

/* Move the cells; what fits in memory is left to the thread if `request` is given. Collective
 * within a call; ends with a GA_Sync. */
xta_status xta__run_move(const xta__move *move, xta__request *request, xta_error *err);

/* Put the cells that a job has read into the global array. */
void xta__put_job(const xta__move *move, const xta__job *job);

/* How many processes read and write files. */
int xta__io_ranks(void);

/* ---- requests.c ---- */

/* A new request for a move; NULL if there is no memory. */
xta__request *xta__request_new(const xta__move *move);

/* Number a request and put it into the list. */
void xta__request_enlist(xta__request *request);

/* Take it out, if it is in there, wait for its jobs and free it. */
void xta__request_drop(xta__request *request);

/* Wait for this rank's jobs of the requests that touch cells of `move`, where one of them writes.
 * True if there were any; then a GA_Sync has been made, too. Collective within a call. */
bool xta__settle(const xta__move *move);

/* Complete a request. Collective within a call; the status is agreed on and kept in the request. */
xta_status xta__complete(xta__request *request);

/* Complete the requests of an array (NULL: all) and drop them: the first failure, agreed on. */
xta_status xta__complete_all(const xta__disk *disk, xta_error *err);

/* ---- calls.c ---- */

/* Enter a call that names an array, a global array and `more`; NULL, and an agreed status, on
 * failure. */
xta__disk *xta__enter_transfer(const char *call, int g_a, int p_a, const xta__arguments *more,
                               xta_status *status);

/* Check a transfer, move all of it and leave the call. */
int xta__move_now(const xta__move *move);

#endif
