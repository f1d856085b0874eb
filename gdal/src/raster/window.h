/* Parts of a raster and memory for them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_RASTER_WINDOW_H
#define XTA_GDAL_RASTER_WINDOW_H

#include <gdal.h>

#include "array/cell_access.h"
#include "raster/axes.h"

namespace xta_gdal
{

/* What a raster and its bands share. */
struct RasterSource {
    ArrayPtr array;
    RasterAxes axes;
    SeenAs seen;
    bool changed = false; /* what bands have beside their cells is to be written */
};

/* A part of a raster and the caller's memory, as GDAL gives them to RasterIO. */
struct Window {
    int x, y, width, height; /* of the raster */
    int columns, lines;      /* of the memory */
    GSpacing pixel, line;    /* bytes from one to the next */
    GDALDataType type;
};

/* Whether a window can be moved by one call of the library: its memory has every cell of it, or
 * every n-th one, where GDAL takes the same ones if it is to take the nearest. */
bool is_direct(const Window &window, const GDALRasterIOExtraArg *extra);

/* Which cells of the array a window of a band has, and where they lie in memory. */
CellAccess window_access(const Array &array, const RasterAxes &axes, const Window &window,
                         int band);

} // namespace xta_gdal

#endif
