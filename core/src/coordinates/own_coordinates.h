/* The coordinates that an axis of an array has of its own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_COORDINATES_OWN_COORDINATES_H
#define XTA_COORDINATES_OWN_COORDINATES_H

#include <xta/attribute.h>

#include "coordinates/coordinates.h"

/* How errors call an axis: its name, or `axis 2`. */
enum { XTA__AXIS_TEXT_BYTES = 300 };
const char *xta__axis_text(xta_array *array, int axis, char text[XTA__AXIS_TEXT_BYTES]);

/* Bounds, unit and calendar of an axis, borrowed from the array. */
xta__coordinates_about xta__axis_about(xta_array *array, int axis);

/* Every cell within the bounds needs a coordinate; a list has those of [lo, hi). XTA_EBOX. */
xta_status xta__axis_check_cover(xta_array *array, int axis, int64_t lo, int64_t hi,
                                 xta_error *err);

/* The attribute `values` of an axis, unless it is of several dimensions. */
bool xta__axis_values(xta_array *array, int axis, xta_attribute *values);

/* Cut such a list to the cells within the bounds; of names, the last may have others behind it.
 * XTA_EBOX: it does not cover them. */
xta_status xta__axis_list(xta_array *array, int axis, xta_attribute *list, xta_error *err);

/* Read them, whatever the data set of the array has; as xta_coordinates_read. */
xta_status xta__own_coordinates(xta_array *array, int axis, xta_coordinates **out, xta_error *err);

#endif
