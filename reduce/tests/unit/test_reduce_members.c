/* Members that disagree: whatever it is about, all of them get the same error, which says what
 * differs and what helps, and nobody waits for ever.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <xta/reduce.h>

#include "support/must.h"
#include "support/thread_communicator.h"

enum { MEMBERS = 3, ODD = 1, ROWS = 2000, SAMPLES = 6 };

static const int both_axes[2] = {0, 1};
static const int one_axis[1] = {0};
static const int last_axis[1] = {1};
static const float minus_one = -1, minus_two = -2;
static int64_t labels[ROWS], other_labels[ROWS], no_labels[ROWS];

/* What one member does. */
typedef struct member_plan {
    xta_array *array;
    xta_reduce_options options;
    xta_reduce_statistic statistics[2];
    int n_statistics;
} member_plan;

typedef struct members {
    member_plan plan[MEMBERS];
    xta_status status[MEMBERS];
    xta_error err[MEMBERS];
} members;

static void run_member(void *user, const xta_communicator *common)
{
    members *m = user;
    member_plan *plan = &m->plan[common->rank];

    plan->options.communicator = common;
    m->status[common->rank] = xta_reduce(plan->array, &plan->options, plan->statistics,
                                         plan->n_statistics, NULL, NULL, &m->err[common->rank]);
}

/* All members do the same, over the first axis in groups of labels. */
static void agree_on(members *m, xta_array *array)
{
    memset(m, 0, sizeof *m);
    for (int k = 0; k < MEMBERS; k++) {
        member_plan *plan = &m->plan[k];
        plan->array = array;
        plan->options = (xta_reduce_options)XTA_REDUCE_OPTIONS_INIT;
        plan->options.axes = one_axis;
        plan->options.n_axes = 1;
        plan->options.labels = labels;
        plan->options.n_labels = ROWS;
        plan->options.missing = &minus_one;
        plan->statistics[0] = XTA_REDUCE_SUM;
        plan->statistics[1] = XTA_REDUCE_MAX;
        plan->n_statistics = 2;
    }
}

/* Run them; all get an error with this text. */
static void must_disagree(members *m, const char *text)
{
    test_members_run(MEMBERS, run_member, m);
    for (int k = 0; k < MEMBERS; k++) {
        if (m->status[k] != XTA_EARG || strstr(m->err[k].text, text) == NULL) {
            fail_msg("member %d: want \"%s\", got %s: %s", k, text, xta_status_name(m->status[k]),
                     m->err[k].text);
        }
        assert_non_null(strstr(m->err[k].text, "member 1 and member 0 have different "));
        assert_string_equal(m->err[k].text, m->err[0].text);
    }
}

static xta_array *new_array(int64_t rows)
{
    const int64_t bounds[2] = {rows, SAMPLES}, chunk[2] = {100, 2};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    const float one = 1;
    xta_array *array = NULL;
    xta_error err;

    create.chunk = chunk;
    test_must(xta_array_new(XTA_F32, 2, bounds, &create, &array, &err), &err);
    xta_box box = xta_array_bounds(array);
    test_must(xta_array_fill(array, &box, &one, &err), &err);
    return array;
}

static void members_that_agree(void **state)
{
    xta_array *array = new_array(ROWS);
    static members m;
    xta_error err;

    (void)state;
    agree_on(&m, array);
    m.plan[ODD].options.threads = 2; // may differ
    // Equal values elsewhere are no disagreement.
    float same = minus_one;
    memcpy(other_labels, labels, sizeof labels);
    m.plan[ODD].options.missing = &same;
    m.plan[ODD].options.labels = other_labels;
    test_members_run(MEMBERS, run_member, &m);
    for (int k = 0; k < MEMBERS; k++) {
        test_must(m.status[k], &m.err[k]);
    }
    test_must(xta_array_close(array, &err), &err);
}

static void options_differ(void **state)
{
    xta_array *array = new_array(ROWS);
    static members m;
    member_plan *odd = &m.plan[ODD];
    xta_error err;

    (void)state;
    agree_on(&m, array);
    odd->options.missing = &minus_two;
    must_disagree(&m, "missing values; give all members the same value, or none");
    agree_on(&m, array);
    odd->options.missing = NULL;
    must_disagree(&m, "missing values");
    agree_on(&m, array);
    odd->options.propagate_nan = true;
    must_disagree(&m, "rules for NaN; set propagate_nan in all members or in none");
    agree_on(&m, array);
    odd->options.min_count = 3;
    must_disagree(&m, "minimum counts; give all members the same min_count");
    agree_on(&m, array);
    odd->options.ddof = 1;
    must_disagree(&m, "divisors of the variance; give all members the same ddof");
    agree_on(&m, array);
    odd->options.axes = both_axes;
    odd->options.n_axes = 2;
    must_disagree(&m, "axes to reduce; give all members the same axes");
    test_must(xta_array_close(array, &err), &err);
}

static void groups_differ(void **state)
{
    xta_array *array = new_array(ROWS);
    static members m;
    member_plan *odd = &m.plan[ODD];
    const char *text = "groups; give all members the same group axis";
    xta_error err;

    (void)state;
    // One label of equally many groups.
    agree_on(&m, array);
    memcpy(other_labels, labels, sizeof labels);
    other_labels[700] = (labels[700] + 1) % 5;
    odd->options.labels = other_labels;
    must_disagree(&m, text);
    agree_on(&m, array);
    odd->options.labels = NULL;
    must_disagree(&m, text);
    agree_on(&m, array);
    odd->options.labels = NULL;
    odd->options.group_length = 400;
    must_disagree(&m, text);
    // No group at all: that member would not compute anything.
    agree_on(&m, array);
    odd->options.labels = no_labels;
    must_disagree(&m, text);
    test_must(xta_array_close(array, &err), &err);
}

static void statistics_differ(void **state)
{
    xta_array *array = new_array(ROWS);
    static members m;
    member_plan *odd = &m.plan[ODD];
    const char *text = "statistics; give all members the same ones in the same order";
    xta_error err;

    (void)state;
    agree_on(&m, array);
    odd->statistics[1] = XTA_REDUCE_MIN; // with the same partial results
    must_disagree(&m, text);
    agree_on(&m, array);
    odd->statistics[0] = XTA_REDUCE_MEAN;
    must_disagree(&m, text);
    agree_on(&m, array);
    odd->n_statistics = 1;
    must_disagree(&m, text);
    test_must(xta_array_close(array, &err), &err);
}

/* A budget that makes other tiles: one of them, or several. */
static void budgets_differ(void **state)
{
    xta_array *array = new_array(20 * ROWS);
    static members m;
    xta_error err;

    (void)state;
    agree_on(&m, array);
    for (int k = 0; k < MEMBERS; k++) {
        m.plan[k].options.axes = last_axis;
        m.plan[k].options.labels = NULL;
    }
    m.plan[ODD].options.memory_bytes = 2200000;
    must_disagree(&m, "tiles of the result; give all members the same memory_bytes");
    // With the same small budget it works.
    m.plan[0].options.memory_bytes = m.plan[2].options.memory_bytes = 2200000;
    test_members_run(MEMBERS, run_member, &m);
    for (int k = 0; k < MEMBERS; k++) {
        test_must(m.status[k], &m.err[k]);
    }
    test_must(xta_array_close(array, &err), &err);
}

static void arrays_differ(void **state)
{
    const xta_growth growth = {1, XTA_BACK, 1};
    xta_array *array = new_array(ROWS), *longer = new_array(ROWS), *empty = new_array(0);
    const char *text = "arrays, or structural steps of it; open the same array, and refresh it";
    static members m;
    xta_error err;

    (void)state;
    test_must(xta_array_extend(longer, &growth, 1, NULL, &err), &err);
    agree_on(&m, array);
    m.plan[ODD].array = longer;
    must_disagree(&m, text);
    // Without cells it would not compute anything.
    agree_on(&m, array);
    m.plan[ODD].array = empty;
    m.plan[ODD].options.n_labels = 0;
    must_disagree(&m, text);
    test_must(xta_array_close(array, &err), &err);
    test_must(xta_array_close(longer, &err), &err);
    test_must(xta_array_close(empty, &err), &err);
}

static int make_labels(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        labels[k] = k / 7 % 5;
        no_labels[k] = -1;
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_that_agree), cmocka_unit_test(options_differ),
        cmocka_unit_test(groups_differ),      cmocka_unit_test(statistics_differ),
        cmocka_unit_test(budgets_differ),     cmocka_unit_test(arrays_differ),
    };

    return cmocka_run_group_tests_name("reduce_members", tests, make_labels, NULL);
}
