/* Types of cells, of GDAL and of the library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_BASE_TYPES_H
#define XTA_GDAL_BASE_TYPES_H

#include <gdal.h>

#include <xta/type.h>

namespace xta_gdal
{

/* How cells of a type are seen: GDAL's type, and the type of the library that lies in memory in the
 * same way. GDT_Unknown: not at all. */
struct SeenAs {
    GDALDataType gdal;
    xta_type memory;
};

/* Before GDAL 3.7, which has Int8, signed bytes are bytes with PIXELTYPE=SIGNEDBYTE in the raster
 * API, as in GDAL's netCDF driver. */
SeenAs raster_type(xta_type type, bool *signed_byte);

/* There they are Int16 in the multidimensional API, as in that driver. */
SeenAs multidim_type(xta_type type);

/* The type of an array for cells of GDAL; complex integers become floats. XTA_TYPE_SAME: none. */
xta_type array_type(GDALDataType type, bool signed_byte);

/* The type of GDAL for cells that are converted to or from those of an array: complex integers are
 * no type of the library. */
GDALDataType plain_type(GDALDataType type);

} // namespace xta_gdal

#endif
