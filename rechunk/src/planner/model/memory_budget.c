/* The memory that a limit leaves for pending pieces, and the limit that leaves enough.
 *
 * Definition: staging buffers are subtracted from a limit on allocated memory; the rest is the
 * budget for pieces. The length of a staging buffer depends on the limit, but a greater limit never
 * leaves a smaller budget.
 *
 * The least limit for a budget. Naive: try one limit after another. Better, since the budget grows
 * with the limit: double the limit until it is enough, then bisect the interval.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/model/memory_budget.h"

#define MOST_STAGING ((uint64_t)8 << 20)

/* The longest block of a side on an axis, or the length of its slot. */
static uint64_t longest_block(const xta_rechunk_problem *problem, int side, int axis)
{
    const xta_cuts *cuts = side == XTA__FROM ? &problem->from.axis[axis] : &problem->to.axis[axis];
    xta_block_home home = side == XTA__FROM ? problem->from_home : problem->to_home;
    int64_t bounds = problem->bounds.hi[axis] - problem->bounds.lo[axis];
    int64_t longest = 0;

    if (cuts->length > 0) {
        return (uint64_t)(home == XTA_BLOCKS_FILES && cuts->length > bounds ? bounds
                                                                            : cuts->length);
    }
    for (int64_t k = 1; k < cuts->n_edges; k++) {
        int64_t length = cuts->edges[k] - cuts->edges[k - 1];
        longest = length > longest ? length : longest;
    }
    return (uint64_t)longest;
}

static uint64_t largest_block_bytes(const xta_rechunk_problem *problem, int side)
{
    uint64_t bytes = problem->cell_bytes;

    for (int d = 0; d < problem->bounds.ndim; d++) {
        bytes *= longest_block(problem, side, d);
    }
    return bytes;
}

uint64_t xta__staging_under(const xta_rechunk_problem *problem, xta__measure measure,
                            uint64_t limit)
{
    int last = problem->bounds.ndim - 1;
    uint64_t staging = problem->staging_bytes;

    if (staging == 0) {
        uint64_t from = longest_block(problem, XTA__FROM, xta__slow_axis(problem, XTA__FROM, last));
        uint64_t to = longest_block(problem, XTA__TO, xta__slow_axis(problem, XTA__TO, last));
        uint64_t row = (from > to ? from : to) * problem->cell_bytes;
        uint64_t most = row < limit / 4 ? row : limit / 4;
        staging = limit / 8 < MOST_STAGING ? limit / 8 : MOST_STAGING;
        staging = staging < most ? most : staging;
    }
    staging = staging < problem->cell_bytes ? problem->cell_bytes : staging;
    for (int side = 0; side < 2; side++) {
        xta_block_home home = side == XTA__FROM ? problem->from_home : problem->to_home;
        if (home == XTA_BLOCKS_WHOLE && (side == XTA__TO || measure == XTA__FRAGMENTS)) {
            uint64_t block = largest_block_bytes(problem, side);
            staging = staging < block ? block : staging;
        }
    }
    return staging;
}

uint64_t xta__budget_under(const xta_rechunk_problem *problem, xta__measure measure, uint64_t limit)
{
    uint64_t staging = 0;

    if (problem->account == XTA_ACCOUNT_ALLOCATED) {
        staging = xta__staging_under(problem, measure, limit) * (measure == XTA__FRAGMENTS ? 2 : 1);
    }
    return limit > staging ? limit - staging : 0;
}

uint64_t xta__limit_for(const xta_rechunk_problem *problem, xta__measure measure, uint64_t need)
{
    uint64_t too_small = 0, enough = 64;

    while (xta__budget_under(problem, measure, enough) < need) {
        too_small = enough;
        enough *= 2;
    }
    while (enough - too_small > 1) {
        uint64_t middle = too_small + (enough - too_small) / 2;
        if (xta__budget_under(problem, measure, middle) < need) {
            too_small = middle;
        } else {
            enough = middle;
        }
    }
    return enough;
}
