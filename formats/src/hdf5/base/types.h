/* Converting between HDF5's types and XTA's. All functions are called under the lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_BASE_TYPES_H
#define XTA_FORMATS_HDF5_BASE_TYPES_H

#include <hdf5.h>
#include <stddef.h>

#include <xta/type.h>

/* XTA's type for one of HDF5's; XTA_TYPE_SAME if there is none. */
xta_type xta__hdf5_to_xta(hid_t type, size_t *cell_bytes);
/* The type of cells in memory for a type in a file; negative: none. The caller closes it. */
hid_t xta__hdf5_memory_type(hid_t file_type);
/* The plain type in files for one of XTA's types. The caller closes it. */
hid_t xta__hdf5_from_xta(xta_type type, size_t cell_bytes);
/* The type that `text` (H5_TYPE) names, if it still fits; else the plain one. */
hid_t xta__hdf5_type_for(const char *text, xta_type type, size_t cell_bytes);
/* HDF5's text for a type, which the caller frees; NULL if it is the plain one. */
char *xta__hdf5_type_text(hid_t type);

#endif
