/* HDF4 files whose cells lie in other files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_HDF4_EXTERNAL_FILES_H
#define XTA_FORMATS_GDAL_HDF4_EXTERNAL_FILES_H

#include <xta/status.h>

/* Refuse an HDF4 file that names other files to read cells from. Files of other formats are
 * accepted. */
xta_status xta__hdf4_check_self_contained(const char *path, xta_error *err);

#endif
