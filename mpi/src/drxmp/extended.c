/* The calls of <xta/drxmpx.h> on arrays: creating, opening, closing, growth and zones. Handles are
 * checked, errors are translated; nothing else is done here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/drxmpx.h>

#include <stdlib.h>
#include <string.h>

#include "drxmp/session.h"
#include "drxmp/type.h"

int DRXMPX_Init(DRXComm comm, const xta_parallel_options *options, DRXMPStatus *status)
{
    xta_error err = {0};
    xta_status result = xta__drx_begin("DRXMPX_Init", comm, options, &err);

    return xta__drx_answer(status, result, 0, &err);
}

int DRXMPX_Terminate(DRXMPStatus *status)
{
    xta_error err = {0};
    xta_status result = xta__drx_end("DRXMPX_Terminate", &err);

    return xta__drx_answer(status, result, 0, &err);
}

/* ---- arrays ---- */

/* What DRXMPX_Create and DRXMPX_Open begin with: the checks of all ranks, `mine` among them, and a
 * place for the array. */
static xta_status begin_array(const char *call, DRXMDHdl *out, const char *name, DRXComm comm,
                              xta_status mine, struct drxmp_array **array, xta_error *err)
{
    DRXComm there = MPI_COMM_NULL;

    *array = NULL;
    if (out != NULL) {
        *out = DRXMD_NULL;
    }
    if (!xta__drx_has_session()) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: call DRXMPX_Init first, and not after DRXMPX_Terminate", call);
    }
    *array = xta__calloc(1, sizeof **array);
    if (out == NULL || name == NULL || comm == MPI_COMM_NULL) {
        mine = xta__drx_missing(call,
                                out == NULL    ? "place for the handle"
                                : name == NULL ? "name"
                                               : "communicator",
                                err);
    } else if (*array == NULL) {
        mine = xta__fail(err, XTA_ENOMEM, 0, "%s: no memory", call);
    }
    return xta__drx_meet_over(call, comm, mine, &there, err);
}

/* The end of both: put the array, if it is open, into the list. */
static xta_status end_array(xta_status result, xta_parallel *parallel, struct drxmp_array *array,
                            DRXMDHdl *out)
{
    if (result != XTA_OK) {
        free(array);
        return result;
    }
    array->parallel = parallel;
    array->ranks.comm = MPI_COMM_NULL;
    *out = xta__drx_add_array(array, xta_parallel_comm(parallel));
    return XTA_OK;
}

int DRXMPX_Create(DRXMDHdl *array, const char *name, DRXComm comm, DRXType type, int ndim,
                  const int64_t bounds[], const int64_t chunk[], DRXMPStatus *status)
{
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_error err = {0};
    xta_status result = XTA_OK;
    xta_parallel *parallel = NULL;
    struct drxmp_array *made = NULL;
    xta_type cell = xta__drx_type(type, &create.cell_bytes);

    create.chunk = chunk;
    if (cell == XTA_TYPE_SAME) {
        result = xta__drx_no_type("DRXMPX_Create", &err);
    }
    result = begin_array("DRXMPX_Create", array, name, comm, result, &made, &err);
    if (result == XTA_OK) {
        result = xta_parallel_create(comm, name, cell, ndim, bounds, &create, xta__drx_options(),
                                     &parallel, &err);
    }
    result = end_array(result, parallel, made, array);
    return xta__drx_answer(status, result, 0, &err);
}

int DRXMPX_Open(DRXMDHdl *array, const char *name, DRXComm comm, int mode, DRXMPStatus *status)
{
    xta_error err = {0};
    xta_status result = XTA_OK;
    xta_parallel *parallel = NULL;
    struct drxmp_array *made = NULL;

    if (mode != DRXMP_RDONLY && mode != DRXMP_RDWR) {
        result = xta__fail(&err, XTA_EARG, 0,
                           "DRXMPX_Open: %s: the mode is %d; give DRXMP_RDONLY or DRXMP_RDWR",
                           name == NULL ? "" : name, mode);
    }
    result = begin_array("DRXMPX_Open", array, name, comm, result, &made, &err);
    if (result == XTA_OK) {
        xta_parallel_options options = *xta__drx_options();
        options.writable = mode == DRXMP_RDWR;
        result = xta_parallel_open(comm, name, &options, &parallel, &err);
    }
    result = end_array(result, parallel, made, array);
    return xta__drx_answer(status, result, 0, &err);
}

int DRXMPX_Close(DRXMDHdl *array, DRXMPStatus *status)
{
    xta_error err = {0};
    struct drxmp_array *open = array == NULL ? NULL : xta__drx_array(*array);

    xta_status result = xta__drx_meet_any("DRXMPX_Close", open, &err);
    if (result == XTA_OK) {
        *array = DRXMD_NULL;
        result = xta__drx_close(open, &err);
    }
    return xta__drx_answer(status, result, 0, &err);
}

xta_parallel *DRXMPX_Array(DRXMDHdl array)
{
    struct drxmp_array *open = xta__drx_array(array);

    return open == NULL ? NULL : open->parallel;
}

/* ---- structure ---- */

int DRXMPX_Extend(DRXMDHdl array, int n, const int axis[], const int64_t by[], DRXMPStatus *status)
{
    enum { MOST = 2 * XTA_MAX_NDIM };
    xta_growth growths[MOST];
    xta_error err = {0};
    struct drxmp_array *open = xta__drx_array(array);
    // No growths, and more than there can be, are refused below, on all ranks.
    int given = axis == NULL || by == NULL ? 0 : n;

    memset(growths, 0, sizeof growths);
    for (int k = 0; given <= MOST && k < given; k++) {
        int64_t least = -INT64_MAX;
        growths[k].axis = axis[k];
        growths[k].side = by[k] < 0 ? XTA_FRONT : XTA_BACK;
        growths[k].by = by[k] < least ? INT64_MAX : by[k] < 0 ? -by[k] : by[k];
    }
    xta_status result = xta__drx_meet("DRXMPX_Extend", open, false, NULL, &err);
    if (result == XTA_OK) {
        result = xta_parallel_extend(open->parallel, growths, given, NULL, &err);
    }
    return xta__drx_answer(status, result, 0, &err);
}

int DRXMPX_Distribution(DRXMDHdl array, const xta_distribution *distribution, xta_order order,
                        DRXMDMemHdl *memory, DRXMPStatus *status)
{
    const char *call = "DRXMPX_Distribution";
    xta_error err = {0};
    struct drxmp_array *open = xta__drx_array(array);

    if (memory != NULL) {
        *memory = DRXMDMEM_NULL;
    }
    xta_status result = xta__drx_meet(call, open, false, NULL, &err);
    if (result == XTA_OK) {
        result = xta__drx_add_memory(call, open, distribution, order, memory, &err);
    }
    return xta__drx_answer(status, result, 0, &err);
}

int DRXMPX_Free(DRXMDMemHdl *memory, DRXMPStatus *status)
{
    xta_error err = {0};
    struct drxmp_memory *open = memory == NULL ? NULL : xta__drx_memory(*memory);
    struct drxmp_array *array = open == NULL ? NULL : open->array;

    xta_status result = xta__drx_meet("DRXMPX_Free", array, true, open, &err);
    if (result == XTA_OK) {
        *memory = DRXMDMEM_NULL;
        result = xta__drx_free_memory(array, open, &err);
    }
    return xta__drx_answer(status, result, 0, &err);
}
