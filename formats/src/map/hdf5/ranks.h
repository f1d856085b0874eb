/* Whether several processes have a file open together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_HDF5_RANKS_H
#define XTA_FORMATS_MAP_HDF5_RANKS_H

#include <hdf5.h>

/* Under the lock. How many ranks opened the file through MPI-IO; 1 if it was opened otherwise. */
int xta__mapping_hdf5_ranks(hid_t file);

#endif
