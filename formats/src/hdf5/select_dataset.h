/* Selecting a dataset of an HDF5 file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_SELECT_DATASET_H
#define XTA_FORMATS_HDF5_SELECT_DATASET_H

#include "hdf5/dataset.h"

/* Under the lock. Open the dataset of that name, or the only one that is not the scale of an
 * axis. */
xta_status xta__hdf5_select_dataset(hdf5_file *f, const char *variable, bool cached, char **name,
                                    xta_error *err);

#endif
