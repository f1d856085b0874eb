/* Coordinates of the cells of an axis, and latitudes and longitudes over two axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_FACTS_COORDINATES_H
#define XTA_PICTURE_FACTS_COORDINATES_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/array.h>

#include "facts/array_facts.h"

typedef enum picture_meridian {
    PICTURE_NEITHER,
    PICTURE_LATITUDE,
    PICTURE_LONGITUDE
} picture_meridian;

/* Coordinates of an axis, strictly ascending or descending. */
typedef struct picture_coordinates {
    bool known;         /* false: the axis has none, and its cells are counted */
    bool regular;       /* origin + cell * step, else listed */
    bool georeferenced; /* regular, by the georeference of a raster */
    double origin, step;
    picture_series listed;
    picture_meridian meridian;     /* in degrees */
    char unit[PICTURE_TEXT_BYTES]; /* as it is shown; may be "" */
    bool dated;                    /* values of a time unit, shown as dates */
    xta_time_unit time;
} picture_coordinates;

/* Read the coordinates of the cells [lo, hi) of an axis: the list in its attribute `values`, the
 * regular ones of `values//regular`, those of its data set, or for the axes y and x of a raster its
 * georeference. Those that do not cover the cells, or are not in order, are none. False if out of
 * memory. */
bool xta__picture_coordinates(xta_array *array, int axis, int64_t lo, int64_t hi,
                              picture_coordinates *c);
/* The coordinate of a cell; NaN if there is none. */
double xta__picture_coordinate_at(const picture_coordinates *c, int64_t cell);
/* The position of a coordinate among those of the cells [lo, hi): the number of cells from the
 * centre of cell lo; NaN if it lies beyond the outer cells. */
double xta__picture_coordinate_place(const picture_coordinates *c, int64_t lo, int64_t hi,
                                     double value);
/* "y 17", or "depth 100 m" if the axis has coordinates. */
void xta__picture_cell_text(xta_array *array, int axis, int64_t cell,
                            char text[2 * PICTURE_TEXT_BYTES]);
void xta__picture_coordinates_clear(picture_coordinates *c);

/* Latitudes, or longitudes, over two axes (a curvilinear grid): an attribute that the array's
 * `coordinates` names. Borrowed until an attribute changes. */
typedef struct picture_field {
    xta_attribute items;
    int64_t row_lo, row_hi, column_lo, column_hi;
} picture_field;

/* Find the field of latitudes (also of coordinates of a projection that grow to the north, if
 * `projected`) or of longitudes over these axes. */
bool xta__picture_field(xta_array *array, int rows, int columns, picture_meridian meridian,
                        bool projected, picture_field *field);
/* The number of a cell; NaN if there is none. */
double xta__picture_field_at(const picture_field *field, int64_t row, int64_t column);

/* Whether the attributes `PREFIXstandard_name` or `PREFIXunits` say that these are latitudes or
 * longitudes. */
picture_meridian xta__picture_meridian(xta_array *array, int axis, const char *prefix,
                                       bool projected);

#endif
