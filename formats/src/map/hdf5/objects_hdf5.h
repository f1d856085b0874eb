/* The objects around a dataset of HDF5.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_HDF5_OBJECTS_HDF5_H
#define XTA_FORMATS_MAP_HDF5_OBJECTS_HDF5_H

#include "hdf5/dataset.h"
#include "map/handle.h"

/* List the groups from the root to the dataset and the members of its group. */
xta_status xta__mapping_hdf5_objects(const hdf5_file *f, xta_mapping *map, xta_error *err);

#endif
