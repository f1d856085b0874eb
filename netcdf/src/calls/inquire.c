/* Inquiries that the shadow does not answer alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "calls/calls.h"

#include "base/codes.h"
#include "model/file.h"

int xta__nc_inq_format(int ncid, int *format)
{
    if (xta__nc_file_find(ncid) == NULL) {
        return NC_EBADID;
    }
    if (format != NULL) {
        *format = NC_FORMAT_NETCDF4;
    }
    return NC_NOERR;
}

int xta__nc_inq_format_extended(int ncid, int *format, int *mode)
{
    const netcdf_file *file = xta__nc_file_find(ncid);

    if (file == NULL) {
        return NC_EBADID;
    }
    if (format != NULL) {
        *format = file->array != NULL ? NC_FORMATX_UDF1 : NC_FORMATX_UDF0;
    }
    if (mode != NULL) {
        *mode = (file->array != NULL ? NC_UDF1 : NC_UDF0) | NC_NETCDF4 |
                (file->writable ? NC_WRITE : NC_NOWRITE);
    }
    return NC_NOERR;
}

int xta__nc_inq_dim(int ncid, int id, char *name, size_t *length)
{
    const netcdf_file *file = xta__nc_file_find(ncid);

    if (file == NULL) {
        return NC_EBADID;
    }
    int code = nc_inq_dim(xta__nc_shadow_id(file, ncid), id, name, NULL);
    if (code == NC_NOERR && (id < 0 || (size_t)id >= file->n_dimensions)) {
        code = NC_EBADDIM;
    }
    if (code == NC_NOERR && length != NULL) {
        *length = file->dimensions[id].length;
    }
    return code;
}

/* How cells lie: in chunks without compression, or computed. Programs use the lengths of chunks for
 * files that they write, where no chunk is longer than a dimension that is not unlimited. */
static void describe_storage(const netcdf_file *file, const netcdf_variable *v, int *contiguous,
                             size_t *chunks)
{
    bool chunked = v->ndim > 0 && v->kind == NETCDF_CELLS;

    if (contiguous != NULL) {
        *contiguous = chunked ? NC_CHUNKED : NC_CONTIGUOUS;
    }
    for (int d = 0; d < v->ndim && chunked && chunks != NULL; d++) {
        const netcdf_dimension *along = &file->dimensions[v->dimension[d]];
        bool longer = !along->unlimited && v->chunk[d] > along->length;
        chunks[d] = longer ? along->length : v->chunk[d];
    }
}

int xta__nc_inq_var_all(int ncid, int id, char *name, nc_type *type, int *ndim, int *dimensions,
                        int *n_attributes, int *shuffle, int *deflate, int *deflate_level,
                        int *fletcher32, int *contiguous, size_t *chunks, int *no_fill,
                        void *fill_value, int *endianness, unsigned int *filter,
                        size_t *n_parameters, unsigned int *parameters)
{
    const netcdf_file *file = xta__nc_file_find(ncid);
    int none = 0;

    (void)filter;
    (void)parameters;
    if (file == NULL) {
        return NC_EBADID;
    }
    int shadow = xta__nc_shadow_id(file, ncid);
    int code = nc_inq_var(shadow, id, name, type, ndim, dimensions, n_attributes);
    if (code == NC_NOERR && (no_fill != NULL || fill_value != NULL) && id != NC_GLOBAL) {
        code = nc_inq_var_fill(shadow, id, no_fill != NULL ? no_fill : &none, fill_value);
    }
    const netcdf_variable *v = code == NC_NOERR ? xta__nc_variable(file, ncid, id) : NULL;
    if (v == NULL) {
        return code;
    }
    describe_storage(file, v, contiguous, chunks);
    int *const absent[] = {shuffle, deflate, deflate_level, fletcher32};
    for (size_t k = 0; k < sizeof absent / sizeof absent[0]; k++) {
        if (absent[k] != NULL) {
            *absent[k] = 0;
        }
    }
    if (endianness != NULL) {
        *endianness = NC_ENDIAN_LITTLE; // in files, on every machine
    }
    if (n_parameters != NULL) {
        *n_parameters = 0;
    }
    return NC_NOERR;
}

int xta__nc_show_metadata(int ncid)
{
    return xta__nc_file_find(ncid) != NULL ? NC_NOERR : NC_EBADID;
}

int xta__nc_var_par_access(int ncid, int id, int access)
{
    (void)ncid;
    (void)id;
    (void)access;
    return NC_ENOPAR;
}

/* Programs set and ask it unasked; the page cache is the only one here. */
int xta__nc_set_var_chunk_cache(int ncid, int id, size_t bytes, size_t n, float preemption)
{
    const netcdf_file *file = xta__nc_file_find(ncid);

    (void)bytes;
    (void)n;
    if (file == NULL) {
        return NC_EBADID;
    }
    if (xta__nc_variable(file, ncid, id) == NULL) {
        return NC_ENOTVAR;
    }
    return preemption < 0 || preemption > 1 ? NC_EINVAL : NC_NOERR;
}

int xta__nc_get_var_chunk_cache(int ncid, int id, size_t *bytes, size_t *n, float *preemption)
{
    const netcdf_file *file = xta__nc_file_find(ncid);

    return file != NULL
               ? nc_get_var_chunk_cache(xta__nc_shadow_id(file, ncid), id, bytes, n, preemption)
               : NC_EBADID;
}
