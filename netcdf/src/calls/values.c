/* Reading and writing values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "calls/calls.h"

#include "base/codes.h"
#include "cells/read.h"
#include "cells/request.h"
#include "cells/write.h"
#include "model/file.h"

static int find(int ncid, int id, netcdf_file **file, netcdf_variable **v)
{
    *file = xta__nc_file_find(ncid);
    if (*file == NULL) {
        return NC_EBADID;
    }
    *v = xta__nc_variable(*file, ncid, id);
    return *v != NULL ? NC_NOERR : NC_ENOTVAR;
}

int xta__nc_get_varm(int ncid, int id, const size_t *start, const size_t *count,
                     const ptrdiff_t *stride, const ptrdiff_t *map, void *values, nc_type memory)
{
    netcdf_file *file = NULL;
    netcdf_variable *v = NULL;
    netcdf_request request;
    int code = find(ncid, id, &file, &v);

    if (code == NC_NOERR) {
        code = xta__nc_request(file, v, memory, start, count, stride, map, false, &request);
    }
    return code == NC_NOERR ? xta__nc_read(&request, values) : code;
}

int xta__nc_get_vars(int ncid, int id, const size_t *start, const size_t *count,
                     const ptrdiff_t *stride, void *values, nc_type memory)
{
    return xta__nc_get_varm(ncid, id, start, count, stride, NULL, values, memory);
}

int xta__nc_get_vara(int ncid, int id, const size_t *start, const size_t *count, void *values,
                     nc_type memory)
{
    return xta__nc_get_varm(ncid, id, start, count, NULL, NULL, values, memory);
}

int xta__nc_put_varm(int ncid, int id, const size_t *start, const size_t *count,
                     const ptrdiff_t *stride, const ptrdiff_t *map, const void *values,
                     nc_type memory)
{
    netcdf_file *file = NULL;
    netcdf_variable *v = NULL;
    netcdf_request request;
    int code = find(ncid, id, &file, &v);

    if (code == NC_NOERR && !file->writable) {
        code = NC_EPERM;
    }
    if (code == NC_NOERR) {
        code = xta__nc_request(file, v, memory, start, count, stride, map, true, &request);
    }
    return code == NC_NOERR ? xta__nc_write(file, &request, values) : code;
}

int xta__nc_put_vars(int ncid, int id, const size_t *start, const size_t *count,
                     const ptrdiff_t *stride, const void *values, nc_type memory)
{
    return xta__nc_put_varm(ncid, id, start, count, stride, NULL, values, memory);
}

int xta__nc_put_vara(int ncid, int id, const size_t *start, const size_t *count, const void *values,
                     nc_type memory)
{
    return xta__nc_put_varm(ncid, id, start, count, NULL, NULL, values, memory);
}
