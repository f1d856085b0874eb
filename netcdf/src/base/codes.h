/* What NetCDF is told of an error, and the types of both libraries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_BASE_CODES_H
#define XTA_NETCDF_BASE_CODES_H

#include <netcdf.h>

#include <xta/status.h>
#include <xta/type.h>

/* The code of NetCDF for a failure. NetCDF has no texts: that of `err` goes to standard error if
 * XTA_NC_VERBOSE is set. */
int xta__nc_code(xta_status status, const xta_error *err);

/* The type that cells have for NetCDF: that of the components of complex cells, NC_FLOAT of
 * binary16. NC_NAT: none. */
nc_type xta__nc_type(xta_type type);

/* The type of an array for one of NetCDF; XTA_TYPE_SAME: none. */
xta_type xta__nc_type_of(nc_type type);

/* Bytes of a value in memory; 0: not of fixed length, or unknown. */
size_t xta__nc_type_bytes(nc_type type);

#endif
