/* The georeference that a new raster is to have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_GEOREFERENCE_H
#define XTA_FORMATS_GDAL_GEOREFERENCE_H

#include <ogr_srs_api.h>

#include "gdal/raster.h"

/* The system that a text attribute describes (WKT); NULL: there is none. The caller destroys it. */
OGRSpatialReferenceH xta__raster_system(const raster_target *target, const char *name);

/* GDAL's six numbers for the box of the export: the array's are of its cell at 0. False: none. */
bool xta__raster_geotransform(const raster_target *target, double transform[6]);

#endif
