/* Growth: one structural step by rank 0, whose bounds all ranks then adopt; at once, or begun and
 * completed as a request ([CXA] 8.4).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/pexta.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pexta/cache/chunk_cache.h"
#include "pexta/disk.h"
#include "pexta/requests.h"
#include "pexta/session.h"
#include "pexta/worker.h"

/* Rank 0: the step. */
static xta_status extend_files(xta__disk *disk, xta_side side, const int64_t edims[],
                               xta_error *err)
{
    xta_growth growths[PEXTA_MAX_NDIM];
    int n = 0;

    for (int axis = 0; axis < disk->ndim; axis++) {
        if (edims[axis] != 0) {
            growths[n++] = (xta_growth){axis, side, edims[axis]};
        }
    }
    return n > 0 ? xta_array_extend(disk->array, growths, n, NULL, err) : XTA_OK;
}

static void give_lengths(const xta__disk *disk, int n, int64_t odims[])
{
    for (int axis = 0; axis < n && odims != NULL; axis++) {
        odims[axis] = disk->bounds.hi[axis] - disk->bounds.lo[axis];
    }
}

static xta_status refuse_mode(const char *call, const xta__disk *disk, xta_error *err)
{
    return xta__fail(err, XTA_EACCESS, 0, "%s: %s is opened PEXTA_R; open it PEXTA_RW", call,
                     disk->path);
}

static xta_status check_growth(const char *call, const xta__disk *disk, const int64_t edims[],
                               xta_error *err)
{
    if (disk->mode == PEXTA_R) {
        return refuse_mode(call, disk, err);
    }
    for (int axis = 0; axis < disk->ndim; axis++) {
        if (edims[axis] < 0) {
            return xta__fail(err, XTA_EARG, 0,
                             "%s: axis %d: %" PRId64 " cells to add; give 0 or more", call, axis,
                             edims[axis]);
        }
    }
    return XTA_OK;
}

/* `edims` has a value for each axis of the array, followed by zeros. */
static int extend_array(const char *call, int p_a, const int64_t edims[], xta_side side,
                        xta_status so_far, int64_t odims[], int *request)
{
    xta__arguments arguments = {0};
    xta_error *err = &xta__pexta.last;
    xta_status status = XTA_OK;

    if (request != NULL) {
        *request = PEXTA_REQ_INVALID;
    }
    xta__arguments_add(&arguments, "p_a", p_a);
    xta__arguments_add(&arguments, "side", (int64_t)side);
    xta__arguments_add_all(&arguments, "edims", PEXTA_MAX_NDIM, edims);
    xta__arguments_add(&arguments, "axis", (int64_t)so_far);
    status = xta__enter(call, &arguments);
    if (status != XTA_OK) {
        return (int)status;
    }
    xta__disk *disk = xta__disk_of(p_a, err);
    if (disk == NULL) {
        return (int)XTA_EARG;
    }
    if (so_far != XTA_OK) {
        status = xta__fail(err, so_far, 0, "%s: no such axis, or no lengths; %s has %d axes", call,
                           disk->path, disk->ndim);
    } else {
        status = check_growth(call, disk, edims, err);
    }
    if (status != XTA_OK) {
        return (int)status;
    }
    xta__complete_growths(disk);
    // If another program has added an axis, `odims` has space only for the axes known before.
    const int ndim = disk->ndim;
    if (xta__pexta.rank == 0) {
        status = extend_files(disk, side, edims, err);
    }
    status = xta__share_bounds(disk, status, err);
    if (status == XTA_OK) {
        give_lengths(disk, ndim, odims);
        xta__clear(err);
    }
    return (int)status;
}

/* The lengths given for each axis, followed by zeros. */
static xta_status pad_lengths(int p_a, const int64_t edims[], int64_t padded[])
{
    const xta__disk *disk = xta__disk_of(p_a, NULL);

    memset(padded, 0, PEXTA_MAX_NDIM * sizeof padded[0]);
    if (disk != NULL && edims != NULL) {
        memcpy(padded, edims, (size_t)disk->ndim * sizeof padded[0]);
    }
    return edims != NULL ? XTA_OK : XTA_EARG;
}

int PEXTA_Extend64(int p_a, const int64_t edims[], int64_t odims[], int *request)
{
    int64_t padded[PEXTA_MAX_NDIM];
    xta_status so_far = pad_lengths(p_a, edims, padded);

    return extend_array("PEXTA_Extend64", p_a, padded, XTA_BACK, so_far, odims, request);
}

/* ---- as a request ---- */

/* The growths in the order that `odims` gives; all axes in turn if it is NULL. What is 2^63 or more
 * was a negative number: no extension. */
static xta_status order_growths(const xta__disk *disk, const size_t edims[], const size_t odims[],
                                xta__job *job, xta_error *err)
{
    bool seen[XTA_MAX_NDIM] = {false};

    if (edims == NULL) {
        return xta__fail(err, XTA_EARG, 0, "PEXTA_Extend: edims is NULL; give %d lengths",
                         disk->ndim);
    }
    for (int k = 0; k < disk->ndim; k++) {
        size_t axis = odims != NULL ? odims[k] : (size_t)k;
        if (axis > (size_t)INT64_MAX) {
            continue;
        }
        if (axis >= (size_t)disk->ndim || seen[axis]) {
            return xta__fail(err, XTA_EARG, 0,
                             "PEXTA_Extend: odims[%d] is axis %zu, which %s; give each axis of the "
                             "%d once, or a negative number",
                             k, axis, axis < (size_t)disk->ndim ? "came before" : "does not exist",
                             disk->ndim);
        }
        seen[axis] = true;
        if (edims[axis] > (size_t)INT64_MAX) {
            return xta__fail(err, XTA_EARG, 0,
                             "PEXTA_Extend: axis %zu: %" PRId64 " cells to add; give 0 or more",
                             axis, (int64_t)edims[axis]);
        }
        if (edims[axis] > 0) {
            job->growths[job->n_growths++] =
                (xta_growth){(int)axis, XTA_BACK, (int64_t)edims[axis]};
        }
    }
    return XTA_OK;
}

/* Enter the call: all ranks give the same lengths and order. */
static xta__disk *enter_extend(int p_a, const size_t edims[], const size_t odims[], bool waits,
                               xta_status *status)
{
    const xta__disk *known = xta__disk_of(p_a, NULL);
    xta__arguments arguments = {0};
    int64_t values[2][PEXTA_MAX_NDIM] = {{0}};
    xta__disk *disk = NULL;
    int ndim = known != NULL ? known->ndim : 0;

    for (int axis = 0; axis < ndim; axis++) {
        values[0][axis] = edims != NULL ? (int64_t)edims[axis] : 0;
        values[1][axis] = odims != NULL ? (int64_t)odims[axis] : 0;
    }
    xta__arguments_add(&arguments, "p_a", p_a);
    xta__arguments_add(&arguments, "request", waits);
    xta__arguments_add_all(&arguments, "edims", ndim, edims != NULL ? values[0] : NULL);
    xta__arguments_add_all(&arguments, "odims", ndim, odims != NULL ? values[1] : NULL);
    *status = xta__enter("PEXTA_Extend", &arguments);
    if (*status == XTA_OK) {
        disk = xta__disk_of(p_a, &xta__pexta.last);
        *status = disk != NULL ? XTA_OK : XTA_EARG;
    }
    return disk;
}

/* The request of a growth; on rank 0 with its job, which the thread begins at once. */
static xta_status begin_growth(xta__disk *disk, const xta__job *job, xta__request **out,
                               xta_error *err)
{
    const xta__move move = {.disk = disk, .grows = true, .write = true};
    xta__request *request = xta__request_new(&move);
    xta__job *own = NULL;
    xta_status status = XTA_OK;

    if (request != NULL && xta__pexta.rank == 0 && job->n_growths > 0) {
        own = xta__calloc(1, sizeof *own);
    }
    if (request == NULL || (own == NULL && xta__pexta.rank == 0 && job->n_growths > 0)) {
        status = xta__fail(err, XTA_ENOMEM, 0, "no memory for a request");
    }
    status = xta_agree(xta__pexta.comm, status, err);
    if (status != XTA_OK) {
        free(own);
        free(request);
        return status;
    }
    if (own != NULL) {
        *own = *job;
        own->array = disk->array;
        request->jobs = own;
        xta__submit(own);
    }
    xta__request_enlist(request);
    *out = request;
    return XTA_OK;
}

int(PEXTA_Extend)(int p_a, size_t edims[], size_t odims[], int *request)
{
    xta_error *err = &xta__pexta.last;
    xta_status status = XTA_OK;
    xta__request *r = NULL;
    xta__job job = {0};

    if (request != NULL) {
        *request = PEXTA_REQ_INVALID;
    }
    xta__disk *disk = enter_extend(p_a, edims, odims, request == NULL, &status);
    if (disk == NULL) {
        return (int)status;
    }
    // What is refused is refused on all ranks, as they all see the same.
    if (disk->mode == PEXTA_R) {
        return (int)refuse_mode("PEXTA_Extend", disk, err);
    }
    status = order_growths(disk, edims, odims, &job, err);
    if (status == XTA_OK) {
        status = begin_growth(disk, &job, &r, err);
    }
    if (status != XTA_OK) {
        return (int)status;
    }
    xta__clear(err);
    if (request == NULL) {
        return PEXTA_Wait(r->id);
    }
    *request = r->id;
    return XTA_OK;
}

/* ---- at once ---- */

int PEXTA_Extend_front(int p_a, const int64_t edims[], int64_t odims[], int *request)
{
    int64_t padded[PEXTA_MAX_NDIM];
    xta_status so_far = pad_lengths(p_a, edims, padded);

    return extend_array("PEXTA_Extend_front", p_a, padded, XTA_FRONT, so_far, odims, request);
}

int PEXTA_Extend_axis(int p_a, int axis, int front, int64_t cells, int64_t odims[], int *request)
{
    const xta__disk *disk = xta__disk_of(p_a, NULL);
    int64_t padded[PEXTA_MAX_NDIM] = {0};
    bool there = disk != NULL && axis >= 0 && axis < disk->ndim;

    if (there) {
        padded[axis] = cells;
    }
    return extend_array("PEXTA_Extend_axis", p_a, padded, front ? XTA_FRONT : XTA_BACK,
                        there ? XTA_OK : XTA_EARG, odims, request);
}

int PEXTA_Refresh(int p_a, int64_t odims[], int *changed)
{
    xta_error *err = &xta__pexta.last;
    xta_status status = XTA_OK;
    xta__disk *disk = xta__enter_with("PEXTA_Refresh", p_a, &status);

    if (changed != NULL) {
        *changed = 0;
    }
    if (disk == NULL) {
        return (int)status;
    }
    // A new axis changes the meaning of coordinates: no request may be in progress.
    xta__complete_growths(disk);
    const xta__move all = {.disk = disk, .write = true, .box = disk->bounds};
    xta__settle(&all);
    const xta_box before = disk->bounds;
    if (xta__pexta.rank == 0) {
        status = xta_array_refresh(disk->array, NULL, err);
    }
    status = xta__share_bounds(disk, status, err);
    if (status == XTA_OK) {
        if (disk->cache != NULL) {
            xta__cache_reset(disk->cache, disk->ndim, disk->chunk, disk->cell_bytes);
        }
        give_lengths(disk, disk->ndim, odims);
        if (changed != NULL) {
            *changed = !xta_box_equal(&before, &disk->bounds);
        }
        xta__clear(err);
    }
    return (int)status;
}
