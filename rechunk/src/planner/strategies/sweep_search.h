/* The search for the order of a component's events that holds the fewest cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_SWEEP_SEARCH_H
#define XTA_PLANNER_SWEEP_SEARCH_H

#include "planner/model/search.h"

#define XTA__MOST_OPTIONS 24

/* The schedules that an axis can use, none of which cuts a block. */
typedef struct xta__options {
    int n;
    const xta__axis_schedule *schedule[XTA__MOST_OPTIONS];
} xta__options;

typedef struct xta__sweep {
    xta__search *search;
    xta__options options[XTA_MAX_NDIM];
    xta__measure measure;      /* how the memory held is counted */
    int without;               /* an axis that is not swept; -1: none */
    uint64_t of_left, of_read; /* with `without`: the weights of what is to be minimised */
    uint64_t enough;           /* the search may stop at this value */
    uint64_t toured;           /* number of events toured */
    /* number of axes that matter; followed by the axes and their current order */
    int n_long;
    int axis[XTA_MAX_NDIM], order[XTA_MAX_NDIM];
    bool is_short[XTA_MAX_NDIM];
} xta__sweep;

/* Make the schedules that an axis can use. XTA_ENOMEM. */
xta_status xta__axis_options(xta__search *search, int axis, xta__options *options);

/* The places of an axis where either side has a cut, including 0; returns how many come after 0. */
int64_t xta__span_ends(const xta__span *span, int64_t ends[]);

/* The recipe with the least value found. If the sweep leaves an axis out, the recipe contains an
 * arbitrary schedule for it. */
xta_status xta__sweep_search(xta__sweep *sweep, xta__recipe *best, uint64_t *least);

#endif
