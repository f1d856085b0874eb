/* The search for the best chunk shape: its state, which the files of the search share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TUNE_SEARCH_H
#define XTA_TUNE_SEARCH_H

#include "tune/cost.h"

/* The chunk lengths of one axis among which the best shape is searched, ascending, and the cost of
 * each query on this axis with each of them. */
typedef struct xta__candidates {
    int64_t limit; // a longer chunk costs no less
    size_t n;
    size_t capacity;
    int64_t *length;
    double *cost; // n times n_queries
} xta__candidates;

/* A search under way. */
typedef struct xta__search {
    int ndim;
    size_t n_queries;
    xta__axis_query *query[XTA_MAX_NDIM]; // n_queries each
    double *weight;                       // of each query; they add up to 1
    int64_t cells;                        // the most that a chunk may have
    bool powers_of_two;
    bool complete; // the candidates include an optimal shape
    xta__candidates axis[XTA_MAX_NDIM];

    // The budgets: all values of floor(cells / x), ascending (see relax.c).
    int64_t root;
    size_t n_budgets;
    int64_t *budget;

    // The relaxed problem: for each axis the logarithms of the relaxed costs of its candidates; for
    // each budget the smallest of them within it and the candidate that has it, and the smallest
    // sum over this axis and all that follow.
    double *relaxed[XTA_MAX_NDIM];
    double *least[XTA_MAX_NDIM];
    size_t *least_at[XTA_MAX_NDIM];
    double *rest[XTA_MAX_NDIM + 1];
    double *share;   // of each query in the cost: the weights of the means
    double *part;    // scratch: two numbers of each query
    int rounds;      // how often the relaxed problem is solved
    double constant; // added to such a sum it gives a bound of the cost, as a logarithm

    int64_t best[XTA_MAX_NDIM];
    double best_cost;
    double lower_bound;
    uint64_t work; // that is left
} xta__search;

/* The mean cost of a shape. */
double xta__search_cost(const xta__search *search, const int64_t chunk[]);

#endif
