/* Which values of a variable a call transfers, and how they lie in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_CELLS_REQUEST_H
#define XTA_NETCDF_CELLS_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "model/file.h"

typedef struct netcdf_request {
    const netcdf_file *file;
    netcdf_variable *v;
    nc_type memory;     /* type of the values in memory */
    size_t value_bytes; /* there */
    size_t n;           /* values */
    size_t start[NETCDF_MAX_NDIM];
    size_t count[NETCDF_MAX_NDIM];
    size_t stride[NETCDF_MAX_NDIM];
    bool mapped;                    /* false: dense, row-major */
    ptrdiff_t map[NETCDF_MAX_NDIM]; /* values from one to the next, in memory */
} netcdf_request;

/* Make a request of the arguments of a call and check it as NetCDF-4 does. `stride` and `map` may
 * be NULL. `writing`: unlimited dimensions may be exceeded. */
int xta__nc_request(const netcdf_file *file, netcdf_variable *v, nc_type memory,
                    const size_t *start, const size_t *count, const ptrdiff_t *stride,
                    const ptrdiff_t *map, bool writing, netcdf_request *request);

/* The box and the steps of the cells of a request; `steps` has one for each axis. */
xta_box xta__nc_box_of(const netcdf_request *request, int64_t steps[]);

/* Whether all of a cell is transferred, not some of its bytes or one of its two parts. */
bool xta__nc_whole_cells(const netcdf_request *request);

/* Number of cells. */
size_t xta__nc_cells_of(const netcdf_request *request);

#endif
