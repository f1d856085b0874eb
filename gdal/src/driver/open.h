/* Recognising and opening arrays and data sets.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_DRIVER_OPEN_H
#define XTA_GDAL_DRIVER_OPEN_H

#include <gdal_priv.h>

namespace xta_gdal
{

/* By the prefix XTA:, the magic of the files, a folder with dataset.xmd, or a name without suffix
 * that has files of an array. */
int identify(GDALOpenInfo *info);

/* XML list of the options, for the driver's metadata. */
extern const char *const OPEN_OPTIONS;

/* NULL, and GDAL is told. */
GDALDataset *open(GDALOpenInfo *info);

} // namespace xta_gdal

#endif
