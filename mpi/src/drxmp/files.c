/* The files of an array by the calls of [DRX] IV.C: created, opened, closed.
 *
 * An array that was described gets files on the communicator of its description. Without a
 * description they are opened on that of the session.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/drxmp.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "drxmp/session.h"

/* What a rank can find wrong with a name, a mode, and a handle that all ranks have. */
static xta_status check_names(const char *call, const struct drxmp_array *array, const char *name,
                              const char *mode, bool *writable, xta_error *err)
{
    static const char *const modes[] = {"r", "rb", "r+", "rw", "rb+", "r+b"};
    size_t k = 0, n = sizeof modes / sizeof modes[0];

    if (array != NULL && array->parallel != NULL) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: the handle has the files of %s; call DRXMP_Close first, or "
                         "DRXMP_Init for another handle",
                         call, xta_array_path(xta_parallel_array(array->parallel)));
    }
    if (name == NULL || mode == NULL) {
        return xta__drx_missing(call, name == NULL ? "filename" : "mode", err);
    }
    while (k < n && strcmp(mode, modes[k]) != 0) {
        k++;
    }
    *writable = k >= 2;
    if (k < n) {
        return XTA_OK;
    }
    return xta__fail(
        err, XTA_EARG, 0,
        "%s: %s: the mode is '%s'; give \"r\" to read or \"r+\" to read and write (new "
        "files are made by DRXMP_Create)",
        call, name, mode);
}

int DRXMP_Create(DRXMDHdl drxhdl, char *filename)
{
    static const char call[] = "DRXMP_Create";
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_error err = {0};
    bool writable = true;
    struct drxmp_array *array = xta__drx_array(drxhdl);
    xta_status status = xta__drx_meet_any(call, array, &err);

    if (status == XTA_OK) {
        status = check_names(call, array, filename, "r+", &writable, &err);
        status = xta_agree(xta__drx_comm_of(array), status, &err);
    }
    if (status == XTA_OK && array->described.ndim == 0) {
        status = xta__fail(&err, XTA_EARG, 0,
                           "%s: %s: DRXMP_Init was given no axes (kdim 0); describe the array, or "
                           "call DRXMP_Open for one that exists",
                           call, filename);
    }
    if (status == XTA_OK) {
        const xta__drx_description *described = &array->described;
        create.chunk = described->chunk[0] == 0 ? NULL : described->chunk;
        create.cell_bytes = described->cell_bytes;
        status = xta_parallel_create(array->ranks.comm, filename, described->type, described->ndim,
                                     described->bounds, &create, xta__drx_options(),
                                     &array->parallel, &err);
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

/* Whether files have what was described; all ranks know the same of both. */
static xta_status fits(const xta__drx_description *described, xta_parallel *parallel,
                       const char *name, xta_error *err)
{
    xta_array *array = xta_parallel_array(parallel);
    xta_array_info info;
    xta_status status = described->ndim == 0 ? XTA_OK : xta_array_inquire(array, &info, err);

    if (described->ndim == 0 || status != XTA_OK) {
        return status;
    }
    if (info.ndim != described->ndim) {
        return xta__fail(err, XTA_EARG, 0,
                         "DRXMP_Open: %s: it has %d axes, DRXMP_Init was told %d; describe what "
                         "the file has, or nothing (kdim 0)",
                         name, info.ndim, described->ndim);
    }
    if (info.type != described->type ||
        (described->cell_bytes > 0 && info.cell_bytes != described->cell_bytes)) {
        return xta__fail(
            err, XTA_ETYPE, 0,
            "DRXMP_Open: %s: its cells are %s of %zu bytes, which is not the dtype "
            "that DRXMP_Init was told; describe what the file has, or nothing (kdim 0)",
            name, xta_type_name(info.type), info.cell_bytes);
    }
    for (int axis = 0; axis < info.ndim; axis++) {
        int64_t chunk = described->chunk[axis];
        if (chunk != 0 && chunk != info.chunk[axis]) {
            return xta__fail(err, XTA_EARG, 0,
                             "DRXMP_Open: %s: axis %d: its chunks have %" PRId64 " cells, "
                             "DRXMP_Init was told %" PRId64 "; describe what the file has, or give "
                             "no chkshape (NULL)",
                             name, axis, info.chunk[axis], chunk);
        }
    }
    return XTA_OK;
}

/* Open files for an array that has none, over `comm`. On failure it still has none. Collective. */
static xta_status open_files(DRXComm comm, const char *name, bool writable,
                             struct drxmp_array *array, xta_error *err)
{
    xta_parallel_options options = *xta__drx_options();

    options.writable = writable;
    xta_status status = xta_parallel_open(comm, name, &options, &array->parallel, err);
    if (status == XTA_OK) {
        status = fits(&array->described, array->parallel, name, err);
    }
    if (status != XTA_OK) {
        (void)xta_parallel_close(array->parallel, NULL); // the reason to give is what does not fit
        array->parallel = NULL;
    }
    return status;
}

/* The ranks have met: open files for an array that was described, or for `fresh`, which is NULL if
 * there is no memory. `mine` is what this rank has found wrong already. Collective. */
static xta_status open_together(struct drxmp_array *array, struct drxmp_array *fresh,
                                const char *name, const char *mode, xta_status mine, xta_error *err)
{
    static const char call[] = "DRXMP_Open";
    bool writable = false;
    struct drxmp_array *target = array != NULL ? array : fresh;
    DRXComm comm = xta__drx_comm_of(array);

    if (mine == XTA_OK) {
        mine = check_names(call, array, name, mode, &writable, err);
    }
    if (mine == XTA_OK && target == NULL) {
        mine = xta__fail(err, XTA_ENOMEM, 0, "%s: %s: no memory", call, name);
    }
    xta_status status = xta_agree(comm, mine, err);
    if (status == XTA_OK) {
        status = open_files(comm, name, writable, target, err);
    }
    return status;
}

int DRXMP_Open(DRXMDHdl *drxhdl, char *filename, char *mode)
{
    static const char call[] = "DRXMP_Open";
    xta_error err = {0}, missing = {0};
    xta_status mine =
        drxhdl == NULL ? xta__drx_missing(call, "place for the handle", &missing) : XTA_OK;
    struct drxmp_array *array = drxhdl == NULL ? NULL : xta__drx_array(*drxhdl);
    struct drxmp_array *fresh = NULL;
    xta_status status = xta__drx_mpi_runs(call, &err);

    if (array == NULL && drxhdl != NULL) {
        *drxhdl = DRXMD_NULL;
    }
    if (status == XTA_OK && array == NULL) {
        status = xta__drx_begin_if_all(call, MPI_COMM_WORLD, &err);
    }
    if (status == XTA_OK) {
        status = xta__drx_meet_none(call, array, &err);
    }
    if (status == XTA_OK) {
        err = missing;
        fresh = array == NULL ? xta__calloc(1, sizeof *fresh) : NULL;
        status = open_together(array, fresh, filename, mode, mine, &err);
    }
    if (status == XTA_OK && fresh != NULL) {
        fresh->ranks.comm = MPI_COMM_NULL;
        *drxhdl = xta__drx_add_array(fresh, xta__drx_comm_of(NULL));
    } else {
        free(fresh);
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

/* ---- the end ---- */

int DRXMP_Close(DRXMDHdl drxhdl)
{
    xta_error err = {0};
    struct drxmp_array *array = xta__drx_array(drxhdl);

    xta_status status = xta__drx_meet_any("DRXMP_Close", array, &err);
    if (status == XTA_OK) {
        status = xta__drx_close(array, &err);
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

int DRXMP_Terminate(void)
{
    xta_error err = {0};
    xta_status status = xta__drx_end("DRXMP_Terminate", &err);

    return xta__drx_answer(NULL, status, 0, &err);
}
