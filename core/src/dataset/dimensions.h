/* Dimensions: axes of members that have the same name, and what was set about them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_DIMENSIONS_H
#define XTA_DATASET_DIMENSIONS_H

#include "dataset/open_dataset.h"

/* Collect the dimensions of the members. The mutex is held. XTA_EBOX if members disagree. */
xta_status xta__dataset_know_dimensions(xta_dataset *set, xta_error *err);

/* One of those that were collected; NULL: there is none. */
const xta_dimension *xta__dataset_known_dimension(const xta_dataset *set, const char *name);

/* Find a dimension. The mutex is held; borrowed until they are collected again. XTA_ENOENT. */
xta_status xta__dataset_find_dimension(xta_dataset *set, const char *name,
                                       const xta_dimension **dimension, xta_error *err);

/* The axis of an array that has this name; -1: none. */
int xta__dataset_axis_of(xta_array *array, const char *dimension);

#endif
