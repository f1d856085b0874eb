/* Reading values of a variable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_CELLS_READ_H
#define XTA_NETCDF_CELLS_READ_H

#include "cells/request.h"

/* Read the values of a request. NC_ERANGE: some do not fit the type in memory, the others are
 * there. */
int xta__nc_read(const netcdf_request *request, void *out);

#endif
