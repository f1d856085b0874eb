/* Attributes of a mapped dataset, compared with those of its array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_ATTRIBUTES_H
#define XTA_FORMATS_MAP_ATTRIBUTES_H

#include <xta/type.h>

#include "description/description.h"

/* Read the attributes of the array into `now` as the dataset is to have them, and keep only those
 * that differ from what it has, `there`. */
xta_status xta__mapping_changed_attributes(xta_array *array, const bridge_description *there,
                                           bridge_description *now, xta_error *err);
/* Put the array's numbers along an axis (attribute `values`) where they cover [lo, hi), as `type`
 * at the place of their cell; others in `out` stay. */
xta_status xta__mapping_axis_values(xta_array *array, int axis, int64_t lo, int64_t hi,
                                    xta_type type, void *out, xta_error *err);

#endif
