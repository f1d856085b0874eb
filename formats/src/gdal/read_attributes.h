/* The attributes of a raster, from GDAL.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_READ_ATTRIBUTES_H
#define XTA_FORMATS_GDAL_READ_ATTRIBUTES_H

#include "gdal/raster.h"

/* Read everything except type and axes, which are already set. False: out of memory. */
bool xta__raster_read_attributes(const raster_source *source, bridge_description *what);

#endif
