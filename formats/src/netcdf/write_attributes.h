/* Writing attributes and values of variables, except the cells, to a NetCDF file. Called under the
 * lock; returns NetCDF's codes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_WRITE_ATTRIBUTES_H
#define XTA_FORMATS_NETCDF_WRITE_ATTRIBUTES_H

#include "netcdf/target.h"

/* Write the attributes on `axis` whose names are `prefix` and a foreign name to variable `id`,
 * whose cells have type `cells`. */
int xta__netcdf_write_attributes(const netcdf_target *target, int id, nc_type cells, int axis,
                                 const char *prefix);
/* Write the values of all variables except the array's own. */
int xta__netcdf_write_values(const netcdf_target *target);

#endif
