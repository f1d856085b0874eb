/* The search for the cheapest recipe of one kind of component, which every strategy feeds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_SEARCH_H
#define XTA_PLANNER_SEARCH_H

#include "planner/model/memory_budget.h"
#include "planner/model/peak_memory.h"
#include "planner/model/seeks.h"

/* What plans are compared by: fewer runs first, and of equal runs fewer cells moved. */
typedef struct xta__cost {
    uint64_t runs, cells;
} xta__cost;

static inline bool xta__cheaper(xta__cost a, xta__cost b)
{
    return a.runs < b.runs || (a.runs == b.runs && a.cells < b.cells);
}

/* What is to be found for one kind of component. */
typedef struct xta__search {
    const xta_rechunk_problem *problem;
    const xta__span *span[XTA_MAX_NDIM];
    xta__measure measure;
    uint64_t budget;         /* bytes held at most */
    uint64_t effort;         /* events that may be toured to find one order */
    xta__cost limit;         /* a plan that is not cheaper is of no use */
    xta__schedule_pool pool; /* schedules made meanwhile */
    bool found;
    xta__recipe best;
    xta__cost best_cost;
    uint64_t best_peak;
    xta_rechunk_method method;
    uint64_t least_peak;         /* of all that was tried: what would be enough */
    int64_t shape[XTA_MAX_NDIM]; /* of what is read at a time, where there is one */
} xta__search;

/* Compare a recipe with the best so far, and keep it if it is better. `fits`: it is within the
 * budget. XTA_ENOMEM. */
xta_status xta__search_try(xta__search *search, const xta__recipe *recipe,
                           xta_rechunk_method method, bool *fits);

#endif
