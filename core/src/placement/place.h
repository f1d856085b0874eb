/* The cells to which coordinates belong. The contract of xta_dataset_place is in
 * <xta/dataset_append.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLACEMENT_PLACE_H
#define XTA_PLACEMENT_PLACE_H

#include "dataset/open_dataset.h"
#include "placement/values.h"

/* The coordinates of a dimension. Texts are borrowed from the data set. */
typedef struct xta__dimension_axis {
    xta_dimension dimension;
    xta__values_wanted what;
    xta_array *list; /* NULL: they are regular */
} xta__dimension_axis;

/* Find them. The mutex of the set is held. XTA_ENOENT: no such dimension, or no coordinates. */
xta_status xta__find_dimension_axis(xta_dataset *set, const char *name, xta__dimension_axis *out,
                                    xta_error *err);

/* Place values that were converted. `next` is what a list would do: regular coordinates are not
 * tried. As xta_dataset_place. */
xta_status xta__place(const xta__dimension_axis *dimension, const xta__values *values, bool next,
                      xta_cell_range *out, xta_error *err);

#endif
