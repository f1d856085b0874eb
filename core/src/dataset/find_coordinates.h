/* The coordinates that the data set of an array has for one of its axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_FIND_COORDINATES_H
#define XTA_DATASET_FIND_COORDINATES_H

#include <xta/coordinates.h>

#include "base/base.h"

/* Owned; freed by xta__found_coordinates_clear. */
typedef struct xta__found_coordinates {
    xta_coordinates_kind kind; /* 0: the data set has none; NAMES if they are XTA_BYTES */
    xta_regular regular;
    xta_type type; /* of the list: cells [lo, hi) */
    size_t cell_bytes;
    int64_t lo, hi;
    void *values;
    char *unit, *calendar; /* "": none */
} xta__found_coordinates;

/* Look in the folder of the array: what its `dataset.xmd` says about the dimension of the axis'
 * name, else the array of that name with this one axis. Nothing is found for arrays in memory and
 * for axes without a name. */
xta_status xta__dataset_coordinates(xta_array *array, int axis, xta__found_coordinates *out,
                                    xta_error *err);
void xta__found_coordinates_clear(xta__found_coordinates *found);

#endif
