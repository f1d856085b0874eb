/* An array as a NetCDF file of its own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_FLAT_NETCDF_ARRAY_H
#define XTA_VIEWS_FLAT_NETCDF_ARRAY_H

#include "flat/sources.h"

xta_status xta__flat_describe_netcdf(xta_flat *flat, xta_error *err);

#endif
