/* What a NetCDF file holds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_NETCDF_SOURCE_H
#define XTA_FORMATS_SETS_NETCDF_SOURCE_H

#include "sets/tree/tree.h"

extern const set_reader xta__set_netcdf;

#endif
