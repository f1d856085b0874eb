/* A NetCDF file that is made from a data set: its groups, dimensions and variables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_TARGET_H
#define XTA_FORMATS_SETS_TARGET_H

#include <stdbool.h>

#include <netcdf.h>

#include <xta/dataset_transfer.h>

#include "description/description.h"
#include "netcdf/names.h"
#include "sets/ranges.h"

/* A variable of the file: a member, or the coordinates of a dimension, if these are regular. */
typedef struct set_target_variable {
    int group, id;
    char name[NC_MAX_NAME + 1];
    nc_type type;
    xta_array *array; /* NULL: regular coordinates */
    xta_regular regular;
    int64_t lo, hi; /* of these */
    xta_box box;    /* the cells of the array that are exported */
    bool scalar, strings;
    bridge_description what;      /* attributes on the array, and names of axes */
    size_t longest[XTA_MAX_NDIM]; /* of a chunk */
} set_target_variable;

typedef struct set_target {
    const char *path; /* for messages */
    int file;
    bool classic_model, has_storage, has_strings;
    int n_unlimited;
    set_target_variable *variables;
    size_t n_variables, variables_capacity;
    /* Groups that were opened for this; closed with the target. */
    xta_dataset **groups;
    size_t n_groups, groups_capacity;
    const char *history; /* a command for the history of the file; NULL: none */
    const char *select;  /* as xta_box_select takes it; NULL: everything */
    set_ranges ranges;
} set_target;

/* Create the file at `local` with everything but the cells. `kind`: NULL for that of the data
 * set. */
xta_status xta__set_define(xta_dataset *set, const char *local, const char *kind,
                           set_target *target, xta_error *err);

/* Write a box of a variable, counted from its first cell. */
xta_status xta__set_write(const set_target *target, const set_target_variable *v,
                          const xta_box *box, const void *cells, xta_error *err);

/* Close the file. `keep` false: it is of no use. */
xta_status xta__set_finish(set_target *target, bool keep, xta_error *err);

#endif
