/* The format of rasters, read and written by GDAL.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_GDAL_H
#define XTA_FORMATS_GDAL_GDAL_H

#include "description/format.h"

extern const bridge_format xta__bridge_gdal;

#endif
