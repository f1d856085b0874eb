/* The georeference that a new raster is to have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/georeference.h"

#include <string.h>

#include "description/description.h"
#include "gdal/functions.h"
#include "gdal/names.h"

OGRSpatialReferenceH xta__raster_system(const raster_target *target, const char *name)
{
    const char *text = xta__description_text(target->what, XTA_ON_ARRAY, name);
    const bridge_attribute *mapping = xta__description_find(target->what, XTA_ON_ARRAY, GD_MAPPING);
    if (text == NULL) {
        return NULL;
    }
    OGRSpatialReferenceH system = xta__gdal.OSRNewSpatialReference(NULL);
    char *copy = xta__gdal.CPLStrdup(text);
    char *rest = copy;
    if (xta__gdal.OSRImportFromWkt(system, &rest) != OGRERR_NONE) {
        xta__gdal.OSRDestroySpatialReference(system);
        system = NULL;
    } else if (mapping != NULL && mapping->type == XTA_I32) {
        xta__gdal.OSRSetDataAxisToSRSAxisMapping(system, (int)mapping->count, mapping->values);
    } else {
        xta__gdal.OSRSetAxisMappingStrategy(system, OAMS_TRADITIONAL_GIS_ORDER);
    }
    xta__gdal.CPLFree(copy);
    return system;
}

bool xta__raster_geotransform(const raster_target *target, double transform[6])
{
    const bridge_description *what = target->what;
    const bridge_attribute *a = xta__description_find(what, XTA_ON_ARRAY, BRIDGE_GEOTRANSFORM);
    if (a == NULL || a->type != XTA_F64 || a->count != 6) {
        return false;
    }
    double x = (double)what->lo[target->axes.x];
    double y = (double)what->lo[target->axes.y];
    memcpy(transform, a->values, 6 * sizeof transform[0]);
    transform[0] += x * transform[1] + y * transform[2];
    transform[3] += x * transform[4] + y * transform[5];
    return true;
}
