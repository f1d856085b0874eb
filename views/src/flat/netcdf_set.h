/* A data set as one NetCDF file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_FLAT_NETCDF_SET_H
#define XTA_VIEWS_FLAT_NETCDF_SET_H

#include "flat/sources.h"

xta_status xta__flat_describe_set(xta_flat *flat, xta_error *err);

#endif
