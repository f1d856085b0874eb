/* Which axes of an array are lines and samples of a raster, and which cells its bands have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "raster/axes.h"

#include <climits>
#include <cmath>
#include <cpl_error.h>
#include <cpl_port.h>
#include <gdal.h>
#include <initializer_list>

#include <xta/attribute.h>
#include <xta/calendar.h>

#include "array/attributes.h"

namespace xta_gdal
{

constexpr int MOST_BANDS = 65536; // GDAL's own limit for rasters that it opens

using Words = std::initializer_list<const char *>;

static const Words line_names = {"y",        "line",     "lines", "row",  "rows",       "lat",
                                 "latitude", "northing", "rlat",  "nlat", "south_north"};
static const Words sample_names = {"x",         "sample",  "samples", "column", "columns",  "lon",
                                   "longitude", "easting", "rlon",    "nlon",   "west_east"};
static const Words band_names = {"band",    "bands",     "wavelength", "wavelengths",
                                 "channel", "endmember", "material"};
static const Words line_units = {"degrees_north", "degree_north", "degrees_N", "degreesN"};
static const Words sample_units = {"degrees_east", "degree_east", "degrees_E", "degreesE"};

static bool is_one_of(const char *word, Words words)
{
    for (const char *other : words) {
        if (EQUAL(word, other)) {
            return true;
        }
    }
    return false;
}

/* The first axis with such a name, or such a unit; -1: none. */
static int find_axis(const Array &array, Words names, Words units)
{
    for (int axis = 0; axis < array.box.ndim; axis++) {
        if (is_one_of(xta_axis_name(array.handle, axis), names)) {
            return axis;
        }
    }
    for (int axis = 0; units.size() > 0 && axis < array.box.ndim; axis++) {
        Coordinates coordinates = coordinates_of(array, axis);
        if (coordinates != nullptr && is_one_of(xta_coordinates_unit(coordinates.get()), units)) {
            return axis;
        }
    }
    return -1;
}

/* The last axis but one that is taken. */
static int last_axis(const Array &array, int taken)
{
    int axis = array.box.ndim - 1;
    return axis == taken ? axis - 1 : axis;
}

static bool check_lengths(const Array &array, const RasterAxes &axes)
{
    for (int axis = 0; axis < array.box.ndim; axis++) {
        bool plane = axis == axes.line || axis == axes.sample;
        if (array.length(axis) < 1 || (plane && array.length(axis) > INT_MAX)) {
            CPLError(CE_Failure, CPLE_NotSupported,
                     "%s: a raster cannot have %lld cells on axis %s; the multidimensional API of "
                     "GDAL can",
                     xta_array_path(array.handle), static_cast<long long>(array.length(axis)),
                     array.axis_name(axis).c_str());
            return false;
        }
    }
    return true;
}

static bool count_bands(const Array &array, RasterAxes *axes)
{
    int64_t n = 1;
    for (int axis : axes->others) {
        if (array.length(axis) > MOST_BANDS / n) {
            CPLError(CE_Failure, CPLE_NotSupported,
                     "%s: the %d axes beside lines and samples have more than %d bands in all; use "
                     "the multidimensional API of GDAL",
                     xta_array_path(array.handle), static_cast<int>(axes->others.size()),
                     MOST_BANDS);
            return false;
        }
        n *= array.length(axis);
    }
    axes->n_bands = static_cast<int>(n);
    return true;
}

bool choose_axes(const Array &array, RasterAxes *out)
{
    *out = RasterAxes();
    out->line = find_axis(array, line_names, line_units);
    out->sample = find_axis(array, sample_names, sample_units);
    if (out->sample < 0 || out->sample == out->line) {
        out->sample = last_axis(array, out->line);
    }
    if (out->sample < 0) { // the one axis is called as lines are
        out->sample = 0;
        out->line = -1;
    } else if (out->line < 0) {
        out->line = last_axis(array, out->sample);
    }
    for (int axis = 0; axis < array.box.ndim; axis++) {
        if (axis == out->line || axis == out->sample) {
            continue;
        }
        out->others.push_back(axis);
        if (is_one_of(xta_axis_name(array.handle, axis), band_names)) {
            out->band = axis;
        }
    }
    if (out->others.size() == 1) {
        out->band = out->others[0];
    }
    return check_lengths(array, *out) && count_bands(array, out);
}

xta_box band_box(const Array &array, const RasterAxes &axes, int band)
{
    xta_box box = array.box;
    for (size_t k = axes.others.size(); k-- > 0;) {
        int axis = axes.others[k];
        int64_t n = array.length(axis);
        box.lo[axis] += band % n;
        box.hi[axis] = box.lo[axis] + 1;
        band = static_cast<int>(band / n);
    }
    return box;
}

/* A number of a time axis as a date; false: it is none. */
static bool date_text(const xta_coordinates *coordinates, int64_t cell, std::string *out)
{
    xta_time_unit unit;
    xta_instant instant;
    xta_date date;
    char text[XTA_DATE_TEXT_BYTES];
    const char *name = xta_coordinates_unit(coordinates);
    if (!xta_time_unit_is(name) ||
        xta_time_unit_parse(name, xta_coordinates_calendar(coordinates), &unit, nullptr) !=
            XTA_OK ||
        xta_time_from_f64(&unit, xta_coordinates_at(coordinates, cell), &instant, nullptr) !=
            XTA_OK ||
        xta_instant_to_date(unit.calendar, &instant, &date, nullptr) != XTA_OK) {
        return false;
    }
    xta_date_text(&date, XTA_PRECISION_SHORTEST, text);
    *out = text;
    return true;
}

/* A number as text, exact; also one of 64 bits that no binary64 is equal to. */
static std::string number_at(const xta_coordinates *coordinates, int64_t cell)
{
    char value[16];
    xta_type type = xta_coordinates_type(coordinates);
    if (type != XTA_I64 && type != XTA_U64) {
        return number_text(xta_coordinates_at(coordinates, cell));
    }
    xta_coordinates_values(coordinates, cell, cell + 1, value);
    Attribute item;
    item.type = type;
    item.cell_bytes = 8;
    item.count = 1;
    item.values.assign(value, 8);
    return item_text(item, 0);
}

std::string coordinate_text(const xta_coordinates *coordinates, int64_t cell)
{
    std::string text;
    if (coordinates == nullptr) {
        return std::to_string(cell);
    }
    if (xta_coordinates_kind_of(coordinates) == XTA_COORDINATES_NAMES) {
        return xta_coordinates_name(coordinates, cell);
    }
    if (date_text(coordinates, cell, &text)) {
        return text;
    }
    const char *unit = xta_coordinates_unit(coordinates);
    text = number_at(coordinates, cell);
    return unit[0] != '\0' ? text + " " + unit : text;
}

} // namespace xta_gdal
