/* A new HDF5 file with one dataset and what belongs to it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_CREATE_H
#define XTA_FORMATS_HDF5_CREATE_H

#include "description/description.h"
#include "hdf5/dataset.h"

/* `raw`: chunks are allocated now and not filled, so that each can be written separately. */
xta_status xta__hdf5_create(const char *path, bridge_description *what, bool raw, hdf5_file **out,
                            xta_error *err);
xta_status xta__hdf5_finish(void *state, xta_error *err);
/* Create the dataset and all that belongs to it in an open file; `globals`: also the attributes of
 * the root group. Called under the lock. */
xta_status xta__hdf5_make_dataset(hdf5_file *f, const bridge_description *what, bool raw,
                                  bool globals, xta_error *err);

#endif
