/* The stored chunks of a variable of a NetCDF-4 file, for several threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "netcdf/stored_chunks.h"

#include <netcdf.h>
#include <stdlib.h>

#include "netcdf/library.h"
#include "util/text.h"

/* The path of a variable in the HDF5 file, with a prefix before its name; NULL: there is none. */
static char *hdf5_path_of(int group, int variable, const char *prefix)
{
    char name[NC_MAX_NAME + 1];
    char *full = NULL, *path = NULL;
    size_t n = 0;

    xta__netcdf_lock();
    if (nc_inq_varname(group, variable, name) == NC_NOERR &&
        nc_inq_grpname_full(group, &n, NULL) == NC_NOERR) {
        full = calloc(n + 1, 1);
    }
    if (full != NULL && nc_inq_grpname_full(group, NULL, full) == NC_NOERR) {
        path = xta__string("%s%s%s%s", full, n > 1 ? "/" : "", prefix, name);
    }
    xta__netcdf_unlock();
    free(full);
    return path;
}

raw_chunks *xta__netcdf_open_chunks(int64_t hdf5, int group, int variable, int ndim,
                                    size_t cell_bytes)
{
    // A variable that has the name of a dimension and is not its coordinates has a prefix in HDF5.
    static const char *const prefix[] = {"_nc4_non_coord_", ""};
    raw_chunks *raw = NULL;

    for (int k = 0; k < 2 && raw == NULL && hdf5 >= 0; k++) {
        char *path = hdf5_path_of(group, variable, prefix[k]);
        raw = path != NULL ? xta__raw_chunks_open(hdf5, path, ndim, cell_bytes) : NULL;
        free(path);
    }
    return raw;
}
