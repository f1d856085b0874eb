/* Opening a NetCDF file that may be damaged.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_OPEN_FILE_H
#define XTA_FORMATS_NETCDF_OPEN_FILE_H

#include <xta/status.h>

/* Open a file for reading; *file is -1 on failure. `local`: the path that is passed to the library,
 * `name`: the one in messages. XTA_EFORMAT: it is no NetCDF file, or truncated. Under the lock. */
xta_status xta__netcdf_open_file(const char *local, const char *name, int *file, xta_error *err);

#endif
