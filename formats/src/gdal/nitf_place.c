/* Where an image lies, as the fields of a NITF file can say it (MIL-STD-2500: ICORDS and IGEOLO).
 *
 * They hold the centers of the four corner cells: in WGS 84 by whole seconds of arc (G) or
 * thousandths of a degree (D), in its UTM zones by whole metres (N, S). GDAL rounds to that, and
 * forgets a system of coordinates that does not fit; here both are refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/nitf_place.h"

#include <math.h>
#include <string.h>

#include "description/description.h"
#include "gdal/functions.h"
#include "gdal/georeference.h"
#include "gdal/names.h"

#define EXACT 1e-5 /* of a second, a thousandth of a degree, or a metre */

/* Whether all corners are whole multiples of 1 / per_unit. */
static bool corners_are_whole(const raster_target *target, const double t[6], double per_unit)
{
    const bridge_description *what = target->what;
    bool whole = true;
    for (int corner = 0; corner < 4; corner++) {
        double column = corner % 2 == 0 ? 0.5 : (double)what->bounds[target->axes.x] - 0.5;
        double row = corner / 2 == 0 ? 0.5 : (double)what->bounds[target->axes.y] - 0.5;
        double x = (t[0] + column * t[1] + row * t[2]) * per_unit;
        double y = (t[3] + column * t[4] + row * t[5]) * per_unit;
        whole = whole && fabs(x - nearbyint(x)) < EXACT && fabs(y - nearbyint(y)) < EXACT;
    }
    return whole;
}

static bool is_wgs84(OGRSpatialReferenceH system)
{
    OGRSpatialReferenceH wgs84 = xta__gdal.OSRNewSpatialReference(NULL);
    bool is = xta__gdal.OSRSetWellKnownGeogCS(wgs84, "WGS84") == OGRERR_NONE &&
              xta__gdal.OSRIsSameGeogCS(system, wgs84) != 0;
    xta__gdal.OSRDestroySpatialReference(wgs84);
    return is;
}

static const char *icords_of(const raster_target *target, OGRSpatialReferenceH system,
                             const double t[6])
{
    int north = 0;
    if (!is_wgs84(system)) {
        return NULL;
    }
    if (xta__gdal.OSRIsGeographic(system)) {
        return corners_are_whole(target, t, 3600)   ? "G"
               : corners_are_whole(target, t, 1000) ? "D"
                                                    : NULL;
    }
    bool utm = xta__gdal.OSRGetUTMZone(system, &north) != 0;
    return utm && corners_are_whole(target, t, 1) ? (north ? "N" : "S") : NULL;
}

xta_status xta__nitf_choose_icords(const raster_target *target, const char **icords, xta_error *err)
{
    double transform[6];
    OGRSpatialReferenceH system = xta__raster_system(target, GD_PROJECTION);
    *icords = NULL;
    if (system == NULL) {
        return XTA_OK;
    }
    bool placed = xta__raster_geotransform(target, transform);
    *icords = placed ? icords_of(target, system, transform) : NULL;
    xta__gdal.OSRDestroySpatialReference(system);
    return *icords != NULL
               ? XTA_OK
               : xta_error_set(err, XTA_EUNSUPPORTED, 0,
                               "%s: NITF holds the corners of an image in whole seconds of arc or "
                               "metres of WGS 84, and attributes %s and %s of the array do not fit "
                               "that; export a GeoTIFF, or warp the image first, or remove %s",
                               target->path, GD_PROJECTION, BRIDGE_GEOTRANSFORM, GD_PROJECTION);
}

bool xta__nitf_is_storage(const raster_target *target, const char *key)
{
    static const char *const names[] = {"ABPP",   "CLEVEL", "COMRAT", "FHDR",  "IC",     "ICORDS",
                                        "IGEOLO", "IMODE",  "IREP",   "PJUST", "PVTYPE", NULL};
    if (strncmp(key, "NITF_", 5) != 0 || !xta__raster_driver_is(target, "NITF")) {
        return false;
    }
    for (int k = 0; names[k] != NULL; k++) {
        if (strcmp(key + 5, names[k]) == 0) {
            return true;
        }
    }
    return false;
}
