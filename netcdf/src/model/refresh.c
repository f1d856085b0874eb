/* Lengths and first cells after arrays have changed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "model/refresh.h"

#include <string.h>

#include "model/axis_coordinates.h"
#include "model/origin.h"
#include "util/try.h"

/* A member may have been removed, or replaced by another array of its name. */
static void find_array(netcdf_variable *v)
{
    xta_array *array = NULL;

    if (v->kind == NETCDF_CELLS && v->set != NULL) {
        bool there = xta_dataset_member(v->set, v->name, &array, NULL) == XTA_OK;
        bool same = there && xta_array_ndim(array) == (v->scalar ? 1 : v->n_axes) &&
                    (v->cell_bytes == xta_array_cell_bytes(array) || v->cell_type == XTA_F32);
        v->array = same ? array : NULL;
    }
}

void xta__nc_find_arrays(netcdf_file *file)
{
    for (size_t g = 0; g < file->n_groups; g++) {
        for (size_t k = 0; k < file->groups[g].n_variables; k++) {
            find_array(file->groups[g].variables[k]);
        }
    }
}

static void set_bounds(netcdf_file *file, int id, int64_t lo, int64_t hi, bool renumber)
{
    netcdf_dimension *d = &file->dimensions[id];

    d->lo = renumber ? lo : d->lo;
    d->length = hi > d->lo ? (size_t)(hi - d->lo) : 0;
}

static xta_status refresh_cells(netcdf_file *file, netcdf_variable *v, bool renumber)
{
    find_array(v);
    if (v->array == NULL) {
        return XTA_OK; // reading it says so
    }
    const xta_box bounds = xta_array_bounds(v->array);
    for (int axis = 0; axis < v->n_axes; axis++) {
        set_bounds(file, v->dimension[axis], bounds.lo[axis], bounds.hi[axis], renumber);
        v->lo[axis] = file->dimensions[v->dimension[axis]].lo;
    }
    return XTA_OK;
}

static xta_status refresh_coordinates(netcdf_file *file, netcdf_variable *v, bool renumber,
                                      xta_error *err)
{
    const netcdf_dimension *d = &file->dimensions[v->dimension[0]];
    xta_dimension about;

    if (v->kind == NETCDF_LISTED) {
        xta_status status = xta__nc_read_axis_coordinates(v, err);
        v->lo[0] = d->lo;
        return status;
    }
    if (xta_dataset_dimension(v->set, v->name, &about, NULL) == XTA_OK &&
        about.coordinates == XTA_COORDINATES_REGULAR) {
        v->regular = about.regular;
        set_bounds(file, v->dimension[0], about.lo, about.hi, renumber);
    }
    v->lo[0] = d->lo;
    return XTA_OK;
}

xta_status xta__nc_refresh(netcdf_file *file, bool renumber, xta_error *err)
{
    xta_status status = XTA_OK;

    for (size_t g = 0; g < file->n_groups; g++) {
        for (size_t k = 0; k < file->groups[g].n_variables; k++) {
            netcdf_variable *v = file->groups[g].variables[k];
            XTA_TRY(v->kind == NETCDF_CELLS ? refresh_cells(file, v, renumber)
                                            : refresh_coordinates(file, v, renumber, err));
        }
    }

done:
    // Also after a failure: some variables may have got other positions.
    if (renumber && xta__nc_put_origins(file) != NC_NOERR && status == XTA_OK) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "out of memory");
    }
    return status;
}
