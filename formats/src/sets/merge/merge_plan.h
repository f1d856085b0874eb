/* Where the variables of a file go in a data set that is there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_MERGE_PLAN_H
#define XTA_FORMATS_SETS_MERGE_PLAN_H

#include <xta/dataset_append.h>

#include "sets/tree/tree.h"

/* What importing several files needs for each of them. */
typedef struct set_merge {
    const set_source *source;
    xta_dataset_files_options options;
    uint64_t done_bytes, total_bytes; /* of all files */
} set_merge;

/* A dimension of the file. */
typedef struct merge_dimension {
    const char *name;
    xta_dimension have;        /* as it is in the data set; its name is `name` */
    int64_t lo, hi;            /* where the file's cells go */
    bool regular;              /* the regular coordinates go on to there */
    const set_variable *label; /* by whose values it was placed; NULL: none */
    char *member;              /* that lists these, if it is not the dimension's own; NULL */
    /* The coordinates in the file; values NULL: none. */
    xta_new_coordinates coordinates;
    void *values;
    char *unit, *calendar;
} merge_dimension;

/* A variable of the file and its member. */
typedef struct merge_variable {
    set_variable from; /* borrowed, but for the length of its texts, which is the member's */
    char *member;
    xta_array *array;
    xta_box box; /* where its cells go */
    bool grows;  /* it has a dimension that grows, or along which cells are put */
    bool filled; /* cells that nobody wrote can be told by their fill value */
} merge_variable;

typedef struct merge_plan {
    xta_dataset *set;
    merge_dimension *dimensions;
    size_t n_dimensions;
    merge_variable *variables;
    size_t n_variables;
} merge_plan;

/* Place all dimensions of a group, and find the members of its variables. XTA_EARG: they do not
 * agree; XTA_EBOX: as the options and coordinates say. */
xta_status xta__merge_plan_make(const set_merge *job, const set_group *group, xta_dataset *set,
                                merge_plan *plan, xta_error *err);
void xta__merge_plan_clear(merge_plan *plan);

/* Report a thing that does not come; XTA_EUNSUPPORTED if that is an error. */
xta_status xta__merge_lose(const set_merge *job, const char *what, xta_error *err);

#endif
