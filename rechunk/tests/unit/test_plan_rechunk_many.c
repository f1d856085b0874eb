/* Axes with very many blocks: every strategy plans them, the facts of a plan match its operations,
 * and the minimum of runs is found if it fits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <xta/rechunk.h>

/* Lengths and origins of both sides on the long axis, `rest` cells on another. */
typedef struct many {
    int64_t cells, rest;
    int64_t from, to;
    int64_t from_origin, to_origin;
    uint64_t memory; /* bytes; 0: ample */
} many;

static const many cases[] = {
    {1000000, 1, 1, 512, 0, 0, 0},          // a record appended a million times, to chunks of 4 KiB
    {1000000, 1, 1, 1000000, 0, 0, 0},      // to one chunk
    {1000000, 1, 1000000, 1, 0, 0, 0},      // and back
    {1000000, 1, 1, 1000000, 0, 0, 200000}, // of which only part fits
    {1000000, 5, 1, 300000, 0, 0, 0},       // blocks that end at other coordinates
    {3000000, 1, 3, 1000003, 1, 2, 0},      // cuts that never coincide
    {3000000, 2, 2, 2, 0, 1, 0},            // on either side
    {3000000, 2, 2, 2, 0, 1, 65536},        //
    {3000000, 1, 2, 3, 1, 0, 20000},        //
    {1000000000, 1, 1, 512, 0, 0, 0},       // 10^9 blocks
    {1000000000, 1, 1, 1000000000, 0, 0, 0},
    {1000000000, 3, 1, 999999937, 0, 0, 1 << 20},
    {2000000000, 1, 2, 2, 0, 1, 0},
    {2000000000, 1, 2, 2, 0, 1, 1 << 20},
};

static xta_rechunk_problem problem_of(const many *c, int axis)
{
    xta_rechunk_problem problem = XTA_RECHUNK_PROBLEM_INIT;
    int64_t lo[2] = {0, 0}, hi[2] = {c->rest, c->rest}, from[2], to[2];

    hi[axis] = c->cells;
    from[!axis] = to[!axis] = c->rest;
    from[axis] = c->from;
    to[axis] = c->to;
    problem.bounds = xta_box_make(2, lo, hi);
    problem.from = xta_partition_regular(2, from, NULL);
    problem.to = xta_partition_regular(2, to, NULL);
    problem.from.axis[axis].origin = c->from_origin;
    problem.to.axis[axis].origin = c->to_origin;
    problem.cell_bytes = 8;
    problem.memory_bytes = c->memory > 0 ? c->memory : (uint64_t)1 << 40;
    return problem;
}

/* Iterate over a plan: each cell is read once, then written once, and the facts match the
 * operations. */
static void check_walk(const xta_rechunk_problem *problem, const xta_rechunk_plan *plan)
{
    const xta_rechunk_facts *facts = xta_rechunk_plan_facts(plan);
    int64_t width = problem->bounds.hi[1];
    uint8_t *state = calloc((size_t)problem->bounds.hi[0], (size_t)width);
    uint64_t n[2] = {0, 0}, runs[2] = {0, 0}, alive = 0, most = 0;
    xta_rechunk_iterator *walk = NULL;
    xta_rechunk_op op;

    assert_non_null(state);
    assert_int_equal(xta_rechunk_iterator_new(plan, 0, facts->n_components, &walk, NULL), XTA_OK);
    while (xta_rechunk_iterator_next(walk, &op)) {
        n[op.write]++;
        runs[op.write] += op.runs;
        for (int64_t i = op.piece.lo[0]; i < op.piece.hi[0]; i++) {
            for (int64_t j = op.piece.lo[1]; j < op.piece.hi[1]; j++) {
                assert_true(state[i * width + j]++ == op.write);
                alive += op.write ? UINT64_MAX : 1;
            }
        }
        most = alive > most ? alive : most;
    }
    for (int64_t k = 0; k < problem->bounds.hi[0] * width; k++) {
        assert_true(state[k] == 2);
    }
    assert_true(n[0] == facts->n_reads && n[1] == facts->n_writes);
    assert_true(runs[0] == facts->read_runs && runs[1] == facts->write_runs);
    assert_true(most * problem->cell_bytes == facts->peak_live_bytes);
    xta_rechunk_iterator_free(walk);
    free(state);
}

static uint64_t blocks_of(const xta_cuts *cuts, int64_t cells)
{
    int64_t first = cuts->origin % cuts->length;

    return (uint64_t)((cells - first + cuts->length - 1) / cuts->length + (first > 0));
}

static void check_case(const many *c, int axis, xta_rechunk_strategy strategy)
{
    xta_rechunk_problem problem = problem_of(c, axis);
    xta_rechunk_plan *plan = NULL;
    xta_error err;

    problem.strategy = strategy;
    xta_status status = xta_rechunk_plan_new(&problem, &plan, &err);
    if (status == XTA_ENOMEM && strstr(err.text, " bytes are enough") != NULL) {
        assert_true(c->memory > 0 && strategy != XTA_RECHUNK_SWEEP);
        problem.memory_bytes = strtoull(strstr(err.text, "; ") + 2, NULL, 10);
        status = xta_rechunk_plan_new(&problem, &plan, &err);
    }
    if (status != XTA_OK) {
        print_message("%lld cells, %s: %s\n", (long long)c->cells,
                      xta_rechunk_strategy_name(strategy), err.text);
    }
    assert_int_equal(status, XTA_OK);
    const xta_rechunk_facts *facts = xta_rechunk_plan_facts(plan);
    assert_true(facts->n_from == blocks_of(&problem.from.axis[axis], c->cells));
    assert_true(facts->n_to == blocks_of(&problem.to.axis[axis], c->cells));
    assert_true(facts->peak_live_bytes <= problem.memory_bytes);
    assert_true(c->memory > 0 || strategy != XTA_RECHUNK_SWEEP || facts->at_lower_bound);
    if (c->cells <= 3000000) {
        check_walk(&problem, plan);
    }
    xta_rechunk_plan_free(plan);
}

static void many_blocks(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        for (int axis = 0; axis < 2; axis++) {
            clock_t begin = clock();
            check_case(&cases[k], axis, XTA_RECHUNK_SWEEP);
            double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
            print_message("%lld cells by %lld to %lld on axis %d: %.0f ms%s\n",
                          (long long)cases[k].cells, (long long)cases[k].from,
                          (long long)cases[k].to, axis, 1e3 * seconds,
                          cases[k].cells <= 3000000 ? ", its walk included" : "");
        }
    }
}

static void every_strategy(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        for (int s = XTA_RECHUNK_KEEP; s <= XTA_RECHUNK_MERGE; s++) {
            check_case(&cases[k], (int)k % 2, (xta_rechunk_strategy)s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_blocks),
        cmocka_unit_test(every_strategy),
    };

    return cmocka_run_group_tests_name("rechunk of many blocks", tests, NULL, NULL);
}
