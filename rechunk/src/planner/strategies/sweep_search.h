/* The search for the order of a component's events that holds the least.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_SWEEP_SEARCH_H
#define XTA_PLANNER_SWEEP_SEARCH_H

#include "planner/model/search.h"

#define XTA__MOST_OPTIONS 24

/* Schedules of an axis to choose from, none of which cuts a block. */
typedef struct xta__options {
    int n;
    const xta__axis_schedule *schedule[XTA__MOST_OPTIONS];
} xta__options;

typedef struct xta__sweep {
    xta__search *search;
    xta__options options[XTA_MAX_NDIM];
    xta__measure measure;      /* by which what is held is counted */
    int without;               /* an axis that is not swept; -1: all are */
    uint64_t of_left, of_read; /* with `without`: which mixture is to be small */
    uint64_t enough;           /* a value at which the search may stop */
    uint64_t toured;           /* events */
    int n_long;                /* axes that matter, and their order now */
    int axis[XTA_MAX_NDIM], order[XTA_MAX_NDIM];
    bool is_short[XTA_MAX_NDIM];
} xta__sweep;

/* The schedules of an axis to choose from. XTA_ENOMEM. */
xta_status xta__axis_options(xta__search *search, int axis, xta__options *options);

/* The places of an axis where either side has a cut, with 0; returns how many there are behind
 * 0. */
int64_t xta__span_ends(const xta__span *span, int64_t ends[]);

/* The recipe of least value that is found. Of a sweep that leaves an axis out, the recipe has some
 * schedule for it. */
xta_status xta__sweep_search(xta__sweep *sweep, xta__recipe *best, uint64_t *least);

#endif
