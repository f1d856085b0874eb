/* Opening: all arrays of a data set at one moment.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_MODEL_SNAPSHOT_H
#define XTA_NETCDF_MODEL_SNAPSHOT_H

#include <xta/status.h>

#include "model/file.h"

/* Open a data set with its groups and all members, or an array, into `file`, which knows whether it
 * is writable. */
xta_status xta__nc_open_arrays(netcdf_file *file, const char *path, bool single, xta_error *err);

/* Take up what others have changed, in all arrays at one moment. */
xta_status xta__nc_settle(netcdf_file *file, xta_error *err);

#endif
