/* Coordinates of the cells of an axis, and latitudes and longitudes over two axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "facts/coordinates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/coordinates.h>

#include "drawing/number_text.h"

/* ---- what a coordinate is ---- */

static bool begins_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static picture_meridian meridian_of_unit(const char *unit)
{
    return begins_with(unit, "degrees_n") || begins_with(unit, "degree_n")   ? PICTURE_LATITUDE
           : begins_with(unit, "degrees_e") || begins_with(unit, "degree_e") ? PICTURE_LONGITUDE
                                                                             : PICTURE_NEITHER;
}

picture_meridian xta__picture_meridian(xta_array *array, int axis, const char *prefix,
                                       bool projected)
{
    char name[256], text[PICTURE_TEXT_BYTES];
    snprintf(name, sizeof name, "%.120sstandard_name", prefix);
    if (xta__picture_text(array, axis, name, text)) {
        bool north = projected && strcmp(text, "projection_y_coordinate") == 0;
        return strcmp(text, "latitude") == 0 || north ? PICTURE_LATITUDE
               : strcmp(text, "longitude") == 0       ? PICTURE_LONGITUDE
                                                      : PICTURE_NEITHER;
    }
    snprintf(name, sizeof name, "%.120sunits", prefix);
    return xta__picture_text(array, axis, name, text) ? meridian_of_unit(text) : PICTURE_NEITHER;
}

/* ---- of an axis ---- */

static bool is_monotonic(const picture_series *values, int64_t lo, int64_t hi)
{
    double direction = xta__picture_series_at(values, hi - 1) - xta__picture_series_at(values, lo);
    bool ordered = !isnan(direction);
    for (int64_t k = lo + 1; k < hi && ordered; k++) {
        double step = xta__picture_series_at(values, k) - xta__picture_series_at(values, k - 1);
        ordered = step * direction > 0; // false for NaN
    }
    return ordered;
}

/* Origin and step, two numbers of one type. */
static bool read_regular(xta_array *array, int axis, picture_coordinates *c)
{
    xta_attribute a;
    if (xta_attribute_get(array, axis, "values//regular", &a, NULL) != XTA_OK) {
        return false;
    }
    c->regular = xta__picture_attribute_number(&a, 0, &c->origin) &&
                 xta__picture_attribute_number(&a, 1, &c->step) && isfinite(c->origin) &&
                 isfinite(c->step) && c->step != 0;
    return c->regular;
}

/* Numbers of the data set that the array is a member of. False if out of memory. */
static bool read_dimension(const xta_coordinates *all, int64_t lo, int64_t hi,
                           picture_coordinates *c)
{
    int64_t n = hi - lo;
    if (all == NULL || n < 1 || xta_coordinates_kind_of(all) == XTA_COORDINATES_NAMES ||
        lo < xta_coordinates_lo(all) || hi > xta_coordinates_hi(all)) {
        return true;
    }
    if (xta_coordinates_kind_of(all) == XTA_COORDINATES_REGULAR) {
        double first = xta_coordinates_at(all, lo), last = xta_coordinates_at(all, hi - 1);
        c->step = n > 1 ? (last - first) / (double)(n - 1) : 1;
        c->origin = first - (double)lo * c->step;
        c->regular = c->known = true;
        return true;
    }
    c->listed.values = calloc((size_t)n, sizeof *c->listed.values);
    if (c->listed.values == NULL) {
        return false;
    }
    c->listed.lo = lo;
    c->listed.n = n;
    for (int64_t k = 0; k < n; k++) {
        c->listed.values[k] = xta_coordinates_at(all, lo + k);
    }
    c->known = is_monotonic(&c->listed, lo, hi);
    return true;
}

/* Unit and calendar of a data set, and whether they are of dates. */
static void find_dates(const xta_coordinates *all, picture_coordinates *c)
{
    const char *unit = all != NULL ? xta_coordinates_unit(all) : "";
    if (c->unit[0] == '\0') {
        const char *pretty = xta__picture_unit_text(unit);
        xta__picture_copy_text(pretty, strlen(pretty), c->unit);
        c->meridian = c->meridian == PICTURE_NEITHER ? meridian_of_unit(unit) : c->meridian;
    }
    c->dated = xta_time_unit_is(unit) &&
               xta_time_unit_parse(unit, xta_coordinates_calendar(all), &c->time, NULL) == XTA_OK;
}

/* The unit at the end of a projection as text: WKT closes with it. */
static const char *projection_unit(const char *wkt)
{
    const char *unit = "";
    for (const char *at = wkt; (at = strstr(at, "UNIT[\"")) != NULL; at++) {
        unit = begins_with(at, "UNIT[\"met") ? "m" : begins_with(at, "UNIT[\"deg") ? "degree" : "";
    }
    return unit;
}

/* The georeference of a raster that is not rotated: the corner of cell 0, and a cell's size. */
static bool read_georeference(xta_array *array, int axis, picture_coordinates *c)
{
    const char *name = xta_axis_name(array, axis);
    bool down = strcmp(name, "y") == 0;
    xta_attribute a;
    double g[6];
    if ((!down && strcmp(name, "x") != 0) ||
        xta_attribute_get(array, XTA_ON_ARRAY, "geotransform", &a, NULL) != XTA_OK ||
        a.type != XTA_F64 || a.count != 6) {
        return false;
    }
    memcpy(g, a.values, sizeof g);
    c->step = down ? g[5] : g[1];
    c->origin = (down ? g[3] : g[0]) + 0.5 * c->step;
    c->regular = g[2] == 0 && g[4] == 0 && isfinite(c->origin) && isfinite(c->step) && c->step != 0;
    if (c->regular && xta_attribute_get(array, XTA_ON_ARRAY, "projection", &a, NULL) == XTA_OK &&
        a.type == XTA_TEXT && a.count > 0) {
        const char *unit = projection_unit(a.values);
        bool geographic = begins_with(a.values, "GEOG");
        c->meridian = !geographic ? PICTURE_NEITHER : down ? PICTURE_LATITUDE : PICTURE_LONGITUDE;
        snprintf(c->unit, sizeof c->unit, "%s",
                 !geographic ? unit
                 : down      ? "degrees_north"
                             : "degrees_east");
    }
    c->georeferenced = c->regular;
    return c->regular;
}

static void find_unit(xta_array *array, int axis, picture_coordinates *c)
{
    char raw[PICTURE_TEXT_BYTES];
    const char *unit = xta_axis_unit(array, axis);
    if (c->unit[0] == '\0' && unit[0] != '\0') {
        xta__picture_copy_text(unit, strlen(unit), c->unit);
    } else if (c->unit[0] == '\0') {
        xta__picture_text(array, axis, "units", c->unit);
    }
    if (c->meridian == PICTURE_NEITHER) {
        c->meridian = meridian_of_unit(c->unit);
    }
    if (c->meridian == PICTURE_NEITHER) {
        c->meridian = xta__picture_meridian(array, axis, "", false);
    }
    memcpy(raw, c->unit, sizeof raw);
    const char *pretty = xta__picture_unit_text(raw);
    xta__picture_copy_text(pretty, strlen(pretty), c->unit);
}

bool xta__picture_coordinates(xta_array *array, int axis, int64_t lo, int64_t hi,
                              picture_coordinates *c)
{
    memset(c, 0, sizeof *c);
    if (!xta__picture_series(array, axis, "values", &c->listed)) {
        return false;
    }
    xta_coordinates *all = NULL;
    bool good = true;
    (void)!xta_coordinates_read(array, axis, &all, NULL); // NULL: none
    c->known = c->listed.n > 0 ? is_monotonic(&c->listed, lo, hi) : read_regular(array, axis, c);
    if (!c->known && c->listed.n == 0) {
        good = read_dimension(all, lo, hi, c);
        c->known = c->known || (c->listed.n == 0 && read_georeference(array, axis, c));
    }
    if (c->known) {
        find_unit(array, axis, c);
        find_dates(all, c);
    } else {
        xta__picture_coordinates_clear(c);
    }
    xta_coordinates_free(all);
    return good;
}

double xta__picture_coordinate_at(const picture_coordinates *c, int64_t cell)
{
    return !c->known    ? NAN
           : c->regular ? c->origin + (double)cell * c->step
                        : xta__picture_series_at(&c->listed, cell);
}

double xta__picture_coordinate_place(const picture_coordinates *c, int64_t lo, int64_t hi,
                                     double value)
{
    double first = xta__picture_coordinate_at(c, lo);
    bool falls = xta__picture_coordinate_at(c, hi - 1) < first;
    int64_t a = lo, b = hi - 1;
    if (a == b) {
        return value == first ? 0 : NAN;
    }
    while (b - a > 1) {
        int64_t middle = a + (b - a) / 2;
        bool beyond = xta__picture_coordinate_at(c, middle) <= value;
        if (beyond != falls) {
            a = middle;
        } else {
            b = middle;
        }
    }
    double at_a = xta__picture_coordinate_at(c, a), at_b = xta__picture_coordinate_at(c, b);
    double t = (value - at_a) / (at_b - at_a);
    return t < -0.5 || t > 1.5 ? NAN : (double)(a - lo) + t;
}

void xta__picture_cell_text(xta_array *array, int axis, int64_t cell,
                            char text[2 * PICTURE_TEXT_BYTES])
{
    char name[PICTURE_TEXT_BYTES], number[32];
    picture_coordinates c;
    xta_box bounds = xta_array_bounds(array); // those of one cell alone may not be in order
    xta__picture_axis_name(array, axis, name);
    if (!xta__picture_coordinates(array, axis, bounds.lo[axis], bounds.hi[axis], &c) || !c.known) {
        xta__picture_integer_text(cell, number);
        snprintf(text, 2 * PICTURE_TEXT_BYTES, "%.80s %s", name, number);
        return;
    }
    if (c.dated) {
        xta__picture_date_text(&c.time, xta__picture_coordinate_at(&c, cell),
                               XTA_PRECISION_SHORTEST, number);
        c.unit[0] = '\0';
    } else {
        xta__picture_value_text(xta__picture_coordinate_at(&c, cell), number);
    }
    snprintf(text, 2 * PICTURE_TEXT_BYTES, "%.80s %s%s%.80s", name, number,
             c.unit[0] != '\0' ? " " : "", c.unit);
    xta__picture_coordinates_clear(&c);
}

void xta__picture_coordinates_clear(picture_coordinates *c)
{
    xta__picture_series_clear(&c->listed);
    memset(c, 0, sizeof *c);
}

/* ---- over two axes ---- */

static bool read_field(xta_array *array, const char *name, int rows, int columns,
                       picture_field *field)
{
    char key[PICTURE_TEXT_BYTES + 32], dimensions[PICTURE_TEXT_BYTES];
    char expected[2 * PICTURE_TEXT_BYTES];
    xta_attribute place;
    int64_t box[4];
    snprintf(key, sizeof key, "%s//dimensions", name);
    snprintf(expected, sizeof expected, "%.150s %.150s ", xta_axis_name(array, rows),
             xta_axis_name(array, columns));
    if (!xta__picture_text(array, XTA_ON_ARRAY, key, dimensions) || // line ends have become blanks
        strcmp(dimensions, expected) != 0) {
        return false;
    }
    snprintf(key, sizeof key, "%s//box", name);
    if (xta_attribute_get(array, XTA_ON_ARRAY, key, &place, NULL) != XTA_OK ||
        place.type != XTA_I64 || place.count < 4) {
        return false;
    }
    memcpy(box, (const char *)place.values + (place.count - 4) * sizeof box[0], sizeof box);
    field->row_lo = box[0];
    field->row_hi = box[1];
    field->column_lo = box[2];
    field->column_hi = box[3];
    return xta_attribute_get(array, XTA_ON_ARRAY, name, &field->items, NULL) == XTA_OK;
}

bool xta__picture_field(xta_array *array, int rows, int columns, picture_meridian meridian,
                        bool projected, picture_field *field)
{
    char names[PICTURE_TEXT_BYTES];
    bool found = false;
    if (rows < 0 || columns < 0 || !xta__picture_text(array, XTA_ON_ARRAY, "coordinates", names)) {
        return false;
    }
    for (const char *at = names; *at != '\0' && !found;) {
        char name[PICTURE_TEXT_BYTES + 16], prefix[PICTURE_TEXT_BYTES + 16];
        size_t n = strcspn(at, " ");
        snprintf(name, sizeof name, "variable/%.*s", (int)n, at);
        snprintf(prefix, sizeof prefix, "variable/%.*s/", (int)n, at);
        found = n > 0 &&
                xta__picture_meridian(array, XTA_ON_ARRAY, prefix, projected) == meridian &&
                read_field(array, name, rows, columns, field);
        at += n;
        at += *at == ' ';
    }
    return found;
}

double xta__picture_field_at(const picture_field *field, int64_t row, int64_t column)
{
    double value = NAN;
    bool inside = row >= field->row_lo && row < field->row_hi && column >= field->column_lo &&
                  column < field->column_hi;
    uint64_t width = (uint64_t)(field->column_hi - field->column_lo);
    uint64_t item = (uint64_t)(row - field->row_lo) * width + (uint64_t)(column - field->column_lo);
    if (!inside || item >= field->items.count ||
        !xta__picture_attribute_number(&field->items, (size_t)item, &value)) {
        return NAN;
    }
    return value;
}
