/* Adding a variable to an existing NetCDF file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_ADD_VARIABLE_H
#define XTA_FORMATS_NETCDF_ADD_VARIABLE_H

#include "description/format.h"

xta_status xta__netcdf_add(const char *path, const xta_export_options *options,
                           bridge_description *what, void **state, xta_error *err);

#endif
