/* A dataset that the program has opened, with all that is known of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_HDF5_HANDLE_HDF5_H
#define XTA_FORMATS_MAP_HDF5_HANDLE_HDF5_H

#include <hdf5.h>

#include "description/description.h"
#include "hdf5/dataset.h"

/* Take one more reference of the dataset and describe it; `f->path` is its name in messages.
 * `origin` has the coordinates of the first cell. To be closed by xta__hdf5_close. */
xta_status xta__mapping_open_hdf5(hid_t dataset, bridge_description *what, int64_t origin[],
                                  hdf5_file **out, xta_error *err);

#endif
