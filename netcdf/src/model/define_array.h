/* A single array as a file: its cells, and the coordinates of its axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_MODEL_DEFINE_ARRAY_H
#define XTA_NETCDF_MODEL_DEFINE_ARRAY_H

#include "model/file.h"

/* Make the shadow of an array that is open. Returns a code of NetCDF. */
int xta__nc_define_array(netcdf_file *file);

#endif
