/* A data set as one NetCDF file: its dimensions with their regular coordinates, and its members, to
 * which listed coordinates belong.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "flat/netcdf_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flat/netcdf.h"
#include "flat/netcdf_attributes.h"
#include "util/try.h"

/* Dimensions of the set and of the file have the same numbers: they are added first. */
static xta_status add_dimension(flat_netcdf *nc, const xta_dimension *d, xta_error *err)
{
    size_t number = 0;
    char *name = xta__cdf_legal_name(d->name, "dim");
    bool good =
        name != NULL && xta__cdf_add_dimension(&nc->file, name, (uint64_t)(d->hi - d->lo), &number);

    free(name);
    return good ? XTA_OK : xta__flat_no_memory(nc->flat->path, err);
}

static xta_status add_regular(flat_netcdf *nc, size_t number, const xta_dimension *d,
                              xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__netcdf_add_regular(nc, number, &d->regular, d->lo, err));
    xta__cdf_variable *v = &nc->file.variables[nc->file.n_variables - 1];
    if (!xta__netcdf_set_attributes(nc->flat->set, d->name, v->type, &v->attributes)) {
        XTA_TRY(xta__flat_no_memory(nc->flat->path, err));
    }

done:
    return status;
}

static xta_status add_dimensions(flat_netcdf *nc, size_t *n, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dimension d;

    XTA_TRY(xta_dataset_dimension_count(nc->flat->set, n, err));
    for (size_t k = 0; k < *n; k++) {
        XTA_TRY(xta_dataset_dimension_at(nc->flat->set, k, &d, err));
        XTA_TRY(add_dimension(nc, &d, err));
    }
    for (size_t k = 0; k < *n; k++) {
        XTA_TRY(xta_dataset_dimension_at(nc->flat->set, k, &d, err));
        if (d.coordinates == XTA_COORDINATES_REGULAR) {
            XTA_TRY(add_regular(nc, k, &d, err));
        }
    }

done:
    return status;
}

/* The dimension of a member's axis; one of its own for an axis that is none of the set's. */
static xta_status dimension_of(flat_netcdf *nc, xta_array *array, int axis, size_t n_dimensions,
                               size_t *number, bool *bare, xta_error *err)
{
    const xta_box bounds = xta_array_bounds(array);
    const char *axis_name = xta_axis_name(array, axis);
    const xta__cdf_variable *v = &nc->file.variables[nc->file.n_variables - 1];
    xta_dimension d;
    char name[XTA_ERROR_TEXT_BYTES];

    for (size_t k = 0; k < n_dimensions && axis_name[0] != '\0'; k++) {
        if (xta_dataset_dimension_at(nc->flat->set, k, &d, NULL) == XTA_OK &&
            strcmp(d.name, axis_name) == 0 && d.lo == bounds.lo[axis] && d.hi == bounds.hi[axis]) {
            *number = k;
            *bare = d.coordinates == 0;
            return XTA_OK;
        }
    }
    *bare = true;
    snprintf(name, sizeof name, "%.200s_dim%d", v->name, axis);
    return xta__cdf_add_dimension(&nc->file, name, (uint64_t)(bounds.hi[axis] - bounds.lo[axis]),
                                  number)
               ? XTA_OK
               : xta__flat_no_memory(nc->flat->path, err);
}

static xta_status describe_member(flat_netcdf *nc, xta_array *array, size_t n_dimensions,
                                  xta_error *err)
{
    xta_status status = XTA_OK;
    xta__cdf_variable *v = &nc->file.variables[nc->file.n_variables - 1];
    const xta_box bounds = xta_array_bounds(array);
    int64_t origin[XTA_MAX_NDIM] = {0}; // of axes without coordinates
    bool scalar = bounds.ndim == 1 && xta__netcdf_text_of(array, "import/scalar") != NULL;

    for (int axis = 0; axis < bounds.ndim && !scalar; axis++) {
        size_t number = 0;
        bool bare = false;
        XTA_TRY(dimension_of(nc, array, axis, n_dimensions, &number, &bare, err));
        origin[axis] = bare ? bounds.lo[axis] : 0;
        v->dimension[v->ndim++] = number;
    }
    XTA_TRY(xta__netcdf_finish_cells(nc, err));
    bool good = xta__netcdf_array_attributes(array, XTA_ON_ARRAY, "", v->type, &v->attributes) &&
                xta__netcdf_add_fill(array, v->type, &v->attributes) &&
                xta__netcdf_add_origin(bounds.ndim, origin, &v->attributes);
    status = good ? XTA_OK : xta__flat_no_memory(nc->flat->path, err);

done:
    return status;
}

static xta_status add_member(flat_netcdf *nc, const char *member, size_t n_dimensions,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    xta_array *array = NULL;
    xta__cdf_variable *v = NULL;
    char *name = NULL;

    XTA_TRY(xta_dataset_member(nc->flat->set, member, &array, err));
    const char *kept = xta__netcdf_text_of(array, "netcdf/name");
    name = xta__cdf_legal_name(kept != NULL ? kept : member, "array");
    if (name == NULL) {
        XTA_TRY(xta__flat_no_memory(nc->flat->path, err));
    }
    XTA_TRY(xta__flat_add_version(nc->flat, array, err));
    XTA_TRY(xta__netcdf_add_cells(nc, array, name, &v, err));
    XTA_TRY(describe_member(nc, array, n_dimensions, err));

done:
    free(name);
    return status;
}

xta_status xta__flat_describe_set(xta_flat *flat, xta_error *err)
{
    flat_netcdf nc = {.flat = flat};
    size_t n_dimensions = 0, n_members = xta_dataset_member_count(flat->set);
    xta_status status = XTA_OK;

    XTA_TRY(add_dimensions(&nc, &n_dimensions, err));
    for (size_t k = 0; k < n_members; k++) {
        XTA_TRY(add_member(&nc, xta_dataset_member_name(flat->set, k), n_dimensions, err));
    }
    if (!xta__netcdf_set_attributes(flat->set, NULL, 0, &nc.file.global)) {
        XTA_TRY(xta__flat_no_memory(flat->path, err));
    }
    XTA_TRY(xta__netcdf_place(&nc, err));

done:
    xta__netcdf_clear(&nc);
    return status;
}
