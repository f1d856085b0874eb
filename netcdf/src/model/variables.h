/* Variables of an open file: what cells are for NetCDF.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_MODEL_VARIABLES_H
#define XTA_NETCDF_MODEL_VARIABLES_H

#include "model/attributes.h"
#include "model/file.h"

/* Fill in what follows from the array of a variable: types, number of dimensions, first cells. */
int xta__nc_describe_cells(netcdf_variable *v);

/* Define a variable, whose axes have their dimensions, in the shadow: with the dimension inside its
 * cells, its fill value, and the attributes of `owner`. */
int xta__nc_define_variable(netcdf_file *file, int group, netcdf_variable *v, const char *name,
                            const netcdf_owner *owner);

#endif
