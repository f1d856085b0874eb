/* Variables of strings.
 *
 * They become cells of a fixed length, that of the longest: they are read once to find it. In HDF5
 * files that other programs wrote strings may have a fixed length already. NetCDF shows them as its
 * own, but cannot read them: HDF5 does (hdf5_strings.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/strings.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "netcdf/library.h"
#include "sets/hdf5_strings.h"
#include "util/text.h"

static int longest_string(const set_variable *v, int ndim, size_t *bytes)
{
    size_t n = 1, length = 0;
    int dimension[NC_MAX_VAR_DIMS];
    int code = nc_inq_vardimid(v->group, v->id, dimension);

    for (int d = 0; d < ndim && code == NC_NOERR; d++) {
        code = nc_inq_dimlen(v->group, dimension[d], &length);
        n *= length;
    }
    *bytes = 1;
    if (code != NC_NOERR || n == 0) {
        return code;
    }
    char **texts = calloc(n, sizeof *texts);
    code = texts != NULL ? nc_get_var_string(v->group, v->id, texts) : NC_ENOMEM;
    for (size_t k = 0; k < n && code == NC_NOERR; k++) {
        length = texts[k] != NULL ? strlen(texts[k]) : 0;
        *bytes = length > *bytes ? length : *bytes;
    }
    if (code == NC_NOERR) {
        nc_free_string(n, texts);
    }
    free(texts);
    return code;
}

xta_status xta__set_measure_strings(const set_source *source, set_variable *v, const char *group,
                                    const char *name, int ndim, size_t *bytes, xta_error *err)
{
    char *full = xta__string("/%s%s%s", group, group[0] != '\0' ? "/" : "", name);

    *bytes = 0;
    if (full == NULL) {
        return xta__bridge_no_memory(source->path, err);
    }
    hdf5_strings kind = xta__hdf5_strings_of(source->local, full, bytes);
    if (kind == HDF5_STRINGS_FIXED) {
        v->fixed = full;
        return XTA_OK;
    }
    free(full);
    if (kind == HDF5_STRINGS_UNKNOWN) {
        *bytes = 0;
        return XTA_OK;
    }
    return xta__netcdf_status(longest_string(v, ndim, bytes), source->path, "cannot read texts",
                              err);
}

int xta__set_read_strings(const set_source *source, const set_variable *v, const xta_box *box,
                          size_t n, void *cells)
{
    size_t start[XTA_MAX_NDIM], count[XTA_MAX_NDIM];
    size_t bytes = v->what.cell_bytes;
    char *to = cells;
    int code = NC_ENOMEM;

    if (v->fixed != NULL) {
        return xta__hdf5_read_fixed_strings(source->local, v->fixed, v->scalar, box, bytes, cells)
                   ? NC_NOERR
                   : NC_EHDFERR;
    }
    char **texts = calloc(n, sizeof *texts);
    for (int d = 0; d < box->ndim; d++) {
        start[d] = (size_t)box->lo[d];
        count[d] = (size_t)(box->hi[d] - box->lo[d]);
    }
    if (texts != NULL) {
        code = v->scalar ? nc_get_var_string(v->group, v->id, texts)
                         : nc_get_vara_string(v->group, v->id, start, count, texts);
    }
    memset(to, 0, n * bytes);
    for (size_t k = 0; k < n && code == NC_NOERR; k++) {
        size_t length = texts[k] != NULL ? strlen(texts[k]) : 0;
        memcpy(to + k * bytes, texts[k] != NULL ? texts[k] : "", length < bytes ? length : bytes);
    }
    if (code == NC_NOERR) {
        nc_free_string(n, texts);
    }
    free(texts);
    return code;
}
