/* Growth of a dimension by writing beyond its end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_CELLS_GROW_H
#define XTA_NETCDF_CELLS_GROW_H

#include "cells/request.h"

/* Lengthen the dimensions of a request that it exceeds: for each of them all arrays along it grow
 * in one step, of which the cells of the request are a part, if they lie beyond the old end and
 * follow each other.
 *
 * `cells`: those of the request, dense, of the type of the variable; NULL: none yet. `*written`:
 * whether they are all written now. */
int xta__nc_grow(netcdf_file *file, const netcdf_request *request, const void *cells,
                 bool *written);

#endif
