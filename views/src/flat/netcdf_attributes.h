/* Attributes of arrays and data sets as those of variables and files of NetCDF.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_FLAT_NETCDF_ATTRIBUTES_H
#define XTA_VIEWS_FLAT_NETCDF_ATTRIBUTES_H

#include <xta/attribute.h>

#include "flat/sources.h"

/* Add the attributes on an axis, or on the array, whose names are `prefix` and a name without
 * slashes: those with slashes are XTA's own. Lists that have an item for each cell of an axis are
 * left out. `type` is that of the variable, which a fill value has as well; 0: a file. False: out
 * of memory. */
bool xta__netcdf_array_attributes(xta_array *array, int axis, const char *prefix, int type,
                                  xta__cdf_attributes *list);
/* Add the attributes of a data set, or of a dimension of it. */
bool xta__netcdf_set_attributes(xta_dataset *set, const char *dimension, int type,
                                xta__cdf_attributes *list);
/* Add a text, unless it is empty or there is an attribute of its name. */
bool xta__netcdf_add_text(const char *name, const char *text, xta__cdf_attributes *list);
/* Add a fill value that no attribute tells. */
bool xta__netcdf_add_fill(xta_array *array, int type, xta__cdf_attributes *list);
/* Add the coordinates of a first cell, unless all are 0. */
bool xta__netcdf_add_origin(int ndim, const int64_t lo[], xta__cdf_attributes *list);
/* The text of an attribute of the array; NULL if it has none of this name. Borrowed. */
const char *xta__netcdf_text_of(xta_array *array, const char *name);

#endif
