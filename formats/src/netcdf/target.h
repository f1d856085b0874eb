/* The destination of an export to NetCDF: the definitions for the file, and writing the cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_TARGET_H
#define XTA_FORMATS_NETCDF_TARGET_H

#include <netcdf.h>
#include <stdbool.h>
#include <stddef.h>

#include "description/description.h"

/* One dimension of the new file. */
typedef struct netcdf_dimension {
    char name[NC_MAX_NAME + 1];
    size_t length;
    bool unlimited;
    int axis;    /* of the array, or -1 */
    bool shared; /* it already exists in the file */
    int id;
} netcdf_dimension;

/* One variable of the new file. */
typedef struct netcdf_variable {
    char name[NC_MAX_NAME + 1];
    const bridge_attribute *values; /* NULL: the array's cells */
    int axis;                       /* whose coordinate variable; -1: a companion, or the cells */
    int ndim;
    int dimension[XTA_MAX_NDIM]; /* positions in the list of dimensions */
    nc_type type;
    bool shared; /* it already exists in the file, with the same contents */
    bool old;    /* of the cells: it already exists in the file, and is overwritten */
    int id;
} netcdf_variable;

typedef struct netcdf_target {
    int file;
    int group;  /* the one the variable lies in */
    bool added; /* added to an existing file */
    char *path;
    const bridge_description *what; /* while creating */
    bool classic_model;             /* only the types of the classic model */
    bool has_storage;               /* chunks and filters */
    bool has_strings;
    netcdf_dimension *dimensions;
    int n_dimensions;
    netcdf_variable *variables;
    int n_variables;
    int cells;      /* id of the variable with the array's cells */
    bool is_scalar; /* which has no dimensions */
} netcdf_target;

/* Create a target with memory for all definitions that `what` can need; no file is open yet. */
xta_status xta__netcdf_new_target(const char *path, bridge_description *what, netcdf_target **out,
                                  xta_error *err);
/* Whether NetCDF has cells of this type at all. */
xta_status xta__netcdf_check_type(const netcdf_target *target, xta_error *err);
/* Open the group that the variable's name begins with, or create it. Under the lock. */
xta_status xta__netcdf_enter_group(netcdf_target *target, xta_error *err);

xta_status xta__netcdf_write(void *state, const xta_box *box, const void *cells, xta_error *err);
xta_status xta__netcdf_read_back(void *state, const xta_box *box, void *cells, xta_error *err);
xta_status xta__netcdf_finish(void *state, xta_error *err);
void xta__netcdf_abandon(void *state);

#endif
