/* The chunk shape that given queries touch least: branch and bound.
 *
 * The start is a closed form for independent ranges ([ORS] 3.1): on an infinite array the mean cost
 * of lengths l is the product of 1 + (l - 1) / c, which, for a given product of the c, is smallest
 * if every c is proportional to its l - 1. This shape is rounded to whole lengths, improved two
 * axes at a time, and then by the relaxed problem (relax.c). Finally, every shape whose relaxed
 * cost is below the best cost found is tried, axis by axis; there are few. So the answer is exact
 * unless there are too many of them, and then it says so.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/tune.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/grid/chunk_shape.h"
#include "tune/candidates.h"
#include "tune/relax.h"
#include "tune/search.h"

#define WORK         ((uint64_t)1 << 26) /* candidates that the search tries */
#define MOST_QUERIES ((size_t)1 << 20)
#define ROUNDS       24  /* of improvement before the search */
#define RELAX_WORK   1e8 /* steps of all solutions of the relaxed problem */
#define MOST_CELLS   ((int64_t)1 << 32)
#define LONGEST      ((int64_t)1 << 62)
/* a cost counts as lower only if the difference exceeds rounding errors */
#define LESS (1 - 1e-12)
#define SAME (1 + 1e-12)

/* ---- beginning and end ---- */

static xta_status check_problem(const xta_tune_problem *p, xta_error *err)
{
    if (p->bounds == NULL || p->queries == NULL || p->n_queries == 0 || p->cell_bytes == 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "a chunk shape needs bounds, cell bytes and at least one query");
    }
    if (p->n_queries > MOST_QUERIES) {
        return xta__fail(err, XTA_EARG, 0, "%zu queries; give at most %zu different ones",
                         p->n_queries, MOST_QUERIES);
    }
    if (p->chunk_bytes != 0 && p->chunk_bytes < p->cell_bytes) {
        return xta__fail(err, XTA_EARG, 0,
                         "chunks of %" PRIu64 " bytes hold no cell of %zu; give at least that",
                         p->chunk_bytes, p->cell_bytes);
    }
    for (int axis = 0; axis < p->bounds->ndim; axis++) {
        if (p->bounds->lo[axis] >= p->bounds->hi[axis]) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: no cells; give bounds as they are going to be", axis);
        }
    }
    return XTA_OK;
}

/* The smallest length with which one chunk, or two if the bounds lie on both sides of 0, holds the
 * whole axis. */
static int64_t whole_axis(const xta_box *bounds, int axis)
{
    int64_t behind = bounds->hi[axis] > 0 ? bounds->hi[axis] : 1;
    int64_t before = bounds->lo[axis] < 0 ? -bounds->lo[axis] : 1;

    return behind > before ? behind : before;
}

static xta_status copy_queries(xta__search *s, const xta_tune_problem *p, xta_error *err)
{
    double total = 0;

    s->weight = xta__calloc(s->n_queries, sizeof s->weight[0]);
    for (int axis = 0; axis < s->ndim; axis++) {
        s->query[axis] = xta__calloc(s->n_queries, sizeof s->query[axis][0]);
        if (s->weight == NULL || s->query[axis] == NULL) {
            return xta__fail(err, XTA_ENOMEM, 0, "no memory for %zu queries", s->n_queries);
        }
    }
    for (size_t k = 0; k < s->n_queries; k++) {
        const xta_query *query = &p->queries[k];
        if (!(query->weight > 0) || isinf(query->weight)) {
            return xta__fail(err, XTA_EARG, 0, "query %zu: weight %g; give a number above 0", k,
                             query->weight);
        }
        total += query->weight;
        for (int axis = 0; axis < s->ndim; axis++) {
            if (!xta__axis_query_make(p->bounds, query, axis, &s->query[axis][k])) {
                return xta__fail(err, XTA_EARG, 0,
                                 "query %zu: axis %d: %" PRId64
                                 " cells make no query there; give at least one, inside the bounds",
                                 k, axis, query->length[axis]);
            }
        }
    }
    for (size_t k = 0; k < s->n_queries; k++) {
        s->weight[k] = p->queries[k].weight / total;
    }
    return XTA_OK;
}

static xta_status begin_search(xta__search *s, const xta_tune_problem *p, xta_error *err)
{
    uint64_t bytes = p->chunk_bytes != 0 ? p->chunk_bytes : XTA__CHUNK_BYTES;
    uint64_t cells = bytes / p->cell_bytes;
    xta_status status = XTA_OK;

    s->ndim = p->bounds->ndim;
    s->n_queries = p->n_queries;
    s->powers_of_two = p->powers_of_two;
    s->work = WORK;
    s->cells = cells < 1 ? 1 : cells > (uint64_t)LONGEST ? LONGEST : (int64_t)cells;
    XTA_TRY(copy_queries(s, p, err));
    // No chunk needs more cells than the array has, which leaves fewer budgets to try.
    double needed = 1;
    for (int axis = 0; axis < s->ndim; axis++) {
        int64_t whole = whole_axis(p->bounds, axis);
        int64_t power = 1;
        while (power < whole) {
            power *= 2;
        }
        s->axis[axis].limit = s->powers_of_two ? power : whole;
        needed *= (double)s->axis[axis].limit;
    }
    s->cells = needed < (double)s->cells ? (int64_t)needed : s->cells;
    s->complete = s->cells <= MOST_CELLS;
    s->cells = s->cells <= MOST_CELLS ? s->cells : MOST_CELLS;
    for (int axis = 0; axis < s->ndim; axis++) {
        XTA_TRY(xta__candidates_find(s, axis));
    }
    XTA_TRY(xta__relax_begin(s));
done:
    return status == XTA_ENOMEM
               ? xta__fail(err, XTA_ENOMEM, 0, "no memory to tune chunks of %" PRId64 " cells",
                           s->cells)
               : status;
}

static void clear_search(xta__search *s)
{
    for (int axis = 0; axis < s->ndim; axis++) {
        free(s->query[axis]);
        free(s->axis[axis].length);
        free(s->axis[axis].cost);
        free(s->relaxed[axis]);
        free(s->least[axis]);
        free(s->least_at[axis]);
        free(s->rest[axis]);
    }
    free(s->rest[s->ndim]);
    free(s->weight);
    free(s->budget);
    free(s->share);
    free(s->part);
}

/* ---- the start ---- */

/* The longest candidate of at most `length`. */
static size_t candidate_within(const xta__candidates *c, double length)
{
    size_t lo = 0;
    size_t hi = c->n;

    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if ((double)c->length[middle] <= length) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return lo;
}

/* The closed form: each axis in proportion to the mean length less one. Axes that would exceed
 * their limits get these, and the others share what is left. */
static void closed_form(const xta__search *s, size_t at[])
{
    double mean[XTA_MAX_NDIM];
    bool fixed[XTA_MAX_NDIM] = {false};
    double cells = (double)s->cells;

    for (int axis = 0; axis < s->ndim; axis++) {
        mean[axis] = 0;
        for (size_t k = 0; k < s->n_queries; k++) {
            const xta__axis_query *q = &s->query[axis][k];
            mean[axis] += s->weight[k] * (double)((q->count - 1) * q->step);
        }
    }
    for (bool again = true; again;) {
        double product = 1;
        int n = 0;
        again = false;
        for (int axis = 0; axis < s->ndim; axis++) {
            if (!fixed[axis] && mean[axis] > 0) {
                product *= mean[axis];
                n++;
            }
        }
        double scale = n > 0 ? pow(cells / product, 1.0 / n) : 0;
        for (int axis = 0; axis < s->ndim; axis++) {
            double length = fixed[axis] ? 0 : mean[axis] * scale;
            double most = (double)s->axis[axis].limit;
            if (!fixed[axis] && (length > most || (mean[axis] > 0 && length < 1))) {
                fixed[axis] = again = true;
                length = length > most ? most : 1;
                cells /= length;
                at[axis] = candidate_within(&s->axis[axis], length);
            } else if (!fixed[axis]) {
                at[axis] = candidate_within(&s->axis[axis], length);
            }
            if (again) {
                break;
            }
        }
    }
}

/* The cost of each query on all axes but two, times its weight. */
static void cost_of_others(const xta__search *s, const size_t at[], int i, int j, double others[])
{
    for (size_t k = 0; k < s->n_queries; k++) {
        others[k] = s->weight[k];
        for (int axis = 0; axis < s->ndim; axis++) {
            if (axis != i && axis != j) {
                others[k] *= s->axis[axis].cost[at[axis] * s->n_queries + k];
            }
        }
    }
}

/* Find the best lengths of two axes while the others stay. True if they are better than before. */
static bool improve_pair(xta__search *s, size_t at[], int i, int j, double others[])
{
    const xta__candidates *a = &s->axis[i];
    const xta__candidates *b = &s->axis[j];
    int64_t cells = s->cells;
    bool better = false;

    for (int axis = 0; axis < s->ndim; axis++) {
        cells /= axis != i && axis != j ? s->axis[axis].length[at[axis]] : 1;
    }
    cost_of_others(s, at, i, j, others);
    size_t q = b->n - 1;
    for (size_t p = 0; p < a->n && a->length[p] <= cells; p++) {
        while (b->length[q] > cells / a->length[p]) {
            q--;
        }
        double cost = 0;
        for (size_t k = 0; k < s->n_queries; k++) {
            cost += others[k] * a->cost[p * s->n_queries + k] * b->cost[q * s->n_queries + k];
        }
        if (cost < s->best_cost * LESS) {
            s->best_cost = cost;
            at[i] = p;
            at[j] = q;
            better = true;
        }
    }
    return better;
}

/* How often the relaxed problem may be solved: as often as a fixed amount of work allows. */
static int rounds_of(const xta__search *s)
{
    double work = 4 * s->ndim * pow((double)s->cells, 0.75);

    for (int axis = 0; axis < s->ndim; axis++) {
        work += (double)s->axis[axis].n * (double)s->n_queries;
    }
    double rounds = RELAX_WORK / work;
    return rounds > ROUNDS ? ROUNDS : rounds < 2 ? 2 : (int)rounds;
}

static xta_status find_start(xta__search *s)
{
    size_t at[XTA_MAX_NDIM] = {0};
    double *others = xta__calloc(s->n_queries, sizeof others[0]);
    bool better = true;

    if (others == NULL) {
        return XTA_ENOMEM;
    }
    closed_form(s, at);
    for (int axis = 0; axis < s->ndim; axis++) {
        s->best[axis] = s->axis[axis].length[at[axis]];
    }
    s->best_cost = xta__search_cost(s, s->best);
    for (int round = 0; better && round < ROUNDS; round++) {
        better = false;
        for (int i = 0; i < s->ndim; i++) {
            for (int j = i + 1; j < s->ndim; j++) {
                better = improve_pair(s, at, i, j, others) || better;
            }
        }
    }
    for (int axis = 0; axis < s->ndim; axis++) {
        s->best[axis] = s->axis[axis].length[at[axis]];
    }
    free(others);
    s->rounds = rounds_of(s);
    xta__relax(s);
    return XTA_OK;
}

/* ---- the search ---- */

/* Try every shape that begins with shape[0 .. axis) and can be better than the best. `product`
 * holds the cost of each query so far, a row for each axis; `sum` is the sum of the relaxed
 * costs. */
static void try_shapes(xta__search *s, int axis, int64_t left, double sum, int64_t shape[],
                       double *product)
{
    const xta__candidates *c = &s->axis[axis];
    size_t n = s->n_queries;

    for (size_t k = 0; k < c->n && c->length[k] <= left && s->work > 0; k++) {
        int64_t rest = left / c->length[k];
        double with = sum + s->relaxed[axis][k];
        s->work--;
        if (s->constant + with + s->rest[axis + 1][xta__budget_at(s, rest)] >=
            log(s->best_cost * LESS)) {
            continue;
        }
        double total = 0;
        for (size_t q = 0; q < n; q++) {
            product[n + q] = product[q] * c->cost[k * n + q];
            total += product[n + q];
        }
        shape[axis] = c->length[k];
        if (axis + 1 < s->ndim) {
            try_shapes(s, axis + 1, rest, with, shape, product + n);
        } else if (total < s->best_cost * LESS) {
            memcpy(s->best, shape, sizeof s->best);
            s->best_cost = total;
        }
    }
}

static xta_status search_all(xta__search *s)
{
    int64_t shape[XTA_MAX_NDIM] = {0};
    double *product = xta__calloc((size_t)s->ndim + 1, s->n_queries * sizeof product[0]);

    if (product == NULL) {
        return XTA_ENOMEM;
    }
    memcpy(product, s->weight, s->n_queries * sizeof product[0]);
    try_shapes(s, 0, s->cells, 0, shape, product);
    free(product);
    return XTA_OK;
}

/* Make the chunk longer on an axis if it fits and the cost does not rise. */
static bool lengthen_axis(xta__search *s, int axis, int64_t length)
{
    int64_t before = s->best[axis];
    int64_t cells = s->cells;

    for (int other = 0; other < s->ndim; other++) {
        cells /= other != axis ? s->best[other] : 1;
    }
    length = length < s->axis[axis].limit ? length : s->axis[axis].limit;
    if (length <= before || length > cells) {
        return false;
    }
    s->best[axis] = length;
    if (xta__search_cost(s, s->best) <= s->best_cost * SAME) {
        return true;
    }
    s->best[axis] = before;
    return false;
}

/* If a larger chunk costs no more, use it: then there are fewer chunks. The shortest axis first,
 * among equals the last, as if nothing were known about the queries. */
static void fill_up(xta__search *s)
{
    bool done[XTA_MAX_NDIM] = {false};

    for (;;) {
        int shortest = -1;
        for (int axis = 0; axis < s->ndim; axis++) {
            if (!done[axis] && (shortest < 0 || s->best[axis] <= s->best[shortest])) {
                shortest = axis;
            }
        }
        if (shortest < 0) {
            return;
        }
        done[shortest] = !lengthen_axis(s, shortest, 2 * s->best[shortest]);
    }
}

xta_status xta_tune_shape(const xta_tune_problem *problem, xta_tune_answer *answer, xta_error *err)
{
    xta__search search = {0};
    xta_tune_problem own = XTA_TUNE_PROBLEM_INIT;
    xta_status status = XTA_OK;

    xta__clear(err);
    XTA_TRY(xta_options_read(&own, sizeof own, problem, "xta_tune_problem", err));
    problem = &own;
    XTA_TRY(check_problem(problem, err));
    XTA_TRY(begin_search(&search, problem, err));
    status = find_start(&search);
    if (status == XTA_OK) {
        status = search_all(&search);
    }
    if (status != XTA_OK) {
        XTA_TRY(xta__fail(err, status, 0, "no memory to tune chunks of %" PRId64 " cells",
                          search.cells));
    }
    fill_up(&search);
    *answer = (xta_tune_answer){.exact = search.complete && search.work > 0};
    memcpy(answer->chunk, search.best, (size_t)search.ndim * sizeof answer->chunk[0]);
    answer->cost = xta__search_cost(&search, search.best);
    answer->lower_bound = answer->exact ? answer->cost : search.complete ? search.lower_bound : 0;
    answer->chunk_bytes = problem->cell_bytes;
    for (int axis = 0; axis < search.ndim; axis++) {
        answer->chunk_bytes *= (uint64_t)search.best[axis];
    }
done:
    clear_search(&search);
    return status;
}
