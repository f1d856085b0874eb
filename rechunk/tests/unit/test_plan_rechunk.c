/* Plans against the published numbers: the configurations of [KEEP] Table 3, its Table 4 and the
 * counts its authors measured, and the plans of sweep for them. docs/REPARTITION.md has the tables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <xta/rechunk.h>

#include "bench/keep_cases.h"
#include "planner/model/seeks.h"

/* The facts of a plan; false if there is no plan. */
static bool facts_of(const xta_rechunk_problem *problem, xta_rechunk_facts *facts)
{
    xta_rechunk_plan *plan = NULL;
    xta_error err;
    xta_status status = xta_rechunk_plan_new(problem, &plan, &err);

    if (status != XTA_OK) {
        assert_int_equal(status, XTA_ENOMEM);
        return false;
    }
    *facts = *xta_rechunk_plan_facts(plan);
    xta_rechunk_plan_free(plan);
    return true;
}

static void baseline_seeks(void **state)
{
    static const uint64_t measured[N_ALL] = {56128,     73500368,  196005096, 196348224,
                                             392040768, 196001424, 211400,    0,
                                             0,         0,         0,         4096326144};

    (void)state;
    for (int c = 0; c < N_ALL; c++) {
        xta_rechunk_problem problem = keep_problem(c, XTA_RECHUNK_BASELINE, 20);
        xta_rechunk_facts facts = {0};
        assert_true(facts_of(&problem, &facts));
        assert_true(facts.read_seeks == facts.n_from);
        if (measured[c] != 0) {
            assert_true(facts.read_seeks + facts.write_seeks == measured[c]);
        }
        uint64_t block = 2;
        for (int d = 0; d < 3; d++) {
            block *= (uint64_t)table3[c].in[d];
        }
        assert_true(facts.peak_live_bytes == block);
    }
}

/* One line of [KEEP] Table 4 by the algorithm in the text: shape, T, R, peak in GiB. */
typedef struct expected {
    int config;
    double limit;
    int64_t shape[3];
    uint64_t seeks, runs;
    double peak;
} expected;

static void check_keep(const expected *e)
{
    xta_rechunk_problem problem = keep_problem(e->config, XTA_RECHUNK_KEEP, e->limit);
    xta_rechunk_facts facts = {0};

    assert_true(facts_of(&problem, &facts));
    assert_memory_equal(facts.read_shape, e->shape, sizeof e->shape);
    assert_int_equal(facts.read_seeks + facts.write_seeks, e->seeks);
    assert_int_equal(facts.read_runs + facts.write_runs, e->runs);
    assert_true(fabs((double)facts.peak_live_bytes / GIB - e->peak) < 0.006);
}

static void keep_table4(void **state)
{
    static const expected lines[] = {
        {0, 4.3, {875, 1750, 875}, 96, 96, 2.50},
        {1, 4.3, {700, 875, 875}, 356, 228, 1.60},
        {2, 4.3, {500, 700, 700}, 3143, 1943, 1.77},
        {3, 4.3, {250, 350, 350}, 7144, 4944, 0.384},
        {4, 4.3, {175, 350, 350}, 14272, 11920, 3.48},
        {5, 4.3, {500, 875, 700}, 1316, 836, 0.90},
        {6, 4.3, {350, 875, 350}, 1100, 1100, 1.055},
        {0, 8.6, {875, 1750, 875}, 96, 96, 2.50},
        {1, 8.6, {700, 875, 875}, 356, 228, 1.60},
        {2, 8.6, {350, 700, 700}, 1784, 1490, 7.34},
        {3, 8.6, {350, 350, 350}, 3744, 3744, 4.70},
        {4, 8.6, {350, 350, 350}, 10744, 10744, 4.70},
        {5, 8.6, {350, 875, 700}, 848, 680, 7.25},
        {6, 8.6, {350, 875, 350}, 1100, 1100, 1.055},
        {0, 275, {875, 1750, 875}, 96, 96, 2.50},
        {1, 275, {875, 875, 875}, 164, 164, 13.58},
        {2, 275, {700, 700, 700}, 1343, 1343, 10.18},
        {3, 275, {350, 350, 350}, 3744, 3744, 4.70},
        {4, 275, {350, 350, 350}, 10744, 10744, 4.70},
        {5, 275, {700, 875, 700}, 596, 596, 9.94},
        {6, 275, {350, 875, 350}, 1100, 1100, 1.055},
        // The plan that the authors ran instead in configuration 4 with 4 GB; here it is the one
        // that fits 3 GiB.
        {4, 3, {250, 350, 350}, 25144, 15544, 0.384},
    };
    // All measurements of 8000^3 with 256 GB, at the lower bound.
    static const expected large[] = {
        {7, 275, {2000, 4000, 2000}, 96, 96, 29.8},
        {8, 275, {2000, 2000, 2000}, 189, 189, 175.0},
        {9, 275, {1600, 1600, 1600}, 1512, 1512, 111.52},
        {10, 275, {800, 800, 800}, 5096, 5096, 50.746},
        {11, 275, {400, 400, 400}, 96768, 96768, 24.485},
        {12, 275, {200, 200, 200}, 189000, 189000, 14.487},
        {13, 275, {800, 800, 800}, 12096, 12096, 50.746},
        {14, 275, {400, 400, 400}, 40768, 40768, 24.485},
    };

    (void)state;
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        check_keep(&lines[k]);
    }
    for (size_t k = 0; k < sizeof large / sizeof large[0]; k++) {
        check_keep(&large[k]);
    }
}

/* The authors' runs of configurations 3 and 4 with 8 GB: reads of 350^3, remainders not kept on
 * axis 0, so that outputs are cut there at the end of each read. */
static void unkept_axis(void **state)
{
    static int64_t reads[11], edges[2][64];

    (void)state;
    for (int k = 0; k <= 10; k++) {
        reads[k] = 350 * k;
    }
    for (int c = 3; c <= 4; c++) {
        xta_rechunk_problem problem = keep_problem(c, XTA_RECHUNK_KEEP, 8);
        int64_t n[2] = {3500 / table3[c].in[0], 3500 / table3[c].out[0]};
        for (int side = 0; side < 2; side++) {
            for (int64_t k = 0; k <= n[side]; k++) {
                edges[side][k] = k * 3500 / n[side];
            }
        }
        xta__span span = {.length = 3500, .n = {n[0], n[1]}, .edge = {edges[0], edges[1]}};
        const xta__span *spans[3] = {&span, &span, &span};
        int64_t cut[32];
        xta__schedule_spec spec = {
            .edge = {edges[0], cut}, .n = {n[0], 0}, .event = reads + 1, .n_events = 10};
        spec.n[1] = xta__merge_edges(edges[1], n[1] + 1, reads, 11, cut) - 1;
        xta__axis_schedule unkept, kept;
        assert_int_equal(xta__axis_schedule_init(&unkept, &span, &spec), XTA_OK);
        spec.edge[1] = edges[1];
        spec.n[1] = n[1];
        assert_int_equal(xta__axis_schedule_init(&kept, &span, &spec), XTA_OK);
        xta__recipe recipe = {.ndim = 3, .schedule = {&unkept, &kept, &kept}};
        static const int order[3] = {0, 1, 2};
        xta__recipe_order(&recipe, order);
        xta__seeks reading = xta__seeks_of(&problem, spans, &recipe, 0);
        xta__seeks writing = xta__seeks_of(&problem, spans, &recipe, 1);
        assert_int_equal(writing.seeks, 4312 + 3136);
        assert_int_equal(reading.seeks + writing.seeks, c == 3 ? 8448 : 15448);
        xta__axis_schedule_clear(&unkept);
        xta__axis_schedule_clear(&kept);
    }
}

static void sweep_small(void **state)
{
    static const double limit[5] = {4.3, 2, 1, 0.5, 0.25};
    static const uint64_t most[N_SMALL][5] = {
        {96, 192, 288, 480, 1056},           {164, 224, 368, 656, 1276},
        {1343, 1490, 1784, 3176, 5715},      {3744, 3744, 3744, 4344, 4944},
        {10744, 10744, 10744, 10744, 11920}, {596, 596, 680, 848, 1528},
        {1100, 1100, 1100, 1100, 2200},
    };

    (void)state;
    for (int c = 0; c < N_SMALL; c++) {
        for (int k = 0; k < 5; k++) {
            xta_rechunk_problem problem = keep_problem(c, XTA_RECHUNK_SWEEP, limit[k]);
            xta_rechunk_facts facts = {0};
            assert_true(facts_of(&problem, &facts));
            assert_true(facts.read_runs + facts.write_runs <= most[c][k]);
            assert_true(facts.peak_live_bytes <= problem.memory_bytes);
            assert_true(k > 0 || facts.at_lower_bound);
        }
    }
}

/* The GiB of cells in memory that sweep needs to move each block once: not more than found
 * before. */
static void sweep_least_memory(void **state)
{
    static const double most[N_ALL] = {2.50,  3.90,  3.29, 0.739,  0.411, 1.371, 0.286, 29.82,
                                       136.1, 16.21, 8.41, 0.2535, 0.136, 2.031, 1.05};

    (void)state;
    for (int c = 0; c < N_ALL; c++) {
        xta_rechunk_problem problem = keep_problem(c, XTA_RECHUNK_SWEEP, most[c]);
        xta_rechunk_facts facts = {0};
        assert_true(facts_of(&problem, &facts));
        assert_true(facts.at_lower_bound);
    }
}

/* For a series of limits, by both memory accounts; the cost of planning is printed. */
static void sweep_never_above_keep(void **state)
{
    static const double limit[] = {275, 100, 30, 10, 4.3, 2, 1, 0.4, 0.1, 0.03, 0.005, 0.0005};
    double dearest = 0;

    (void)state;
    for (int c = 0; c < N_ALL; c++) {
        for (size_t k = 0; k < 2 * sizeof limit / sizeof limit[0]; k++) {
            xta_rechunk_problem problem = keep_problem(c, XTA_RECHUNK_SWEEP, limit[k / 2]);
            xta_rechunk_facts sweep = {0}, keep = {0};
            problem.account = (xta_rechunk_account)(k % 2);
            clock_t begin = clock();
            bool any = facts_of(&problem, &sweep);
            double cost = (double)(clock() - begin) / CLOCKS_PER_SEC;
            dearest = cost > dearest && limit[k / 2] >= 0.1 ? cost : dearest;
            problem.strategy = XTA_RECHUNK_KEEP;
            if (facts_of(&problem, &keep)) {
                assert_true(any);
                assert_true(sweep.read_runs + sweep.write_runs <= keep.read_runs + keep.write_runs);
            }
            if (any && problem.account == XTA_ACCOUNT_ALLOCATED) {
                assert_true(sweep.peak_allocated_bytes <= problem.memory_bytes);
            }
        }
    }
    print_message("the dearest plan within 0.1 GiB or more: %.1f ms\n", 1e3 * dearest);
}

/* Iterate over a plan of many pieces and add up cells read, written, in memory; runs. */
static void check_walk(const xta_rechunk_problem *problem)
{
    xta_rechunk_plan *plan = NULL;
    xta_rechunk_iterator *walk = NULL;
    xta_rechunk_op op;
    uint64_t n[2] = {0, 0}, cells[2] = {0, 0}, all, runs = 0, most_alive = 0;

    assert_int_equal(xta_rechunk_plan_new(problem, &plan, NULL), XTA_OK);
    const xta_rechunk_facts *facts = xta_rechunk_plan_facts(plan);
    assert_int_equal(xta_rechunk_iterator_new(plan, 0, facts->n_components, &walk, NULL), XTA_OK);
    while (xta_rechunk_iterator_next(walk, &op)) {
        uint64_t moved;
        assert_int_equal(xta_box_cells(&op.piece, &moved), XTA_OK);
        n[op.write]++;
        cells[op.write] += moved;
        runs += op.runs;
        uint64_t alive = cells[0] - cells[1];
        most_alive = alive > most_alive ? alive : most_alive;
    }
    assert_int_equal(xta_box_cells(&problem->bounds, &all), XTA_OK);
    assert_true(cells[0] == all && cells[1] == all);
    assert_true(n[0] == facts->n_reads && n[1] == facts->n_writes);
    assert_true(runs == facts->read_runs + facts->write_runs);
    assert_true(most_alive * problem->cell_bytes == facts->peak_live_bytes);
    xta_rechunk_iterator_free(walk);
    xta_rechunk_plan_free(plan);
}

static void long_walks(void **state)
{
    static const double limit[] = {275, 4.3, 0.5, 0.02};

    (void)state;
    for (int c = 0; c < N_SMALL; c++) {
        for (size_t k = 0; k < sizeof limit / sizeof limit[0]; k++) {
            xta_rechunk_problem problem = keep_problem(c, XTA_RECHUNK_SWEEP, limit[k]);
            check_walk(&problem);
            problem.strategy = XTA_RECHUNK_KEEP;
            check_walk(&problem);
        }
    }
    // So many events that the memory is computed from hulls only.
    for (int64_t in = 2; in <= 4; in++) {
        xta_rechunk_problem problem = XTA_RECHUNK_PROBLEM_INIT;
        int64_t zero[2] = {0, 0}, shape[2] = {1500, 1400};
        int64_t from[2] = {in, 3}, to[2] = {5 - in, 2};
        problem.bounds = xta_box_make(2, zero, shape);
        problem.from = xta_partition_regular(2, from, NULL);
        problem.to = xta_partition_regular(2, to, NULL);
        problem.cell_bytes = 3;
        problem.memory_bytes = 1 << 30;
        problem.strategy = XTA_RECHUNK_KEEP;
        check_walk(&problem);
    }
}

/* Images of a series to pencils through them, and back: both axes are cut. */
static void series_of_images(void **state)
{
    static const int64_t zero[3] = {0, 0, 0}, cube[3] = {1050, 1050, 1050};
    static const int64_t image[3] = {1, 1050, 1050}, pencil[3] = {1050, 30, 35};

    (void)state;
    for (int back = 0; back < 2; back++) {
        xta_rechunk_problem problem = XTA_RECHUNK_PROBLEM_INIT;
        xta_rechunk_facts facts = {0};
        problem.bounds = xta_box_make(3, zero, cube);
        problem.from = xta_partition_regular(3, back ? pencil : image, NULL);
        problem.to = xta_partition_regular(3, back ? image : pencil, NULL);
        problem.cell_bytes = 2;
        problem.memory_bytes = (uint64_t)440 << 20;
        problem.account = XTA_ACCOUNT_ALLOCATED;
        assert_true(facts_of(&problem, &facts));
        assert_true(facts.read_runs + facts.write_runs <= 5250);
        check_walk(&problem);
    }
}

/* ---- problems without a plan ---- */

static void refused(const xta_rechunk_problem *problem, xta_status status, const char *words)
{
    xta_rechunk_plan *plan = NULL;
    xta_error err;

    assert_int_equal(xta_rechunk_plan_new(problem, &plan, &err), status);
    assert_null(plan);
    assert_int_equal(err.status, status);
    assert_non_null(strstr(err.text, words));
}

static void refusals(void **state)
{
    static const int64_t down[3] = {0, 7, 3}, halves[3] = {0, 5, 3500};
    xta_rechunk_problem good = keep_problem(2, XTA_RECHUNK_SWEEP, 1), bad;

    (void)state;
    bad = good;
    bad.struct_size = 1;
    refused(&bad, XTA_EARG, "struct_size 1 of an xta_rechunk_problem");
    bad = good;
    bad.to.ndim = 2;
    refused(&bad, XTA_EARG, "axes");
    bad = good;
    bad.from.axis[1].length = -4;
    refused(&bad, XTA_EARG, "axis 1: source");
    bad = good;
    bad.to.axis[2] = (xta_cuts){0, 0, 3, down};
    refused(&bad, XTA_EARG, "axis 2: target edges");
    bad.to.axis[2] = (xta_cuts){0, 0, 3, halves};
    bad.bounds.hi[2] = 3500;
    bad.memory_bytes = 1;
    refused(&bad, XTA_ENOMEM, " bytes are enough");
    bad = good;
    bad.cell_bytes = 0;
    refused(&bad, XTA_EARG, "no bytes");
    bad = good;
    bad.cell_bytes = UINT64_MAX / 2;
    refused(&bad, XTA_EARG, "2^56");
    bad = good;
    bad.strategy = XTA_RECHUNK_BASELINE;
    bad.to_home = XTA_BLOCKS_WHOLE;
    refused(&bad, XTA_EUNSUPPORTED, "use sweep or merge");
    bad = good;
    bad.bounds.lo[0] = 3501;
    refused(&bad, XTA_EARG, "axis 0: bounds");
}

/* No cells, and 32 axes. */
static void extremes(void **state)
{
    xta_rechunk_problem problem = keep_problem(2, XTA_RECHUNK_SWEEP, 1);
    xta_rechunk_plan *plan = NULL;
    xta_rechunk_iterator *walk = NULL;
    xta_rechunk_op op;

    (void)state;
    problem.bounds.hi[1] = 0;
    assert_int_equal(xta_rechunk_plan_new(&problem, &plan, NULL), XTA_OK);
    assert_int_equal(xta_rechunk_plan_facts(plan)->n_components, 0);
    assert_int_equal(xta_rechunk_iterator_new(plan, 0, 0, &walk, NULL), XTA_OK);
    assert_false(xta_rechunk_iterator_next(walk, &op));
    xta_rechunk_iterator_free(walk);
    assert_int_equal(xta_rechunk_iterator_new(plan, 0, 1, &walk, NULL), XTA_EARG);
    xta_rechunk_plan_free(plan);

    problem = (xta_rechunk_problem)XTA_RECHUNK_PROBLEM_INIT;
    problem.bounds.ndim = problem.from.ndim = problem.to.ndim = XTA_MAX_NDIM;
    problem.cell_bytes = 1;
    problem.memory_bytes = 1 << 20;
    for (int d = 0; d < XTA_MAX_NDIM; d++) {
        problem.bounds.hi[d] = d % 4 == 0 ? 3 : 1;
        problem.from.axis[d].length = 2;
        problem.to.axis[d].length = 3;
    }
    for (int s = XTA_RECHUNK_SWEEP; s <= XTA_RECHUNK_MERGE; s++) {
        uint64_t read = 0, written = 0;
        problem.strategy = (xta_rechunk_strategy)s;
        assert_int_equal(xta_rechunk_plan_new(&problem, &plan, NULL), XTA_OK);
        uint64_t n = xta_rechunk_plan_facts(plan)->n_components;
        assert_int_equal(xta_rechunk_iterator_new(plan, 0, n, &walk, NULL), XTA_OK);
        while (xta_rechunk_iterator_next(walk, &op)) {
            uint64_t cells;
            assert_int_equal(xta_box_cells(&op.piece, &cells), XTA_OK);
            *(op.write ? &written : &read) += cells;
        }
        assert_int_equal(read, 6561);
        assert_int_equal(written, 6561);
        xta_rechunk_iterator_free(walk);
        xta_rechunk_plan_free(plan);
    }
}

/* The runs of the authors that did not keep remainders on axis 0, with the buffers given. */
static void given_buffers_as_measured(void **state)
{
    static const int64_t longest[3] = {350, 350, 350}, printed[3] = {250, 350, 350};

    (void)state;
    for (int c = 3; c <= 4; c++) {
        xta_rechunk_problem problem = keep_problem(c, XTA_RECHUNK_KEEP, 8);
        xta_rechunk_facts facts = {0};
        problem.buffer = xta_partition_regular(3, longest, NULL);
        problem.pass_axes = 1;
        assert_true(facts_of(&problem, &facts));
        assert_int_equal(facts.read_seeks + facts.write_seeks, c == 3 ? 8448 : 15448);
        assert_int_equal(facts.method, XTA_RECHUNK_BY_READ_SHAPE);
        problem.buffer = xta_partition_regular(3, printed, NULL);
        problem.pass_axes = 0;
        assert_true(facts_of(&problem, &facts));
        assert_int_equal(facts.read_seeks + facts.write_seeks, c == 3 ? 7144 : 25144);
        assert_memory_equal(facts.read_shape, printed, sizeof printed);
    }
}

/* What [KEEP] 4.1 proposes, where it pays: buffers in another order, uneven, or mirrored. */
static void variants_that_pay(void **state)
{
    static const struct {
        int config;
        unsigned variants;
        uint64_t runs;
    } lines[] = {
        {5, XTA_VARIANT_ANY_ORDER, 596}, // 836 in row-major order
        {4, XTA_VARIANT_UNEVEN, 10744},  // 11920
        {2, XTA_VARIANT_MIRRORED, 1784}, // 1943
        {4, XTA_VARIANT_WHOLE_READS, 11920},
    };

    (void)state;
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        xta_rechunk_problem problem = keep_problem(lines[k].config, XTA_RECHUNK_KEEP, 4.3);
        xta_rechunk_facts facts = {0};
        problem.variants = lines[k].variants;
        assert_true(facts_of(&problem, &facts));
        assert_int_equal(facts.read_runs + facts.write_runs, lines[k].runs);
        assert_true(facts.peak_live_bytes <= problem.memory_bytes);
        assert_true((facts.uneven_axes != 0) == (lines[k].variants == XTA_VARIANT_UNEVEN));
        assert_true((facts.mirrored_axes != 0) == (lines[k].variants == XTA_VARIANT_MIRRORED));
        assert_true((facts.buffer_order[0] != 0) == (lines[k].variants == XTA_VARIANT_ANY_ORDER));
        assert_true(lines[k].variants != XTA_VARIANT_WHOLE_READS ||
                    facts.read_runs == facts.n_from);
    }
}

static void refuse(const xta_rechunk_problem *problem, const char *text)
{
    xta_rechunk_plan *plan = NULL;
    xta_error err;

    assert_int_equal(xta_rechunk_plan_new(problem, &plan, &err), XTA_EARG);
    assert_non_null(strstr(err.text, text));
    assert_null(plan);
}

static void variants_refused(void **state)
{
    static const int64_t shape[3] = {500, 700, 700};
    static const int64_t edges[3] = {0, 700, 3400};

    (void)state;
    xta_rechunk_problem problem = keep_problem(2, XTA_RECHUNK_KEEP, 4.3);
    problem.variants = 16;
    refuse(&problem, "variants 0x10");
    problem.variants = 0;
    problem.pass_axes = 8;
    refuse(&problem, "axes to pass on 0x8");
    problem.pass_axes = 0;
    problem.buffer = xta_partition_regular(2, shape, NULL);
    refuse(&problem, "bounds and buffer have 3 and 2 axes");
    problem.buffer = xta_partition_regular(3, shape, NULL);
    problem.buffer.axis[1] = (xta_cuts){.n_edges = 3, .edges = edges};
    refuse(&problem, "axis 1: buffer edges go from 0 to 3400, the cells from 0 to 3500");
    problem.buffer.axis[1] = (xta_cuts){.length = 700};
    problem.strategy = XTA_RECHUNK_SWEEP;
    refuse(&problem, "are for the strategy keep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(baseline_seeks),
        cmocka_unit_test(keep_table4),
        cmocka_unit_test(unkept_axis),
        cmocka_unit_test(sweep_small),
        cmocka_unit_test(sweep_least_memory),
        cmocka_unit_test(sweep_never_above_keep),
        cmocka_unit_test(long_walks),
        cmocka_unit_test(series_of_images),
        cmocka_unit_test(refusals),
        cmocka_unit_test(extremes),
        cmocka_unit_test(given_buffers_as_measured),
        cmocka_unit_test(variants_that_pay),
        cmocka_unit_test(variants_refused),
    };

    return cmocka_run_group_tests_name("plan_rechunk", tests, NULL, NULL);
}
