/* Writing values of a variable.
 *
 * Values are brought into the type and order of the cells first, so that growth and cells can be
 * one step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cells/write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <xta/dataset_append.h>

#include "base/codes.h"
#include "cells/convert.h"
#include "cells/grow.h"
#include "cells/read.h"
#include "model/refresh.h"
#include "model/variables.h"

/* ---- from memory to cells ---- */

/* Values of the type of the variable, dense: those of the program, or a copy, `*owned`. */
static int to_native(const netcdf_request *request, const void *values, const void **native,
                     void **owned, int *range)
{
    const netcdf_variable *v = request->v;
    size_t bytes = request->value_bytes;
    void *dense = NULL, *converted = NULL;
    int code = NC_NOERR;

    *native = values;
    if (request->mapped) {
        dense = malloc(request->n * bytes + 1);
        if (dense == NULL) {
            return NC_ENOMEM;
        }
        xta__nc_gather(values, dense, bytes, v->ndim, request->count, request->map);
        *native = dense;
    }
    if (request->memory != v->type) {
        converted = malloc(request->n * 8 + 1);
        code = converted != NULL ? xta__nc_convert(*native, request->memory, converted, v->type,
                                                   request->n, range)
                                 : NC_ENOMEM;
        free(dense);
        dense = converted;
        *native = converted;
    }
    *owned = dense;
    return code;
}

/* Texts become cells of their length, padded with zeros. */
static int strings_to_cells(const netcdf_request *request, const char *const *texts, char **cells)
{
    size_t bytes = request->v->cell_bytes;

    *cells = calloc(request->n + 1, bytes);
    for (size_t k = 0; k < request->n && *cells != NULL; k++) {
        size_t n = texts[k] != NULL ? strlen(texts[k]) : 0;
        if (n > bytes) {
            return NC_ERANGE; // none of its bytes may be lost
        }
        memcpy(*cells + k * bytes, texts[k] != NULL ? texts[k] : "", n);
    }
    return *cells != NULL ? NC_NOERR : NC_ENOMEM;
}

static bool are_truth_values(const unsigned char *values, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (values[k] > 1) {
            return false;
        }
    }
    return true;
}

/* ---- cells ---- */

static int write_cells(const netcdf_request *request, const void *cells)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t steps[XTA_MAX_NDIM];
    xta_error err = {0};
    const xta_box box = xta__nc_box_of(request, steps);

    if (request->v->array == NULL) {
        return ENOENT;
    }
    options.type = request->v->cell_type;
    options.step = steps;
    xta_status status = xta_array_write(request->v->array, &box, &options, cells, &err);
    return xta__nc_code(status, &err);
}

/* Some bytes, or one part, of each cell: the others stay. */
static int write_parts(const netcdf_request *request, const char *values)
{
    netcdf_request whole = *request;
    int inner = request->v->n_axes;
    size_t n = xta__nc_cells_of(request), cell_bytes = request->v->cell_bytes;
    size_t bytes = xta__nc_type_bytes(request->v->type);
    char *cells = malloc(n * cell_bytes + 1);

    whole.start[inner] = 0;
    whole.stride[inner] = 1;
    whole.count[inner] = xta__nc_length(request->file, request->v, inner);
    whole.n = n * whole.count[inner];
    whole.mapped = false;
    whole.memory = request->v->type;
    whole.value_bytes = bytes;
    int code = cells != NULL ? xta__nc_read(&whole, cells) : NC_ENOMEM;
    for (size_t k = 0; k < n && code == NC_NOERR; k++) {
        for (size_t i = 0; i < request->count[inner]; i++) {
            size_t at = request->start[inner] + i * request->stride[inner];
            memcpy(cells + k * cell_bytes + at * bytes, values, bytes);
            values += bytes;
        }
    }
    if (code == NC_NOERR) {
        code = write_cells(request, cells);
    }
    free(cells);
    return code;
}

/* Growth and cells. `native`: values of the type of the variable, dense. */
static int write_native(netcdf_file *file, const netcdf_request *request, const void *native)
{
    const netcdf_variable *v = request->v;
    bool whole = xta__nc_whole_cells(request), written = false;
    char *texts = NULL;
    int code = NC_NOERR;

    if (v->array == NULL) {
        return ENOENT;
    }
    if (xta_array_type(v->array) == XTA_BOOL && !are_truth_values(native, request->n)) {
        return NC_ERANGE;
    }
    if (v->strings) {
        code = strings_to_cells(request, native, &texts);
        native = texts;
    }
    if (code == NC_NOERR) {
        code = xta__nc_grow(file, request, whole ? native : NULL, &written);
    }
    if (code == NC_NOERR && !written) {
        code = whole ? write_cells(request, native) : write_parts(request, native);
    }
    free(texts);
    return code;
}

/* ---- coordinates ---- */

/* Whether regular coordinates have these values. */
static bool goes_on(const netcdf_request *request, const char *native)
{
    const netcdf_variable *v = request->v;
    bool same = true;

    for (size_t k = 0; k < request->n && same; k++) {
        int64_t cell = v->lo[0] + (int64_t)(request->start[0] + k * request->stride[0]);
        const xta_coordinate value = xta_regular_at(&v->regular, cell);
        bool is_float = v->cell_type == XTA_F32 || v->cell_type == XTA_F64;
        char bytes[8];
        same = xta_type_convert(is_float ? XTA_F64 : XTA_I64, &value, v->cell_type, bytes, 1,
                                NULL) == XTA_OK &&
               memcmp(bytes, native + k * v->cell_bytes, v->cell_bytes) == 0;
    }
    return same;
}

/* Keep them as a list from now on. */
static int make_list(netcdf_variable *v)
{
    xta_error err = {0};
    xta_status status = xta_dataset_list_coordinates(v->set, v->name, &err);

    if (status == XTA_OK) {
        status = xta_dataset_member(v->set, v->name, &v->array, &err);
    }
    int64_t lo = v->lo[0];
    int code = xta__nc_code(status, &err);
    if (code == NC_NOERR) {
        code = xta__nc_describe_cells(v);
        v->lo[0] = lo;
    }
    return code;
}

/* Values that regular coordinates have already, or would have, need no list. */
static int write_regular(netcdf_file *file, const netcdf_request *request, const char *native)
{
    bool written = false;

    if (goes_on(request, native)) {
        return xta__nc_grow(file, request, NULL, &written);
    }
    int code = make_list(request->v);
    xta__nc_find_arrays(file);
    return code == NC_NOERR ? write_native(file, request, native) : code;
}

int xta__nc_write(netcdf_file *file, const netcdf_request *request, const void *values)
{
    const netcdf_variable *v = request->v;
    const void *native = NULL;
    void *owned = NULL;
    int range = 0;

    if (request->n == 0) {
        return NC_NOERR;
    }
    if (v->kind == NETCDF_LISTED) {
        return NC_EPERM; // an attribute of the axis, which xta sets
    }
    int code = to_native(request, values, &native, &owned, &range);
    if (code == NC_NOERR) {
        code = v->kind == NETCDF_REGULAR ? write_regular(file, request, native)
                                         : write_native(file, request, native);
    }
    free(owned);
    return code == NC_NOERR && range ? NC_ERANGE : code;
}
