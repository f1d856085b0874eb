/* One status for all ranks, and one call.
 *
 * A rank that disagrees must not leave the others waiting: so every collective call begins with one
 * reduction of the same shape, whatever the call, in which each rank brings its call, its
 * arguments, and whether its own checks succeeded. The greatest and the least value are equal
 * exactly if all ranks have the same one; the least is the complement of the greatest complement,
 * so one MPI_MAX finds both.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/agree/agree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/try.h"

static const char *const call_names[XTA__N_CALLS] = {
    [XTA__CALL_CREATE] = "xta_parallel_create",
    [XTA__CALL_OPEN] = "xta_parallel_open",
    [XTA__CALL_SYNC] = "xta_parallel_sync",
    [XTA__CALL_CLOSE] = "xta_parallel_close",
    [XTA__CALL_EXTEND] = "xta_parallel_extend",
    [XTA__CALL_SHRINK] = "xta_parallel_shrink",
    [XTA__CALL_ADD_AXIS] = "xta_parallel_add_axis",
    [XTA__CALL_REFRESH] = "xta_parallel_refresh",
    [XTA__CALL_READ_ALL] = "xta_parallel_read_all",
    [XTA__CALL_WRITE_ALL] = "xta_parallel_write_all",
    [XTA__CALL_READ_ALL_BEGIN] = "xta_parallel_read_all_begin",
    [XTA__CALL_WRITE_ALL_BEGIN] = "xta_parallel_write_all_begin",
    [XTA__CALL_ALL_END] = "xta_parallel_all_end"};

const char *xta__call_name(xta__call call)
{
    return call_names[call];
}

xta_status xta__mpi_failed(xta_error *err, const char *path, const char *what, int code)
{
    char words[MPI_MAX_ERROR_STRING] = "";
    int n = 0, class = 0;

    MPI_Error_class(code, &class);
    MPI_Error_string(code, words, &n);
    for (int k = 0; k < n; k++) {
        words[k] = words[k] == '\n' ? ' ' : words[k];
    }
    bool full = class == MPI_ERR_NO_SPACE || class == MPI_ERR_QUOTA;
    return xta__fail(err, full ? XTA_ENOSPC : XTA_EIO, 0, "%s: cannot %s: MPI says: %s%s", path,
                     what, words, full ? "; make room and try again" : "");
}

void xta__argue(xta__meeting *meeting, const char *name, int64_t value)
{
    if (meeting->n < XTA__MOST_ARGUMENTS) {
        meeting->arguments[meeting->n++] = (xta__argument){name, value};
    }
}

/* Give all ranks the status and text of rank `from`. */
static xta_status share_failure(MPI_Comm comm, int rank, int from, xta_status mine, xta_error *err)
{
    xta_error failure = {.status = mine};

    if (rank == from) {
        if (err != NULL && err->status == mine) {
            failure = *err;
        } else {
            snprintf(failure.text, sizeof failure.text, "rank %d failed: %s", from,
                     xta_status_name(mine));
        }
    }
    // The ranks of a job run the same program on the same kind of machine.
    MPI_Bcast(&failure, (int)sizeof failure, MPI_BYTE, from, comm);
    failure.text[sizeof failure.text - 1] = '\0';
    xta__clear(err);
    return xta__fail(err, failure.status, failure.os_errno, "%s", failure.text);
}

/* What a rank in error adds to a reduction by MPI_MAX: the greatest value for the lowest rank. */
static int64_t mark_of(xta_status status, int rank, int n_ranks)
{
    return status == XTA_OK ? 0 : n_ranks - rank;
}

xta_status xta_agree(MPI_Comm comm, xta_status status, xta_error *err)
{
    int rank = 0, n_ranks = 1;
    int64_t mark = 0;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n_ranks);
    mark = mark_of(status, rank, n_ranks);
    MPI_Allreduce(MPI_IN_PLACE, &mark, 1, MPI_INT64_T, MPI_MAX, comm);
    return mark == 0 ? XTA_OK : share_failure(comm, rank, n_ranks - (int)mark, status, err);
}

static int64_t hash_mix(int64_t hash, int64_t value)
{
    uint64_t h = ((uint64_t)hash ^ (uint64_t)value) * UINT64_C(0x9e3779b97f4a7c15);
    return (int64_t)(h ^ h >> 29);
}

static int64_t hash_mix_text(int64_t hash, const char *text)
{
    for (; *text != '\0'; text++) {
        hash = hash_mix(hash, (unsigned char)*text);
    }
    return hash;
}

void xta__argue_info(xta__meeting *meeting, MPI_Info info)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int n = 0, there = 0;
    uint64_t sum = 0;

    if (info != MPI_INFO_NULL) {
        MPI_Info_get_nkeys(info, &n);
    }
    // A sum, so that the order in which a rank set the keys does not matter.
    for (int k = 0; k < n; k++) {
        MPI_Info_get_nthkey(info, k, key);
        MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &there);
        sum += (uint64_t)hash_mix_text(hash_mix(hash_mix_text(1, key), 0), there ? value : "");
    }
    xta__argue(meeting, "option info (the number of its keys)", n);
    xta__argue(meeting, "option info (the checksum of its keys and values)", (int64_t)sum);
}

/* Find out which argument differs, once all ranks know that one does. They compare all arguments,
 * padded to one length, since even the number of arguments may differ. */
static xta_status name_difference(MPI_Comm comm, const char *call, int n,
                                  const xta__argument arguments[], xta_error *err)
{
    enum { MOST = XTA__MOST_ARGUMENTS + 1 };
    int64_t both[2 * MOST] = {0};

    both[0] = n;
    for (int k = 0; k < n && k < XTA__MOST_ARGUMENTS; k++) {
        both[1 + k] = arguments[k].value;
    }
    for (int k = 0; k < MOST; k++) {
        both[MOST + k] = ~both[k];
    }
    MPI_Allreduce(MPI_IN_PLACE, both, 2 * MOST, MPI_INT64_T, MPI_MAX, comm);
    xta__clear(err);
    for (int k = 1; k <= n; k++) {
        if (both[0] == ~both[MOST] && both[k] != ~both[MOST + k]) {
            return xta__fail(err, XTA_EARG, 0,
                             "%s: the ranks disagree on %s: least %" PRId64 ", greatest %" PRId64
                             "; give the same on all",
                             call, arguments[k - 1].name, ~both[MOST + k], both[k]);
        }
    }
    return xta__fail(err, XTA_EARG, 0,
                     "%s: the ranks disagree on the arguments; give the same on all", call);
}

/* One reduction: everybody's call, arguments and status. */
static xta_status meet_ranks(MPI_Comm comm, int64_t call, const char *name, xta_status mine, int n,
                             const xta__argument arguments[], xta_error *err)
{
    int rank = 0, n_ranks = 1;
    int64_t hash = n, all[5];

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n_ranks);
    for (int k = 0; k < n; k++) {
        hash = hash_mix(hash, arguments[k].value);
    }
    all[0] = call;
    all[1] = ~call;
    // A rank in error may hold any arguments.
    all[2] = hash;
    all[3] = ~hash;
    all[4] = mark_of(mine, rank, n_ranks);
    MPI_Allreduce(MPI_IN_PLACE, all, 5, MPI_INT64_T, MPI_MAX, comm);
    if (all[0] != ~all[1]) {
        xta__clear(err);
        return xta__fail(err, XTA_EARG, 0,
                         "%s: other ranks are in another call; make the same collective calls in "
                         "the same order on all ranks",
                         name);
    }
    if (all[4] != 0) {
        return share_failure(comm, rank, n_ranks - (int)all[4], mine, err);
    }
    return all[2] == ~all[3] ? XTA_OK : name_difference(comm, name, n, arguments, err);
}

xta_status xta__meet_on(MPI_Comm comm, const xta__meeting *meeting, xta_error *err)
{
    return meet_ranks(comm, meeting->call, call_names[meeting->call], meeting->mine, meeting->n,
                      meeting->arguments, err);
}

xta_status xta_agree_on(MPI_Comm comm, const char *call, int n, const char *const names[],
                        const int64_t values[], xta_error *err)
{
    xta__argument arguments[XTA__MOST_ARGUMENTS];
    int kept = n < XTA__MOST_ARGUMENTS ? n : XTA__MOST_ARGUMENTS;
    int64_t rest = 0;

    for (int k = 0; k < kept; k++) {
        arguments[k] = (xta__argument){names[k], values[k]};
    }
    for (int k = kept; k < n; k++) {
        rest = hash_mix(rest, values[k]);
    }
    if (n > kept) {
        arguments[kept - 1] =
            (xta__argument){"the later arguments", hash_mix(rest, values[kept - 1])};
    }
    xta__clear(err);
    return meet_ranks(comm, hash_mix_text(1, call), call, XTA_OK, kept, arguments, err);
}

bool xta__on_one_machine(MPI_Comm comm)
{
    MPI_Comm here;
    int n = 0, n_here = 0;

    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &n_here);
    MPI_Comm_size(comm, &n);
    MPI_Comm_free(&here);
    return n == n_here;
}
