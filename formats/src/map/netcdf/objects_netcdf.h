/* The objects around a variable of NetCDF.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_NETCDF_OBJECTS_NETCDF_H
#define XTA_FORMATS_MAP_NETCDF_OBJECTS_NETCDF_H

#include "map/handle.h"
#include "netcdf/select_variable.h"

/* List the groups from the root to the variable, and the dimensions, variables and groups of its
 * group. */
xta_status xta__mapping_netcdf_objects(const netcdf_source *source, xta_mapping *map,
                                       xta_error *err);

#endif
