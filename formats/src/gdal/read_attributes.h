/* What GDAL says of a raster, as attributes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_READ_ATTRIBUTES_H
#define XTA_FORMATS_GDAL_READ_ATTRIBUTES_H

#include "gdal/raster.h"

/* Everything but type and axes, which are there already. False: out of memory. */
bool xta__raster_read_attributes(const raster_source *source, bridge_description *what);

#endif
