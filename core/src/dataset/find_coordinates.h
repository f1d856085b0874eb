/* The coordinates that the data set of an array has for one of its axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_FIND_COORDINATES_H
#define XTA_DATASET_FIND_COORDINATES_H

#include <xta/coordinates.h>

#include "base/base.h"

/* Look in the folder of the array: what its `dataset.xmd` says about the dimension of the axis'
 * name, else the array of that name with this one axis. *out is NULL if there are none, and for
 * arrays in memory and axes without a name; else for xta_coordinates_free.
 *
 * XTA_EBOX: a list does not cover the bounds. */
xta_status xta__dataset_coordinates(xta_array *array, int axis, xta_coordinates **out,
                                    xta_error *err);

#endif
