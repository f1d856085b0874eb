/* Flat files in NetCDF's format: how arrays, data sets, attributes and coordinates become
 * dimensions and variables. Names and attributes are those that `xta export` writes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_FLAT_NETCDF_H
#define XTA_VIEWS_FLAT_NETCDF_H

#include "flat/sources.h"

/* A flat file in the making: the description of the file, and for each of its variables, in the
 * same order, the source that has its values. */
typedef struct flat_netcdf {
    xta_flat *flat;
    xta__cdf file;
    flat_source *values;
    size_t n_values, values_capacity;
} flat_netcdf;

void xta__netcdf_clear(flat_netcdf *nc);

/* Add a variable that has the cells of an array, without dimensions and attributes; `*v` is valid
 * until the next is added. Cells of several bytes want a last dimension, which
 * xta__netcdf_finish_cells adds. */
xta_status xta__netcdf_add_cells(flat_netcdf *nc, xta_array *array, const char *name,
                                 xta__cdf_variable **v, xta_error *err);
xta_status xta__netcdf_finish_cells(flat_netcdf *nc, xta_error *err);
/* Add the coordinate variable of a dimension: regular coordinates from cell `lo` on, or `values`,
 * native-endian numbers of `type`, which become the flat file's. */
xta_status xta__netcdf_add_regular(flat_netcdf *nc, size_t dimension, const xta_regular *regular,
                                   int64_t lo, xta_error *err);
xta_status xta__netcdf_add_listed(flat_netcdf *nc, size_t dimension, xta_type type, void *values,
                                  xta_error *err);

/* Place the variables: the flat file then has its sources. */
xta_status xta__netcdf_place(flat_netcdf *nc, xta_error *err);

#endif
