/* Coordinates that an export writes: whether they cover the cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_EXPORT_COORDINATES_H
#define XTA_FORMATS_DESCRIPTION_EXPORT_COORDINATES_H

#include <xta/array.h>

#include "description/description.h"

/* Add the coordinates of axes that list none themselves: regular ones, and those of the data set
 * that the array is a member of. */
xta_status xta__coordinates_complete(xta_array *array, bridge_description *what, xta_error *err);

/* Refuse coordinates that do not cover the box of the description: lists of the wrong length, or
 * cells that were added later. `names` are the coordinates that the format writes, a list ended by
 * NULL; `array` is a path. */
xta_status xta__coordinates_cover(const bridge_description *what, const char *const names[],
                                  const char *array, const char *destination, xta_error *err);
/* Remove all coordinates from a description. */
void xta__coordinates_drop(bridge_description *what);

#endif
