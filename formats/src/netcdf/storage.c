/* How a NetCDF-4 variable is stored: chunks and filters, as attributes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "netcdf/storage.h"

#include <stdio.h>

#include "netcdf/names.h"

int xta__netcdf_read_storage(int group, int variable, int ndim, bridge_description *what, int axis,
                             const char *prefix)
{
    char key[NETCDF_NAME_BYTES];
    size_t chunk[NC_MAX_VAR_DIMS];
    int64_t numbers[NC_MAX_VAR_DIMS];
    int32_t filters[NC_N_FILTERS] = {0, 0, 0, NC_ENDIAN_NATIVE};
    int storage = NC_CONTIGUOUS;
    int format;
    int deflate = 0;
    if (nc_inq_format(group, &format) != NC_NOERR || format < NC_FORMAT_NETCDF4 ||
        format == NC_FORMAT_CDF5 || ndim == 0) {
        return NC_NOERR;
    }
    if (nc_inq_var_chunking(group, variable, &storage, chunk) == NC_NOERR &&
        storage == NC_CHUNKED) {
        for (int d = 0; d < ndim; d++) {
            numbers[d] = (int64_t)chunk[d];
        }
        snprintf(key, sizeof key, "%s%s", prefix, NC_CHUNKS);
        if (xta__description_add(what, axis, key, XTA_I64, (size_t)ndim, numbers) == NULL) {
            return NC_ENOMEM;
        }
    }
    int shuffle = 0;
    int level = 0;
    int checksum = 0;
    int endian = NC_ENDIAN_NATIVE;
    nc_inq_var_deflate(group, variable, &shuffle, &deflate, &level);
    nc_inq_var_fletcher32(group, variable, &checksum);
    nc_inq_var_endian(group, variable, &endian);
    filters[0] = shuffle;
    filters[1] = deflate ? level : 0;
    filters[2] = checksum;
    filters[3] = endian;
    snprintf(key, sizeof key, "%s%s", prefix, NC_FILTERS);
    bool added = xta__description_add(what, axis, key, XTA_I32, NC_N_FILTERS, filters) != NULL;
    return added ? NC_NOERR : NC_ENOMEM;
}

static int define_chunks(int group, int id, int ndim, const size_t longest[],
                         const bridge_attribute *chunks)
{
    size_t chunk[XTA_MAX_NDIM];

    for (int d = 0; d < ndim; d++) {
        double n = xta__attribute_number(chunks, (size_t)d, 1);
        chunk[d] = n >= 1 && n < 1e18 ? (size_t)n : 1;
        chunk[d] = chunk[d] > longest[d] ? longest[d] : chunk[d];
    }
    return nc_def_var_chunking(group, id, NC_CHUNKED, chunk);
}

int xta__netcdf_define_storage(int group, int id, nc_type type, int ndim, const size_t longest[],
                               const bridge_attribute *chunks, const bridge_attribute *filters)
{
    int code = NC_NOERR;

    if (ndim == 0) {
        return NC_NOERR;
    }
    if (chunks != NULL && chunks->count == (size_t)ndim) {
        code = define_chunks(group, id, ndim, longest, chunks);
    }
    if (filters == NULL || filters->count != NC_N_FILTERS || code != NC_NOERR) {
        return code;
    }
    int level = (int)xta__attribute_number(filters, 1, 0);
    int shuffle = xta__attribute_number(filters, 0, 0) != 0;
    if (chunks != NULL && (level > 0 || shuffle)) {
        code = nc_def_var_deflate(group, id, shuffle, level > 0, level);
    }
    if (code == NC_NOERR && chunks != NULL && xta__attribute_number(filters, 2, 0) != 0) {
        code = nc_def_var_fletcher32(group, id, NC_FLETCHER32);
    }
    int endian = (int)xta__attribute_number(filters, 3, 0);
    if (code == NC_NOERR && (endian == NC_ENDIAN_LITTLE || endian == NC_ENDIAN_BIG) &&
        type != NC_CHAR && type != NC_STRING) {
        code = nc_def_var_endian(group, id, endian);
    }
    return code;
}
