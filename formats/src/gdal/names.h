/* Names of the attributes of rasters; see docs/decisions/0010-bridges.md. Items of GDAL's default
 * metadata domain keep their names, those of another domain are gdal/DOMAIN/KEY. Items of bands are
 * spread along the band axis, others are on the array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_NAMES_H
#define XTA_FORMATS_GDAL_NAMES_H

#define GD             "gdal/"
#define GD_PROJECTION  "projection" /* WKT */
#define GD_NODATA      "nodata"     /* if it is the same for all bands */
#define GD_MAPPING     GD "axis_mapping"
#define GD_DRIVER      GD "driver"
#define GD_INTERLEAVE  GD "interleave" /* bsq, bil, bip */
#define GD_COMPRESSION GD "compression"
/* rows and columns of a tile; of a strip if there are no columns */
#define GD_BLOCK       GD "block"
#define GD_NBITS       GD "nbits"
#define GD_COLORS      GD "color_table" /* if there is only one band: int16, four for each entry */
#define GD_GCPS        GD "gcps"        /* five numbers for each: column, row, x, y, z */
#define GD_GCP_SYSTEM  GD "gcp_projection"
#define GD_DESCRIPTION GD "description" /* of bands, like the following: one line for each */
#define GD_UNIT        GD "unit"
#define GD_COLOR       GD "color"
#define GD_SCALE       GD "scale"
#define GD_OFFSET      GD "offset"
#define GD_BAND_NODATA GD "band_nodata"

/* Names that do not depend on the driver. */
#define GD_REFLECTANCE   "reflectance_scale_factor" /* cells divided by this are reflectances */
#define GD_UNITS         "wavelength_units"
#define GD_CLASS_NAMES   "class_names"   /* one line for each class, from 0 */
#define GD_CLASS_COLOURS "class_colours" /* u8: red, green, blue of each class, from 0 */

/* KEY//text: the original text of numbers, if the numbers do not reproduce it */
#define GD_TEXT "//text"
#define GD_BAND "band/" /* prefix for names of band items if there is no band axis */

#endif
