/* Making a plan: the problem is checked, each kind of component is planned by the strategy, and
 * what the whole will do is added up.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/rechunk.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of all cells, and of all slots, stay below this, so that sums of runs, of cells and of
 * what parts take beside them fit 64 bits. */
#define MOST_BYTES ((uint64_t)1 << 56)

/* So many parts are counted one by one while plans are compared; what is said of the one that is
 * taken is exact for more. */
#define MOST_COUNTED ((uint64_t)1 << 12)

/* Events that the search for one order may tour: those kinds of components that have most of the
 * cells get most of them. */
#define MOST_EFFORT  ((uint64_t)1 << 20)
#define LEAST_EFFORT ((uint64_t)1 << 13)

const char *xta_rechunk_strategy_name(xta_rechunk_strategy strategy)
{
    static const char *const names[] = {"sweep", "keep", "baseline", "split", "merge"};

    return (unsigned)strategy < sizeof names / sizeof names[0] ? names[strategy] : "unknown";
}

/* ---- checking ---- */

static xta_status check_cuts(const xta_cuts *cuts, const char *side, int axis, int64_t lo,
                             int64_t hi, xta_error *err)
{
    if (cuts->length > 0) {
        return cuts->length < XTA__COORD_LIMIT && cuts->origin > -XTA__COORD_LIMIT &&
                       cuts->origin < XTA__COORD_LIMIT
                   ? XTA_OK
                   : xta__fail(err, XTA_EARG, 0,
                               "axis %d: %s blocks of %lld cells from %lld on leave the range of "
                               "coordinates",
                               axis, side, (long long)cuts->length, (long long)cuts->origin);
    }
    if (cuts->length < 0 || cuts->n_edges < 2 || cuts->edges == NULL) {
        return xta__fail(err, XTA_EARG, 0,
                         "axis %d: %s blocks have length %lld: give 1 or more, or at least two "
                         "edges",
                         axis, side, (long long)cuts->length);
    }
    if (cuts->edges[0] != lo || cuts->edges[cuts->n_edges - 1] != hi) {
        return xta__fail(err, XTA_EARG, 0,
                         "axis %d: %s edges go from %lld to %lld, the cells from %lld to %lld",
                         axis, side, (long long)cuts->edges[0],
                         (long long)cuts->edges[cuts->n_edges - 1], (long long)lo, (long long)hi);
    }
    for (int64_t k = 1; k < cuts->n_edges; k++) {
        if (cuts->edges[k] <= cuts->edges[k - 1]) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: %s edge %lld (%lld) is not after the one before it", axis,
                             side, (long long)k, (long long)cuts->edges[k]);
        }
    }
    return XTA_OK;
}

/* The cells in the slots that a side's blocks take within the bounds. */
static bool slots_fit(const xta_rechunk_problem *problem, const xta_partition *partition)
{
    uint64_t bytes = problem->cell_bytes;

    for (int d = 0; d < problem->bounds.ndim; d++) {
        uint64_t length = (uint64_t)(problem->bounds.hi[d] - problem->bounds.lo[d]);
        uint64_t more = partition->axis[d].length > 0 ? 2 * (uint64_t)partition->axis[d].length : 0;
        if (!xta__mul_u64(bytes, length + more, &bytes)) {
            return false;
        }
    }
    return bytes < MOST_BYTES << 6;
}

static xta_status check_problem(const xta_rechunk_problem *problem, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_box *bounds = &problem->bounds;
    uint64_t cells, bytes;

    if (bounds->ndim < 1 || bounds->ndim > XTA_MAX_NDIM || problem->from.ndim != bounds->ndim ||
        problem->to.ndim != bounds->ndim) {
        return xta__fail(err, XTA_EARG, 0,
                         "bounds, from and to have %d, %d and %d axes: they need the same, 1 to %d",
                         bounds->ndim, problem->from.ndim, problem->to.ndim, XTA_MAX_NDIM);
    }
    if ((unsigned)problem->strategy > XTA_RECHUNK_MERGE ||
        (unsigned)problem->account > XTA_ACCOUNT_ALLOCATED ||
        (unsigned)problem->from_home > XTA_BLOCKS_WHOLE ||
        (unsigned)problem->to_home > XTA_BLOCKS_WHOLE || problem->cell_bytes == 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "strategy, account or home is not one of those there are, or cells have "
                         "no bytes");
    }
    for (int d = 0; d < bounds->ndim; d++) {
        if (bounds->lo[d] <= -XTA__COORD_LIMIT || bounds->hi[d] >= XTA__COORD_LIMIT ||
            bounds->lo[d] > bounds->hi[d]) {
            return xta__fail(err, XTA_EARG, 0, "axis %d: bounds from %lld to %lld make no sense", d,
                             (long long)bounds->lo[d], (long long)bounds->hi[d]);
        }
    }
    if (xta_box_empty(bounds)) {
        return XTA_OK;
    }
    for (int d = 0; d < bounds->ndim; d++) {
        XTA_TRY(check_cuts(&problem->from.axis[d], "source", d, bounds->lo[d], bounds->hi[d], err));
        XTA_TRY(check_cuts(&problem->to.axis[d], "target", d, bounds->lo[d], bounds->hi[d], err));
    }
    if (xta_box_cells(bounds, &cells) != XTA_OK ||
        !xta__mul_u64(cells, problem->cell_bytes, &bytes) || bytes >= MOST_BYTES ||
        (problem->from_home != XTA_BLOCKS_FILES && !slots_fit(problem, &problem->from)) ||
        (problem->to_home != XTA_BLOCKS_FILES && !slots_fit(problem, &problem->to))) {
        status = xta__fail(err, XTA_EARG, 0, "more than 2^56 bytes cannot be planned");
    }

done:
    return status;
}

/* Copy the problem and its edges. */
static xta_status copy_problem(xta_rechunk_plan *plan, const xta_rechunk_problem *problem)
{
    size_t n = 0;
    int64_t *at;

    plan->problem = *problem;
    for (int d = 0; d < problem->bounds.ndim; d++) {
        n += problem->from.axis[d].length == 0 ? (size_t)problem->from.axis[d].n_edges : 0;
        n += problem->to.axis[d].length == 0 ? (size_t)problem->to.axis[d].n_edges : 0;
    }
    at = plan->edges = xta__calloc(n + 1, sizeof *at);
    if (at == NULL) {
        return XTA_ENOMEM;
    }
    for (int d = 0; d < problem->bounds.ndim; d++) {
        xta_cuts *cuts[2] = {&plan->problem.from.axis[d], &plan->problem.to.axis[d]};
        for (int side = 0; side < 2; side++) {
            if (cuts[side]->length == 0) {
                memcpy(at, cuts[side]->edges, (size_t)cuts[side]->n_edges * sizeof *at);
                cuts[side]->edges = at;
                at += cuts[side]->n_edges;
            }
        }
    }
    return XTA_OK;
}

/* ---- searching ---- */

xta_status xta__search_try(xta__search *search, const xta__recipe *recipe, const char *way,
                           bool *fits)
{
    xta_status status = XTA_OK;
    const xta_rechunk_problem *problem = search->problem;
    xta__seeks from = xta__seeks_of(problem, search->span, recipe, XTA__FROM);
    xta__seeks to = xta__seeks_of(problem, search->span, recipe, XTA__TO);
    uint64_t n_to = 1, peak;

    *fits = false;
    for (int d = 0; d < recipe->ndim; d++) {
        n_to *= (uint64_t)search->span[d]->n[XTA__TO];
    }
    if (problem->to_home == XTA_BLOCKS_WHOLE && to.n > n_to) {
        goto done;
    }
    XTA_TRY(
        xta__peak(recipe, search->measure, problem->cell_bytes, MOST_COUNTED, UINT64_MAX, &peak));
    search->least_peak = peak < search->least_peak ? peak : search->least_peak;
    *fits = peak <= search->budget;
    if (*fits && (!search->found || from.runs + to.runs < search->best_runs)) {
        search->found = true;
        search->best = *recipe;
        search->best_runs = from.runs + to.runs;
        search->best_peak = peak;
        search->way = way;
    }

done:
    return status;
}

/* A plan under one way to count memory. */
typedef struct attempt {
    xta__measure measure;
    bool found;
    uint64_t need; /* bytes to hold, where not found; UINT64_MAX: no amount would do */
    uint64_t runs;
    uint64_t limit; /* so many runs are of no use */
    xta__layout layout;
    xta__recipe *recipe;
    xta__pool pool;
    const char *way;
    int64_t shape[XTA_MAX_NDIM];
} attempt;

static void attempt_clear(attempt *a)
{
    xta__layout_clear(&a->layout);
    xta__pool_clear(&a->pool);
    free(a->recipe);
    *a = (attempt){.measure = a->measure};
}

static xta_status search_by_strategy(xta__search *search, xta_rechunk_strategy strategy,
                                     bool by_runs)
{
    switch (strategy) {
    case XTA_RECHUNK_KEEP:
        return xta__plan_keep(search, by_runs);
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

/* How much of all cells the n components of a kind have. */
static double share_of(const xta__search *search, uint64_t n)
{
    const xta_box *bounds = &search->problem->bounds;
    double share = (double)n;

    for (int d = 0; d < bounds->ndim; d++) {
        share *= (double)search->span[d]->length / (double)(bounds->hi[d] - bounds->lo[d]);
    }
    return share;
}

/* Plan one kind of component; what was found is the attempt's. */
static xta_status attempt_kind(attempt *a, const xta_rechunk_problem *problem,
                               xta_rechunk_strategy strategy, uint64_t kind)
{
    xta_status status = XTA_OK;
    bool by_runs = problem->strategy == XTA_RECHUNK_SWEEP;
    xta__search search = {
        .problem = problem,
        .measure = a->measure,
        .budget = xta__budget_under(problem, a->measure, problem->memory_bytes),
        .limit = a->limit,
        .least_peak = UINT64_MAX,
    };
    uint64_t n = xta__layout_kind(&a->layout, kind, search.span);
    search.effort = LEAST_EFFORT + (uint64_t)((double)MOST_EFFORT * share_of(&search, n));

    XTA_TRY(search_by_strategy(&search, strategy, by_runs));
    if (!search.found) {
        a->found = false;
        a->need = search.least_peak > a->need ? search.least_peak : a->need;
        goto done;
    }
    a->runs += n * search.best_runs;
    a->recipe[kind] = search.best;
    XTA_TRY(xta__pool_keep(&a->pool, &a->recipe[kind]));
    // Kinds differ in what fits; the way of the whole is that of the kind that fares worst.
    if (a->way == NULL || strcmp(a->way, "lower bound") == 0) {
        a->way = search.way;
    }
    for (int d = 0; d < problem->bounds.ndim; d++) {
        a->shape[d] = search.shape[d] > a->shape[d] ? search.shape[d] : a->shape[d];
    }

done:
    xta__pool_clear(&search.pool);
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

/* Plan by `measure`; sweep takes the plan of keep where that has fewer runs. */
static xta_status attempt_measure(attempt *a, const xta_rechunk_problem *problem, uint64_t bound,
                                  xta_error *err)
{
    xta_status status = XTA_OK;
    attempt other = {.measure = a->measure};

    XTA_TRY(attempt_strategy(a, problem, problem->strategy, err));
    if (problem->strategy != XTA_RECHUNK_SWEEP || (a->found && a->runs == bound)) {
        goto done;
    }
    other.limit = a->found ? a->runs : UINT64_MAX;
    // Keep looks at the whole at once: where no cuts meet its tables may be refused.
    if (attempt_strategy(&other, problem, XTA_RECHUNK_KEEP, NULL) == XTA_OK && other.found &&
        (!a->found || other.runs < a->runs)) {
        attempt swap = *a;
        *a = other;
        other = swap;
        a->way = "grid";
        memset(a->shape, 0, sizeof a->shape);
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
            n += (uint64_t)span->n[side] * span->n_parts;
        }
        blocks *= n;
    }
    return blocks;
}

/* Add up the kinds of components. */
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

/* What a run allocates that holds pieces, or parts. */
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
    facts->hold = measure == XTA__PARTS ? XTA_HOLD_PARTS : XTA_HOLD_PIECES;
    facts->staging_bytes = xta__staging_under(&plan->problem, measure, plan->problem.memory_bytes);
    facts->peak_allocated_bytes = most + facts->staging_bytes * (measure == XTA__PARTS ? 2 : 1);

done:
    return status;
}

static xta_status set_facts(xta_rechunk_plan *plan, const attempt *a)
{
    xta_status status = XTA_OK;
    xta_rechunk_facts *facts = &plan->facts;

    facts->way = a->way;
    facts->n_from = count_blocks(&plan->layout, XTA__FROM);
    facts->n_to = count_blocks(&plan->layout, XTA__TO);
    facts->n_components = plan->layout.n_components;
    memcpy(facts->read_shape, a->shape, sizeof facts->read_shape);
    XTA_TRY(sum_facts(plan));
    XTA_TRY(set_hold(plan, a->measure == XTA__LIVE ? XTA__PIECES : a->measure));
    // A limit of cells alive leaves open how they are held: parts where pieces would pass it.
    if (a->measure == XTA__LIVE && facts->peak_allocated_bytes > plan->problem.memory_bytes) {
        uint64_t pieces = facts->peak_allocated_bytes;
        XTA_TRY(set_hold(plan, XTA__PARTS));
        if (facts->peak_allocated_bytes >= pieces) {
            XTA_TRY(set_hold(plan, XTA__PIECES));
        }
    }
    facts->at_lower_bound = facts->read_runs + facts->write_runs == facts->n_from + facts->n_to;

done:
    return status;
}

/* ---- plans ---- */

static xta_status refuse(const xta_rechunk_problem *problem, const attempt tried[], int n,
                         xta_error *err)
{
    const char *strategy = xta_rechunk_strategy_name(problem->strategy);
    uint64_t enough = UINT64_MAX;

    for (int k = 0; k < n; k++) {
        if (tried[k].need < UINT64_MAX) {
            uint64_t limit = xta__limit_for(problem, tried[k].measure, tried[k].need);
            enough = limit < enough ? limit : enough;
        }
    }
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

/* Plan by the measures that the account allows, and take the one with the fewest runs; of equals
 * the first, which copies less. */
static xta_status make_plan(xta_rechunk_plan *plan, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_rechunk_problem *problem = &plan->problem;
    bool allocated = problem->account == XTA_ACCOUNT_ALLOCATED;
    attempt tried[2] = {{.measure = allocated ? XTA__PIECES : XTA__LIVE}, {.measure = XTA__PARTS}};
    int n = 0, best = -1;
    xta__layout layout = {0};

    XTA_TRY(xta__layout_init(&layout, problem, false, err));
    uint64_t bound = count_blocks(&layout, XTA__FROM) + count_blocks(&layout, XTA__TO);
    do {
        XTA_TRY(attempt_measure(&tried[n], problem, bound, err));
        if (tried[n].found && (best < 0 || tried[n].runs < tried[best].runs)) {
            best = n;
        }
        n++;
    } while (allocated && n < 2 && (best < 0 || tried[best].runs > bound));
    if (best < 0) {
        status = refuse(problem, tried, n, err);
        goto done;
    }
    plan->layout = tried[best].layout;
    plan->recipe = tried[best].recipe;
    plan->pool = tried[best].pool;
    tried[best].layout = (xta__layout){0};
    tried[best].recipe = NULL;
    tried[best].pool = (xta__pool){0};
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

xta_status xta_rechunk_plan_new(const xta_rechunk_problem *problem, xta_rechunk_plan **plan,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    xta_rechunk_plan *made = NULL;
    xta_rechunk_problem own = XTA_RECHUNK_PROBLEM_INIT;

    xta__clear(err);
    *plan = NULL;
    XTA_TRY(xta_options_take(&own, sizeof own, problem, "xta_rechunk_problem", err));
    problem = &own;
    XTA_TRY(check_problem(problem, err));
    made = xta__calloc(1, sizeof *made);
    if (made == NULL || copy_problem(made, problem) != XTA_OK) {
        status = xta__fail(err, XTA_ENOMEM, 0, "no memory for a plan");
        goto done;
    }
    made->facts.strategy = problem->strategy;
    made->facts.way = "nothing to do";
    if (xta_box_empty(&problem->bounds)) {
        made->facts.at_lower_bound = true;
    } else {
        XTA_TRY(make_plan(made, err));
    }
    *plan = made;
    made = NULL;

done:
    xta_rechunk_plan_free(made);
    return status;
}

void xta_rechunk_plan_free(xta_rechunk_plan *plan)
{
    if (plan != NULL) {
        xta__layout_clear(&plan->layout);
        xta__pool_clear(&plan->pool);
        free(plan->recipe);
        free(plan->edges);
        free(plan);
    }
}

const xta_rechunk_facts *xta_rechunk_plan_facts(const xta_rechunk_plan *plan)
{
    return &plan->facts;
}
