/* What an HDF5 file holds that is no NetCDF file: the same tree of groups and variables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_HDF5_SOURCE_H
#define XTA_FORMATS_SETS_HDF5_SOURCE_H

#include "sets/tree/tree.h"

/* Whether a file is HDF5, but not as NetCDF makes it. */
bool xta__set_is_plain_hdf5(const char *path);

extern const set_reader xta__set_hdf5;

#endif
