/* The cost of a query: how many chunks it touches.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TUNE_COST_H
#define XTA_TUNE_COST_H

#include <xta/tune.h>

#include "base/base.h"

/* A query on one axis: `count` cells, `step` apart, the first of them at any of `n_places`
 * coordinates from `first` on. */
typedef struct xta__axis_query {
    int64_t first;
    int64_t n_places;
    int64_t count;
    int64_t step;
} xta__axis_query;

/* A query reduced to one axis of the bounds; false if it is invalid there. */
bool xta__axis_query_make(const xta_box *bounds, const xta_query *query, int axis,
                          xta__axis_query *out);

/* The average number of intervals of length `chunk`, cut at its multiples, that the query
 * touches. */
double xta__axis_cost(const xta__axis_query *query, int64_t chunk);

#endif
