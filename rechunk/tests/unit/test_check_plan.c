/* The invariants of plans (planner/check_plan.h): valid plans satisfy all of them, and each is
 * violated by one corruption.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/rechunk.h>

#include "planner/check_plan.h"
#include "support/random.h"

#define MOST_OPS 4096

/* A plan, its problem and its operations, to be corrupted. */
typedef struct sample {
    xta_rechunk_problem problem;
    xta_rechunk_plan *plan;
    xta_rechunk_facts facts;
    size_t n;
    xta_rechunk_op op[MOST_OPS];
} sample;

static sample s;

static void make_sample(xta_rechunk_strategy strategy, xta_rechunk_account account,
                        uint64_t memory_bytes)
{
    const int64_t lo[2] = {-3, 0}, hi[2] = {27, 40}, from[2] = {7, 40}, to[2] = {30, 9};
    static const xta_rechunk_problem zeros = XTA_RECHUNK_PROBLEM_INIT;
    xta_rechunk_iterator *walk = NULL;
    xta_error err = {0};

    s.problem = zeros;
    s.problem.bounds = xta_box_make(2, lo, hi);
    s.problem.from = xta_partition_regular(2, from, NULL);
    s.problem.to = xta_partition_regular(2, to, NULL);
    s.problem.cell_bytes = 4;
    s.problem.memory_bytes = memory_bytes;
    s.problem.account = account;
    s.problem.strategy = strategy;
    if (xta_rechunk_plan_new(&s.problem, &s.plan, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    s.facts = *xta_rechunk_plan_facts(s.plan);
    assert_int_equal(xta_rechunk_iterator_new(s.plan, 0, s.facts.n_components, &walk, &err),
                     XTA_OK);
    for (s.n = 0; s.n < MOST_OPS && xta_rechunk_iterator_next(walk, &s.op[s.n]); s.n++) {}
    xta_rechunk_iterator_free(walk);
    assert_null(xta__check_plan(s.plan));
}

static const char *flaw(void)
{
    static xta__plan_check check;
    const char *found = NULL;

    assert_true(xta__plan_check_init(&check, &s.problem, &s.facts));
    for (size_t k = 0; k < s.n && found == NULL; k++) {
        found = xta__plan_check_op(&check, &s.op[k]);
    }
    return found == NULL ? xta__plan_check_end(&check) : found;
}

static void assert_flaw(const char *beginning)
{
    const char *found = flaw();

    if (found == NULL || strncmp(found, beginning, strlen(beginning)) != 0) {
        fail_msg("%s was corrupted, the check says: %s", beginning, found == NULL ? "-" : found);
    }
}

static int begin(void **state)
{
    (void)state;
    make_sample(XTA_RECHUNK_SWEEP, XTA_ACCOUNT_LIVE, 3000);
    assert_null(flaw());
    return 0;
}

static int end(void **state)
{
    (void)state;
    xta_rechunk_plan_free(s.plan);
    s.plan = NULL;
    return 0;
}

/* The first operation from `from` on that reads, or writes. */
static size_t find(size_t from, bool write)
{
    while (s.op[from].write != write) {
        from++;
    }
    return from;
}

static void drop(size_t k)
{
    memmove(&s.op[k], &s.op[k + 1], (s.n - k - 1) * sizeof s.op[0]);
    s.n--;
}

static void repeat(size_t k)
{
    memmove(&s.op[k + 1], &s.op[k], (s.n - k) * sizeof s.op[0]);
    s.n++;
}

/* ---- corruptions ---- */

static void block_of_another(void **state)
{
    (void)state;
    s.op[find(0, false)].block[0]++;
    assert_flaw("P1: a piece lies in another block");
}

static void piece_over_a_cut(void **state)
{
    (void)state;
    size_t k = find(0, false);
    s.op[k].piece.hi[0] = s.problem.bounds.hi[0];
    assert_flaw("P1: a piece lies in several blocks");
}

static void piece_that_leaves(void **state)
{
    (void)state;
    s.op[find(0, true)].piece.hi[1] = 100;
    assert_flaw("P1: a piece is empty or leaves");
    s.op[find(0, true)].piece.hi[1] = s.op[find(0, true)].piece.lo[1];
    assert_flaw("P1: a piece is empty or leaves");
}

static void wrong_whole(void **state)
{
    (void)state;
    size_t k = find(0, true);
    s.op[k].whole = !s.op[k].whole;
    assert_flaw("P1: `whole`");
}

static void read_twice(void **state)
{
    (void)state;
    repeat(find(0, false));
    assert_flaw("P2: a cell is read twice");
}

static void not_read(void **state)
{
    (void)state;
    drop(find(0, false));
    assert_flaw("P4");
    // Without the writes that lack it, the check finds that the cells are missing.
    for (size_t k = 0; k < s.n;) {
        if (s.op[k].write) {
            drop(k);
        } else {
            k++;
        }
    }
    s.facts.peak_live_bytes = s.problem.memory_bytes = 1 << 20;
    assert_flaw("P2: a cell is not read");
}

static void written_twice(void **state)
{
    (void)state;
    repeat(find(0, true));
    assert_flaw("P3: a cell is written twice");
}

static void not_written(void **state)
{
    (void)state;
    size_t k = s.n - 1;
    assert_true(s.op[k].write);
    drop(k);
    assert_flaw("P3: a cell is not written");
}

static void written_too_early(void **state)
{
    (void)state;
    size_t k = find(0, true);
    xta_rechunk_op op = s.op[k];
    drop(k);
    repeat(0);
    s.op[0] = op;
    assert_flaw("P4");
}

static void more_held(void **state)
{
    (void)state;
    uint64_t peak = s.facts.peak_live_bytes;
    s.facts.peak_live_bytes = peak - 1;
    assert_flaw("P5: more cells are held than the facts");
    s.facts.peak_live_bytes = peak;
    s.problem.memory_bytes = peak - 1;
    assert_flaw("P5: more cells are held than the limit");
}

static void more_allocated(void **state)
{
    (void)state;
    xta_rechunk_plan_free(s.plan);
    make_sample(XTA_RECHUNK_SWEEP, XTA_ACCOUNT_ALLOCATED, 6000);
    assert_null(flaw());
    s.problem.memory_bytes = s.facts.peak_allocated_bytes - 1;
    assert_flaw("P6");
}

static void counts(void **state)
{
    (void)state;
    s.facts.n_reads++;
    assert_flaw("P7: there are more or fewer operations");
    s.facts.n_reads--;
    s.facts.write_runs--;
    assert_flaw("P7: there are more or fewer runs");
    s.facts.write_runs++;
    s.op[0].component = s.facts.n_components;
    assert_flaw("P7: there is no such component");
}

/* ---- valid plans ---- */

static void random_cuts(test_random *random, xta_cuts *cuts, int64_t length)
{
    cuts->length = test_random_in(random, 1, length);
    cuts->origin = test_random_in(random, -4, 4);
}

/* Small problems of all strategies and both memory accounts: every plan satisfies the
 * invariants. */
static void true_plans(void **state)
{
    static const xta_rechunk_problem zeros = XTA_RECHUNK_PROBLEM_INIT;
    test_random random = test_random_make(test_seed("test_check_plan", 26), 0);
    int n_plans = 0;

    (void)state;
    for (int k = 0; k < 400; k++) {
        xta_rechunk_problem problem = zeros;
        xta_rechunk_plan *plan = NULL;
        int ndim = (int)test_random_in(&random, 1, 3);
        problem.bounds.ndim = problem.from.ndim = problem.to.ndim = ndim;
        for (int axis = 0; axis < ndim; axis++) {
            int64_t length = test_random_in(&random, 1, 15);
            problem.bounds.lo[axis] = test_random_in(&random, -3, 3);
            problem.bounds.hi[axis] = problem.bounds.lo[axis] + length;
            random_cuts(&random, &problem.from.axis[axis], length);
            random_cuts(&random, &problem.to.axis[axis], length);
        }
        problem.cell_bytes = 2;
        problem.memory_bytes = (uint64_t)test_random_in(&random, 64, 4000);
        problem.strategy = (xta_rechunk_strategy)test_random_in(&random, 0, 4);
        problem.account = (xta_rechunk_account)test_random_in(&random, 0, 1);
        problem.from_column = test_random_chance(&random, 30);
        problem.to_column = test_random_chance(&random, 30);
        if (xta_rechunk_plan_new(&problem, &plan, NULL) == XTA_OK) {
            const char *found = xta__check_plan(plan);
            if (found != NULL) {
                fail_msg("problem %d: %s", k, found);
            }
            n_plans++;
        }
        xta_rechunk_plan_free(plan);
    }
    assert_true(n_plans > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(block_of_another, begin, end),
        cmocka_unit_test_setup_teardown(piece_over_a_cut, begin, end),
        cmocka_unit_test_setup_teardown(piece_that_leaves, begin, end),
        cmocka_unit_test_setup_teardown(wrong_whole, begin, end),
        cmocka_unit_test_setup_teardown(read_twice, begin, end),
        cmocka_unit_test_setup_teardown(not_read, begin, end),
        cmocka_unit_test_setup_teardown(written_twice, begin, end),
        cmocka_unit_test_setup_teardown(not_written, begin, end),
        cmocka_unit_test_setup_teardown(written_too_early, begin, end),
        cmocka_unit_test_setup_teardown(more_held, begin, end),
        cmocka_unit_test_setup_teardown(more_allocated, begin, end),
        cmocka_unit_test_setup_teardown(counts, begin, end),
        cmocka_unit_test(true_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
