/* Growth and what belongs to it: rank 0 does it with its keeper and tells the others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/parallel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30)

xta_status xta__broadcast(MPI_Comm comm, int rank, xta__bytes *payload, xta_error *err)
{
    uint64_t n = payload->n;
    xta_status status = XTA_OK;

    MPI_Bcast(&n, 1, MPI_UINT64_T, 0, comm);
    if (rank != 0) {
        payload->bytes = xta__calloc((size_t)n + 1, 1);
        payload->n = (size_t)n;
        if (payload->bytes == NULL) {
            status = xta__fail(err, XTA_ENOMEM, 0, "no memory for the structure of an array");
        }
    }
    status = xta_agree(comm, status, err);
    for (size_t at = 0; status == XTA_OK && at < n; at += MOST_BYTES) {
        size_t part = n - at < MOST_BYTES ? n - at : MOST_BYTES;
        MPI_Bcast(payload->bytes + at, (int)part, MPI_BYTE, 0, comm);
    }
    return status;
}

xta_status xta__tell(xta_parallel *p, xta_status status, xta_error *err)
{
    xta__bytes payload = {0};

    if (p->rank == 0 && status == XTA_OK) {
        status = xta__replica_encode(p->keeper, &payload, err);
    }
    status = xta_agree(p->comm, status, err);
    if (status == XTA_OK) {
        status = xta__broadcast(p->comm, p->rank, &payload, err);
    }
    if (status == XTA_OK) {
        status = xta_agree(p->comm, xta__replica_update(p->array, &payload, err), err);
        // Where not all could take it over, the ranks see different structures now.
        p->broken = status != XTA_OK;
    }
    if (status == XTA_OK && p->rank == 0) {
        p->told_end = p->keeper->journal.end;
    }
    xta__bytes_clear(&payload);
    return status;
}

/* The keeper of this rank, opened when it is first needed. */
static xta_status want_keeper(xta_parallel *p, xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = p->writable;
    return p->keeper != NULL ? XTA_OK : xta__array_open_again(p->array, &options, &p->keeper, err);
}

static xta_status writable(const xta_parallel *p, const char *what, xta_error *err)
{
    return p->writable
               ? XTA_OK
               : xta__fail(err, XTA_EACCESS, 0, "%s: cannot %s: opened read-only; open it writable",
                           p->array->path, what);
}

/* What all ranks must have the same. */
static void argue_growths(xta__meeting *meeting, const xta_growth *growths, int n)
{
    xta__argue(meeting, "the number of growths", n);
    for (int k = 0; k < n && k < 2 * XTA_MAX_NDIM; k++) {
        xta__argue(meeting, "the axis of a growth", growths[k].axis);
        xta__argue(meeting, "the side of a growth", (int64_t)growths[k].side);
        xta__argue(meeting, "the cells of a growth", growths[k].by);
    }
}

/* The bounds after rank 0's step; the replicas may show later ones of other processes. */
static void share_bounds(const xta_parallel *p, xta_box *bounds, xta_box *after)
{
    MPI_Bcast(bounds, (int)sizeof *bounds, MPI_BYTE, 0, p->comm);
    if (after != NULL) {
        *after = *bounds;
    }
}

static xta_status change_bounds(xta_parallel *p, xta__call call, const xta_growth *growths, int n,
                                xta_box *after, xta_error *err)
{
    xta__meeting meeting = {.call = call};
    xta_box bounds = {.ndim = 0};
    bool grows = call == XTA__CALL_EXTEND;

    xta__clear(err);
    argue_growths(&meeting, growths, n);
    meeting.mine = writable(p, grows ? "extend" : "shrink", err);
    xta_status status = xta__meet(p, &meeting, err);
    if (status != XTA_OK) {
        return status;
    }
    if (p->rank == 0) {
        status = grows ? xta_array_extend(p->keeper, growths, n, &bounds, err)
                       : xta_array_shrink(p->keeper, growths, n, &bounds, err);
        // Cells that a shrink has reset may still lie in the keeper's cache.
        status = status == XTA_OK ? xta_array_refresh(p->keeper, NULL, err) : status;
    }
    status = xta__tell(p, status, err);
    if (status == XTA_OK) {
        share_bounds(p, &bounds, after);
    }
    return status;
}

xta_status xta_parallel_extend(xta_parallel *p, const xta_growth *growths, int n_growths,
                               xta_box *after, xta_error *err)
{
    return change_bounds(p, XTA__CALL_EXTEND, growths, n_growths, after, err);
}

xta_status xta_parallel_shrink(xta_parallel *p, const xta_growth *shrinks, int n_shrinks,
                               xta_box *after, xta_error *err)
{
    return change_bounds(p, XTA__CALL_SHRINK, shrinks, n_shrinks, after, err);
}

xta_status xta_parallel_extend_alone(xta_parallel *p, const xta_growth *growths, int n_growths,
                                     xta_box *after, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    XTA_TRY(writable(p, "extend", err));
    pthread_mutex_lock(&p->lock);
    status = want_keeper(p, err);
    pthread_mutex_unlock(&p->lock);
    XTA_TRY(status);
    // It may have been opened before the array got an axis.
    XTA_TRY(xta_array_refresh(p->keeper, NULL, err));
    XTA_TRY(xta_array_extend(p->keeper, growths, n_growths, after, err));

done:
    return status;
}

xta_status xta_parallel_add_axis(xta_parallel *p, int position, const char *name, xta_error *err)
{
    xta__meeting meeting = {.call = XTA__CALL_ADD_AXIS};
    int64_t letters = 0;

    xta__clear(err);
    for (const char *c = name != NULL ? name : ""; *c != '\0'; c++) {
        letters = (int64_t)((uint64_t)letters * 257 + (unsigned char)*c);
    }
    xta__argue(&meeting, "the position of the axis", position);
    xta__argue(&meeting, "the name of the axis", letters);
    meeting.mine = writable(p, "add an axis", err);
    xta_status status = xta__meet(p, &meeting, err);
    if (status != XTA_OK) {
        return status;
    }
    if (p->rank == 0) {
        status = xta_array_add_axis(p->keeper, position, name, err);
    }
    return xta__tell(p, status, err);
}

xta_status xta_parallel_refresh(xta_parallel *p, bool *changed, xta_error *err)
{
    xta__meeting meeting = {.call = XTA__CALL_REFRESH};
    bool news = false;
    int any = 0;

    xta__clear(err);
    xta_status status = xta__meet(p, &meeting, err);
    if (status != XTA_OK) {
        return status;
    }
    if (p->rank == 0) {
        status = xta_array_refresh(p->keeper, &news, err);
        // The keeper may have learned it before, when this rank grew the array alone.
        any = news || p->keeper->journal.end != p->told_end ||
              xta__structure_of(p->keeper)->n_steps != xta__structure_of(p->array)->n_steps;
    }
    status = xta_agree(p->comm, status, err);
    MPI_Bcast(&any, 1, MPI_INT, 0, p->comm);
    if (status == XTA_OK && any) {
        status = xta__tell(p, XTA_OK, err);
    }
    if (changed != NULL) {
        *changed = any != 0;
    }
    return status;
}
