/** @file
 * XTA as a format of the NetCDF library: nc_open opens data sets and arrays while they grow.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_NETCDF_FORMAT_H
#define XTA_NETCDF_FORMAT_H

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Register both formats with the NetCDF library of this process: data sets as NC_UDF0, single
 * arrays as NC_UDF1. Loading the shared library does it, so only programs that are linked with the
 * static archive have to call it. Again is harmless.
 *
 * Not thread-safe, like the NetCDF library.
 *
 * @return NC_NOERR, or NC_EINVAL if this NetCDF library has another dispatch table than the one
 *         that this library was built for */
XTA_API int xta_netcdf_register(void);

#ifdef __cplusplus
}
#endif

#endif
