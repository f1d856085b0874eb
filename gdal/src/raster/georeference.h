/* Where the cells of a raster lie on the earth.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_RASTER_GEOREFERENCE_H
#define XTA_GDAL_RASTER_GEOREFERENCE_H

#include <gdal_priv.h>
#include <ogr_spatialref.h>
#include <vector>

#include "raster/axes.h"

namespace xta_gdal
{

/* GDAL's six numbers for the lower corner of the array's bounds: of its attribute, which are those
 * of the cell at 0, or of coordinates at equal distances. False: there are none. */
bool read_geotransform(const Array &array, const RasterAxes &axes, double transform[6]);

/* The system of coordinates of an attribute, or of latitudes and longitudes. False: none. */
bool read_system(const Array &array, const char *attribute, OGRSpatialReference *system);
bool is_geographic(const Array &array, const RasterAxes &axes);

/* Ground control points, relative to the lower corner of the bounds. */
std::vector<GDAL_GCP> read_gcps(const Array &array, const RasterAxes &axes);

/* What is given becomes attributes; NULL, or none: they are removed. False: failed, GDAL is
 * told. */
bool write_geotransform(const Array &array, const RasterAxes &axes, const double *transform);
bool write_system(const Array &array, const char *attribute, const OGRSpatialReference *system);
bool write_gcps(const Array &array, const RasterAxes &axes, const std::vector<GDAL_GCP> &gcps);

} // namespace xta_gdal

#endif
