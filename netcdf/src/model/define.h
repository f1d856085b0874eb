/* Groups, dimensions and variables of an open file, in the shadow and in the model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_MODEL_DEFINE_H
#define XTA_NETCDF_MODEL_DEFINE_H

#include "model/file.h"

/* Make the shadow of a data set that is open, with the names, order and attributes that `xta
 * export` gives a file. Returns a code of NetCDF. */
int xta__nc_define_set(netcdf_file *file);

#endif
