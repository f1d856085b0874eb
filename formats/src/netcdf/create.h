/* A new NetCDF file with one variable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_CREATE_H
#define XTA_FORMATS_NETCDF_CREATE_H

#include "description/format.h"

bool xta__netcdf_accepts(const char *format, const char *suffix);
xta_status xta__netcdf_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err);

#endif
