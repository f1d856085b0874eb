/* Attributes and scales of axes, into an HDF5 file. Under the lock; false: out of memory, or HDF5
 * failed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_WRITE_ATTRIBUTES_H
#define XTA_FORMATS_HDF5_WRITE_ATTRIBUTES_H

#include "description/description.h"
#include "hdf5/dataset.h"

/* Put the attributes on `axis` whose names begin with `prefix` on an object. */
bool xta__hdf5_write_attributes(hid_t object, const bridge_description *what, int axis,
                                const char *prefix);
/* Numbers along an axis, which become its scale; NULL: none. */
const bridge_attribute *xta__hdf5_scale_values(const bridge_description *what, int axis);
/* The name of the scale of an axis. */
void xta__hdf5_scale_name(const bridge_description *what, int axis, char *name, size_t capacity);
/* Scales, labels. */
bool xta__hdf5_write_axes(const hdf5_file *f, const bridge_description *what);

#endif
