/* Names of the attributes that hold what a raster of GDAL has. They are those of the imports and
 * exports (docs/decisions/0010-bridges.md), so that an imported raster shows what its file shows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_BASE_NAMES_H
#define XTA_GDAL_BASE_NAMES_H

namespace xta_gdal
{

constexpr const char *GEOTRANSFORM = "geotransform"; /* of the cell at 0, 0 */
constexpr const char *PROJECTION = "projection";     /* WKT */
constexpr const char *AXIS_MAPPING = "gdal/axis_mapping";
constexpr const char *NODATA = "nodata";                /* if it is the same for all bands */
constexpr const char *COLOR_TABLE = "gdal/color_table"; /* int16: four numbers for each entry */
constexpr const char *GCPS = "gdal/gcps"; /* five numbers each: column, row, x, y, z */
constexpr const char *GCP_PROJECTION = "gdal/gcp_projection";
constexpr const char *CLASS_NAMES = "class_names";     /* one line for each class */
constexpr const char *CLASS_COLOURS = "class_colours"; /* bytes: red, green, blue of each class */

/* Of bands: one line for each, along the axis of the bands. */
constexpr const char *DESCRIPTION = "gdal/description";
constexpr const char *UNIT = "gdal/unit";
constexpr const char *COLOR = "gdal/color";
constexpr const char *SCALE = "gdal/scale";
constexpr const char *OFFSET = "gdal/offset";
constexpr const char *BAND_NODATA = "gdal/band_nodata";

/* Bounds, as text, of which the overviews in .ovr are. */
constexpr const char *OVERVIEW_BOUNDS = "gdal/overview_bounds";

constexpr const char *OF_GDAL = "gdal/";        /* gdal/DOMAIN/KEY: an item of another domain */
constexpr const char *OF_BAND = "band/";        /* items of the band if there is no axis of bands */
constexpr const char *ORIGINAL_TEXT = "//text"; /* of numbers that do not reproduce it */
constexpr const char *BOX = "//box";            /* the cells that items of an attribute cover */

} // namespace xta_gdal

#endif
