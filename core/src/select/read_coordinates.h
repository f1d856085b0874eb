/* Where the coordinates of an axis are. The contract is in <xta/coordinates.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_SELECT_READ_COORDINATES_H
#define XTA_SELECT_READ_COORDINATES_H

#include <xta/coordinates.h>

/* Coordinates of an axis that has none: its cell numbers. XTA_ENOMEM. */
xta_status xta__cell_numbers(xta_array *array, int axis, xta_coordinates **out, xta_error *err);

#endif
