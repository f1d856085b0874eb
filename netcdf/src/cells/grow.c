/* Growth of a dimension by writing beyond its end.
 *
 * The new cells of other variables are fill values, also those of listed coordinates: the program
 * writes them next, as it does with every file of NetCDF. A program that writes the coordinates
 * first never shows a record without one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cells/grow.h"

#include <stdlib.h>
#include <string.h>

#include <xta/append.h>

#include "base/codes.h"
#include "model/refresh.h"
#include "model/snapshot.h"
#include "util/try.h"
#include "util/vector.h"

enum { MOST_ATTEMPTS = 100 };

/* One step of one dimension. */
typedef struct growth {
    netcdf_file *file;
    const netcdf_request *request;
    const void *cells;
    int id;      /* of the dimension */
    int64_t end; /* where it ends now */
    int64_t by;
    bool written;
    xta_append_member *members;
    xta_growth (*growths)[XTA_MAX_NDIM];
    size_t n, members_capacity, growths_capacity;
} growth;

static int axis_of(const netcdf_variable *v, int id, int after)
{
    for (int axis = after + 1; axis < v->n_axes; axis++) {
        if (v->dimension[axis] == id) {
            return axis;
        }
    }
    return -1;
}

/* The cells of the request, if the slab begins where this handle thinks that it does and has all of
 * them. Another process may have grown the array in between. */
static xta_status write_slab(void *user, xta_appending *appending, const xta_box *slab,
                             xta_error *err)
{
    growth *g = user;
    const netcdf_variable *v = g->request->v;
    int64_t steps[XTA_MAX_NDIM];
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    const xta_box box = xta__nc_box_of(g->request, steps);
    int axis = axis_of(v, g->id, -1);

    if (slab->lo[axis] != g->end) {
        return xta_error_set(err, XTA_EBUSY, 0, "%s: others append to it all the time; try again",
                             xta_array_path(v->array));
    }
    bool inside = g->cells != NULL;
    for (int d = 0; d < box.ndim; d++) {
        inside = inside && steps[d] == 1 && box.lo[d] >= slab->lo[d] && box.hi[d] <= slab->hi[d];
    }
    if (!inside) {
        return XTA_OK;
    }
    options.type = v->cell_type;
    g->written = true;
    return xta_append_write(appending, &box, &options, g->cells, err);
}

/* Every array along the dimension, once for each axis along it. */
static xta_status add_member(growth *g, netcdf_variable *v, xta_error *err)
{
    int first = axis_of(v, g->id, -1);

    if (v->kind == NETCDF_LISTED && first >= 0) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "axis %s has coordinates of its own, which writing cells does not "
                             "lengthen; append with xta",
                             v->name);
    }
    if (v->kind != NETCDF_CELLS || first < 0 || v->array == NULL) {
        return XTA_OK;
    }
    if (!XTA__RESERVE(g->members, g->members_capacity, g->n + 1) ||
        !XTA__RESERVE(g->growths, g->growths_capacity, g->n + 1)) {
        return xta_error_set(err, XTA_ENOMEM, 0, "out of memory");
    }
    xta_append_member *member = &g->members[g->n];
    *member = (xta_append_member){.array = v->array};
    for (int axis = first; axis >= 0; axis = axis_of(v, g->id, axis)) {
        g->growths[g->n][member->n_growths++] = (xta_growth){axis, XTA_BACK, g->by};
    }
    if (v == g->request->v && member->n_growths == 1) {
        member->fn = write_slab;
        member->user = g;
    }
    g->n++;
    return XTA_OK;
}

/* Regular coordinates go on. If nothing but them has the dimension, its bounds are in the set. */
static xta_status extend_dimension(const growth *g, xta_error *err)
{
    const netcdf_dimension *d = &g->file->dimensions[g->id];
    xta_status status = XTA_OK;
    xta_dimension about = {0};

    if (d->set == NULL) {
        return XTA_OK;
    }
    XTA_TRY(xta_dataset_dimension(d->set, d->name, &about, err));
    if (about.coordinates == XTA_COORDINATES_REGULAR) {
        XTA_TRY(xta_regular_check(&about.regular, about.lo, g->end + g->by, err));
    }
    if (about.n_members == 0) {
        about.hi = g->end + g->by;
        XTA_TRY(xta_dataset_set_dimension(d->set, &about, err));
    }

done:
    return status;
}

static xta_status grow_once(growth *g, xta_error *err)
{
    xta_status status = XTA_OK;
    const netcdf_file *file = g->file;

    g->n = 0;
    for (size_t k = 0; k < file->n_groups; k++) {
        for (size_t i = 0; i < file->groups[k].n_variables; i++) {
            XTA_TRY(add_member(g, file->groups[k].variables[i], err));
        }
    }
    for (size_t k = 0; k < g->n; k++) {
        g->members[k].growths = g->growths[k]; // which has stopped moving
    }
    XTA_TRY(extend_dimension(g, err));
    if (g->n > 0) {
        XTA_TRY(xta_arrays_append(g->members, (int)g->n, NULL, err));
    }

done:
    return status;
}

/* Until it is long enough, by this process or another. */
static xta_status grow_dimension(growth *g, size_t length, xta_error *err)
{
    xta_status status = XTA_OK;
    netcdf_dimension *d = &g->file->dimensions[g->id];

    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        XTA_TRY(xta__nc_settle(g->file, err));
        XTA_TRY(xta__nc_refresh(g->file, false, err));
        g->end = d->lo + (int64_t)d->length;
        g->by = d->lo + (int64_t)length - g->end;
        if (g->by <= 0) {
            break;
        }
        status = grow_once(g, err);
        if (status != XTA_EBUSY) {
            break;
        }
        g->written = false;
    }
    XTA_TRY(status);
    XTA_TRY(xta__nc_refresh(g->file, false, err));

done:
    return status;
}

int xta__nc_grow(netcdf_file *file, const netcdf_request *request, const void *cells, bool *written)
{
    xta_error err = {0};
    xta_status status = XTA_OK;
    growth g = {.file = file, .request = request, .cells = cells};

    for (int d = 0; d < request->v->n_axes; d++) {
        size_t needed = request->start[d] + request->stride[d] * (request->count[d] - 1) + 1;
        if (request->n > 0 && needed > xta__nc_length(file, request->v, d)) {
            g.id = request->v->dimension[d];
            XTA_TRY(grow_dimension(&g, needed, &err));
        }
    }

done:
    free(g.members);
    free(g.growths);
    *written = g.written;
    return xta__nc_code(status, &err);
}
