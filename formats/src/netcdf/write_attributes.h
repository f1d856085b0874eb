/* Attributes and values of variables but the cells, into a NetCDF file. Under the lock; returns
 * codes of NetCDF's.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_WRITE_ATTRIBUTES_H
#define XTA_FORMATS_NETCDF_WRITE_ATTRIBUTES_H

#include "netcdf/target.h"

/* Put the attributes on `axis` whose names are `prefix` and a foreign name on variable `id`, whose
 * cells have type `cells`. */
int xta__netcdf_write_attributes(const netcdf_target *target, int id, nc_type cells, int axis,
                                 const char *prefix);
/* Values of all variables but the array's own. */
int xta__netcdf_write_values(const netcdf_target *target);

#endif
