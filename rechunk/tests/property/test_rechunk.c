/* Plans of random small arrays with all kinds of cuts, strategies, block storage and limits,
 * checked by the oracle.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/rechunk.h>

#include "rechunk_judge.h"
#include "support/random.h"
#include "support/report.h"

static uint64_t seed;

typedef struct trial {
    test_random random;
    test_story story;
    xta_rechunk_problem problem;
    int64_t edges[3][XTA_MAX_NDIM][40]; /* of source, target and buffers */
    xta_rechunk_facts facts;            /* of the last plan */
} trial;

/* ---- problems ---- */

static void random_cuts(trial *t, int side, int axis, int64_t lo, int64_t hi)
{
    xta_partition *sides[3] = {&t->problem.from, &t->problem.to, &t->problem.buffer};
    xta_cuts *cuts = &sides[side]->axis[axis];
    test_random *random = &t->random;

    *cuts = (xta_cuts){0};
    if (test_random_chance(random, 70)) {
        cuts->length = test_random_in(random, 1, test_random_chance(random, 30) ? 3 : hi - lo + 2);
        cuts->origin = test_random_chance(random, 50) ? lo : test_random_in(random, -20, 20);
    } else {
        int64_t *edge = t->edges[side][axis];
        int percent = (int)test_random_in(random, 5, 60);
        edge[cuts->n_edges++] = lo;
        for (int64_t x = lo + 1; x < hi; x++) {
            if (test_random_chance(random, percent)) {
                edge[cuts->n_edges++] = x;
            }
        }
        edge[cuts->n_edges++] = hi;
        cuts->edges = edge;
    }
    test_story_add(&t->story, "  axis %d side %d: [%lld, %lld) length %lld origin %lld edges %lld",
                   axis, side, (long long)lo, (long long)hi, (long long)cuts->length,
                   (long long)cuts->origin, (long long)cuts->n_edges);
    for (int64_t k = 0; k < cuts->n_edges; k++) {
        test_story_add(&t->story, "    edge %lld", (long long)cuts->edges[k]);
    }
}

static void random_problem(trial *t)
{
    static const int64_t longest[] = {0, 30, 16, 9, 5, 4};
    xta_rechunk_problem *p = &t->problem;
    int ndim = (int)test_random_in(&t->random, 1, 5);

    *p = (xta_rechunk_problem)XTA_RECHUNK_PROBLEM_INIT;
    p->bounds.ndim = p->from.ndim = p->to.ndim = ndim;
    for (int d = 0; d < ndim; d++) {
        p->bounds.lo[d] = test_random_in(&t->random, -9, 9);
        p->bounds.hi[d] = p->bounds.lo[d] + test_random_in(&t->random, 1, longest[ndim]);
        random_cuts(t, 0, d, p->bounds.lo[d], p->bounds.hi[d]);
        random_cuts(t, 1, d, p->bounds.lo[d], p->bounds.hi[d]);
        if (test_random_chance(&t->random, 15)) {
            p->to.axis[d] = p->from.axis[d];
            test_story_add(&t->story, "  axis %d: both sides as side 0", d);
        }
    }
    // With cells of many bytes the overhead of fragments is small, so that they are chosen.
    p->cell_bytes = (uint64_t)test_random_in(&t->random, 1, 9);
    if (test_random_chance(&t->random, 40)) {
        p->cell_bytes *= (uint64_t)test_random_in(&t->random, 50, 500);
    }
    p->from_home = (xta_block_home)test_random_in(&t->random, 0, 2);
    p->to_home = (xta_block_home)test_random_in(&t->random, 0, 2);
    p->account = (xta_rechunk_account)test_random_in(&t->random, 0, 1);
    p->from_column = test_random_chance(&t->random, 30);
    p->to_column = test_random_chance(&t->random, 30);
    p->staging_bytes =
        test_random_chance(&t->random, 30) ? (uint64_t)test_random_in(&t->random, 1, 300) : 0;
}

/* ---- checks ---- */

static bool same_op(const xta_rechunk_op *a, const xta_rechunk_op *b)
{
    return a->write == b->write && a->component == b->component && a->runs == b->runs &&
           xta_box_equal(&a->piece, &b->piece);
}

/* Iterate over the whole plan with the oracle, and compare with iterating component by
 * component. */
static void walk_plan(trial *t, const xta_rechunk_plan *plan)
{
    const xta_rechunk_facts *facts = xta_rechunk_plan_facts(plan);
    xta_rechunk_iterator *all = NULL, *one = NULL;
    xta_rechunk_op op, same;
    uint64_t component = 0;
    judge j;

    judge_init(&j, &t->story, &t->problem);
    assert_int_equal(xta_rechunk_iterator_new(plan, 0, facts->n_components, &all, NULL), XTA_OK);
    assert_int_equal(xta_rechunk_iterator_new(plan, 0, 1, &one, NULL), XTA_OK);
    while (xta_rechunk_iterator_next(all, &op)) {
        while (!xta_rechunk_iterator_next(one, &same)) {
            xta_rechunk_iterator_free(one);
            component++;
            assert_int_equal(xta_rechunk_iterator_new(plan, component, 1, &one, NULL), XTA_OK);
        }
        STORY_CHECK(&t->story, same_op(&op, &same), "a component alone goes another way");
        judge_op(&j, &op);
    }
    STORY_CHECK(&t->story, !xta_rechunk_iterator_next(one, &same), "a component alone does more");
    STORY_CHECK(&t->story, component + 1 == facts->n_components, "components");
    judge_end(&j, facts);
    judge_clear(&j);
    xta_rechunk_iterator_free(all);
    xta_rechunk_iterator_free(one);
}

/* Plan within `limit`; returns the runs, or UINT64_MAX if it is refused, and then the limit that
 * would be enough. */
static uint64_t plan_within(trial *t, xta_rechunk_strategy strategy, uint64_t limit, bool walk,
                            uint64_t *enough)
{
    xta_rechunk_plan *plan = NULL;
    xta_error err;
    uint64_t runs;

    t->problem.strategy = strategy;
    t->problem.memory_bytes = limit;
    test_story_add(&t->story, "  %s within %llu", xta_rechunk_strategy_name(strategy),
                   (unsigned long long)limit);
    xta_status status = xta_rechunk_plan_new(&t->problem, &plan, &err);
    *enough = UINT64_MAX;
    if (status != XTA_OK) {
        STORY_CHECK(&t->story, plan == NULL, "a plan in spite of failure");
        if (status == XTA_ENOMEM) {
            const char *text = strstr(err.text, "; ");
            STORY_CHECK(&t->story, text != NULL && strstr(text, " bytes are enough") != NULL,
                        "text: %s", err.text);
            *enough = strtoull(text + 2, NULL, 10);
        } else {
            STORY_CHECK(&t->story,
                        status == XTA_EUNSUPPORTED && t->problem.to_home == XTA_BLOCKS_WHOLE &&
                            strategy != XTA_RECHUNK_SWEEP && strategy != XTA_RECHUNK_MERGE,
                        "status %d: %s", status, err.text);
        }
        return UINT64_MAX;
    }
    t->facts = *xta_rechunk_plan_facts(plan);
    runs = t->facts.read_runs + t->facts.write_runs;
    if (walk) {
        walk_plan(t, plan);
    }
    xta_rechunk_plan_free(plan);
    return runs;
}

/* One strategy under limits from just enough to more than everything. */
static uint64_t try_strategy(trial *t, xta_rechunk_strategy strategy)
{
    uint64_t enough, again, cells;
    uint64_t runs = plan_within(t, strategy, 0, false, &enough);

    STORY_CHECK(&t->story, runs == UINT64_MAX, "nothing is enough");
    if (enough == UINT64_MAX) {
        return UINT64_MAX;
    }
    runs = plan_within(t, strategy, enough, true, &again);
    STORY_CHECK(&t->story, runs != UINT64_MAX, "not enough after all: %llu",
                (unsigned long long)again);
    STORY_CHECK(&t->story,
                strategy != XTA_RECHUNK_BASELINE ||
                    plan_within(t, strategy, enough - 1, false, &again) == UINT64_MAX,
                "less is enough");
    assert_int_equal(xta_box_cells(&t->problem.bounds, &cells), XTA_OK);
    for (int k = 0; k < 3; k++) {
        uint64_t more = cells * t->problem.cell_bytes * (uint64_t)(k + 1);
        uint64_t limit = enough + (uint64_t)test_random_in(&t->random, 0, (int64_t)more);
        plan_within(t, strategy, limit, true, &again);
    }
    return enough;
}

static void random_plans(void **state)
{
    static trial t;

    (void)state;
    for (uint64_t k = 0; k < test_scale(2000); k++) {
        t.random = test_random_make(seed, k);
        test_story_begin(&t.story, "rechunk", seed, k);
        random_problem(&t);
        for (int s = XTA_RECHUNK_SWEEP; s <= XTA_RECHUNK_MERGE; s++) {
            try_strategy(&t, (xta_rechunk_strategy)s);
        }
    }
}

/* Sweep works wherever keep does, and never needs more runs; with memory for everything it needs
 * the minimum. */
static void sweep_and_keep(void **state)
{
    static trial t;

    (void)state;
    for (uint64_t k = 0; k < test_scale(1000); k++) {
        uint64_t enough, limit = 0;
        t.random = test_random_make(seed + 1, k);
        test_story_begin(&t.story, "rechunk", seed + 1, k);
        random_problem(&t);
        for (int n = 0; n < 6; n++) {
            uint64_t keep = plan_within(&t, XTA_RECHUNK_KEEP, limit, false, &enough);
            uint64_t sweep = plan_within(&t, XTA_RECHUNK_SWEEP, limit, false, &enough);
            STORY_CHECK(&t.story, sweep <= keep, "sweep takes %llu runs, keep %llu",
                        (unsigned long long)sweep, (unsigned long long)keep);
            limit = limit * 2 + (uint64_t)test_random_in(&t.random, 1, 200) * t.problem.cell_bytes;
        }
        uint64_t all = plan_within(&t, XTA_RECHUNK_SWEEP, 1 << 30, false, &enough);
        judge j;
        judge_init(&j, &t.story, &t.problem);
        STORY_CHECK(&t.story, all == j.seen.n_from + j.seen.n_to, "%llu runs with all memory",
                    (unsigned long long)all);
        judge_clear(&j);
    }
}

/* ---- variants of keep ---- */

static void random_variants(trial *t)
{
    xta_rechunk_problem *p = &t->problem;

    p->variants = (unsigned)test_random_in(&t->random, 0, 15);
    if (test_random_chance(&t->random, 30)) {
        p->pass_axes = (unsigned)test_random_in(&t->random, 0, (1 << p->bounds.ndim) - 1);
    }
    if (test_random_chance(&t->random, 40)) {
        p->buffer.ndim = p->bounds.ndim;
        for (int d = 0; d < p->bounds.ndim; d++) {
            random_cuts(t, 2, d, p->bounds.lo[d], p->bounds.hi[d]);
        }
    }
    test_story_add(&t->story, "  variants %#x, axes to pass on %#x, buffers %s", p->variants,
                   p->pass_axes, p->buffer.ndim != 0 ? "given" : "searched");
}

/* Every plan of every variant moves each cell once, as its facts say, within the limit; the
 * variants never take more seeks than [KEEP], whole reads are whole, and sweep keeps its
 * promise. */
static void variants_of_keep(void **state)
{
    static trial t;

    (void)state;
    for (uint64_t k = 0; k < test_scale(600); k++) {
        uint64_t enough, again;
        t.random = test_random_make(seed + 2, k);
        test_story_begin(&t.story, "rechunk variants", seed + 2, k);
        random_problem(&t);
        random_variants(&t);
        enough = try_strategy(&t, XTA_RECHUNK_KEEP);
        if (enough == UINT64_MAX) {
            continue;
        }
        uint64_t limit = enough * (uint64_t)test_random_in(&t.random, 1, 5);
        uint64_t runs = plan_within(&t, XTA_RECHUNK_KEEP, limit, true, &again);
        STORY_CHECK(&t.story, runs != UINT64_MAX, "what is enough does not do for more");
        uint64_t seeks = t.facts.read_seeks + t.facts.write_seeks;
        unsigned variants = t.problem.variants;
        if (t.problem.buffer.ndim == 0 && (variants & XTA_VARIANT_WHOLE_READS) != 0) {
            STORY_CHECK(&t.story, t.facts.n_reads == t.facts.n_from, "an input block is cut");
            continue;
        }
        if (t.problem.buffer.ndim != 0 || t.problem.pass_axes != 0) {
            continue;
        }
        // Between ways to hold cells, and orders of cells, runs decide and not seeks.
        bool by_seeks =
            t.problem.account == XTA_ACCOUNT_LIVE && t.problem.from_column == t.problem.to_column;
        t.problem.variants = 0;
        uint64_t plain = plan_within(&t, XTA_RECHUNK_KEEP, limit, false, &again);
        STORY_CHECK(&t.story,
                    plain == UINT64_MAX || !by_seeks ||
                        seeks <= t.facts.read_seeks + t.facts.write_seeks,
                    "the variants take %llu seeks", (unsigned long long)seeks);
        t.problem.variants = variants;
        uint64_t sweep = plan_within(&t, XTA_RECHUNK_SWEEP, limit, true, &again);
        STORY_CHECK(&t.story, sweep <= runs, "sweep takes %llu runs, keep %llu",
                    (unsigned long long)sweep, (unsigned long long)runs);
    }
}

/* [KEEP] Algorithm 1 with given buffers, one cell at a time: the turn, on one axis, at which a cell
 * is read, and at which it is written. */
static int64_t turn_of(const judge *buffers, const judge *blocks, int axis, int64_t x, bool write,
                       bool pass)
{
    const judge_cuts *buffer = &buffers->cuts[0][axis], *output = &blocks->cuts[1][axis];

    for (int64_t turn = 0;; turn++) {
        int64_t end = buffer->edge[turn + 1], written = end;
        for (int64_t k = 1; write && !pass && k <= output->n; k++) {
            if (output->edge[k] > buffer->edge[turn] && output->edge[k] <= end) {
                written = output->edge[k];
            }
        }
        if (x < written) {
            return turn;
        }
    }
}

/* The turn of a cell, over all axes. */
static int64_t turn_at(const trial *t, const judge *buffers, const judge *blocks,
                       const int64_t cell[], bool write)
{
    int64_t turn = 0;

    for (int d = 0; d < t->problem.bounds.ndim; d++) {
        bool pass = (t->problem.pass_axes >> d & 1U) != 0;
        turn = turn * buffers->cuts[0][d].n + turn_of(buffers, blocks, d, cell[d], write, pass);
    }
    return turn;
}

/* All cells of a piece have their turn now: it is enough to look at the first and the last, as
 * turns ascend on each axis. */
static void check_turns(const trial *t, const judge *buffers, const judge *blocks,
                        const xta_rechunk_op *op, int64_t *turn)
{
    int64_t last[XTA_MAX_NDIM] = {0};

    for (int d = 0; d < op->piece.ndim; d++) {
        last[d] = op->piece.hi[d] - 1;
    }
    int64_t first_turn = turn_at(t, buffers, blocks, op->piece.lo, op->write);
    int64_t last_turn = turn_at(t, buffers, blocks, last, op->write);
    STORY_CHECK(&t->story, first_turn == last_turn, "a piece has the turns %lld to %lld",
                (long long)first_turn, (long long)last_turn);
    STORY_CHECK(&t->story, op->write ? first_turn == *turn : first_turn >= *turn,
                "a piece of turn %lld is %s at turn %lld", (long long)first_turn,
                op->write ? "written" : "read", (long long)*turn);
    *turn = first_turn;
}

static void given_buffers(void **state)
{
    static trial t;

    (void)state;
    for (uint64_t k = 0; k < test_scale(500); k++) {
        xta_rechunk_plan *plan = NULL;
        xta_rechunk_iterator *walk = NULL;
        xta_rechunk_op op;
        int64_t turn = 0;
        judge blocks, buffers;
        t.random = test_random_make(seed + 3, k);
        test_story_begin(&t.story, "rechunk buffers", seed + 3, k);
        random_problem(&t);
        do {
            random_variants(&t);
        } while (t.problem.buffer.ndim == 0);
        t.problem.from_column = t.problem.to_column = false;
        t.problem.from_home = t.problem.to_home = XTA_BLOCKS_FILES;
        t.problem.variants = 0;
        t.problem.strategy = XTA_RECHUNK_KEEP;
        t.problem.memory_bytes = (uint64_t)1 << 40;
        assert_int_equal(xta_rechunk_plan_new(&t.problem, &plan, NULL), XTA_OK);
        xta_rechunk_problem as_source = t.problem;
        as_source.from = t.problem.buffer;
        judge_init(&blocks, &t.story, &t.problem);
        judge_init(&buffers, &t.story, &as_source);
        assert_int_equal(xta_rechunk_iterator_new(
                             plan, 0, xta_rechunk_plan_facts(plan)->n_components, &walk, NULL),
                         XTA_OK);
        while (xta_rechunk_iterator_next(walk, &op)) {
            judge_op(&blocks, &op);
            check_turns(&t, &buffers, &blocks, &op, &turn);
        }
        judge_end(&blocks, xta_rechunk_plan_facts(plan));
        judge_clear(&blocks);
        judge_clear(&buffers);
        xta_rechunk_iterator_free(walk);
        xta_rechunk_plan_free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_plans),
        cmocka_unit_test(sweep_and_keep),
        cmocka_unit_test(variants_of_keep),
        cmocka_unit_test(given_buffers),
    };

    seed = test_seed("rechunk", 20240801);
    return cmocka_run_group_tests_name("rechunk", tests, NULL, NULL);
}
