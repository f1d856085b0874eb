/* What comes with a variable of a NetCDF file: attributes, coordinates, companions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_READ_ATTRIBUTES_H
#define XTA_FORMATS_NETCDF_READ_ATTRIBUTES_H

#include "description/description.h"
#include "netcdf/select_variable.h"

/* Under the lock. Returns a code of NetCDF's. */
int xta__netcdf_read_attributes(netcdf_source *source, bridge_description *what);
/* The attributes of one variable, or NC_GLOBAL, their names behind `prefix`. */
int xta__netcdf_read_object(int group, int variable, bridge_description *what, int axis,
                            const char *prefix);

/* A group lists only its own dimensions, so the enclosing groups are queried too. */
bool xta__netcdf_is_unlimited(int group, int dimension);

#endif
