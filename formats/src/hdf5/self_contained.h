/* Whether an HDF5 file refers to other files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_SELF_CONTAINED_H
#define XTA_FORMATS_HDF5_SELF_CONTAINED_H

#include <xta/status.h>

/* Refuse an HDF5 file that refers to other files, before it is opened by a library that would
 * follow them. Files of other formats are accepted. */
xta_status xta__hdf5_check_self_contained(const char *path, xta_error *err);

#endif
