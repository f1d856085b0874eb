/* What goes into a new raster besides its cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_WRITE_ATTRIBUTES_H
#define XTA_FORMATS_GDAL_WRITE_ATTRIBUTES_H

#include "gdal/raster.h"

/* Georeference, metadata, no-data and colors of a new dataset. What a driver cannot keep is
 * lost. */
void xta__raster_write_attributes(raster_target *target);

#endif
