/* Which way is up: whether the first row of an image belongs at the bottom.
 *
 * Models count latitude from the south, images are drawn from the north. The axis itself may have
 * values (a regular grid); or the array may have a field of latitudes (a curved grid: `coordinates`
 * names variables that were imported as `variable/NAME`), or a georeference. Without any of these,
 * rows run down.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/north.h"

#include <string.h>

#include <xta/attribute.h>

#include "facts/coordinates.h"

/* 1: values increase, -1: they decrease, 0: neither. */
static int direction_of(double first, double last)
{
    return first < last ? 1 : first > last ? -1 : 0;
}

static int axis_direction(xta_array *array, int axis, const xta_box *box)
{
    picture_coordinates c;
    int64_t lo = box->lo[axis], hi = box->hi[axis];
    if (!xta__picture_coordinates(array, axis, lo, hi, &c)) {
        return 0;
    }
    bool latitude = xta__picture_is_row(xta_axis_name(array, axis)) ||
                    c.meridian == PICTURE_LATITUDE ||
                    xta__picture_meridian(array, axis, "", true) == PICTURE_LATITUDE;
    int direction = latitude && !c.georeferenced
                        ? direction_of(xta__picture_coordinate_at(&c, lo),
                                       xta__picture_coordinate_at(&c, hi - 1))
                        : 0;
    xta__picture_coordinates_clear(&c);
    return direction;
}

/* The direction of a field of latitudes, along the middle column. */
static int field_direction(xta_array *array, const picture_axes *axes, const xta_box *box)
{
    picture_field field;
    int rows = axes->rows, columns = axes->columns;
    if (!xta__picture_field(array, rows, columns, PICTURE_LATITUDE, true, &field)) {
        return 0;
    }
    int64_t column = box->lo[columns] + (box->hi[columns] - box->lo[columns]) / 2;
    return direction_of(xta__picture_field_at(&field, box->lo[rows], column),
                        xta__picture_field_at(&field, box->hi[rows] - 1, column));
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
    direction = direction != 0 ? direction : field_direction(array, axes, box);
    bool raster = axes->rows < axes->columns; // the image is rotated
    direction = direction != 0 || !raster ? direction : raster_direction(array);
    return direction > 0;
}
