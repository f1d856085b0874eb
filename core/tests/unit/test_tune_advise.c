/* The advised shape against all possible shapes, and some known without a search.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>

#include <cmocka.h>

#include <xta/tune.h>

#include "support/random.h"

static uint64_t seed;

/* The least cost of all shapes of at most `cells` cells: every length on every axis. */
static double least_of_all(const xta_tune_problem *p, int axis, int64_t cells, int64_t chunk[])
{
    double least = INFINITY;

    if (axis == p->bounds->ndim) {
        double cost = 0;
        assert_int_equal(xta_tune_cost(p->bounds, chunk, p->queries, p->n_queries, &cost), XTA_OK);
        return cost;
    }
    for (int64_t length = 1; length <= cells; length += p->powers_of_two ? length : 1) {
        chunk[axis] = length;
        double cost = least_of_all(p, axis + 1, cells / length, chunk);
        least = cost < least ? cost : least;
    }
    return least;
}

static void random_bounds(test_random *random, xta_box *bounds, int most_axes)
{
    bounds->ndim = (int)test_random_in(random, 1, most_axes);
    for (int axis = 0; axis < bounds->ndim; axis++) {
        bounds->lo[axis] = test_random_chance(random, 70) ? 0 : test_random_in(random, -30, 10);
        bounds->hi[axis] = bounds->lo[axis] + test_random_in(random, 1, 60);
    }
}

static void random_query(test_random *random, const xta_box *bounds, xta_query *query)
{
    *query = (xta_query){.weight = (double)test_random_in(random, 1, 20),
                         .placed = test_random_chance(random, 25)};
    for (int axis = 0; axis < bounds->ndim; axis++) {
        query->lo[axis] = test_random_in(random, bounds->lo[axis], bounds->hi[axis] - 1);
        query->length[axis] = test_random_chance(random, 30)   ? 1
                              : test_random_chance(random, 30) ? 1000
                                                               : test_random_in(random, 1, 40);
        query->step[axis] = test_random_chance(random, 80) ? 1 : test_random_in(random, 2, 9);
    }
}

static void check_answer(const xta_tune_problem *p, const xta_tune_answer *answer)
{
    uint64_t bytes = p->cell_bytes;
    double cost = 0;

    for (int axis = 0; axis < p->bounds->ndim; axis++) {
        int64_t length = answer->chunk[axis];
        assert_true(length >= 1);
        assert_true(!p->powers_of_two || (length & (length - 1)) == 0);
        bytes *= (uint64_t)length;
    }
    assert_true(bytes == answer->chunk_bytes && bytes <= p->chunk_bytes);
    assert_int_equal(xta_tune_cost(p->bounds, answer->chunk, p->queries, p->n_queries, &cost),
                     XTA_OK);
    assert_true(fabs(cost - answer->cost) <= 1e-9 * cost);
    assert_true(answer->lower_bound <= answer->cost * (1 + 1e-9));
}

static void against_all_shapes(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(1500); trial++) {
        xta_box bounds = {0};
        xta_query queries[4];
        int64_t chunk[XTA_MAX_NDIM];
        xta_tune_answer answer;
        xta_error err;
        random_bounds(&random, &bounds, 4);
        xta_tune_problem p = {.struct_size = sizeof p,
                              .bounds = &bounds,
                              .cell_bytes = (size_t)test_random_in(&random, 1, 9),
                              .powers_of_two = test_random_chance(&random, 20),
                              .queries = queries,
                              .n_queries = (size_t)test_random_in(&random, 1, 4)};
        int64_t cells = test_random_in(&random, 1, bounds.ndim < 3 ? 300 : 60);
        p.chunk_bytes = p.cell_bytes * (uint64_t)(cells + 1) - 1;
        for (size_t k = 0; k < p.n_queries; k++) {
            random_query(&random, &bounds, &queries[k]);
        }
        assert_int_equal(xta_tune_shape(&p, &answer, &err), XTA_OK);
        check_answer(&p, &answer);
        assert_true(answer.exact);
        double least = least_of_all(&p, 0, cells, chunk);
        if (fabs(least - answer.cost) > 1e-9 * least) {
            fail_msg("trial %lu: cost %.17g, least %.17g", (unsigned long)trial, answer.cost,
                     least);
        }
    }
}

/* Larger arrays: no similar shape, and none of many random ones, is better. */
static void against_random_shapes(void **state)
{
    test_random random = test_random_make(seed, 2);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(25); trial++) {
        xta_box bounds = {.ndim = 3};
        xta_query queries[5];
        xta_tune_answer answer;
        xta_error err;
        for (int axis = 0; axis < 3; axis++) {
            bounds.hi[axis] = test_random_in(&random, 100, 4000);
        }
        xta_tune_problem p = {.struct_size = sizeof p,
                              .bounds = &bounds,
                              .cell_bytes = 4,
                              .chunk_bytes = (uint64_t)1 << 18,
                              .queries = queries,
                              .n_queries = 5};
        for (size_t k = 0; k < p.n_queries; k++) {
            queries[k] = (xta_query){.weight = (double)test_random_in(&random, 1, 20)};
            for (int axis = 0; axis < 3; axis++) {
                queries[k].length[axis] = test_random_in(&random, 1, bounds.hi[axis]);
            }
        }
        assert_int_equal(xta_tune_shape(&p, &answer, &err), XTA_OK);
        check_answer(&p, &answer);
        for (int k = 0; k < 3000; k++) {
            int64_t chunk[3];
            double cost = 0;
            chunk[0] = k < 1000 ? answer.chunk[0] + test_random_in(&random, -3, 3)
                                : test_random_in(&random, 1, bounds.hi[0]);
            chunk[0] = chunk[0] < 1 ? 1 : chunk[0];
            chunk[1] = k < 1000 ? answer.chunk[1] + test_random_in(&random, -3, 3)
                                : test_random_in(&random, 1, bounds.hi[1]);
            chunk[1] = chunk[1] < 1 ? 1 : chunk[1];
            chunk[2] = 65536 / chunk[0] / chunk[1];
            if (chunk[2] < 1) {
                continue;
            }
            assert_int_equal(xta_tune_cost(&bounds, chunk, queries, 5, &cost), XTA_OK);
            assert_true(cost >= answer.cost * (1 - 1e-9));
        }
    }
}

static void advise(const int64_t bounds[3], const xta_query *queries, size_t n,
                   xta_tune_answer *answer)
{
    const int64_t zero[3] = {0};
    xta_box box = xta_box_make(3, zero, bounds);
    xta_tune_problem p = {.struct_size = sizeof p,
                          .bounds = &box,
                          .cell_bytes = 8,
                          .chunk_bytes = 8 * 4096,
                          .queries = queries,
                          .n_queries = n};
    xta_error err;

    assert_int_equal(xta_tune_shape(&p, answer, &err), XTA_OK);
    check_answer(&p, answer);
    assert_true(answer->exact && answer->lower_bound == answer->cost);
}

static void shapes_by_name(void **state)
{
    const int64_t bounds[3] = {4096, 4096, 4096};
    const xta_query lines[] = {{.weight = 1, .length = {1, 1, 4096}},
                               {.weight = 1, .length = {1, 4096, 1}},
                               {.weight = 1, .length = {4096, 1, 1}}};
    const xta_query cell = {.weight = 3, .length = {1, 1, 1}};
    xta_tune_answer answer;

    (void)state;
    // Lines along one axis: chunks are lines. Lines along all three, equally often: cubes.
    advise(bounds, &lines[2], 1, &answer);
    assert_true(answer.chunk[0] == 4096 && answer.chunk[1] == 1 && answer.chunk[2] == 1);
    assert_true(answer.cost == 1);
    advise(bounds, lines, 3, &answer);
    assert_true(answer.chunk[0] == 16 && answer.chunk[1] == 16 && answer.chunk[2] == 16);
    assert_true(answer.cost == 256);
    // Cells touch one chunk, whatever its shape: as cubical and as full as possible.
    advise(bounds, &cell, 1, &answer);
    assert_true(answer.chunk[0] == 16 && answer.chunk[1] == 16 && answer.chunk[2] == 16);
    assert_true(answer.cost == 1);
}

static void wrong_arguments(void **state)
{
    xta_box bounds = {.ndim = 2, .hi = {9, 9}};
    xta_query query = {.weight = 1, .length = {4, 4}};
    xta_tune_problem p = XTA_TUNE_PROBLEM_INIT;
    xta_tune_answer answer = {.cost = -7};
    xta_error err;

    (void)state;
    assert_int_equal(xta_tune_shape(&p, &answer, &err), XTA_EARG);
    p.bounds = &bounds;
    p.queries = &query;
    p.n_queries = 1;
    p.cell_bytes = 8;
    p.chunk_bytes = 7;
    assert_int_equal(xta_tune_shape(&p, &answer, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "7 bytes hold no cell of 8"));
    p.chunk_bytes = 0;
    query.length[1] = 0;
    assert_int_equal(xta_tune_shape(&p, &answer, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "query 0: axis 1"));
    query.length[1] = 4;
    query.weight = -1;
    assert_int_equal(xta_tune_shape(&p, &answer, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "weight -1"));
    query.weight = 1;
    bounds.hi[1] = 0;
    assert_int_equal(xta_tune_shape(&p, &answer, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "axis 1: no cells"));
    p.struct_size = 1;
    assert_int_equal(xta_tune_shape(&p, &answer, NULL), XTA_EARG);
    assert_true(answer.cost == -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_all_shapes),
        cmocka_unit_test(against_random_shapes),
        cmocka_unit_test(shapes_by_name),
        cmocka_unit_test(wrong_arguments),
    };

    seed = test_seed("tune_advise", 20240611);
    return cmocka_run_group_tests_name("tune_advise", tests, NULL, NULL);
}
