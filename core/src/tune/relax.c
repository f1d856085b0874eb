/* A relaxed problem that can be solved exactly, and whose solution is a lower bound of the original
 * one.
 *
 * The cost of a shape is a weighted sum over queries q of products over axes d of f(q, d, c_d). By
 * the inequality of the weighted arithmetic and geometric means, for any a_q >= 0 of sum 1,
 *
 *   sum_q w_q X_q  >=  prod_q (w_q X_q / a_q) ^ a_q
 *                   =  prod_q (w_q / a_q) ^ a_q  *  prod_d prod_q f(q, d, c_d) ^ a_q,
 *
 * and both sides are equal where a_q is the share of query q in the cost. The right side is the
 * dual of geometric programming: its logarithm is a constant and a sum of one term for each axis,
 *
 *   g(d, c) = sum_q a_q log f(q, d, c),
 *
 * to be minimised under c_0 * c_1 * ... <= cells. Axis by axis, that is
 *
 *   G(d, v) = min over c <= v of g(d, c) + G(d + 1, floor(v / c)).
 *
 * The possible values of v are those of floor(cells / x): at most 2 * sqrt(cells). Of all c with
 * the same t = floor(v / c) the longest is floor(v / t), itself such a value, and the least g of
 * all c up to it can be used, since a shorter c leaves no less for the other axes. So computing G
 * takes about cells^(3/4) steps for each axis.
 *
 * Every choice of a gives a bound, and we search for the best one: the bound is concave in a, and
 * the share of each query in the cost of the solution gives the direction of ascent. So a starts at
 * the shares in the cost of the best shape known and moves towards the shares of each new solution,
 * in ever shorter steps, each query by a factor. The intermediate solutions are often better than
 * the best shape known so far. The remaining gap between bound and cost comes from integer lengths
 * and the ends of the array, and the search that follows (advise.c) is short.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tune/relax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t xta__budget_at(const xta__search *search, int64_t cells)
{
    // All small values are in the table; a large one is the quotient of a small number.
    return cells <= search->root ? (size_t)(cells - 1)
                                 : search->n_budgets - (size_t)(search->cells / cells);
}

xta_status xta__relax_begin(xta__search *s)
{
    s->root = 1;
    while ((s->root + 1) <= s->cells / (s->root + 1)) {
        s->root++;
    }
    s->budget = xta__calloc(2 * (size_t)s->root, sizeof s->budget[0]);
    s->share = xta__calloc(s->n_queries, sizeof s->share[0]);
    s->part = xta__calloc(2 * s->n_queries, sizeof s->part[0]);
    if (s->budget == NULL || s->share == NULL || s->part == NULL) {
        return XTA_ENOMEM;
    }
    for (int64_t v = 1; v <= s->root; v++) {
        s->budget[s->n_budgets++] = v;
    }
    for (int64_t x = s->root; x >= 1; x--) {
        if (s->cells / x > s->root) {
            s->budget[s->n_budgets++] = s->cells / x;
        }
    }
    for (int axis = 0; axis <= s->ndim; axis++) {
        s->rest[axis] = xta__calloc(s->n_budgets, sizeof(double));
        if (s->rest[axis] == NULL) {
            return XTA_ENOMEM;
        }
    }
    for (int axis = 0; axis < s->ndim; axis++) {
        s->relaxed[axis] = xta__calloc(s->axis[axis].n, sizeof(double));
        s->least[axis] = xta__calloc(s->n_budgets, sizeof(double));
        s->least_at[axis] = xta__calloc(s->n_budgets, sizeof(size_t));
        if (s->relaxed[axis] == NULL || s->least[axis] == NULL || s->least_at[axis] == NULL) {
            return XTA_ENOMEM;
        }
    }
    return XTA_OK;
}

/* Store the logarithm of each query's contribution to the cost of a shape in part[]. */
static void find_parts(const xta__search *s, const int64_t shape[], double part[])
{
    for (size_t k = 0; k < s->n_queries; k++) {
        part[k] = log(s->weight[k]);
        for (int axis = 0; axis < s->ndim; axis++) {
            part[k] += log(xta__axis_cost(&s->query[axis][k], shape[axis]));
        }
    }
}

/* Move the shares towards those of part[] by a step from 0 (unchanged) to 1 (equal to them). */
static void move_shares(const xta__search *s, double share[], const double part[], double step)
{
    double most = -INFINITY;
    double sum = 0;

    for (size_t k = 0; k < s->n_queries; k++) {
        share[k] = (share[k] > 0 && step < 1 ? (1 - step) * log(share[k]) : 0) + step * part[k];
        most = share[k] > most ? share[k] : most;
    }
    for (size_t k = 0; k < s->n_queries; k++) {
        share[k] = exp(share[k] - most) + 1e-12; // No share becomes 0, so that it can grow again.
        sum += share[k];
    }
    for (size_t k = 0; k < s->n_queries; k++) {
        share[k] /= sum;
    }
}

/* The costs of the candidates of an axis in the relaxed problem, and the least for each budget. */
static void relax_axis(xta__search *s, int axis, const double share[])
{
    const xta__candidates *c = &s->axis[axis];
    size_t at = 0;
    size_t least = 0;

    for (size_t k = 0; k < c->n; k++) {
        s->relaxed[axis][k] = 0;
        for (size_t q = 0; q < s->n_queries; q++) {
            s->relaxed[axis][k] += share[q] * log(c->cost[k * s->n_queries + q]);
        }
    }
    for (size_t i = 0; i < s->n_budgets; i++) {
        for (; at < c->n && c->length[at] <= s->budget[i]; at++) {
            least = s->relaxed[axis][at] < s->relaxed[axis][least] ? at : least;
        }
        s->least_at[axis][i] = least;
        s->least[axis][i] = s->relaxed[axis][least];
    }
}

/* One step of the recursion: the best candidate of an axis, and in *sum its cost together with the
 * remaining axes. */
static size_t best_candidate(const xta__search *s, int axis, int64_t v, double *sum)
{
    size_t best = 0;

    *sum = INFINITY;
    for (int64_t c = 1; c <= v;) {
        int64_t t = v / c;
        int64_t last = v / t;
        size_t at = xta__budget_at(s, last);
        double here = s->least[axis][at] + s->rest[axis + 1][xta__budget_at(s, t)];
        if (here < *sum) {
            *sum = here;
            best = s->least_at[axis][at];
        }
        c = last + 1;
    }
    return best;
}

/* Solve the relaxed problem with the current shares. Returns the logarithm of the bound. */
static double solve(xta__search *s, int64_t shape[])
{
    int64_t left = s->cells;
    double sum;

    s->constant = 0;
    for (size_t k = 0; k < s->n_queries; k++) {
        s->constant += s->share[k] * log(s->weight[k] / s->share[k]);
    }
    for (int axis = s->ndim - 1; axis >= 0; axis--) {
        relax_axis(s, axis, s->share);
        for (size_t i = 0; i < s->n_budgets; i++) {
            best_candidate(s, axis, s->budget[i], &s->rest[axis][i]);
        }
    }
    for (int axis = 0; axis < s->ndim; axis++) {
        shape[axis] = s->axis[axis].length[best_candidate(s, axis, left, &sum)];
        left /= shape[axis];
    }
    return s->constant + s->rest[0][s->n_budgets - 1];
}

static void keep_better(xta__search *s, const int64_t shape[])
{
    double cost = xta__search_cost(s, shape);

    if (cost < s->best_cost * (1 - 1e-12)) {
        memcpy(s->best, shape, sizeof s->best);
        s->best_cost = cost;
    }
}

void xta__relax(xta__search *s)
{
    int64_t shape[XTA_MAX_NDIM] = {0};
    double best = -INFINITY;
    double *part = s->part;
    double *best_share = s->part + s->n_queries;

    find_parts(s, s->best, part);
    move_shares(s, s->share, part, 1);
    for (int round = 0; round < s->rounds; round++) {
        double bound = solve(s, shape);
        if (bound > best) {
            best = bound;
            memcpy(best_share, s->share, s->n_queries * sizeof best_share[0]);
        }
        keep_better(s, shape);
        if (exp(best) >= s->best_cost * (1 - 1e-4)) {
            break; // No better shape is possible.
        }
        find_parts(s, shape, part);
        move_shares(s, s->share, part, 1.0 / (2 + round));
    }
    // The search uses the tables of the best bound.
    memcpy(s->share, best_share, s->n_queries * sizeof best_share[0]);
    best = solve(s, shape);
    s->lower_bound = exp(best);
}
