/* The default strategy against the others: for random problems of ordinary sizes, no plan of sweep
 * costs more than one of keep, split, merge or baseline. The cost is R, the runs; for equal runs,
 * the bytes moved.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>

#include <cmocka.h>

#include <xta/rechunk.h>

#include "support/random.h"
#include "support/report.h"

static uint64_t seed;

typedef struct cost {
    bool possible;
    uint64_t runs, bytes;
} cost;

static cost cost_of(xta_rechunk_problem *problem, xta_rechunk_strategy strategy)
{
    xta_rechunk_plan *plan = NULL;
    cost found = {false, 0, 0};

    problem->strategy = strategy;
    if (xta_rechunk_plan_new(problem, &plan, NULL) == XTA_OK) {
        const xta_rechunk_facts *facts = xta_rechunk_plan_facts(plan);
        found.possible = true;
        found.runs = facts->read_runs + facts->write_runs;
        found.bytes = facts->bytes_read + facts->bytes_written;
        xta_rechunk_plan_free(plan);
    }
    return found;
}

static bool dearer(const cost *a, const cost *b)
{
    return !a->possible || a->runs > b->runs || (a->runs == b->runs && a->bytes > b->bytes);
}

/* Typical shapes: blocks from a few cells to the whole axis, bounds that are seldom multiples. */
static void random_shapes(test_random *random, test_story *story, xta_rechunk_problem *problem)
{
    static const int64_t longest[] = {0, 100000, 2000, 300, 60};
    int ndim = (int)test_random_in(random, 1, 4);
    int64_t from[4], to[4], zero[4] = {0}, length[4];
    uint64_t bytes;

    *problem = (xta_rechunk_problem)XTA_RECHUNK_PROBLEM_INIT;
    for (int d = 0; d < ndim; d++) {
        length[d] = test_random_in(random, 4, longest[ndim]);
        int64_t most = test_random_chance(random, 40) ? length[d] : 1 + length[d] / 4;
        from[d] = test_random_chance(random, 20) ? 1 : test_random_in(random, 1, most);
        to[d] = test_random_chance(random, 20) ? length[d] : test_random_in(random, 1, most);
    }
    problem->bounds = xta_box_make(ndim, zero, length);
    problem->from = xta_partition_regular(ndim, from, NULL);
    problem->to = xta_partition_regular(ndim, to, NULL);
    if (test_random_chance(random, 20)) {
        problem->from.axis[0].origin = test_random_in(random, -3, 3);
    }
    problem->from_home = (xta_block_home)test_random_in(random, 0, 2);
    problem->to_home = (xta_block_home)test_random_in(random, 0, 2);
    problem->from_column = test_random_chance(random, 30);
    problem->to_column = test_random_chance(random, 30);
    problem->account = (xta_rechunk_account)test_random_in(random, 0, 1);
    problem->cell_bytes = (uint64_t)1 << test_random_in(random, 0, 3);
    assert_int_equal(xta_box_cells(&problem->bounds, &bytes), XTA_OK);
    bytes *= problem->cell_bytes;
    problem->memory_bytes =
        (uint64_t)test_random_in(random, (int64_t)(bytes / 500) + 1, (int64_t)bytes);
    if (test_random_chance(random, 50)) {
        problem->memory_bytes = problem->memory_bytes / 16 + 64;
    }
    for (int d = 0; d < ndim; d++) {
        test_story_add(story, "  axis %d: %lld cells, blocks of %lld to %lld", d,
                       (long long)length[d], (long long)from[d], (long long)to[d]);
    }
    test_story_add(story, "  columns %d and %d", problem->from_column, problem->to_column);
    test_story_add(story, "  homes %d and %d, %llu bytes a cell, account %d, limit %llu",
                   (int)problem->from_home, (int)problem->to_home,
                   (unsigned long long)problem->cell_bytes, (int)problem->account,
                   (unsigned long long)problem->memory_bytes);
}

static void never_dearer(void **state)
{
    static test_story story;
    uint64_t n_dearer = 0, n = test_scale(700);
    double worst = 1;

    (void)state;
    for (uint64_t k = 0; k < n; k++) {
        test_random random = test_random_make(seed, k);
        xta_rechunk_problem problem;
        bool is_dearer = false;

        test_story_begin(&story, "rechunk default", seed, k);
        random_shapes(&random, &story, &problem);
        cost sweep = cost_of(&problem, XTA_RECHUNK_SWEEP);
        for (int s = XTA_RECHUNK_KEEP; s <= XTA_RECHUNK_MERGE; s++) {
            cost other = cost_of(&problem, (xta_rechunk_strategy)s);
            if (!other.possible || !dearer(&sweep, &other)) {
                continue;
            }
            double ratio = sweep.possible ? (double)sweep.runs / (double)other.runs : 1e9;
            worst = ratio > worst ? ratio : worst;
            is_dearer = true;
            print_message("case %llu: sweep %llu runs, %llu bytes; %s %llu runs, %llu bytes\n",
                          (unsigned long long)k, (unsigned long long)sweep.runs,
                          (unsigned long long)sweep.bytes,
                          xta_rechunk_strategy_name((xta_rechunk_strategy)s),
                          (unsigned long long)other.runs, (unsigned long long)other.bytes);
        }
        n_dearer += is_dearer;
    }
    print_message("%llu of %llu problems are dearer by sweep than by another strategy, up to "
                  "%.2f times\n",
                  (unsigned long long)n_dearer, (unsigned long long)n, worst);
    assert_int_equal(n_dearer, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_dearer),
    };

    seed = test_seed("rechunk_default", 20260307);
    return cmocka_run_group_tests_name("rechunk default", tests, NULL, NULL);
}
