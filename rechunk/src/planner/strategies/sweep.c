/* Sweep: one component at a time, with no block cut if that fits.
 *
 * If it fits uncut, the plan is at the lower bound, since each block is moved once, whole:
 * sweep_search.c finds the order of events that holds the fewest cells. If even that is too much,
 * blocks must be cut, by slabs.c. The slabs are compared with those of the simple strategies, so
 * that sweep never costs more than they do.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/strategies/sweep.h"

#include "planner/strategies/one_sided.h"
#include "planner/strategies/slabs.h"
#include "planner/strategies/sweep_search.h"

/* With more events than this, the overhead of fragments matters little, and counting cells is
 * faster. */
#define MOST_EVENTS_IN_PARTS 256

xta_status xta__plan_sweep(xta__search *search)
{
    xta_status status = XTA_OK;
    xta__sweep sweep = {
        .search = search,
        .without = -1,
        .measure = search->measure,
        .enough = search->budget,
    };
    uint64_t events = 1;
    xta__recipe recipe;
    uint64_t least;
    bool fits;

    for (int d = 0; d < search->problem->bounds.ndim; d++) {
        XTA_TRY(xta__axis_options(search, d, &sweep.options[d]));
        events *= (uint64_t)sweep.options[d].schedule[0]->n_events;
    }
    if (search->measure == XTA__FRAGMENTS && events > MOST_EVENTS_IN_PARTS) {
        sweep.measure = XTA__LIVE;
        sweep.enough -= sweep.enough / 64;
    }
    XTA_TRY(xta__sweep_search(&sweep, &recipe, &least));
    XTA_TRY(xta__search_try(search, &recipe, XTA_RECHUNK_BY_WHOLE_BLOCKS, &fits));
    if (!fits) {
        int64_t slab[XTA_MAX_NDIM];
        XTA_TRY(xta__plan_slabs(search, &sweep));
        // The simple strategies may do better: the result must never cost more than theirs.
        XTA_TRY(xta__try_one_sided(search, XTA__FROM, slab));
        XTA_TRY(xta__try_one_sided(search, XTA__TO, slab));
    }

done:
    return status;
}
