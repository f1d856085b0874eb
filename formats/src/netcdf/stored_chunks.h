/* The stored chunks of a variable of a NetCDF-4 file, for several threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_STORED_CHUNKS_H
#define XTA_FORMATS_NETCDF_STORED_CHUNKS_H

#include "hdf5/raw/raw_chunks.h"

/* Takes the lock. `hdf5`: the file as xta__raw_chunks_open_file has opened it, negative if it is
 * no HDF5 file. NULL: NetCDF has to read the variable. */
raw_chunks *xta__netcdf_open_chunks(int64_t hdf5, int group, int variable, int ndim,
                                    size_t cell_bytes);

#endif
