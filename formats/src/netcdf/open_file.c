/* Opening a NetCDF file that may be damaged.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "netcdf/open_file.h"

#include <netcdf.h>
#include <sys/stat.h>

#include "netcdf/file_length.h"
#include "netcdf/library.h"

xta_status xta__netcdf_open_file(const char *local, const char *name, int *file, xta_error *err)
{
    struct stat facts;
    int code = nc_open(local, NC_NOWRITE, file);

    if (code != NC_NOERR) {
        *file = -1;
        return xta__netcdf_status(code == NC_EHDFERR ? NC_ENOTNC : code, name, "cannot open it",
                                  err);
    }
    double least = xta__netcdf_least_bytes(*file);
    if (stat(local, &facts) == 0 && (double)facts.st_size < least) {
        nc_close(*file);
        *file = -1;
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: ends after %lld bytes; its header tells of %.0f or more", name,
                             (long long)facts.st_size, least);
    }
    return XTA_OK;
}
