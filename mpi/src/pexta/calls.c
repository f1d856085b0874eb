/* The public calls that move cells: whole arrays, sections, or the part that fits; blocking or
 * begun.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/calls.h"

#include <inttypes.h>

#include "pexta/ga.h"
#include "pexta/requests.h"
#include "pexta/transfer.h"

/* ---- one transfer ---- */

xta__disk *xta__enter_transfer(const char *call, int g_a, int p_a, const xta__arguments *more,
                               xta_status *status)
{
    xta__arguments arguments = *more;
    xta__disk *disk = NULL;

    xta__arguments_add(&arguments, "g_a", g_a);
    xta__arguments_add(&arguments, "p_a", p_a);
    *status = xta__enter(call, &arguments);
    if (*status == XTA_OK) {
        disk = xta__disk_of(p_a, &xta__pexta.last);
        *status = disk != NULL ? XTA_OK : XTA_EARG;
    }
    return disk;
}

int xta__move_now(const xta__move *move)
{
    xta_error *err = &xta__pexta.last;
    xta_status status = xta__check_move(move, err);

    // All ranks see the same arguments, so a refusal is the same on all of them.
    if (status != XTA_OK) {
        return (int)status;
    }
    return xta__leave(xta__run_move(move, NULL, err));
}

/* Begin a transfer. */
static int begin_to_move(const xta__move *move, int *request)
{
    xta_error *err = &xta__pexta.last;
    xta_status status = xta__check_move(move, err);

    if (status != XTA_OK) {
        return (int)status;
    }
    xta__request *r = xta__request_new(move);
    status = r != NULL ? XTA_OK : xta__fail(err, XTA_ENOMEM, 0, "no memory for a request");
    xta_status moved = xta__run_move(move, r, status == XTA_OK ? err : NULL);
    int code = xta__leave(status != XTA_OK ? status : moved);
    if (code == XTA_OK) {
        xta__request_enlist(r);
        *request = r->id;
    } else if (r != NULL) {
        xta__request_drop(r);
    }
    return code;
}

static int move_cells(const xta__move *move, bool begin, int *request)
{
    return begin ? begin_to_move(move, request) : xta__move_now(move);
}

/* A call that begins a transfer must have a place for its request. */
static xta_status check_request(const char *call, bool begin, int *request)
{
    if (!begin) {
        return XTA_OK;
    }
    if (request == NULL) {
        return xta__fail(&xta__pexta.last, XTA_EARG, 0,
                         "%s: request is NULL; it takes the request to wait for", call);
    }
    *request = PEXTA_REQ_INVALID;
    return XTA_OK;
}

/* ---- whole arrays ---- */

static xta_status check_lengths(const xta__disk *disk, int g_a, xta_error *err)
{
    xta__ga ga;
    xta_status status = xta__ga_inquire(g_a, &ga, err);

    for (int axis = 0; axis < disk->ndim && status == XTA_OK && ga.ndim == disk->ndim; axis++) {
        int64_t length = disk->bounds.hi[axis] - disk->bounds.lo[axis];
        if (ga.dims[axis] != length) {
            status = xta__fail(err, XTA_EBOX, 0,
                               "%s: axis %d: it has %" PRId64 " cells, global array %d has %" PRId64
                               "; move a section, or read with PEXTA_Read_fitting or "
                               "PEXTA_Read_grown",
                               disk->path, axis, length, g_a, ga.dims[axis]);
        }
    }
    return status;
}

static int move_whole(const char *call, bool write, int g_a, int p_a, bool begin, int *request)
{
    xta__arguments none = {0};
    xta_status status = XTA_OK;

    xta__arguments_add(&none, "request", begin + 2 * (request == NULL));
    xta__disk *disk = xta__enter_transfer(call, g_a, p_a, &none, &status);
    if (disk == NULL) {
        return (int)status;
    }
    const xta__move move = {.disk = disk, .g_a = g_a, .write = write, .box = disk->bounds};
    status = check_request(call, begin, request);
    if (status == XTA_OK) {
        status = check_lengths(disk, g_a, &xta__pexta.last);
    }
    return status == XTA_OK ? move_cells(&move, begin, request) : (int)status;
}

int PEXTA_Write(int g_a, int p_a, int *request)
{
    return move_whole("PEXTA_Write", true, g_a, p_a, request != NULL, request);
}

int PEXTA_Read(int g_a, int p_a)
{
    return move_whole("PEXTA_Read", false, g_a, p_a, false, NULL);
}

int PEXTA_IWrite(int g_a, int p_a, int *request)
{
    return move_whole("PEXTA_IWrite", true, g_a, p_a, true, request);
}

int PEXTA_IRead(int g_a, int p_a, int *request)
{
    return move_whole("PEXTA_IRead", false, g_a, p_a, true, request);
}

/* ---- sections ---- */

/* The arguments of a section call, which are many. */
typedef struct section {
    bool transposed;
    const int64_t *glo, *ghi, *plo, *phi;
} section;

/* Whether sums and differences of the coordinates cannot overflow; larger ones lie outside any
 * array. */
static bool near(int64_t coord)
{
    return coord > -XTA__COORD_LIMIT / 2 && coord < XTA__COORD_LIMIT / 2;
}

static xta_status set_section(xta__move *move, const section *s, xta_error *err)
{
    const xta__disk *disk = move->disk;
    int ndim = disk->ndim;

    move->transposed = s->transposed;
    move->box.ndim = ndim;
    if (s->glo == NULL || s->ghi == NULL || s->plo == NULL || s->phi == NULL) {
        return xta__fail(err, XTA_EARG, 0, "%s: a limit of the sections is NULL", disk->path);
    }
    for (int axis = 0; axis < ndim; axis++) {
        int g_axis = s->transposed ? ndim - 1 - axis : axis;
        if (!near(s->plo[axis]) || !near(s->phi[axis]) || !near(s->glo[g_axis]) ||
            !near(s->ghi[g_axis]) || s->phi[axis] < s->plo[axis]) {
            return xta__fail(err, XTA_EBOX, 0, "%s: axis %d: cells %" PRId64 " to %" PRId64,
                             disk->path, axis, s->plo[axis], s->phi[axis]);
        }
        if (s->phi[axis] - s->plo[axis] != s->ghi[g_axis] - s->glo[g_axis]) {
            return xta__fail(err, XTA_EBOX, 0,
                             "%s: cells %" PRId64 " to %" PRId64 " of axis %d against %" PRId64
                             " to %" PRId64 " of axis %d of global array %d; sections must have "
                             "the same lengths",
                             disk->path, s->plo[axis], s->phi[axis], axis, s->glo[g_axis],
                             s->ghi[g_axis], g_axis, move->g_a);
        }
        move->box.lo[axis] = disk->bounds.lo[axis] + s->plo[axis];
        move->box.hi[axis] = disk->bounds.lo[axis] + s->phi[axis] + 1;
        move->g_lo[g_axis] = s->glo[g_axis];
    }
    return XTA_OK;
}

static int move_section(const char *call, bool write, int g_a, int p_a, const section *s,
                        bool begin, int *request)
{
    const xta__disk *known = xta__disk_of(p_a, NULL);
    xta__arguments arguments = {0};
    xta_status status = XTA_OK;
    int ndim = known != NULL ? known->ndim : 0;

    xta__arguments_add(&arguments, "request", begin && request == NULL);
    xta__arguments_add(&arguments, "transp", s->transposed);
    xta__arguments_add_all(&arguments, "glo", ndim, s->glo);
    xta__arguments_add_all(&arguments, "ghi", ndim, s->ghi);
    xta__arguments_add_all(&arguments, "plo", ndim, s->plo);
    xta__arguments_add_all(&arguments, "phi", ndim, s->phi);
    xta__disk *disk = xta__enter_transfer(call, g_a, p_a, &arguments, &status);
    if (disk == NULL) {
        return (int)status;
    }
    xta__move move = {.disk = disk, .g_a = g_a, .write = write};
    status = check_request(call, begin, request);
    if (status == XTA_OK) {
        status = set_section(&move, s, &xta__pexta.last);
    }
    return status == XTA_OK ? move_cells(&move, begin, request) : (int)status;
}

int PEXTA_Write_section64(int transp, int g_a, const int64_t glo[], const int64_t ghi[], int p_a,
                          const int64_t plo[], const int64_t phi[])
{
    const section s = {transp != 0, glo, ghi, plo, phi};

    return move_section("PEXTA_Write_section64", true, g_a, p_a, &s, false, NULL);
}

int PEXTA_Read_section64(int transp, int g_a, const int64_t glo[], const int64_t ghi[], int p_a,
                         const int64_t plo[], const int64_t phi[])
{
    const section s = {transp != 0, glo, ghi, plo, phi};

    return move_section("PEXTA_Read_section64", false, g_a, p_a, &s, false, NULL);
}

int PEXTA_IWrite_section(int transp, int g_a, const int64_t glo[], const int64_t ghi[], int p_a,
                         const int64_t plo[], const int64_t phi[], int *request)
{
    const section s = {transp != 0, glo, ghi, plo, phi};

    return move_section("PEXTA_IWrite_section", true, g_a, p_a, &s, true, request);
}

int PEXTA_IRead_section(int transp, int g_a, const int64_t glo[], const int64_t ghi[], int p_a,
                        const int64_t plo[], const int64_t phi[], int *request)
{
    const section s = {transp != 0, glo, ghi, plo, phi};

    return move_section("PEXTA_IRead_section", false, g_a, p_a, &s, true, request);
}
