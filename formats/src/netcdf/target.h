/* The destination of an export to NetCDF: what is to be defined in the file, and writing the cells.
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
    bool shared; /* it is in the file already */
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
    bool shared; /* it is in the file already, and says the same */
    bool old;    /* of the cells: it is in the file already, and gets other ones */
    int id;
} netcdf_variable;

typedef struct netcdf_target {
    int file;
    int group;  /* the one the variable lies in */
    bool added; /* to a file that was there before */
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

/* A target with memory for all that `what` can become; no file is open yet. */
xta_status xta__netcdf_new_target(const char *path, bridge_description *what, netcdf_target **out,
                                  xta_error *err);
/* Whether NetCDF has cells of this type at all. */
xta_status xta__netcdf_check_type(const netcdf_target *target, xta_error *err);
/* Open the group that the variable's name begins with, made if it is not there. Under the lock. */
xta_status xta__netcdf_enter_group(netcdf_target *target, xta_error *err);

xta_status xta__netcdf_write(void *state, const xta_box *box, const void *cells, xta_error *err);
xta_status xta__netcdf_read_back(void *state, const xta_box *box, void *cells, xta_error *err);
xta_status xta__netcdf_finish(void *state, xta_error *err);
void xta__netcdf_abandon(void *state);

#endif
