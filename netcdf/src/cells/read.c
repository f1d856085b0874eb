/* Reading values of a variable.
 *
 * Cells of the type that the program wants are one call of libxta, with steps and maps. Others are
 * read piece by piece into a buffer, and converted from there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cells/read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/codes.h"
#include "cells/convert.h"

enum { PIECE_VALUES = 1 << 18 };

/* ---- cells ---- */

static void fill_cells(const netcdf_variable *v, char *out, size_t n)
{
    char fill[UINT16_MAX] = {0};

    if (xta_array_type(v->array) == XTA_F16) {
        xta__nc_cast(XTA_F16, xta_array_fill_value(v->array), XTA_F32, fill);
    } else {
        memcpy(fill, xta_array_fill_value(v->array), v->cell_bytes);
    }
    for (size_t k = 0; k < n; k++) {
        memcpy(out + k * v->cell_bytes, fill, v->cell_bytes);
    }
}

/* Cells of which the array has lost some since it was opened: these are fill values. The array is
 * read where it still is. */
static xta_status read_shrunk(const netcdf_request *request, const xta_box *box,
                              const int64_t steps[], char *out, xta_error *err)
{
    const netcdf_variable *v = request->v;
    const xta_box bounds = xta_array_bounds(v->array);
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t strides[XTA_MAX_NDIM];
    xta_box left = *box;
    int64_t bytes = (int64_t)v->cell_bytes;

    if (bounds.ndim != box->ndim) {
        return xta_error_set(err, XTA_ESTATE, 0, "%s: has got another axis; open it again",
                             xta_array_path(v->array));
    }
    fill_cells(v, out, xta__nc_cells_of(request));
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        int64_t first = box->lo[axis];
        strides[axis] = bytes;
        bytes *= (box->hi[axis] - first + steps[axis] - 1) / steps[axis];
        if (bounds.lo[axis] > first) {
            int64_t skipped = (bounds.lo[axis] - first + steps[axis] - 1) / steps[axis];
            left.lo[axis] = first + skipped * steps[axis];
            out += skipped * strides[axis];
        }
        left.hi[axis] = bounds.hi[axis] < box->hi[axis] ? bounds.hi[axis] : box->hi[axis];
        if (left.lo[axis] >= left.hi[axis]) {
            return XTA_OK;
        }
    }
    options.type = v->cell_type;
    options.step = steps;
    options.strides = strides;
    return xta_array_read(v->array, &left, &options, out, err);
}

/* A data file is never shorter than its chunks. Reading one that somebody has truncated would raise
 * a signal, which ends a program that knows nothing of mapped files. Asking costs more than a small
 * read, so it is done once in each tick of a coarse clock. */
static xta_status check_length(netcdf_variable *v, xta_error *err)
{
    xta_array_info info;
    struct timespec now;
    xta_status status = XTA_OK;

    if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) == 0 && now.tv_nsec == v->checked.tv_nsec &&
        now.tv_sec == v->checked.tv_sec) {
        return XTA_OK;
    }
    status = xta_array_inquire(v->array, &info, err);
    if (status == XTA_OK && info.mapped && info.slot_bytes > 0 &&
        (info.data_apparent_bytes < info.data_offset ||
         (info.data_apparent_bytes - info.data_offset) / info.slot_bytes < info.n_chunks)) {
        status = xta_error_set(
            err, XTA_EIO, 0, "%s: its data file was truncated to %llu bytes; restore it",
            xta_array_path(v->array), (unsigned long long)info.data_apparent_bytes);
    }
    if (status == XTA_OK) {
        v->checked = now;
    }
    return status;
}

/* Whole cells, dense or, with `strides`, at distances in bytes. */
static int read_cells(const netcdf_request *request, const int64_t *strides, void *out)
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
    options.strides = strides;
    xta_status status = check_length(request->v, &err);
    if (status == XTA_OK) {
        status = xta_array_read(request->v->array, &box, &options, out, &err);
    }
    if (status == XTA_EBOX && strides == NULL) {
        status = read_shrunk(request, &box, steps, out, &err);
    }
    return xta__nc_code(status, &err);
}

/* Some bytes, or one part, of each cell. */
static int read_parts(const netcdf_request *request, void *out)
{
    int inner = request->v->n_axes;
    size_t n = xta__nc_cells_of(request), cell_bytes = request->v->cell_bytes;
    size_t bytes = xta__nc_type_bytes(request->v->type);
    char *cells = malloc(n * cell_bytes + 1);
    char *to = out;
    int code = cells != NULL ? read_cells(request, NULL, cells) : NC_ENOMEM;

    for (size_t k = 0; k < n && code == NC_NOERR; k++) {
        for (size_t i = 0; i < request->count[inner]; i++) {
            size_t at = request->start[inner] + i * request->stride[inner];
            memcpy(to, cells + k * cell_bytes + at * bytes, bytes);
            to += bytes;
        }
    }
    free(cells);
    return code;
}

static void free_strings(char **strings, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        free(strings[k]);
        strings[k] = NULL;
    }
}

/* Texts, each in memory of its own, which the program frees. */
static int read_strings(const netcdf_request *request, char **out)
{
    size_t n = request->n, bytes = request->v->cell_bytes;
    char *cells = malloc(n * bytes + 1);
    int code = cells != NULL ? read_cells(request, NULL, cells) : NC_ENOMEM;
    size_t k = 0;

    for (; k < n && code == NC_NOERR; k++) {
        out[k] = strndup(cells + k * bytes, bytes);
        code = out[k] != NULL ? NC_NOERR : NC_ENOMEM;
    }
    if (code != NC_NOERR) {
        free_strings(out, k);
    }
    free(cells);
    return code;
}

/* ---- coordinates ---- */

static void put_coordinate(xta_type type, xta_coordinate value, char *to)
{
    bool is_float = type == XTA_F32 || type == XTA_F64;

    xta__nc_cast(is_float ? XTA_F64 : XTA_I64, &value, type, to);
}

static void read_regular(const netcdf_request *request, char *out)
{
    const netcdf_variable *v = request->v;

    for (size_t k = 0; k < request->n; k++) {
        int64_t cell = v->lo[0] + (int64_t)(request->start[0] + k * request->stride[0]);
        put_coordinate(v->cell_type, xta_regular_at(&v->regular, cell), out + k * v->cell_bytes);
    }
}

static int read_names(const netcdf_request *request, char **out)
{
    const netcdf_variable *v = request->v;

    for (size_t k = 0; k < request->n; k++) {
        int64_t cell = v->lo[0] + (int64_t)(request->start[0] + k * request->stride[0]);
        const char *name = xta_coordinates_name(v->coordinates, cell);
        out[k] = strdup(name != NULL ? name : "");
        if (out[k] == NULL) {
            free_strings(out, k);
            return NC_ENOMEM;
        }
    }
    return NC_NOERR;
}

/* Numbers as they are in the list, not by way of binary64. The list may have none for new cells of
 * an array: these are NaN, and an error where the type has no NaN. */
static int read_listed(const netcdf_request *request, char *out)
{
    const netcdf_variable *v = request->v;
    const xta_coordinates *c = v->coordinates;
    const bool real = v->cell_type == XTA_F32 || v->cell_type == XTA_F64;
    const double missing = (double)NAN;

    for (size_t k = 0; k < request->n; k++) {
        int64_t cell = v->lo[0] + (int64_t)(request->start[0] + k * request->stride[0]);
        bool there = cell >= xta_coordinates_lo(c) && cell < xta_coordinates_hi(c);
        char number[8];
        if (there) {
            xta_coordinates_values(c, cell, cell + 1, number);
            xta__nc_cast(xta_coordinates_type(c), number, v->cell_type, out + k * v->cell_bytes);
        } else if (real) {
            xta__nc_cast(XTA_F64, &missing, v->cell_type, out + k * v->cell_bytes);
        } else {
            return NC_EINVALCOORDS;
        }
    }
    return NC_NOERR;
}

/* ---- values ---- */

/* Values of the type of the variable, dense. */
static int read_native(const netcdf_request *request, void *out)
{
    const netcdf_variable *v = request->v;

    if (v->kind == NETCDF_REGULAR) {
        read_regular(request, out);
        return NC_NOERR;
    }
    if (v->kind == NETCDF_LISTED) {
        return v->strings ? read_names(request, out) : read_listed(request, out);
    }
    if (v->strings) {
        return read_strings(request, out);
    }
    return xta__nc_whole_cells(request) ? read_cells(request, NULL, out) : read_parts(request, out);
}

/* Values of another type: the longest dimension that has several is halved until a piece fits the
 * buffer. Pieces follow each other in memory, since only the first such dimension is cut. */
static int read_converted(const netcdf_request *request, void *buffer, char *out, int *range)
{
    netcdf_request half = *request;
    int d = 0;

    if (request->n <= PIECE_VALUES) {
        int code = read_native(request, buffer);
        return code == NC_NOERR ? xta__nc_convert(buffer, request->v->type, out, request->memory,
                                                  request->n, range)
                                : code;
    }
    while (request->count[d] == 1) {
        d++;
    }
    half.count[d] = request->count[d] / 2;
    half.n = request->n / request->count[d] * half.count[d];
    int code = read_converted(&half, buffer, out, range);
    out += half.n * request->value_bytes;
    half.start[d] += half.count[d] * request->stride[d];
    half.count[d] = request->count[d] - half.count[d];
    half.n = request->n - half.n;
    return code == NC_NOERR ? read_converted(&half, buffer, out, range) : code;
}

static int read_dense(const netcdf_request *request, void *out)
{
    int range = 0;

    if (request->memory == request->v->type) {
        return read_native(request, out);
    }
    void *buffer = malloc((size_t)PIECE_VALUES * 8);
    int code = buffer != NULL ? read_converted(request, buffer, out, &range) : NC_ENOMEM;
    free(buffer);
    return code == NC_NOERR && range ? NC_ERANGE : code;
}

/* Through a map: straight from the cells if they have the type of memory. */
static int read_mapped(const netcdf_request *request, void *out)
{
    const netcdf_variable *v = request->v;
    int64_t strides[XTA_MAX_NDIM];

    if (v->kind == NETCDF_CELLS && !v->strings && request->memory == v->type &&
        v->ndim == v->n_axes) {
        for (int axis = 0; axis < v->n_axes; axis++) {
            strides[axis] = (int64_t)request->map[axis] * (int64_t)request->value_bytes;
        }
        int code = read_cells(request, strides, out);
        if (code != NC_EINVALCOORDS) {
            return code;
        }
    }
    void *dense = malloc(request->n * request->value_bytes + 1);
    int code = dense != NULL ? read_dense(request, dense) : NC_ENOMEM;
    if (code == NC_NOERR || code == NC_ERANGE) {
        xta__nc_scatter(dense, out, request->value_bytes, v->ndim, request->count, request->map);
    }
    free(dense);
    return code;
}

int xta__nc_read(const netcdf_request *request, void *out)
{
    if (request->n == 0) {
        return NC_NOERR;
    }
    return request->mapped ? read_mapped(request, out) : read_dense(request, out);
}
