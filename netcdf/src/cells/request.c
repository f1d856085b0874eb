/* Which values of a variable a call transfers, and how they lie in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cells/request.h"

#include <limits.h>
#include <string.h>

#include "base/codes.h"

/* The position of the last value on a dimension; SIZE_MAX: beyond all. */
static size_t last_position(const netcdf_request *request, int d)
{
    size_t reach = 0, last = 0;

    if (request->count[d] == 0) {
        return request->start[d];
    }
    if (__builtin_mul_overflow(request->stride[d], request->count[d] - 1, &reach) ||
        __builtin_add_overflow(request->start[d], reach, &last)) {
        return SIZE_MAX;
    }
    return last;
}

static int check_dimension(const netcdf_request *request, int d, bool writing, bool empty)
{
    const netcdf_dimension *dimension = &request->file->dimensions[request->v->dimension[d]];
    size_t length = dimension->length;

    if (writing && dimension->unlimited) {
        // Cells are counted by numbers of 62 bits.
        return last_position(request, d) < SIZE_MAX / 4 ? NC_NOERR : NC_EINVALCOORDS;
    }
    if (request->start[d] > length || (request->start[d] == length && request->count[d] > 0)) {
        return NC_EINVALCOORDS;
    }
    bool counts = writing ? !empty : request->count[d] > 0;
    bool exceeds = counts && last_position(request, d) >= length;
    // With a map NetCDF goes through the values one by one.
    return !exceeds ? NC_NOERR : request->mapped ? NC_EINVALCOORDS : NC_EEDGE;
}

static int check_types(const netcdf_request *request)
{
    nc_type stored = request->v->type;
    nc_type memory = request->memory;

    if (memory != stored && (memory == NC_CHAR || stored == NC_CHAR)) {
        return NC_ECHAR;
    }
    if (request->value_bytes == 0 || (memory == NC_STRING) != (stored == NC_STRING)) {
        return NC_EBADTYPE;
    }
    return NC_NOERR;
}

/* What NetCDF asks of calls with a map. */
static int check_map(const netcdf_request *request, const ptrdiff_t *stride, bool writing)
{
    for (int d = 0; d < request->v->ndim && stride != NULL; d++) {
        if (stride[d] <= 0 || stride[d] >= INT_MAX) {
            return NC_ESTRIDE;
        }
    }
    for (int d = request->v->ndim - 1; d >= 0; d--) {
        const netcdf_dimension *dimension = &request->file->dimensions[request->v->dimension[d]];
        size_t length = dimension->length;
        if (writing && dimension->unlimited) {
            continue;
        }
        if (request->start[d] > length || (request->start[d] == length && request->count[d] > 0)) {
            return NC_EINVALCOORDS;
        }
        if (request->count[d] > length - request->start[d]) {
            return NC_EEDGE;
        }
    }
    return NC_NOERR;
}

static int check_all(netcdf_request *request, bool writing)
{
    int code = NC_NOERR;
    bool empty = false;

    for (int d = 0; d < request->v->ndim; d++) {
        empty = empty || request->count[d] == 0;
    }
    // With a map NetCDF sees first that there is nothing to do.
    for (int d = 0; d < request->v->ndim && code == NC_NOERR && !(request->mapped && empty); d++) {
        code = check_dimension(request, d, writing, empty);
    }
    request->n = empty ? 0 : 1;
    for (int d = 0; d < request->v->ndim && code == NC_NOERR; d++) {
        size_t bytes = 0;
        if (__builtin_mul_overflow(request->n, request->count[d], &request->n) ||
            __builtin_mul_overflow(request->n, (size_t)16, &bytes)) {
            code = NC_EEDGE; // more than any memory holds
        }
    }
    return code;
}

int xta__nc_request(const netcdf_file *file, netcdf_variable *v, nc_type memory,
                    const size_t *start, const size_t *count, const ptrdiff_t *stride,
                    const ptrdiff_t *map, bool writing, netcdf_request *request)
{
    int code = NC_NOERR;

    *request = (netcdf_request){.file = file, .v = v, .mapped = map != NULL && v->ndim > 0};
    request->memory = memory == NC_NAT ? v->type : memory;
    request->value_bytes = xta__nc_type_bytes(request->memory);
    if (v->ndim > 0 && (start == NULL || count == NULL)) {
        return NC_EINVALCOORDS;
    }
    for (int d = 0; d < v->ndim; d++) {
        request->start[d] = start[d];
        request->count[d] = count[d];
        request->stride[d] = stride != NULL && stride[d] > 0 ? (size_t)stride[d] : 1;
        request->map[d] = map != NULL ? map[d] : 0;
    }
    code = check_types(request);
    if (code == NC_NOERR && request->mapped) {
        code = check_map(request, stride, writing);
    }
    for (int d = 0; d < v->ndim && code == NC_NOERR; d++) {
        code = stride != NULL && stride[d] <= 0 ? NC_ESTRIDE : NC_NOERR;
    }
    return code == NC_NOERR ? check_all(request, writing) : code;
}

xta_box xta__nc_box_of(const netcdf_request *request, int64_t steps[])
{
    const netcdf_variable *v = request->v;
    xta_box box = {.ndim = v->scalar ? 1 : v->n_axes};

    for (int axis = 0; axis < box.ndim; axis++) {
        size_t count = v->scalar ? 1 : request->count[axis];
        steps[axis] = v->scalar ? 1 : (int64_t)request->stride[axis];
        box.lo[axis] = v->lo[axis] + (v->scalar ? 0 : (int64_t)request->start[axis]);
        box.hi[axis] =
            count > 0 ? box.lo[axis] + (int64_t)(count - 1) * steps[axis] + 1 : box.lo[axis];
    }
    return box;
}

bool xta__nc_whole_cells(const netcdf_request *request)
{
    int inner = request->v->n_axes;

    return request->v->ndim == inner ||
           (request->start[inner] == 0 && request->stride[inner] == 1 &&
            request->count[inner] ==
                request->file->dimensions[request->v->dimension[inner]].length);
}

size_t xta__nc_cells_of(const netcdf_request *request)
{
    size_t n = 1;

    for (int axis = 0; axis < request->v->n_axes; axis++) {
        n *= request->count[axis];
    }
    return n;
}
