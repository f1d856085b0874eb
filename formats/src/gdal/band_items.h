/* What attributes say of one band, as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_BAND_ITEMS_H
#define XTA_FORMATS_GDAL_BAND_ITEMS_H

#include "gdal/raster.h"

/* The item of band `band` (from 0) of an attribute, as text; "" if it has none. */
void xta__raster_band_text(const raster_target *target, const char *key, int band, char *text,
                           size_t capacity);
/* The same of an item of metadata that may be kept as numbers: as the source had it. */
void xta__raster_band_item(const raster_target *target, const char *key, int band, char *text,
                           size_t capacity);

#endif
