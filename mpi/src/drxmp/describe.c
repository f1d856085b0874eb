/* DRXMP_Init: an array is described, and has no files yet.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/drxmp.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "drxmp/session.h"
#include "drxmp/type.h"

static xta_status check_axes(const size_t *initsize, const int *chkshape,
                             xta__drx_description *described, xta_error *err)
{
    for (int axis = 0; axis < described->ndim; axis++) {
        if (initsize[axis] > (size_t)INT64_MAX) {
            return xta__fail(err, XTA_EARG, 0,
                             "DRXMP_Init: axis %d: initsize is %zu; give at most %" PRId64, axis,
                             initsize[axis], INT64_MAX);
        }
        if (chkshape != NULL && chkshape[axis] < 1) {
            return xta__fail(err, XTA_EARG, 0,
                             "DRXMP_Init: axis %d: chkshape is %d; give 1 or more, or NULL instead "
                             "of the shape to have one chosen",
                             axis, chkshape[axis]);
        }
        described->bounds[axis] = (int64_t)initsize[axis];
        described->chunk[axis] = chkshape == NULL ? 0 : chkshape[axis];
    }
    return XTA_OK;
}

/* What a rank can find wrong by itself. */
static xta_status describe(int kdim, const size_t *initsize, const int *chkshape, DRXType dtype,
                           xta__drx_description *described, xta_error *err)
{
    if (kdim < 0 || kdim > XTA_MAX_NDIM) {
        return xta__fail(err, XTA_EARG, 0,
                         "DRXMP_Init: kdim is %d; give 1 to %d, or 0 to describe nothing but the "
                         "communicator",
                         kdim, XTA_MAX_NDIM);
    }
    described->ndim = kdim;
    described->type = XTA_TYPE_SAME;
    described->mpi_type = MPI_DATATYPE_NULL;
    if (kdim == 0) {
        return XTA_OK;
    }
    if (initsize == NULL) {
        return xta__drx_missing("DRXMP_Init", "initsize", err);
    }
    described->type = xta__drx_type(dtype, &described->cell_bytes);
    if (described->type == XTA_TYPE_SAME) {
        return xta__drx_no_type("DRXMP_Init", err);
    }
    int bytes = 0;
    MPI_Type_size(dtype, &bytes);
    described->mpi_type = xta__drx_mpi_type(described->type, (size_t)bytes);
    return check_axes(initsize, chkshape, described, err);
}

/* All ranks describe the same. Collective. */
static xta_status same_description(DRXComm comm, const xta__drx_description *described,
                                   xta_error *err)
{
    enum { FIRST = 4, MOST = FIRST + 2 * XTA_MAX_NDIM };
    char texts[MOST][32];
    const char *names[MOST] = {"whether DRXMPX_Init was called", "kdim", "dtype",
                               "dtype (bytes of a cell)"};
    int64_t values[MOST] = {xta__drx_has_session(), described->ndim, (int64_t)described->type,
                            (int64_t)described->cell_bytes};

    for (int k = FIRST; k < MOST; k++) {
        int axis = (k - FIRST) / 2;
        bool size = (k - FIRST) % 2 == 0;
        snprintf(texts[k], sizeof texts[k], "axis %d: %s", axis, size ? "initsize" : "chkshape");
        names[k] = texts[k];
        // Zeros past the last axis: see DRXMP_Init.
        values[k] = size ? described->bounds[axis] : described->chunk[axis];
    }
    return xta_agree_on(comm, "DRXMP_Init", MOST, names, values, err);
}

/* Collective. */
static void keep_ranks(struct drxmp_array *array, DRXComm comm)
{
    xta__rendezvous *ranks = &array->ranks;

    MPI_Comm_dup(comm, &ranks->comm);
    MPI_Comm_rank(ranks->comm, &ranks->rank);
    MPI_Comm_size(ranks->comm, &ranks->n_ranks);
    ranks->timeout_s = xta__drx_options()->timeout_s;
}

/* The meeting of DRXMP_Init: `mine` is what this rank found wrong. */
static xta_status meet_to_describe(DRXComm comm, xta_status mine,
                                   const xta__drx_description *described, xta_error *err)
{
    static const char call[] = "DRXMP_Init";
    DRXComm there = MPI_COMM_NULL;
    xta_status status = xta__drx_meet_over(call, comm, mine, &there, err);

    if (status == XTA_OK) {
        status = same_description(there, described, err);
    }
    return status == XTA_OK ? xta__drx_begin_if_all(call, comm, err) : status;
}

int DRXMP_Init(DRXMDHdl *drxhdl, int kdim, size_t *initsize, int *chkshape, DRXType dtype,
               DRXComm comm)
{
    static const char call[] = "DRXMP_Init";
    xta__drx_description described = {0};
    xta_error err = {0};
    xta_status status = xta__drx_mpi_runs(call, &err);

    if (drxhdl != NULL) {
        *drxhdl = DRXMD_NULL;
    }
    if (status != XTA_OK) {
        return xta__drx_answer(NULL, status, 0, &err);
    }
    xta_status mine = describe(kdim, initsize, chkshape, dtype, &described, &err);
    if (drxhdl == NULL || comm == MPI_COMM_NULL) {
        mine =
            xta__drx_missing(call, drxhdl == NULL ? "place for the handle" : "communicator", &err);
    }
    struct drxmp_array *array = xta__calloc(1, sizeof *array);
    if (mine == XTA_OK && array == NULL) {
        mine = xta__fail(&err, XTA_ENOMEM, 0, "%s: no memory", call);
    }
    status = meet_to_describe(comm, mine, &described, &err);
    if (status == XTA_OK) {
        array->described = described;
        keep_ranks(array, comm);
        *drxhdl = xta__drx_add_array(array, comm);
    } else {
        free(array);
    }
    return xta__drx_answer(NULL, status, 0, &err);
}
