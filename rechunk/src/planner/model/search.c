/* What a recipe costs, and whether it is the best so far.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/model/search.h"

/* At most this many fragments are counted one by one while plans are compared; for the plan that is
 * chosen, more are counted exactly. */
#define MOST_COUNTED ((uint64_t)1 << 12)

xta_status xta__search_try(xta__search *search, const xta__recipe *recipe,
                           xta_rechunk_method method, bool *fits)
{
    xta_status status = XTA_OK;
    const xta_rechunk_problem *problem = search->problem;
    xta__seeks from = xta__seeks_of(problem, search->span, recipe, XTA__FROM);
    xta__seeks to = xta__seeks_of(problem, search->span, recipe, XTA__TO);
    xta__cost cost = {from.runs + to.runs, from.cells + to.cells};
    uint64_t n_to = 1, peak;

    *fits = false;
    for (int d = 0; d < recipe->ndim; d++) {
        n_to *= (uint64_t)search->span[d]->blocks[XTA__TO];
    }
    if (problem->to_home == XTA_BLOCKS_WHOLE && to.n > n_to) {
        goto done;
    }
    XTA_TRY(
        xta__peak(recipe, search->measure, problem->cell_bytes, MOST_COUNTED, UINT64_MAX, &peak));
    search->least_peak = peak < search->least_peak ? peak : search->least_peak;
    *fits = peak <= search->budget;
    if (*fits && (!search->found || xta__cheaper(cost, search->best_cost))) {
        search->found = true;
        search->best = *recipe;
        search->best_cost = cost;
        search->best_peak = peak;
        search->method = method;
    }

done:
    return status;
}
