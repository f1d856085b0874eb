/* Values of attributes of the shadow, converted by NetCDF from and to a type in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_CALLS_ATTRIBUTE_VALUES_H
#define XTA_NETCDF_CALLS_ATTRIBUTE_VALUES_H

#include <stddef.h>

#include <netcdf.h>

/* `memory`: NC_NAT is the attribute's own type. */
int xta__nc_get_values(int shadow, int id, const char *name, void *values, nc_type memory);
int xta__nc_put_values(int shadow, int id, const char *name, nc_type type, size_t n,
                       const void *values, nc_type memory);

#endif
