/* Transfers in progress: waiting for them, and testing them.
 *
 * All ranks hold the same list of requests, as they are made and completed collectively; what
 * differs is how far each rank's thread has come.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/requests.h"

#include <ga.h>
#include <limits.h>
#include <stdlib.h>

#include "pexta/disk.h"
#include "pexta/ga.h"
#include "pexta/worker.h"

/* ---- the list ---- */

xta__request *xta__request_new(const xta__move *move)
{
    xta__request *request = xta__calloc(1, sizeof *request);

    if (request != NULL) {
        request->move = *move;
    }
    return request;
}

void xta__request_enlist(xta__request *request)
{
    xta__request **at = &xta__pexta.requests;

    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = request;
    request->id = xta__pexta.next_request;
    xta__pexta.next_request = request->id < INT_MAX ? request->id + 1 : 0;
}

static void free_jobs(xta__request *request)
{
    while (request->jobs != NULL) {
        xta__job *job = request->jobs;
        request->jobs = job->next_of_request;
        xta__await(job);
        if (job->cells != NULL) {
            xta__job_memory_free(job->cells, job->bytes);
        }
        free(job);
    }
}

void xta__request_drop(xta__request *request)
{
    xta__request **at = &xta__pexta.requests;

    while (*at != NULL && *at != request) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        *at = request->next;
    }
    free_jobs(request);
    free(request);
}

static xta__request *request_find(int id)
{
    xta__request *request = xta__pexta.requests;

    while (request != NULL && request->id != id) {
        request = request->next;
    }
    return request;
}

/* ---- completing ---- */

/* This rank's part of the file work: done, and visible to the other ranks. */
static xta_status finish_jobs(xta__request *request, xta_error *err)
{
    xta_status status = XTA_OK;

    for (const xta__job *job = request->jobs; job != NULL; job = job->next_of_request) {
        xta__await(job);
        if (job->result.status != XTA_OK) {
            status =
                xta__fail(err, job->result.status, job->result.os_errno, "%s", job->result.text);
        }
    }
    if (request->move.write && !request->move.grows && status == XTA_OK) {
        status = xta__exchange(request->move.disk, true, err);
    }
    return status;
}

/* The cells that a move depends on: with a cache, which holds whole chunks, all of its chunks. */
static xta_box touched(const xta__move *move)
{
    const xta__disk *disk = move->disk;
    xta_box box = move->box;

    for (int axis = 0; axis < box.ndim && xta__is_cached(disk); axis++) {
        int64_t c = disk->chunk[axis];
        box.lo[axis] = xta__floor_div(box.lo[axis], c) * c;
        box.hi[axis] = -xta__floor_div(-box.hi[axis], c) * c;
    }
    return box;
}

/* Whether moves through two handles wait for each other: two of one array do if a cache would keep
 * what one of them reads while the other writes. */
static bool depends(const xta__disk *a, const xta__disk *b)
{
    return a == b || (xta__same_array(a, b) && xta__is_cached(a));
}

bool xta__settle(const xta__move *move)
{
    const xta_box cells = touched(move);
    bool any = false;

    for (xta__request *r = xta__pexta.requests; r != NULL; r = r->next) {
        const xta_box theirs = touched(&r->move);
        const xta_box common = xta_box_intersect(&theirs, &cells);
        if (r->complete || r->move.grows || !depends(r->move.disk, move->disk) ||
            !(r->move.write || move->write) || xta_box_empty(&common)) {
            continue;
        }
        // Its own status is reported when it is completed.
        (void)finish_jobs(r, NULL);
        any = true;
    }
    if (any) {
        GA_Sync();
    }
    return any;
}

/* A growth: rank 0 has done the step, and all adopt its bounds. */
static xta_status complete_growth(xta__request *request, xta_status status)
{
    xta_error *err = &request->result;

    free_jobs(request);
    err->status = xta__share_bounds(request->move.disk, status, err);
    request->complete = true;
    return err->status;
}

/* Complete a request. Collective within a call; the status is agreed on and kept in the request. */
static xta_status complete_request(xta__request *request)
{
    xta_error *err = &request->result;
    xta_status status = finish_jobs(request, err);

    if (request->move.grows) {
        return complete_growth(request, status);
    }
    if (status == XTA_OK && !request->move.write && !GA_Valid_handle(request->move.g_a)) {
        status = xta__fail(err, XTA_EARG, 0,
                           "request %d: global array %d was destroyed before the read into it was "
                           "complete",
                           request->id, request->move.g_a);
    }
    for (xta__job *job = request->jobs; job != NULL && status == XTA_OK && !request->move.write;
         job = job->next_of_request) {
        xta__put_job(&request->move, job);
    }
    free_jobs(request);
    GA_Sync();
    err->status = xta_agree(xta__pexta.comm, status, err);
    request->complete = true;
    return err->status;
}

void xta__complete_growths(const xta__disk *disk)
{
    for (xta__request *r = xta__pexta.requests; r != NULL; r = r->next) {
        if (r->move.disk == disk && r->move.grows && !r->complete) {
            (void)complete_request(r);
        }
    }
}

xta_status xta__complete_all(const xta__disk *disk, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__request *next = NULL;

    for (xta__request *r = xta__pexta.requests; r != NULL; r = next) {
        next = r->next;
        if (disk != NULL && r->move.disk != disk) {
            continue;
        }
        if (!r->complete) {
            (void)complete_request(r);
        }
        if (r->result.status != XTA_OK && status == XTA_OK) {
            status = xta__fail(err, r->result.status, r->result.os_errno, "%s", r->result.text);
        }
        xta__request_drop(r);
    }
    return status;
}

/* ---- calls ---- */

/* Enter a call about a request. NULL, and an agreed status, if it is complete and gone. */
static xta__request *enter_with(const char *call, int id, xta_status *status)
{
    xta__arguments arguments = {0};
    xta__request *request = NULL;

    xta__arguments_add(&arguments, "request", id);
    *status = xta__enter(call, &arguments);
    if (*status != XTA_OK) {
        return NULL;
    }
    request = request_find(id);
    if (request == NULL && id != PEXTA_REQ_INVALID && (id < 0 || id >= xta__pexta.next_request)) {
        *status =
            xta__fail(&xta__pexta.last, XTA_EARG, 0, "%s: there was never a request %d", call, id);
    }
    return request;
}

/* Return a complete request's status, and free it. */
static int give_result(xta__request *request)
{
    xta_status status = request->result.status;

    if (status != XTA_OK) {
        xta__pexta.last = request->result;
    }
    xta__request_drop(request);
    return (int)status;
}

int PEXTA_Wait(int request)
{
    xta_status status = XTA_OK;
    xta__request *r = enter_with("PEXTA_Wait", request, &status);

    if (r == NULL) {
        return (int)status;
    }
    if (!r->complete) {
        (void)complete_request(r);
    }
    return give_result(r);
}

/* Whether all ranks' data are there. Collective. */
static bool all_done(const xta__request *request)
{
    int done = 1;

    for (const xta__job *job = request->jobs; job != NULL && done; job = job->next_of_request) {
        done = xta__job_is_done(job);
    }
    MPI_Allreduce(MPI_IN_PLACE, &done, 1, MPI_INT, MPI_MIN, xta__pexta.comm);
    return done != 0;
}

int PEXTA_Probe(int request, int *complete)
{
    xta_status status = XTA_OK;
    xta__request *r = enter_with("PEXTA_Probe", request, &status);

    if (complete != NULL) {
        *complete = 1;
    }
    if (r == NULL) {
        return (int)status;
    }
    if (!r->complete && !all_done(r)) {
        if (complete != NULL) {
            *complete = 0;
        }
        return XTA_OK;
    }
    if (!r->complete) {
        (void)complete_request(r);
    }
    return give_result(r);
}

int PEXTA_Flick(void)
{
    xta_status status = xta__enter("PEXTA_Flick", NULL);

    for (xta__request *r = xta__pexta.requests; r != NULL && status == XTA_OK; r = r->next) {
        if (!r->complete && all_done(r)) {
            (void)complete_request(r);
        }
    }
    return (int)status;
}
