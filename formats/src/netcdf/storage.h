/* How a NetCDF-4 variable is stored: chunks and filters, as attributes. Called under the lock;
 * returns NetCDF's codes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_STORAGE_H
#define XTA_FORMATS_NETCDF_STORAGE_H

#include <netcdf.h>

#include "description/description.h"

/* Describe the storage of a variable by the attributes `prefix` NC_CHUNKS and `prefix` NC_FILTERS
 * on an axis. */
int xta__netcdf_read_storage(int group, int variable, int ndim, bridge_description *what, int axis,
                             const char *prefix);

/* Give a new variable this storage; either attribute may be NULL. `longest`: of a chunk on each
 * dimension. */
int xta__netcdf_define_storage(int group, int id, nc_type type, int ndim, const size_t longest[],
                               const bridge_attribute *chunks, const bridge_attribute *filters);

#endif
