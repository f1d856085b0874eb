/* Making a plan: the strategy plans each kind of component, and the facts about the whole plan are
 * summed up.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/rechunk.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "planner/check_plan.h"
#include "planner/model/problem.h"
#include "planner/plan_data.h"
#include "planner/strategies/keep.h"
#include "planner/strategies/one_sided.h"
#include "planner/strategies/sweep.h"

/* Limits on the events that the search for one order may tour. Kinds of components with a larger
 * share of the cells get more. */
#define MOST_EFFORT  ((uint64_t)1 << 20)
#define LEAST_EFFORT ((uint64_t)1 << 13)

/* ---- one kind of component ---- */

/* A plan under one way to count memory. */
typedef struct attempt {
    xta__measure measure;
    bool found;
    /* if not found, the bytes that would be needed; UINT64_MAX: no amount would be enough */
    uint64_t need;
    xta__cost cost;
    xta__cost limit; /* a plan that is not cheaper is not useful */
    xta__layout layout;
    xta__recipe *recipe;
    xta__schedule_pool pool;
    xta_rechunk_method method;
    int64_t shape[XTA_MAX_NDIM];
    unsigned uneven, mirrored;
} attempt;

static void attempt_clear(attempt *a)
{
    xta__layout_clear(&a->layout);
    xta__schedule_pool_clear(&a->pool);
    free(a->recipe);
    *a = (attempt){.measure = a->measure};
}

static xta_status search_by_strategy(xta__search *search, xta_rechunk_strategy strategy,
                                     bool by_cost)
{
    switch (strategy) {
    case XTA_RECHUNK_KEEP:
        return xta__plan_keep(search, by_cost);
    case XTA_RECHUNK_BASELINE:
        return xta__plan_baseline(search);
    case XTA_RECHUNK_SPLIT:
        return xta__plan_one_sided(search, XTA__FROM);
    case XTA_RECHUNK_MERGE:
        return xta__plan_one_sided(search, XTA__TO);
    case XTA_RECHUNK_SWEEP:
        break;
    }
    return xta__plan_sweep(search);
}

/* The share of all cells that the n components of a kind have. */
static double share_of(const xta__search *search, uint64_t n)
{
    const xta_box *bounds = &search->problem->bounds;
    double share = (double)n;

    for (int d = 0; d < bounds->ndim; d++) {
        share *= (double)search->span[d]->length / (double)(bounds->hi[d] - bounds->lo[d]);
    }
    return share;
}

/* Plan one kind of component; the attempt owns what is found. */
static xta_status attempt_kind(attempt *a, const xta_rechunk_problem *problem,
                               xta_rechunk_strategy strategy, uint64_t kind)
{
    xta_status status = XTA_OK;
    bool by_cost = problem->strategy == XTA_RECHUNK_SWEEP;
    xta__search search = {
        .problem = problem,
        .measure = a->measure,
        .budget = xta__budget_under(problem, a->measure, problem->memory_bytes),
        .limit = a->limit,
        .least_peak = UINT64_MAX,
    };
    uint64_t n = xta__layout_kind(&a->layout, kind, search.span);
    search.effort = LEAST_EFFORT + (uint64_t)((double)MOST_EFFORT * share_of(&search, n));

    XTA_TRY(search_by_strategy(&search, strategy, by_cost));
    if (!search.found) {
        a->found = false;
        a->need = search.least_peak > a->need ? search.least_peak : a->need;
        goto done;
    }
    a->cost.runs += n * search.best_cost.runs;
    a->cost.cells += n * search.best_cost.cells;
    a->recipe[kind] = search.best;
    XTA_TRY(xta__schedule_pool_keep(&a->pool, &a->recipe[kind]));
    // Different methods may fit for different kinds; the whole plan gets the method of the worst
    // kind.
    if (a->method == XTA_RECHUNK_BY_NOTHING || a->method == XTA_RECHUNK_BY_WHOLE_BLOCKS) {
        a->method = search.method;
    }
    for (int d = 0; d < problem->bounds.ndim; d++) {
        a->shape[d] = search.shape[d] > a->shape[d] ? search.shape[d] : a->shape[d];
    }
    a->uneven |= search.uneven;
    a->mirrored |= search.mirrored;

done:
    xta__schedule_pool_clear(&search.pool);
    return status;
}

static xta_status attempt_strategy(attempt *a, const xta_rechunk_problem *problem,
                                   xta_rechunk_strategy strategy, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__layout_init(&a->layout, problem, strategy == XTA_RECHUNK_KEEP, err));
    a->recipe = xta__calloc(a->layout.n_kinds, sizeof a->recipe[0]);
    if (a->recipe == NULL) {
        status = xta__fail(err, XTA_ENOMEM, 0, "no memory for a plan");
        goto done;
    }
    a->found = true;
    for (uint64_t kind = 0; kind < a->layout.n_kinds; kind++) {
        status = attempt_kind(a, problem, strategy, kind);
        if (status != XTA_OK) {
            xta__fail(err, status, 0, "no memory for a plan");
            goto done;
        }
    }

done:
    return status;
}

/* Plan by `measure`; sweep uses the plan of keep if that is cheaper. */
static xta_status attempt_measure(attempt *a, const xta_rechunk_problem *problem, uint64_t bound,
                                  xta_error *err)
{
    xta_status status = XTA_OK;
    attempt other = {.measure = a->measure};

    XTA_TRY(attempt_strategy(a, problem, problem->strategy, err));
    if (problem->strategy != XTA_RECHUNK_SWEEP || (a->found && a->cost.runs == bound)) {
        goto done;
    }
    other.limit = a->found ? a->cost : (xta__cost){UINT64_MAX, UINT64_MAX};
    // Keep looks at the whole at once: if no cuts coincide, its tables may be too large.
    if (attempt_strategy(&other, problem, XTA_RECHUNK_KEEP, NULL) == XTA_OK && other.found &&
        (!a->found || xta__cheaper(other.cost, a->cost))) {
        attempt swap = *a;
        *a = other;
        other = swap;
        a->method = XTA_RECHUNK_BY_GRID;
        memset(a->shape, 0, sizeof a->shape);
        a->uneven = a->mirrored = 0;
    }

done:
    attempt_clear(&other);
    return status;
}

/* ---- facts ---- */

static uint64_t count_blocks(const xta__layout *layout, int side)
{
    uint64_t blocks = 1;

    for (int d = 0; d < layout->ndim; d++) {
        uint64_t n = 0;
        for (int k = 0; k < layout->axis[d].n_kinds; k++) {
            const xta__span *span = &layout->axis[d].kinds[k];
            n += (uint64_t)span->blocks[side] * span->n_sections;
        }
        blocks *= n;
    }
    return blocks;
}

/* Add up the facts of the kinds of components. */
static xta_status sum_facts(xta_rechunk_plan *plan)
{
    xta_status status = XTA_OK;
    xta_rechunk_facts *facts = &plan->facts;

    for (uint64_t kind = 0; kind < plan->layout.n_kinds; kind++) {
        const xta__recipe *recipe = &plan->recipe[kind];
        const xta__span *span[XTA_MAX_NDIM];
        uint64_t n = xta__layout_kind(&plan->layout, kind, span);
        xta__seeks from = xta__seeks_of(&plan->problem, span, recipe, XTA__FROM);
        xta__seeks to = xta__seeks_of(&plan->problem, span, recipe, XTA__TO);
        uint64_t peak;
        facts->n_reads += n * from.n;
        facts->n_writes += n * to.n;
        facts->read_runs += n * from.runs;
        facts->write_runs += n * to.runs;
        facts->read_seeks += n * from.seeks;
        facts->write_seeks += n * to.seeks;
        facts->bytes_read += n * from.cells * plan->problem.cell_bytes;
        facts->bytes_written += n * to.cells * plan->problem.cell_bytes;
        XTA_TRY(xta__peak(recipe, XTA__LIVE, plan->problem.cell_bytes, XTA__MOST_TOURED, UINT64_MAX,
                          &peak));
        facts->peak_live_bytes = peak > facts->peak_live_bytes ? peak : facts->peak_live_bytes;
    }

done:
    return status;
}

/* Compute what a run allocates if it holds pieces, or fragments. */
static xta_status set_hold(xta_rechunk_plan *plan, xta__measure measure)
{
    xta_status status = XTA_OK;
    xta_rechunk_facts *facts = &plan->facts;
    uint64_t most = 0;

    for (uint64_t kind = 0; kind < plan->layout.n_kinds; kind++) {
        uint64_t peak;
        XTA_TRY(xta__peak(&plan->recipe[kind], measure, plan->problem.cell_bytes, XTA__MOST_TOURED,
                          UINT64_MAX, &peak));
        most = peak > most ? peak : most;
    }
    facts->hold = measure == XTA__FRAGMENTS ? XTA_HOLD_FRAGMENTS : XTA_HOLD_PIECES;
    facts->staging_bytes = xta__staging_under(&plan->problem, measure, plan->problem.memory_bytes);
    facts->peak_allocated_bytes = most + facts->staging_bytes * (measure == XTA__FRAGMENTS ? 2 : 1);

done:
    return status;
}

static xta_status set_facts(xta_rechunk_plan *plan, const attempt *a)
{
    xta_status status = XTA_OK;
    xta_rechunk_facts *facts = &plan->facts;

    facts->method = a->method;
    facts->way = xta_rechunk_method_name(a->method);
    facts->n_from = count_blocks(&plan->layout, XTA__FROM);
    facts->n_to = count_blocks(&plan->layout, XTA__TO);
    facts->n_components = plan->layout.n_components;
    memcpy(facts->read_shape, a->shape, sizeof facts->read_shape);
    memcpy(facts->buffer_order, plan->recipe[0].event_order, sizeof facts->buffer_order);
    facts->uneven_axes = a->uneven;
    facts->mirrored_axes = a->mirrored;
    XTA_TRY(sum_facts(plan));
    XTA_TRY(set_hold(plan, a->measure == XTA__LIVE ? XTA__PIECES : a->measure));
    // A limit on live cells does not determine how they are held: as fragments, if pieces would
    // exceed it.
    if (a->measure == XTA__LIVE && facts->peak_allocated_bytes > plan->problem.memory_bytes) {
        uint64_t pieces = facts->peak_allocated_bytes;
        XTA_TRY(set_hold(plan, XTA__FRAGMENTS));
        if (facts->peak_allocated_bytes >= pieces) {
            XTA_TRY(set_hold(plan, XTA__PIECES));
        }
    }
    facts->at_lower_bound = facts->read_runs + facts->write_runs == facts->n_from + facts->n_to;

done:
    return status;
}

/* ---- plans ---- */

static uint64_t enough_for(const xta_rechunk_problem *problem, const attempt tried[], int n)
{
    uint64_t enough = UINT64_MAX;

    for (int k = 0; k < n; k++) {
        if (tried[k].need < UINT64_MAX) {
            uint64_t limit = xta__limit_for(problem, tried[k].measure, tried[k].need);
            enough = limit < enough ? limit : enough;
        }
    }
    return enough;
}

static xta_status refuse(const xta_rechunk_problem *problem, uint64_t enough, xta_error *err)
{
    const char *strategy = xta_rechunk_strategy_name(problem->strategy);

    if (enough == UINT64_MAX) {
        return xta__fail(err, XTA_EUNSUPPORTED, 0,
                         "%s writes parts of blocks, and the target takes only whole ones: use "
                         "sweep or merge",
                         strategy);
    }
    return xta__fail(err, XTA_ENOMEM, 0,
                     "%s cannot repartition within %llu bytes of memory; %llu bytes are enough",
                     strategy, (unsigned long long)problem->memory_bytes,
                     (unsigned long long)enough);
}

/* Plan by each measure that the memory account allows, and use the cheapest plan; of equally cheap
 * ones the first, which copies less. */
static xta_status make_plan(xta_rechunk_plan *plan, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_rechunk_problem *problem = &plan->problem;
    bool allocated = problem->account == XTA_ACCOUNT_ALLOCATED;
    attempt tried[2] = {{.measure = allocated ? XTA__PIECES : XTA__LIVE},
                        {.measure = XTA__FRAGMENTS}};
    int n = 0, best = -1;
    xta__layout layout = {0};

    XTA_TRY(xta__layout_init(&layout, problem, false, err));
    uint64_t bound = count_blocks(&layout, XTA__FROM) + count_blocks(&layout, XTA__TO);
    do {
        XTA_TRY(attempt_measure(&tried[n], problem, bound, err));
        if (tried[n].found && (best < 0 || xta__cheaper(tried[n].cost, tried[best].cost))) {
            best = n;
        }
        n++;
    } while (allocated && n < 2 && (best < 0 || tried[best].cost.runs > bound));
    if (best < 0) {
        plan->enough = enough_for(problem, tried, n);
        status = refuse(problem, plan->enough, err);
        goto done;
    }
    plan->layout = tried[best].layout;
    plan->recipe = tried[best].recipe;
    plan->pool = tried[best].pool;
    tried[best].layout = (xta__layout){0};
    tried[best].recipe = NULL;
    tried[best].pool = (xta__schedule_pool){0};
    status = set_facts(plan, &tried[best]);
    if (status != XTA_OK) {
        xta__fail(err, status, 0, "no memory for a plan");
    }

done:
    xta__layout_clear(&layout);
    attempt_clear(&tried[0]);
    attempt_clear(&tried[1]);
    return status;
}

static void reverse_shape(int64_t shape[], int ndim)
{
    for (int d = 0, e = ndim - 1; d < e; d++, e--) {
        int64_t length = shape[d];
        shape[d] = shape[e];
        shape[e] = length;
    }
}

/* What was found for the axes in reverse, for the axes as they are. */
static void reverse_facts(xta_rechunk_facts *facts, int ndim)
{
    reverse_shape(facts->read_shape, ndim);
    for (int i = 0; i < ndim; i++) {
        facts->buffer_order[i] = ndim - 1 - facts->buffer_order[i];
    }
    facts->uneven_axes = xta__reverse_axes(facts->uneven_axes, ndim);
    facts->mirrored_axes = xta__reverse_axes(facts->mirrored_axes, ndim);
}

/* Make the plan with the given axes, or with the axes in reverse. */
static xta_status plan_one_way(const xta_rechunk_problem *problem, bool reversed,
                               xta_rechunk_plan **plan, uint64_t *enough, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_rechunk_plan *made = xta__calloc(1, sizeof *made);

    *enough = UINT64_MAX;
    if (made == NULL || xta__problem_copy(problem, &made->problem, &made->edges) != XTA_OK) {
        status = xta__fail(err, XTA_ENOMEM, 0, "no memory for a plan");
        goto done;
    }
    made->enough = UINT64_MAX;
    made->reversed = reversed;
    if (reversed) {
        xta__problem_reverse(&made->problem);
    }
    made->facts.strategy = problem->strategy;
    made->facts.way = xta_rechunk_method_name(XTA_RECHUNK_BY_NOTHING);
    if (xta_box_empty(&problem->bounds)) {
        made->facts.at_lower_bound = true;
    } else {
        status = make_plan(made, err);
        *enough = made->enough;
        XTA_TRY(status);
    }
    if (reversed) {
        reverse_facts(&made->facts, problem->bounds.ndim);
    }
    *plan = made;
    made = NULL;

done:
    xta_rechunk_plan_free(made);
    return status;
}

static xta__cost plan_cost(const xta_rechunk_plan *plan)
{
    const xta_rechunk_facts *facts = &plan->facts;

    return (xta__cost){facts->read_runs + facts->write_runs,
                       facts->bytes_read + facts->bytes_written};
}

/* If the orders of the two sides differ, make a plan for either order, and use the cheaper one. */
static xta_status plan_both_strategies(const xta_rechunk_problem *problem, xta_rechunk_plan **plan,
                                       xta_error *err)
{
    xta_rechunk_plan *way[2] = {NULL, NULL};
    xta_status status[2];
    xta_error why[2] = {{0}, {0}};
    uint64_t enough[2];

    for (int k = 0; k < 2; k++) {
        status[k] = plan_one_way(problem, k == 1, &way[k], &enough[k], &why[k]);
    }
    int best = enough[1] < enough[0];
    if (way[0] != NULL && way[1] != NULL) {
        best = xta__cheaper(plan_cost(way[1]), plan_cost(way[0]));
    } else if (way[0] != NULL || way[1] != NULL) {
        best = way[1] != NULL;
    }
    xta_rechunk_plan_free(way[!best]);
    *plan = way[best];
    if (status[best] != XTA_OK && err != NULL) {
        *err = why[best];
    }
    return status[best];
}

xta_status xta_rechunk_plan_new(const xta_rechunk_problem *problem, xta_rechunk_plan **plan,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    xta_rechunk_problem own = XTA_RECHUNK_PROBLEM_INIT;
    uint64_t enough;

    xta__clear(err);
    *plan = NULL;
    XTA_TRY(xta_options_read(&own, sizeof own, problem, "xta_rechunk_problem", err));
    problem = &own;
    XTA_TRY(xta__problem_check(problem, err));
    if (problem->from_column != problem->to_column && problem->bounds.ndim > 1) {
        XTA_TRY(plan_both_strategies(problem, plan, err));
    } else {
        XTA_TRY(plan_one_way(problem, problem->from_column, plan, &enough, err));
    }
    assert(status != XTA_OK || xta__check_plan(*plan) == NULL);

done:
    return status;
}

void xta_rechunk_plan_free(xta_rechunk_plan *plan)
{
    if (plan != NULL) {
        xta__layout_clear(&plan->layout);
        xta__schedule_pool_clear(&plan->pool);
        free(plan->recipe);
        free(plan->edges);
        free(plan);
    }
}

const xta_rechunk_facts *xta_rechunk_plan_facts(const xta_rechunk_plan *plan)
{
    return &plan->facts;
}
