/* The format of NetCDF files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_NETCDF_H
#define XTA_FORMATS_NETCDF_NETCDF_H

#include "description/format.h"

extern const bridge_format xta__bridge_netcdf;

#endif
