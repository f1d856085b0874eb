/* Writing the attributes of a new raster.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_WRITE_ATTRIBUTES_H
#define XTA_FORMATS_GDAL_WRITE_ATTRIBUTES_H

#include "gdal/raster.h"

/* Write georeference, metadata, no-data value and colours of a new dataset. What its driver cannot
 * store is lost. */
void xta__raster_write_attributes(raster_target *target);

#endif
