/* The ranks of a communicator as an xta_communicator (xta/communicator.h): products that know
 * nothing of MPI gather and agree through it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/parallel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/communicator.h>

/* Counts of MPI are ints. */
#define MOST_BYTES ((size_t)1 << 30)

typedef struct mpi_communicator {
    xta_communicator base; // first member, so that a pointer to one is a pointer to the other
    MPI_Comm comm;
} mpi_communicator;

static xta_status mpi_failed(int code, const char *what, xta_error *err)
{
    char words[MPI_MAX_ERROR_STRING] = "";
    int n = 0;

    if (code == MPI_SUCCESS) {
        return XTA_OK;
    }
    MPI_Error_string(code, words, &n);
    return xta_error_set(err, XTA_EIO, 0, "a communicator of ranks cannot %s: MPI says: %s", what,
                         words);
}

/* Every rank broadcasts its own bytes in turn, in pieces whose count is an int. */
static int gather_much(const mpi_communicator *t, const void *mine, size_t bytes, char *all)
{
    int code = MPI_SUCCESS;

    memcpy(all + (size_t)t->base.rank * bytes, mine, bytes);
    for (int r = 0; r < t->base.size && code == MPI_SUCCESS; r++) {
        for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += MOST_BYTES) {
            size_t n = bytes - at < MOST_BYTES ? bytes - at : MOST_BYTES;
            code = MPI_Bcast(all + (size_t)r * bytes + at, (int)n, MPI_BYTE, r, t->comm);
        }
    }
    return code;
}

static xta_status communicator_gather(void *context, const void *mine, size_t bytes, void *all,
                                      xta_error *err)
{
    const mpi_communicator *t = context;
    int code = MPI_SUCCESS;

    if (bytes > MOST_BYTES) {
        code = gather_much(t, mine, bytes, all);
    } else if (bytes > 0) {
        code = MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, t->comm);
    }
    return mpi_failed(code, "gather", err);
}

static xta_status communicator_agree(void *context, xta_status mine, xta_error *err)
{
    const mpi_communicator *t = context;
    // Greatest for the lowest rank in error.
    int mark = mine == XTA_OK ? 0 : t->base.size - t->base.rank;
    xta_error failure = {.status = mine};

    int code = MPI_Allreduce(MPI_IN_PLACE, &mark, 1, MPI_INT, MPI_MAX, t->comm);
    if (code != MPI_SUCCESS || mark == 0) {
        return code == MPI_SUCCESS ? XTA_OK : mpi_failed(code, "agree", err);
    }
    int from = t->base.size - mark;
    if (t->base.rank == from && err != NULL && err->status == mine) {
        failure = *err;
    } else if (t->base.rank == from) {
        snprintf(failure.text, sizeof failure.text, "rank %d failed: %s", from,
                 xta_status_name(mine));
    }
    code = MPI_Bcast(&failure, (int)sizeof failure, MPI_BYTE, from, t->comm);
    if (code != MPI_SUCCESS) {
        return mpi_failed(code, "agree", err);
    }
    failure.text[sizeof failure.text - 1] = '\0';
    return xta_error_set(err, failure.status, failure.os_errno, "%s", failure.text);
}

xta_status xta_communicator_mpi(MPI_Comm comm, xta_communicator **communicator, xta_error *err)
{
    mpi_communicator *t;
    int there, n_ranks = 1;

    *communicator = NULL;
    MPI_Comm_size(comm, &n_ranks);
    if (n_ranks == 1 && xta_launcher_check(err) != XTA_OK) {
        return XTA_ESTATE;
    }
    t = malloc(sizeof *t);
    there = t != NULL;
    // Nobody duplicates the communicator unless all do.
    int code = MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_INT, MPI_MIN, comm);
    if (code == MPI_SUCCESS && !there) {
        free(t);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a communicator of ranks");
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Comm_dup(comm, &t->comm);
    }
    if (code != MPI_SUCCESS) {
        free(t);
        return mpi_failed(code, "form", err);
    }
    t->base = (xta_communicator){.struct_size = sizeof t->base,
                                 .context = t,
                                 .gather = communicator_gather,
                                 .agree = communicator_agree};
    MPI_Comm_rank(t->comm, &t->base.rank);
    MPI_Comm_size(t->comm, &t->base.size);
    *communicator = &t->base;
    return XTA_OK;
}

void xta_communicator_mpi_free(xta_communicator *communicator)
{
    mpi_communicator *t = (mpi_communicator *)communicator;

    if (t != NULL) {
        MPI_Comm_free(&t->comm);
        free(t);
    }
}
