/* Dimensions and variables of a NetCDF file: listing and defining them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_DEFINE_H
#define XTA_FORMATS_NETCDF_DEFINE_H

#include "netcdf/target.h"

/* List dimensions and variables of the new file. Under the lock. */
void xta__netcdf_list(netcdf_target *target);
/* Define what is listed and not shared, and write all values but the cells. Under the lock. */
int xta__netcdf_define(netcdf_target *target);

#endif
