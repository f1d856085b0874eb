/* Coordinates that an axis of an array holds, as a variable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_MODEL_AXIS_COORDINATES_H
#define XTA_NETCDF_MODEL_AXIS_COORDINATES_H

#include "model/file.h"

/* Add the coordinates of an axis of `host`, if it has any for all its cells, as a variable along
 * dimension `id`, with the attributes of the axis. */
int xta__nc_add_axis_coordinates(netcdf_file *file, int group, netcdf_variable *host, int axis,
                                 int id, const char *name);

/* Read them again, after the bounds have changed. Those of an array that was removed stay. */
xta_status xta__nc_read_axis_coordinates(netcdf_variable *v, xta_error *err);

#endif
