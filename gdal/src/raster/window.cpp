/* Parts of a raster and memory for them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "raster/window.h"

#include <algorithm>

namespace xta_gdal
{

bool is_direct(const Window &window, const GDALRasterIOExtraArg *extra)
{
    bool whole = window.columns == window.width && window.lines == window.height;
    bool part = window.width % window.columns == 0 && window.height % window.lines == 0;
    bool exact = extra == nullptr || !extra->bFloatingPointWindowValidity ||
                 (extra->dfXOff == window.x && extra->dfYOff == window.y &&
                  extra->dfXSize == window.width && extra->dfYSize == window.height);
    bool nearest = extra == nullptr || extra->eResampleAlg == GRIORA_NearestNeighbour;
    return whole ? exact || nearest : part && exact && nearest;
}

CellAccess window_access(const Array &array, const RasterAxes &axes, const Window &window, int band)
{
    CellAccess access;
    access.box = band_box(array, axes, band);
    access.type = window.type;
    std::fill_n(access.step, XTA_MAX_NDIM, 1);
    std::fill_n(access.strides, XTA_MAX_NDIM, GDALGetDataTypeSizeBytes(window.type));
    auto choose = [&](int axis, int first, int n, int steps, GSpacing stride) {
        int64_t step = n / steps;
        access.box.lo[axis] += first;
        access.box.hi[axis] = access.box.lo[axis] + n;
        access.box.lo[axis] += step / 2; // the cell in the middle, as GDAL takes it
        access.step[axis] = step;
        access.strides[axis] = stride;
    };
    choose(axes.sample, window.x, window.width, window.columns, window.pixel);
    if (axes.line >= 0) {
        choose(axes.line, window.y, window.height, window.lines, window.line);
    }
    return access;
}

} // namespace xta_gdal
