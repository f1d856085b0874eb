/* How many chunks a query touches on average.
 *
 * On one axis, cells x, x + 1 ... x + q - 1 lie in floor((x + q - 1) / c) - floor(x / c) + 1 chunks
 * of length c. Summed over all places x of the query this is
 *
 *   P(first + q - 1 + n) - P(first + q - 1) - P(first + n) + P(first) + n,
 *   P(m) = floor(0 / c) + floor(1 / c) + ... + floor((m - 1) / c)
 *        = c * k * (k - 1) / 2 + k * r        where m = k * c + r, 0 <= r < c,
 *
 * which holds for negative m as well, since both sides are 0 at m = 0 and grow by floor(m / c) from
 * m to m + 1. All of it is whole numbers of up to 124 bits; only the mean is rounded. With a step s
 * below c no chunk between two cells is skipped, so q is the distance from the first to the last
 * cell plus one; with s >= c each cell lies in a different chunk. Axes are independent: the means
 * are multiplied.
 *
 *   [CXA], [ORS]   here
 *   c_i            chunk[axis]
 *   A_i, l_i       query.length[axis]
 *   P_j            query.weight
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tune/cost.h"

__extension__ typedef __int128 wide;

bool xta__axis_query_make(const xta_box *bounds, const xta_query *query, int axis,
                          xta__axis_query *out)
{
    int64_t cells = bounds->hi[axis] - bounds->lo[axis];
    int64_t length = query->length[axis] < cells ? query->length[axis] : cells;
    int64_t step = query->step[axis] > 1 ? query->step[axis] : 1;
    int64_t first = query->placed ? query->lo[axis] : bounds->lo[axis];

    if (length < 1 || query->step[axis] < 0 || first < bounds->lo[axis] ||
        first >= bounds->hi[axis]) {
        return false;
    }
    if (query->placed && length > bounds->hi[axis] - first) {
        length = bounds->hi[axis] - first;
    }
    int64_t count = (length - 1) / step + 1;
    int64_t span = (count - 1) * step + 1;
    *out = (xta__axis_query){.first = first,
                             .n_places = query->placed ? 1 : cells - span + 1,
                             .count = count,
                             .step = step};
    return true;
}

/* P of the comment above. */
static wide sum_of_quotients(int64_t m, int64_t c)
{
    wide k = xta__floor_div(m, c);

    return (wide)c * (k * (k - 1) / 2) + k * (m - k * c);
}

double xta__axis_cost(const xta__axis_query *query, int64_t chunk)
{
    int64_t first = query->first;
    int64_t n = query->n_places;

    if (query->step >= chunk) {
        return (double)query->count;
    }
    int64_t last = first + (query->count - 1) * query->step;
    if (n == 1) {
        return (double)(xta__floor_div(last, chunk) - xta__floor_div(first, chunk) + 1);
    }
    wide total = sum_of_quotients(last + n, chunk) - sum_of_quotients(last, chunk) -
                 sum_of_quotients(first + n, chunk) + sum_of_quotients(first, chunk) + n;
    return (double)total / (double)n;
}

xta_status xta_tune_cost(const xta_box *bounds, const int64_t chunk[], const xta_query *queries,
                         size_t n_queries, double *cost)
{
    double total = 0;
    double weight = 0;

    for (size_t k = 0; k < n_queries; k++) {
        double product = 1;
        for (int axis = 0; axis < bounds->ndim; axis++) {
            xta__axis_query query;
            if (chunk[axis] < 1 || !xta__axis_query_make(bounds, &queries[k], axis, &query)) {
                return XTA_EARG;
            }
            product *= xta__axis_cost(&query, chunk[axis]);
        }
        if (!(queries[k].weight > 0)) {
            return XTA_EARG;
        }
        total += queries[k].weight * product;
        weight += queries[k].weight;
    }
    if (n_queries == 0) {
        return XTA_EARG;
    }
    *cost = total / weight;
    return XTA_OK;
}
