/* What an HDF5 file holds that is no NetCDF file: the same tree of groups and variables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_HDF5_SOURCE_H
#define XTA_FORMATS_SETS_HDF5_SOURCE_H

#include "sets/source.h"

/* Whether a file is HDF5, but not as NetCDF or another writer of dimensions makes it. */
bool xta__set_is_plain_hdf5(const char *path);

/* Open and list such a file, into a source whose path is set. */
xta_status xta__set_open_hdf5(set_source *source, const char *local, xta_error *err);
void xta__set_close_hdf5(set_source *source);

/* Read a box of a variable, dense. */
xta_status xta__set_read_hdf5(const set_source *source, const set_variable *v, const xta_box *box,
                              void *cells, xta_error *err);

#endif
