/* Where the cells of a raster lie on the earth.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "raster/georeference.h"

#include <cmath>
#include <cpl_conv.h>

#include "array/attributes.h"
#include "base/names.h"

namespace xta_gdal
{

/* How far, in cells, coordinates may be off equal distances: they are often rounded. */
constexpr double OFF_GRID = 1e-3;

/* The cell where the raster begins; arrays of one line have it at 0. */
static double begin_of(const Array &array, int axis)
{
    return axis >= 0 ? static_cast<double>(array.box.lo[axis]) : 0;
}

/* ---- geotransform ---- */

/* Where the first cell of an axis begins, and the distance of its cells. */
static bool equal_distances(const Array &array, int axis, double *begin, double *step)
{
    int64_t lo = array.box.lo[axis];
    int64_t n = array.length(axis);
    Coordinates coordinates = coordinates_of(array, axis);
    if (coordinates == nullptr || n < 2 ||
        xta_coordinates_kind_of(coordinates.get()) == XTA_COORDINATES_NAMES) {
        return false;
    }
    double first = xta_coordinates_at(coordinates.get(), lo);
    double last = xta_coordinates_at(coordinates.get(), lo + n - 1);
    *step = (last - first) / static_cast<double>(n - 1);
    *begin = first - *step / 2;
    if (*step == 0 || !std::isfinite(*step)) {
        return false;
    }
    bool regular = xta_coordinates_kind_of(coordinates.get()) == XTA_COORDINATES_REGULAR;
    for (int64_t k = 1; k < n - 1 && !regular; k++) {
        double off = xta_coordinates_at(coordinates.get(), lo + k) - first;
        if (!(std::fabs(off - *step * static_cast<double>(k)) <= OFF_GRID * std::fabs(*step))) {
            return false;
        }
    }
    return true;
}

bool read_geotransform(const Array &array, const RasterAxes &axes, double transform[6])
{
    Attribute found;
    if (find_attribute(array.handle, XTA_ON_ARRAY, GEOTRANSFORM, &found) && found.type == XTA_F64 &&
        found.count == 6) {
        double x = begin_of(array, axes.sample);
        double y = begin_of(array, axes.line);
        std::memcpy(transform, found.values.data(), 6 * sizeof transform[0]);
        transform[0] += x * transform[1] + y * transform[2];
        transform[3] += x * transform[4] + y * transform[5];
        return true;
    }
    double x, y, width, height;
    if (axes.line < 0 || !equal_distances(array, axes.sample, &x, &width) ||
        !equal_distances(array, axes.line, &y, &height)) {
        return false;
    }
    const double computed[6] = {x, width, 0, y, 0, height};
    std::memcpy(transform, computed, sizeof computed);
    return true;
}

bool write_geotransform(const Array &array, const RasterAxes &axes, const double *transform)
{
    double g[6];
    if (transform == nullptr) {
        return remove_attribute(array.handle, XTA_ON_ARRAY, GEOTRANSFORM);
    }
    double x = begin_of(array, axes.sample);
    double y = begin_of(array, axes.line);
    std::memcpy(g, transform, sizeof g);
    g[0] -= x * g[1] + y * g[2];
    g[3] -= x * g[4] + y * g[5];
    return put_values(array.handle, XTA_ON_ARRAY, GEOTRANSFORM, XTA_F64, 6, g);
}

/* ---- system of coordinates ---- */

bool read_system(const Array &array, const char *attribute, OGRSpatialReference *system)
{
    Attribute text, mapping;
    if (!find_attribute(array.handle, XTA_ON_ARRAY, attribute, &text) || text.type != XTA_TEXT ||
        system->importFromWkt(text.values.c_str()) != OGRERR_NONE) {
        return false;
    }
    if (find_attribute(array.handle, XTA_ON_ARRAY, AXIS_MAPPING, &mapping) &&
        mapping.numbers(XTA_I32)) {
        std::vector<int> order;
        for (size_t k = 0; k < mapping.count; k++) {
            order.push_back(mapping.at<int32_t>(k));
        }
        system->SetDataAxisToSRSAxisMapping(order);
    } else {
        system->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    }
    return true;
}

static bool has_unit(const Array &array, int axis, const char *beginning)
{
    Coordinates coordinates = axis >= 0 ? coordinates_of(array, axis) : nullptr;
    return coordinates != nullptr &&
           STARTS_WITH_CI(xta_coordinates_unit(coordinates.get()), beginning) &&
           xta_coordinates_unit(coordinates.get())[strlen(beginning)] != '\0';
}

bool is_geographic(const Array &array, const RasterAxes &axes)
{
    return (has_unit(array, axes.line, "degrees_n") || has_unit(array, axes.line, "degree_n")) &&
           (has_unit(array, axes.sample, "degrees_e") || has_unit(array, axes.sample, "degree_e"));
}

bool write_system(const Array &array, const char *attribute, const OGRSpatialReference *system)
{
    const char *const options[] = {"FORMAT=WKT2_2019", nullptr};
    char *text = nullptr;
    bool whole = strcmp(attribute, PROJECTION) == 0;
    if (system == nullptr || system->IsEmpty()) {
        return remove_attribute(array.handle, XTA_ON_ARRAY, attribute) &&
               (!whole || remove_attribute(array.handle, XTA_ON_ARRAY, AXIS_MAPPING));
    }
    bool good = system->exportToWkt(&text, options) == OGRERR_NONE;
    good = good && put_text(array.handle, XTA_ON_ARRAY, attribute, text);
    CPLFree(text);
    const std::vector<int> &mapping = system->GetDataAxisToSRSAxisMapping();
    if (good && whole && !mapping.empty()) {
        std::vector<int32_t> order(mapping.begin(), mapping.end());
        good = put_values(array.handle, XTA_ON_ARRAY, AXIS_MAPPING, XTA_I32, order.size(),
                          order.data());
    }
    return good;
}

/* ---- ground control points ---- */

std::vector<GDAL_GCP> read_gcps(const Array &array, const RasterAxes &axes)
{
    std::vector<GDAL_GCP> gcps;
    Attribute found;
    if (!find_attribute(array.handle, XTA_ON_ARRAY, GCPS, &found) || !found.numbers(XTA_F64)) {
        return gcps;
    }
    for (size_t k = 0; k + 5 <= found.count; k += 5) {
        GDAL_GCP gcp;
        GDALInitGCPs(1, &gcp);
        CPLFree(gcp.pszId);
        gcp.pszId = CPLStrdup(std::to_string(k / 5 + 1).c_str());
        gcp.dfGCPPixel = found.at<double>(k) - begin_of(array, axes.sample);
        gcp.dfGCPLine = found.at<double>(k + 1) - begin_of(array, axes.line);
        gcp.dfGCPX = found.at<double>(k + 2);
        gcp.dfGCPY = found.at<double>(k + 3);
        gcp.dfGCPZ = found.at<double>(k + 4);
        gcps.push_back(gcp);
    }
    return gcps;
}

bool write_gcps(const Array &array, const RasterAxes &axes, const std::vector<GDAL_GCP> &gcps)
{
    std::vector<double> numbers;
    if (gcps.empty()) {
        return remove_attribute(array.handle, XTA_ON_ARRAY, GCPS);
    }
    for (const GDAL_GCP &gcp : gcps) {
        const double one[5] = {gcp.dfGCPPixel + begin_of(array, axes.sample),
                               gcp.dfGCPLine + begin_of(array, axes.line), gcp.dfGCPX, gcp.dfGCPY,
                               gcp.dfGCPZ};
        numbers.insert(numbers.end(), one, one + 5);
    }
    return put_values(array.handle, XTA_ON_ARRAY, GCPS, XTA_F64, numbers.size(), numbers.data());
}

} // namespace xta_gdal
