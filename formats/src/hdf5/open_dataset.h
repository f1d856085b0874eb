/* Opening a dataset of an HDF5 file to read it, with all that is known of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_OPEN_DATASET_H
#define XTA_FORMATS_HDF5_OPEN_DATASET_H

#include "description/description.h"
#include "hdf5/dataset.h"

/* `cached`: keep HDF5's chunk cache, else use none. `trust`: allow the file to refer to other
 * files. */
xta_status xta__hdf5_open(const char *path, const char *variable, bool cached, bool trust,
                          bridge_description *what, hdf5_file **out, xta_error *err);

#endif
