/* Adding a dataset to an existing HDF5 file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_ADD_DATASET_H
#define XTA_FORMATS_HDF5_ADD_DATASET_H

#include "description/format.h"

xta_status xta__hdf5_add(const char *path, const xta_export_options *options,
                         bridge_description *what, void **state, xta_error *err);

#endif
