/* Which axes of an array are lines and samples of a raster, and which cells its bands have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_RASTER_AXES_H
#define XTA_GDAL_RASTER_AXES_H

#include <string>
#include <vector>

#include "array/array.h"

namespace xta_gdal
{

struct RasterAxes {
    int line;                /* -1: an array of one axis is one line */
    int sample;              /* the axis of the samples of a line */
    std::vector<int> others; /* their coordinates, the last one fastest, are the bands */
    int band = -1;           /* the axis to which items of bands belong; -1: none */
    int n_bands = 1;
};

/* Choose by names (y and x, lat and lon, line and sample, ...), then units (degrees_north and
 * degrees_east), then the last axes. False, and GDAL is told: too many lines, samples or bands, or
 * none. */
bool choose_axes(const Array &array, RasterAxes *out);

/* The box of the cells of a band (from 0): of one cell on all other axes. */
xta_box band_box(const Array &array, const RasterAxes &axes, int band);

/* The coordinate of a cell of an axis as text, "2015-01-01" or "850 hPa"; if there is none, the
 * number of the cell. */
std::string coordinate_text(const xta_coordinates *coordinates, int64_t cell);

} // namespace xta_gdal

#endif
