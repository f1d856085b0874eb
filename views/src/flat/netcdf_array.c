/* An array as a NetCDF file of its own: its cells, and the coordinates of its axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "flat/netcdf_array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flat/netcdf.h"
#include "flat/netcdf_attributes.h"
#include "util/checked.h"
#include "util/try.h"

/* The name of the variable of the cells: that of the variable it was imported from, without groups,
 * or that of the array. */
static char *name_of_cells(xta_array *array)
{
    const char *kept = xta__netcdf_text_of(array, "import/variable");
    const char *name = kept != NULL ? kept : xta_array_path(array);
    const char *slash = strrchr(name, '/');

    return xta__cdf_legal_name(slash != NULL ? slash + 1 : name, "array");
}

static bool is_scalar(xta_array *array, const xta_box *bounds)
{
    return bounds->ndim == 1 && bounds->hi[0] - bounds->lo[0] == 1 &&
           xta__netcdf_text_of(array, "import/scalar") != NULL;
}

/* A dimension for each axis. */
static xta_status add_dimension(flat_netcdf *nc, int axis, size_t *number, xta_error *err)
{
    const xta_box bounds = xta_array_bounds(nc->flat->array);
    char otherwise[16];

    snprintf(otherwise, sizeof otherwise, "dim%d", axis);
    char *name = xta__cdf_legal_name(xta_axis_name(nc->flat->array, axis), otherwise);
    bool good = name != NULL &&
                xta__cdf_add_dimension(&nc->file, name,
                                       (uint64_t)(bounds.hi[axis] - bounds.lo[axis]), number);

    free(name);
    return good ? XTA_OK : xta__flat_no_memory(nc->flat->path, err);
}

/* ---- coordinates ---- */

/* Numbers of the cells within the bounds, which the coordinates cover; NULL: out of memory. */
static void *numbers_of(const xta_coordinates *c, int64_t lo, int64_t hi)
{
    xta_type type = xta_coordinates_type(c);
    size_t n = (size_t)(hi - lo);
    void *values = xta__calloc(n + 1, xta_type_bytes(type));

    if (values != NULL) {
        xta_coordinates_values(c, lo, hi, values);
    }
    return values;
}

static xta_status add_listed(flat_netcdf *nc, int axis, size_t dimension, const xta_coordinates *c,
                             xta_error *err)
{
    const xta_box bounds = xta_array_bounds(nc->flat->array);
    void *values = numbers_of(c, bounds.lo[axis], bounds.hi[axis]);

    return values != NULL
               ? xta__netcdf_add_listed(nc, dimension, xta_coordinates_type(c), values, err)
               : xta__flat_no_memory(nc->flat->path, err);
}

/* Attributes of the coordinate variable that was added last. */
static xta_status describe_coordinates(flat_netcdf *nc, int axis, const xta_coordinates *c,
                                       xta_error *err)
{
    xta__cdf_variable *v = &nc->file.variables[nc->file.n_variables - 1];
    xta__cdf_attributes *list = &v->attributes;
    bool good = xta__netcdf_array_attributes(nc->flat->array, axis, "", v->type, list) &&
                xta__netcdf_add_text("units", xta_coordinates_unit(c), list) &&
                xta__netcdf_add_text("calendar", xta_coordinates_calendar(c), list);

    return good ? XTA_OK : xta__flat_no_memory(nc->flat->path, err);
}

/* The coordinate variable of an axis, if it has numbers. */
static xta_status add_coordinates(flat_netcdf *nc, int axis, size_t dimension, bool *bare,
                                  xta_error *err)
{
    xta_array *array = nc->flat->array;
    const xta_box bounds = xta_array_bounds(array);
    xta_coordinates *c = NULL;
    xta_regular regular;
    xta_error why = {0};
    xta_status status = xta_coordinates_read(array, axis, &c, &why);

    *bare = true;
    if (status == XTA_ENOENT) {
        return XTA_OK;
    }
    if (status != XTA_OK) {
        return xta__fail(err, status, why.os_errno, "%s", why.text);
    }
    *bare = xta_coordinates_kind_of(c) == XTA_COORDINATES_NAMES;
    if (*bare || xta__cdf_type(xta_coordinates_type(c)) == 0 ||
        xta__cdf_has_variable(&nc->file, nc->file.dimensions[dimension].name)) {
        goto done; // the format has no texts; and one name is for one variable
    }
    if (xta_axis_regular(array, axis, &regular, NULL) == XTA_OK) {
        XTA_TRY(xta__netcdf_add_regular(nc, dimension, &regular, bounds.lo[axis], err));
    } else {
        XTA_TRY(add_listed(nc, axis, dimension, c, err));
    }
    XTA_TRY(describe_coordinates(nc, axis, c, err));

done:
    xta_coordinates_free(c);
    return status;
}

/* ---- the array ---- */

/* Dimensions and attributes of the variable of the cells, which is the first. */
static xta_status describe_cells(flat_netcdf *nc, const xta_box *bounds, size_t dimension[],
                                 xta_error *err)
{
    xta_status status = XTA_OK;
    xta_array *array = nc->flat->array;
    xta__cdf_variable *v = &nc->file.variables[0];

    for (int axis = 0; axis < bounds->ndim && !is_scalar(array, bounds); axis++) {
        XTA_TRY(add_dimension(nc, axis, &dimension[axis], err));
        v->dimension[v->ndim++] = dimension[axis];
    }
    XTA_TRY(xta__netcdf_finish_cells(nc, err));
    bool good = xta__netcdf_array_attributes(array, XTA_ON_ARRAY, "", v->type, &v->attributes) &&
                xta__netcdf_array_attributes(array, XTA_ON_ARRAY, "global/", 0, &nc->file.global) &&
                xta__netcdf_add_fill(array, v->type, &v->attributes) &&
                (xta_array_type(array) != XTA_BOOL ||
                 xta__netcdf_add_text("dtype", "bool", &v->attributes));
    status = good ? XTA_OK : xta__flat_no_memory(nc->flat->path, err);

done:
    return status;
}

/* Where an axis without coordinates does not begin at 0, the variables say where they begin. */
static xta_status add_origins(flat_netcdf *nc, const xta_box *bounds, const bool bare[],
                              xta_error *err)
{
    bool needed = false, good = true;

    for (int axis = 0; axis < bounds->ndim; axis++) {
        needed = needed || (bare[axis] && bounds->lo[axis] != 0);
    }
    for (size_t k = 0; needed && good && k < nc->file.n_variables; k++) {
        // The cells are the first variable; that of an axis has its dimension.
        xta__cdf_variable *v = &nc->file.variables[k];
        size_t axis = v->dimension[0];
        good = xta__netcdf_add_origin(k == 0 ? bounds->ndim : 1,
                                      k == 0 ? bounds->lo : &bounds->lo[axis], &v->attributes);
    }
    return good ? XTA_OK : xta__flat_no_memory(nc->flat->path, err);
}

xta_status xta__flat_describe_netcdf(xta_flat *flat, xta_error *err)
{
    flat_netcdf nc = {.flat = flat};
    const xta_box bounds = xta_array_bounds(flat->array);
    xta__cdf_variable *v = NULL;
    size_t dimension[XTA_MAX_NDIM] = {0};
    bool bare[XTA_MAX_NDIM] = {false};
    xta_status status = XTA_OK;
    char *name = name_of_cells(flat->array);

    if (name == NULL) {
        XTA_TRY(xta__flat_no_memory(flat->path, err));
    }
    XTA_TRY(xta__netcdf_add_cells(&nc, flat->array, name, &v, err));
    XTA_TRY(describe_cells(&nc, &bounds, dimension, err));
    for (int axis = 0; axis < bounds.ndim && !is_scalar(flat->array, &bounds); axis++) {
        XTA_TRY(add_coordinates(&nc, axis, dimension[axis], &bare[axis], err));
    }
    XTA_TRY(add_origins(&nc, &bounds, bare, err));
    XTA_TRY(xta__netcdf_place(&nc, err));

done:
    xta__netcdf_clear(&nc);
    free(name);
    return status;
}
