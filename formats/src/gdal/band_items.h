/* The items of attributes for one band, as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_BAND_ITEMS_H
#define XTA_FORMATS_GDAL_BAND_ITEMS_H

#include "gdal/raster.h"

/* An attribute's item for band `band` (from 0), as text; "" if it has none. */
void xta__raster_band_text(const raster_target *target, const char *key, int band, char *text,
                           size_t capacity);
/* The same for an item of metadata that may be kept as numbers: the source's text. */
void xta__raster_band_item(const raster_target *target, const char *key, int band, char *text,
                           size_t capacity);

#endif
