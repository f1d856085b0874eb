/* Where the coordinates of an axis are. The contract is in <xta/coordinates.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_SELECT_READ_COORDINATES_H
#define XTA_SELECT_READ_COORDINATES_H

#include <xta/coordinates.h>

/* Coordinates of an axis that has none: its cell numbers. XTA_ENOMEM. */
xta_status xta__cell_numbers(xta_array *array, int axis, xta_coordinates **out, xta_error *err);

/* How errors call an axis: its name, or `axis 2`. */
enum { XTA__AXIS_TEXT_BYTES = 300 };
const char *xta__axis_text(xta_array *array, int axis, char text[XTA__AXIS_TEXT_BYTES]);

#endif
