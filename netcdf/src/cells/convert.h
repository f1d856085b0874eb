/* Conversions between types, by NetCDF's own function.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_CELLS_CONVERT_H
#define XTA_NETCDF_CELLS_CONVERT_H

#include <stddef.h>

#include <netcdf.h>

#include <xta/type.h>

/* Convert one value of a type of libxta that fits the other; zero if it does not. */
void xta__nc_cast(xta_type from, const void *value, xta_type to, void *out);

/* Convert values. `*out_of_range` is set if one does not fit; those that do are converted all the
 * same. */
int xta__nc_convert(const void *from, nc_type from_type, void *to, nc_type to_type, size_t n,
                    int *out_of_range);

/* Between dense values and those that lie as a map says: `count` values on each dimension. */
void xta__nc_scatter(const void *dense, void *mapped, size_t value_bytes, int ndim,
                     const size_t count[], const ptrdiff_t map[]);
void xta__nc_gather(const void *mapped, void *dense, size_t value_bytes, int ndim,
                    const size_t count[], const ptrdiff_t map[]);

#endif
