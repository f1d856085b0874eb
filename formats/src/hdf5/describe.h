/* What an open dataset of HDF5 is, as a description.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_DESCRIBE_H
#define XTA_FORMATS_HDF5_DESCRIBE_H

#include "description/description.h"
#include "hdf5/dataset.h"

/* Under the lock. Type, bounds, chunks and all that belongs to a dataset whose storage was read. */
xta_status xta__hdf5_describe(const hdf5_file *f, bridge_description *what, xta_error *err);

#endif
