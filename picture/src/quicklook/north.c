/* Which way is up: whether the first row of an image belongs at the bottom.
 *
 * Models count latitude from the south, images are drawn from the north. The axis itself may have
 * values (a regular grid); or the array may have a field of latitudes (a curved grid: `coordinates`
 * names variables that were imported as `variable/NAME`), or a georeference. Without any of these,
 * rows run down.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/north.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawing/number_text.h"
#include "quicklook/array_facts.h"

static bool is_latitude(xta_array *array, int axis, const char *prefix)
{
    char name[256], text[PICTURE_TEXT_BYTES];
    snprintf(name, sizeof name, "%.120sstandard_name", prefix);
    if (xta__picture_text(array, axis, name, text)) {
        return strcmp(text, "latitude") == 0 || strcmp(text, "projection_y_coordinate") == 0;
    }
    snprintf(name, sizeof name, "%.120sunits", prefix);
    return xta__picture_text(array, axis, name, text) && strncmp(text, "degrees_n", 9) == 0;
}

/* 1: values of the axis increase, -1: they do not, 0: there are no values. */
static int axis_direction(xta_array *array, int axis, const xta_box *box)
{
    picture_series values;
    bool latitude = xta__picture_is_row(xta_axis_name(array, axis)) ||
                    strncmp(xta_axis_unit(array, axis), "degrees_n", 9) == 0 ||
                    is_latitude(array, axis, "");
    if (!latitude || !xta__picture_series(array, axis, "values", &values)) {
        return 0;
    }
    double first = xta__picture_series_at(&values, box->lo[axis]);
    double last = xta__picture_series_at(&values, box->hi[axis] - 1);
    xta__picture_series_clear(&values);
    return first < last ? 1 : first > last ? -1 : 0;
}

/* A number of a field over rows and columns; NaN if there is none. */
static double field_at(const xta_attribute *field, const int64_t box[4], int64_t row,
                       int64_t column)
{
    double value;
    bool inside = row >= box[0] && row < box[1] && column >= box[2] && column < box[3];
    uint64_t item = inside ? (uint64_t)(row - box[0]) * (uint64_t)(box[3] - box[2]) +
                                 (uint64_t)(column - box[2])
                           : UINT64_MAX;
    if (item >= field->count || field->type == XTA_TEXT || field->type == XTA_BYTES) {
        return NAN;
    }
    const char *at = (const char *)field->values + item * field->cell_bytes;
    return xta_type_convert(field->type, at, XTA_F64, &value, 1, NULL) == XTA_OK ? value : NAN;
}

/* The direction of a field of latitudes, along the middle column. */
static int field_direction(xta_array *array, const char *name, const picture_axes *axes,
                           const xta_box *shown)
{
    char key[PICTURE_TEXT_BYTES + 32], dimensions[PICTURE_TEXT_BYTES];
    char expected[2 * PICTURE_TEXT_BYTES];
    xta_attribute field, place;
    int64_t box[4];
    snprintf(key, sizeof key, "%s/", name);
    if (!is_latitude(array, XTA_ON_ARRAY, key)) {
        return 0;
    }
    snprintf(key, sizeof key, "%s//dimensions", name);
    snprintf(expected, sizeof expected, "%.150s %.150s ", xta_axis_name(array, axes->rows),
             xta_axis_name(array, axes->columns));
    if (!xta__picture_text(array, XTA_ON_ARRAY, key, dimensions) || // line ends have become blanks
        strcmp(dimensions, expected) != 0) {
        return 0;
    }
    snprintf(key, sizeof key, "%s//box", name);
    if (xta_attribute_get(array, XTA_ON_ARRAY, key, &place, NULL) != XTA_OK ||
        place.type != XTA_I64 || place.count < 4) {
        return 0;
    }
    memcpy(box, (const char *)place.values + (place.count - 4) * sizeof box[0], sizeof box);
    if (xta_attribute_get(array, XTA_ON_ARRAY, name, &field, NULL) != XTA_OK) {
        return 0;
    }
    int64_t column =
        shown->lo[axes->columns] + (shown->hi[axes->columns] - shown->lo[axes->columns]) / 2;
    double first = field_at(&field, box, shown->lo[axes->rows], column);
    double last = field_at(&field, box, shown->hi[axes->rows] - 1, column);
    return first < last ? 1 : first > last ? -1 : 0;
}

static int fields_direction(xta_array *array, const picture_axes *axes, const xta_box *box)
{
    char names[PICTURE_TEXT_BYTES];
    int direction = 0;
    if (axes->columns < 0 || !xta__picture_text(array, XTA_ON_ARRAY, "coordinates", names)) {
        return 0;
    }
    for (const char *at = names; *at != '\0' && direction == 0;) {
        char name[PICTURE_TEXT_BYTES + 16];
        size_t n = strcspn(at, " ");
        snprintf(name, sizeof name, "variable/%.*s", (int)n, at);
        direction = n > 0 ? field_direction(array, name, axes, box) : 0;
        at += n;
        at += *at == ' ';
    }
    return direction;
}

/* A raster whose lines run to the north: the last number of its georeference is positive. */
static int raster_direction(xta_array *array)
{
    xta_attribute g;
    double step;
    if (xta_attribute_get(array, XTA_ON_ARRAY, "geotransform", &g, NULL) != XTA_OK ||
        g.type != XTA_F64 || g.count != 6) {
        return 0;
    }
    memcpy(&step, (const char *)g.values + 5 * sizeof step, sizeof step);
    return step > 0 ? 1 : step < 0 ? -1 : 0;
}

bool xta__picture_northwards(xta_array *array, const picture_axes *axes, const xta_box *box)
{
    if (axes->rows < 0 || box->hi[axes->rows] - box->lo[axes->rows] < 2) {
        return false;
    }
    int direction = axis_direction(array, axes->rows, box);
    direction = direction != 0 ? direction : fields_direction(array, axes, box);
    bool raster = axes->rows < axes->columns; // the image is rotated
    direction = direction != 0 || !raster ? direction : raster_direction(array);
    return direction > 0;
}
