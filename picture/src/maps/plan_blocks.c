/* The blocks that the axes of a plan are cut into.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "maps/plan_blocks.h"

#include "util/checked.h"

int64_t xta__picture_n_blocks(const xta_cuts *cuts, int64_t lo, int64_t hi)
{
    if (cuts->n_edges > 0) {
        return cuts->n_edges - 1;
    }
    return xta__floor_div(hi - 1 - cuts->origin, cuts->length) -
           xta__floor_div(lo - cuts->origin, cuts->length) + 1;
}

int64_t xta__picture_cut(const xta_cuts *cuts, int64_t lo, int64_t hi, int64_t k)
{
    if (cuts->n_edges > 0) {
        return cuts->edges[k];
    }
    int64_t at =
        cuts->origin + (xta__floor_div(lo - cuts->origin, cuts->length) + k) * cuts->length;
    return at < lo ? lo : at > hi ? hi : at;
}

int64_t xta__picture_block_of(const xta_cuts *cuts, int64_t lo, int64_t x)
{
    if (cuts->n_edges == 0) {
        return xta__floor_div(x - cuts->origin, cuts->length) -
               xta__floor_div(lo - cuts->origin, cuts->length);
    }
    int64_t a = 0, b = cuts->n_edges - 1;
    while (b - a > 1) {
        int64_t middle = a + (b - a) / 2;
        if (cuts->edges[middle] <= x) {
            a = middle;
        } else {
            b = middle;
        }
    }
    return a;
}
