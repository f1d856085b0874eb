/* Which coordinates move to the data set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_MIGRATION_PLAN_H
#define XTA_DATASET_MIGRATION_PLAN_H

#include <xta/coordinates.h>

#include "dataset/open_dataset.h"

/* A dimension that gets the coordinates of an axis. */
typedef struct xta__moved {
    char *name;
    int64_t lo, hi;
    const char *member; /* the first that has them; for messages */
    xta_array *array;
    int axis;
    xta_coordinates *coordinates;
    bool regular;
    xta_regular as;
    xta_array *list; /* the new member while it is filled */
    bool begun;      /* the journal names it as unfinished */
} xta__moved;

typedef struct xta__migration {
    xta__moved *items;
    size_t n, capacity;
} xta__migration;

/* Plan what moves; the members are open and their dimensions collected.
 *
 * XTA_ESTATE: two members, or a member and the data set, disagree. */
xta_status xta__migration_plan(xta_dataset *set, xta__migration *p, xta_error *err);
void xta__migration_clear(xta__migration *p);

/* Whether an axis that has a name has coordinates of its own, or what is left of them. */
bool xta__axis_holds_coordinates(xta_array *array, int axis);

/* Whether only the box of a list is left, which is removed after the list. */
bool xta__axis_has_bare_box(xta_array *array, int axis);

/* Read them. *out is NULL if they cannot be read, since a list does not cover its cells: they stay
 * where they are, and what reads them says so. XTA_ENOMEM, XTA_EIO. */
xta_status xta__axis_own_coordinates(xta_array *array, int axis, xta_coordinates **out,
                                     xta_error *err);

#endif
