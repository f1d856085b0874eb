/* Split collective transfers: the cells move while the caller computes.
 *
 * The starting call checks and plans, and all ranks agree. If the file is mapped, a thread then
 * moves the cells without MPI. Through MPI-IO the thread needs an MPI that several threads may call
 * at once (MPI_THREAD_MULTIPLE), and a communicator of its own, since the caller's next call uses
 * the array's. Without that the cells are moved in the ending call. The ending call waits, and in
 * it all ranks agree on one status.
 *
 * The thread works on a copy of the handle: communicator, and memory that stays with the handle.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/parallel.h>

#include "parallel/exchange/rounds.h"

#include <stdlib.h>
#include <string.h>

struct xta__split {
    xta_parallel copy; /* a copy of the handle, for the thread */
    xta__share share;
    int64_t step[XTA_MAX_NDIM]; /* a copy, since the caller's may be gone by then */
    bool threaded;
    pthread_t thread;
    xta_status status;
    xta_error err;
};

static void *split_run(void *user)
{
    xta__split *split = user;

    split->status = xta__move_share(&split->share, &split->err);
    return NULL;
}

/* Whether two threads may call MPI at once. */
static bool threads_may_call_mpi(void)
{
    int level = MPI_THREAD_SINGLE;

    MPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
}

/* All ranks have agreed. Collective. A rank without a thread does its part in
 * xta_parallel_all_end, on the same communicator. */
static void split_start(xta_parallel *p, xta__split *split, bool threads)
{
    bool by_mpi = p->chunks != NULL;

    if (!threads) {
        return;
    }
    if (by_mpi && p->split_comm == MPI_COMM_NULL) {
        MPI_Comm_dup(p->comm, &p->split_comm);
    }
    split->copy = *p;
    split->copy.comm = by_mpi ? p->split_comm : p->comm;
    split->share.part.p = &split->copy;
    split->threaded = xta__thread_start(&split->thread, split_run, split);
}

static xta_status split_begin(xta_parallel *p, const xta_box *box, const xta_io_options *options,
                              xta__direction direction, void *memory, xta_error *err)
{
    bool reads = direction == XTA__READ;
    xta__meeting meeting = {.call = reads ? XTA__CALL_READ_ALL_BEGIN : XTA__CALL_WRITE_ALL_BEGIN};
    xta__split *split = xta__calloc(1, sizeof *split);
    const xta__structure *structure = xta__structure_of(p->array);

    xta__clear(err);
    pthread_mutex_lock(&p->lock);
    meeting.mine =
        split != NULL
            ? xta__plan_share(&split->share, p, box, options, direction, memory, err)
            : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a transfer", p->array->path);
    bool threads = p->chunks == NULL || threads_may_call_mpi();
    xta__argue(&meeting, "the structural step they see (refresh first)",
               (int64_t)structure->n_steps);
    xta__argue(&meeting, "MPI_THREAD_MULTIPLE", threads);
    xta_status status = xta__meet(p, &meeting, err);
    if (status == XTA_OK) {
        xta_io_options *o = &split->share.part.options;
        if (o->step != NULL) {
            memcpy(split->step, o->step, (size_t)structure->ndim * sizeof split->step[0]);
            o->step = split->step;
        }
        p->split_call = reads ? "xta_parallel_read_all_begin" : "xta_parallel_write_all_begin";
        p->split = split;
        split_start(p, split, threads);
    } else {
        free(split);
    }
    pthread_mutex_unlock(&p->lock);
    return status;
}

xta_status xta_parallel_read_all_begin(xta_parallel *p, const xta_box *box,
                                       const xta_io_options *options, void *out, xta_error *err)
{
    return split_begin(p, box, options, XTA__READ, out, err);
}

xta_status xta_parallel_write_all_begin(xta_parallel *p, const xta_box *box,
                                        const xta_io_options *options, const void *in,
                                        xta_error *err)
{
    return split_begin(p, box, options, XTA__WRITE, (void *)(uintptr_t)in, err);
}

/* The cells are where they belong, or this rank's status says why not. */
static void split_finish(xta_parallel *p, xta__split *split)
{
    if (split->threaded) {
        pthread_join(split->thread, NULL);
    } else {
        split_run(split);
    }
    if (split->share.part.p == &split->copy) {
        p->round = split->copy.round;
        memcpy(p->messages, split->copy.messages, sizeof p->messages);
    }
}

xta_status xta_parallel_all_end(xta_parallel *p, xta_error *err)
{
    xta__meeting meeting = {.call = XTA__CALL_ALL_END};

    xta__clear(err);
    pthread_mutex_lock(&p->lock);
    xta__split *split = p->split;
    if (split == NULL) {
        meeting.mine =
            xta__fail(err, XTA_ESTATE, 0, "%s: xta_parallel_all_end: no transfer is under way",
                      p->array->path);
    }
    xta_status status = xta__meet(p, &meeting, err);
    if (status == XTA_OK) {
        split_finish(p, split);
        if (err != NULL && split->status != XTA_OK) {
            *err = split->err;
        }
        status = xta_agree(p->comm, split->status, err);
        p->split = NULL;
        free(split);
    }
    pthread_mutex_unlock(&p->lock);
    return status;
}
