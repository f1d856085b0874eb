/* Writing values of a variable, which may lengthen its unlimited dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_CELLS_WRITE_H
#define XTA_NETCDF_CELLS_WRITE_H

#include "cells/request.h"

/* Write the values of a request. NC_ERANGE: some did not fit the type of the variable; they are
 * written as NetCDF converts them, the others are right. */
int xta__nc_write(netcdf_file *file, const netcdf_request *request, const void *values);

#endif
