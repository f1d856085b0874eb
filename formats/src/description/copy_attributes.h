/* Attributes copied between a description and an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_COPY_ATTRIBUTES_H
#define XTA_FORMATS_DESCRIPTION_COPY_ATTRIBUTES_H

#include "description/description.h"

/* Copy one attribute of the array, spread or not, into a description; `*out` is NULL if the array
 * does not have it. */
xta_status xta__copy_attribute_from(xta_array *array, int axis, const char *name,
                                    bridge_description *into, bridge_attribute **out,
                                    xta_error *err);
/* Read names, units, fill and all attributes of an array into a description whose box is set. */
xta_status xta__copy_attributes_from(xta_array *array, bridge_description *what, xta_error *err);
/* Set the attributes of a source on an array, where the source's cell 0 is at `at`. `axes` maps
 * axes of the source to those of the array. On an existing array, attributes that are not spread
 * stay as they are. */
xta_status xta__copy_attributes_to(xta_array *array, const bridge_description *what,
                                   const int axes[], const int64_t at[], xta_error *err);

#endif
