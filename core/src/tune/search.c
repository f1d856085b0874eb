/* The cost of a chunk shape, over all queries of a search.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tune/search.h"

double xta__search_cost(const xta__search *s, const int64_t chunk[])
{
    double total = 0;

    for (size_t k = 0; k < s->n_queries; k++) {
        double product = s->weight[k];
        for (int axis = 0; axis < s->ndim; axis++) {
            product *= xta__axis_cost(&s->query[axis][k], chunk[axis]);
        }
        total += product;
    }
    return total;
}
