/* An open variable of NetCDF: its description, reading and writing boxes of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_VARIABLE_H
#define XTA_FORMATS_NETCDF_VARIABLE_H

#include "description/description.h"
#include "netcdf/select_variable.h"

/* Under the lock. Type, bounds and all that belongs to the variable that was selected. */
xta_status xta__netcdf_describe(netcdf_source *source, bridge_description *what, xta_error *err);

/* Under the lock. A box of a variable with `ndim` dimensions (0: a scalar); codes of NetCDF's. */
int xta__netcdf_get(int group, int variable, int ndim, const xta_box *box, void *cells);
int xta__netcdf_put(int group, int variable, int ndim, const xta_box *box, const void *cells);

/* Read a box of a netcdf_source. */
xta_status xta__netcdf_read(void *state, const xta_box *box, void *cells, xta_error *err);

#endif
