/* Flat files in NetCDF's format: variables and their places.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "flat/netcdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flat/layout/byte_swap.h"
#include "util/compiler.h"
#include "util/hash.h"
#include "util/try.h"
#include "util/vector.h"

void xta__netcdf_clear(flat_netcdf *nc)
{
    xta__cdf_clear(&nc->file);
    free(nc->values);
}

static xta_status no_memory(const flat_netcdf *nc, xta_error *err)
{
    return xta__flat_no_memory(nc->flat->path, err);
}

/* A variable and the source of its values. */
static xta_status add_variable(flat_netcdf *nc, const char *name, int type,
                               const flat_source *values, xta__cdf_variable **v, xta_error *err)
{
    if (!XTA__RESERVE(nc->values, nc->values_capacity, nc->n_values + 1)) {
        return no_memory(nc, err);
    }
    *v = xta__cdf_add_variable(&nc->file, name, type);
    if (*v == NULL) {
        return no_memory(nc, err);
    }
    nc->values[nc->n_values++] = *values;
    return XTA_OK;
}

xta_status xta__netcdf_add_cells(flat_netcdf *nc, xta_array *array, const char *name,
                                 xta__cdf_variable **v, xta_error *err)
{
    flat_source cells = xta__flat_cells(array, true);
    int type = xta__cdf_type(cells.type);

    if (type == 0) {
        return xta__fail(err, XTA_EUNSUPPORTED, 0,
                         "%s: NetCDF has no cells of type %s, as %s has; read its .npy, or convert "
                         "it",
                         nc->flat->path, xta_type_name(cells.type), name);
    }
    if (cells.type == XTA_F16) {
        cells.type = XTA_F32;
        cells.cell_bytes = 4;
        cells.swap_bytes = cells.swap_bytes > 1 ? 4 : 1;
    }
    return add_variable(nc, name, type, &cells, v, err);
}

/* Cells of N bytes have one more dimension, of length N, for all arrays that have such cells. */
xta_status xta__netcdf_finish_cells(flat_netcdf *nc, xta_error *err)
{
    xta__cdf_variable *v = &nc->file.variables[nc->file.n_variables - 1];
    const flat_source *cells = &nc->values[nc->n_values - 1];
    char name[32];
    size_t number = 0;

    if (cells->type != XTA_BYTES || cells->cell_bytes == 1) {
        return XTA_OK;
    }
    snprintf(name, sizeof name, "string%zu", cells->cell_bytes);
    while (xta__cdf_find_dimension(&nc->file, name, &number) &&
           nc->file.dimensions[number].length != cells->cell_bytes &&
           strlen(name) + 1 < sizeof name) {
        strcat(name, "_");
    }
    if (!xta__cdf_find_dimension(&nc->file, name, &number) &&
        !xta__cdf_add_dimension(&nc->file, name, cells->cell_bytes, &number)) {
        return no_memory(nc, err);
    }
    v->dimension[v->ndim++] = number;
    return XTA_OK;
}

static xta_status add_coordinates(flat_netcdf *nc, size_t dimension, xta_type type,
                                  flat_source *values, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__cdf_variable *v = NULL;

    values->type = type;
    values->cell_bytes = xta_type_bytes(type);
    values->swap_bytes = XTA__BIG_ENDIAN ? 1 : values->cell_bytes;
    XTA_TRY(add_variable(nc, nc->file.dimensions[dimension].name, xta__cdf_type(type), values, &v,
                         err));
    v->ndim = 1;
    v->dimension[0] = dimension;

done:
    return status;
}

xta_status xta__netcdf_add_regular(flat_netcdf *nc, size_t dimension, const xta_regular *regular,
                                   int64_t lo, xta_error *err)
{
    flat_source values = {.regular = *regular, .lo = lo};

    return add_coordinates(nc, dimension, regular->type, &values, err);
}

xta_status xta__netcdf_add_listed(flat_netcdf *nc, size_t dimension, xta_type type, void *values,
                                  xta_error *err)
{
    flat_source source = {.bytes = values};
    size_t unit = xta_type_bytes(type);

    if (!xta__flat_own(nc->flat, values)) {
        return no_memory(nc, err);
    }
    if (!XTA__BIG_ENDIAN) {
        xta__swap_numbers(values, nc->file.dimensions[dimension].length * unit, unit);
    }
    return add_coordinates(nc, dimension, type, &source, err);
}

static xta_status cannot_place(const flat_netcdf *nc, xta_status status, const char *dimension,
                               xta_error *err)
{
    if (status == XTA_EUNSUPPORTED) {
        return xta__fail(err, status, 0,
                         "%s: dimension %s has no cells, and this kind of file allows that for one "
                         "dimension only, where it is the first of each variable; extend it, or "
                         "export to netcdf-4",
                         nc->flat->path, dimension);
    }
    return status == XTA_EOVERFLOW
               ? xta__fail(err, status, 0, "%s: its file would have more than 2^62 bytes",
                           nc->flat->path)
               : no_memory(nc, err);
}

xta_status xta__netcdf_place(flat_netcdf *nc, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__text header = {0};
    const char *why = "";
    xta_flat *flat = nc->flat;
    flat_source head = {0};

    status = xta__cdf_place(&nc->file, &header, &flat->n_bytes, &why);
    if (status != XTA_OK) {
        xta__text_clear(&header);
        return cannot_place(nc, status, why, err);
    }
    flat->version = xta__hash_bytes(flat->version, header.bytes, header.n);
    head.n_bytes = header.n;
    head.bytes = (uint8_t *)header.bytes;
    if (!xta__flat_own(flat, header.bytes) || !xta__flat_add(flat, &head)) {
        return no_memory(nc, err);
    }
    for (size_t k = 0; k < nc->n_values; k++) {
        flat_source source = nc->values[k];
        source.offset = nc->file.variables[k].begin;
        source.n_bytes = nc->file.variables[k].n_bytes;
        if (source.array != NULL && xta_box_empty(&source.box)) {
            continue; // no record of it
        }
        if (source.offset < flat->n_bytes && !xta__flat_add(flat, &source)) {
            return no_memory(nc, err);
        }
    }
    xta__flat_sort(flat);
    return XTA_OK;
}
