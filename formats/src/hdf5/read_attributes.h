/* What comes with a dataset of an HDF5 file: attributes, and scales of axes. Under the lock; false:
 * out of memory, or HDF5 failed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_READ_ATTRIBUTES_H
#define XTA_FORMATS_HDF5_READ_ATTRIBUTES_H

#include "description/description.h"
#include "hdf5/dataset.h"

bool xta__hdf5_read_attributes(const hdf5_file *f, bridge_description *what);
/* The attributes of one object, their names behind `prefix`. */
bool xta__hdf5_read_object(hid_t object, bridge_description *what, int axis, const char *prefix);
/* For H5DSiterate_scales: open the first scale as the hid_t that `user` points to; the caller
 * closes it. */
herr_t xta__hdf5_open_scale(hid_t dataset, unsigned axis, hid_t scale, void *user);
/* Read values and attributes of a scale of this length into those of an axis; does nothing if it is
 * not a list of numbers of that length. */
bool xta__hdf5_read_scale(hid_t scale, hsize_t length, int axis, bridge_description *what);

#endif
