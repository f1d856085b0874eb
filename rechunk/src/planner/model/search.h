/* The search for the cheapest recipe of one kind of component, which every strategy feeds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_SEARCH_H
#define XTA_PLANNER_SEARCH_H

#include "planner/model/memory_budget.h"
#include "planner/model/peak_memory.h"
#include "planner/model/seeks.h"

/* The cost by which plans are compared: fewer runs first, then fewer cells moved. */
typedef struct xta__cost {
    uint64_t runs, cells;
} xta__cost;

static inline bool xta__cheaper(xta__cost a, xta__cost b)
{
    return a.runs < b.runs || (a.runs == b.runs && a.cells < b.cells);
}

/* The search for a recipe for one kind of component. */
typedef struct xta__search {
    const xta_rechunk_problem *problem;
    const xta__span *span[XTA_MAX_NDIM];
    xta__measure measure;
    uint64_t budget;         /* most bytes that may be held */
    uint64_t effort;         /* most events to be toured to find one order */
    xta__cost limit;         /* a plan that is not cheaper is not useful */
    xta__schedule_pool pool; /* schedules made during the search */
    bool found;
    xta__recipe best;
    xta__cost best_cost;
    uint64_t best_peak;
    xta_rechunk_method method;
    /* least peak of all recipes tried: a budget that would be enough */
    uint64_t least_peak;
    int64_t shape[XTA_MAX_NDIM]; /* shape of one read, if there is one */
    unsigned uneven, mirrored;   /* axes, as in xta_rechunk_facts */
} xta__search;

/* Compare a recipe with the best so far, and keep it if it is better. `fits`: it is within the
 * budget. XTA_ENOMEM. */
xta_status xta__search_try(xta__search *search, const xta__recipe *recipe,
                           xta_rechunk_method method, bool *fits);

#endif
