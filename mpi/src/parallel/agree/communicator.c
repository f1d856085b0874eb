/* The ranks of a communicator as a team (xta/team.h): what is above, which knows no MPI, gathers
 * and agrees through it. The file stands alone, so that a program that links only the shared libxta
 * can have it as well.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/parallel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/team.h>

/* Counts of MPI are ints. */
#define MOST_BYTES ((size_t)1 << 30)

typedef struct mpi_team {
    xta_team team; // first, so that one pointer is both
    MPI_Comm comm;
} mpi_team;

static xta_status mpi_failed(int code, const char *what, xta_error *err)
{
    char words[MPI_MAX_ERROR_STRING] = "";
    int n = 0;

    if (code == MPI_SUCCESS) {
        return XTA_OK;
    }
    MPI_Error_string(code, words, &n);
    return xta_error_set(err, XTA_EIO, 0, "a team of ranks cannot %s: MPI says: %s", what, words);
}

/* Every rank sends its own in turn, in pieces that a count can tell. */
static int gather_much(const mpi_team *t, const void *mine, size_t bytes, char *all)
{
    int code = MPI_SUCCESS;

    memcpy(all + (size_t)t->team.rank * bytes, mine, bytes);
    for (int r = 0; r < t->team.size && code == MPI_SUCCESS; r++) {
        for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += MOST_BYTES) {
            size_t n = bytes - at < MOST_BYTES ? bytes - at : MOST_BYTES;
            code = MPI_Bcast(all + (size_t)r * bytes + at, (int)n, MPI_BYTE, r, t->comm);
        }
    }
    return code;
}

static xta_status gather(void *context, const void *mine, size_t bytes, void *all, xta_error *err)
{
    const mpi_team *t = context;
    int code = MPI_SUCCESS;

    if (bytes > MOST_BYTES) {
        code = gather_much(t, mine, bytes, all);
    } else if (bytes > 0) {
        code = MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, t->comm);
    }
    return mpi_failed(code, "gather", err);
}

static xta_status agree(void *context, xta_status mine, xta_error *err)
{
    const mpi_team *t = context;
    // Most for the lowest rank in error.
    int mark = mine == XTA_OK ? 0 : t->team.size - t->team.rank;
    xta_error told = {.status = mine};

    int code = MPI_Allreduce(MPI_IN_PLACE, &mark, 1, MPI_INT, MPI_MAX, t->comm);
    if (code != MPI_SUCCESS || mark == 0) {
        return code == MPI_SUCCESS ? XTA_OK : mpi_failed(code, "agree", err);
    }
    int from = t->team.size - mark;
    if (t->team.rank == from && err != NULL && err->status == mine) {
        told = *err;
    } else if (t->team.rank == from) {
        snprintf(told.text, sizeof told.text, "rank %d failed: %s", from, xta_status_name(mine));
    }
    code = MPI_Bcast(&told, (int)sizeof told, MPI_BYTE, from, t->comm);
    if (code != MPI_SUCCESS) {
        return mpi_failed(code, "agree", err);
    }
    told.text[sizeof told.text - 1] = '\0';
    return xta_error_set(err, told.status, told.os_errno, "%s", told.text);
}

xta_status xta_team_mpi(MPI_Comm comm, xta_team **team, xta_error *err)
{
    mpi_team *t;
    int there, n_ranks = 1;

    *team = NULL;
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
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a team of ranks");
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Comm_dup(comm, &t->comm);
    }
    if (code != MPI_SUCCESS) {
        free(t);
        return mpi_failed(code, "form", err);
    }
    t->team =
        (xta_team){.struct_size = sizeof t->team, .context = t, .gather = gather, .agree = agree};
    MPI_Comm_rank(t->comm, &t->team.rank);
    MPI_Comm_size(t->comm, &t->team.size);
    *team = &t->team;
    return XTA_OK;
}

void xta_team_mpi_free(xta_team *team)
{
    mpi_team *t = (mpi_team *)team;

    if (t != NULL) {
        MPI_Comm_free(&t->comm);
        free(t);
    }
}
