/* Lengths and first cells after arrays have changed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_MODEL_REFRESH_H
#define XTA_NETCDF_MODEL_REFRESH_H

#include "model/file.h"

/* Take up the bounds that the arrays of a file have now. `renumber`: position 0 becomes the first
 * cell; otherwise it stays the cell that it was, and only lengths change. Names, attributes and
 * types stay as they were when the file was opened. */
xta_status xta__nc_refresh(netcdf_file *file, bool renumber, xta_error *err);

/* Find the arrays of members again: any change of a data set may show that others have removed
 * some. */
void xta__nc_find_arrays(netcdf_file *file);

#endif
