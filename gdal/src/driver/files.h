/* Deleting, renaming and copying arrays through GDAL: both files of an array, and those beside it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_DRIVER_FILES_H
#define XTA_GDAL_DRIVER_FILES_H

#include <cpl_error.h>

namespace xta_gdal
{

/* An array, or a member of a data set; a data set as a whole is refused. */
CPLErr delete_files(const char *text);
CPLErr rename_files(const char *to, const char *from);
CPLErr copy_files(const char *to, const char *from);

} // namespace xta_gdal

#endif
