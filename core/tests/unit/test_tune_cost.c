/* Expected chunks touched: the formula against counting every position and every cell.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "support/random.h"
#include "tune/cost.h"

static uint64_t seed;

/* Chunks that contain the cells first, first + step ... on one axis. */
static int64_t count_chunks(int64_t first, int64_t length, int64_t step, int64_t chunk)
{
    int64_t n = 0;
    int64_t last = 0;

    for (int64_t cell = first; cell < first + length; cell += step) {
        int64_t here = cell >= 0 ? cell / chunk : -((-cell + chunk - 1) / chunk);
        n += n == 0 || here != last;
        last = here;
    }
    return n;
}

/* The mean over all positions of the query, position by position and axis by axis. */
static double count_query(const xta_box *bounds, const int64_t chunk[], const xta_query *query)
{
    double product = 1;

    for (int axis = 0; axis < bounds->ndim; axis++) {
        int64_t step = query->step[axis] > 1 ? query->step[axis] : 1;
        int64_t cells = bounds->hi[axis] - bounds->lo[axis];
        int64_t length = query->length[axis] < cells ? query->length[axis] : cells;
        int64_t first = query->placed ? query->lo[axis] : bounds->lo[axis];
        if (query->placed && length > bounds->hi[axis] - first) {
            length = bounds->hi[axis] - first;
        }
        // Unused cells after the last selected one do not limit the positions of a query.
        length = (length - 1) / step * step + 1;
        int64_t last = query->placed ? first : bounds->hi[axis] - length;
        int64_t sum = 0;
        for (int64_t at = first; at <= last; at++) {
            sum += count_chunks(at, length, step, chunk[axis]);
        }
        product *= (double)sum / (double)(last - first + 1);
    }
    return product;
}

static void random_queries(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(20000); trial++) {
        xta_box bounds = {.ndim = (int)test_random_in(&random, 1, 4)};
        xta_query queries[3];
        int64_t chunk[4];
        size_t n = (size_t)test_random_in(&random, 1, 3);
        memset(queries, 0, sizeof queries);
        for (int axis = 0; axis < bounds.ndim; axis++) {
            bounds.lo[axis] = test_random_in(&random, -40, 20);
            bounds.hi[axis] = bounds.lo[axis] + test_random_in(&random, 1, 60);
            chunk[axis] = test_random_in(&random, 1, 25);
        }
        double sum = 0;
        double weight = 0;
        for (size_t k = 0; k < n; k++) {
            queries[k].weight = (double)test_random_in(&random, 1, 9);
            queries[k].placed = test_random_chance(&random, 40);
            for (int axis = 0; axis < bounds.ndim; axis++) {
                queries[k].lo[axis] = test_random_in(&random, bounds.lo[axis], bounds.hi[axis] - 1);
                queries[k].length[axis] = test_random_in(&random, 1, 70);
                queries[k].step[axis] =
                    test_random_chance(&random, 50) ? 0 : test_random_in(&random, 1, 30);
            }
            sum += queries[k].weight * count_query(&bounds, chunk, &queries[k]);
            weight += queries[k].weight;
        }
        double cost = 0;
        assert_int_equal(xta_tune_cost(&bounds, chunk, queries, n, &cost), XTA_OK);
        assert_true(fabs(cost - sum / weight) <= 1e-12 * cost);
    }
}

/* Far from the ends of a long axis the mean is (l - 1) / c + 1, as the papers have it. */
static void long_axes(void **state)
{
    const int64_t length = (int64_t)1 << 60;
    const xta_box bounds = {.ndim = 2, .lo = {0, -length}, .hi = {length, length}};
    const xta_query query = {.weight = 2, .length = {1000, 77}};
    const int64_t chunk[2] = {64, 13};
    double cost = 0;

    (void)state;
    assert_int_equal(xta_tune_cost(&bounds, chunk, &query, 1, &cost), XTA_OK);
    assert_true(fabs(cost - (999.0 / 64 + 1) * (76.0 / 13 + 1)) < 1e-9);
}

static void wrong_arguments(void **state)
{
    const xta_box bounds = {.ndim = 1, .lo = {-3}, .hi = {9}};
    xta_query query = {.weight = 1, .length = {4}};
    int64_t chunk = 4;
    double cost = -7;

    (void)state;
    assert_int_equal(xta_tune_cost(&bounds, &chunk, &query, 0, &cost), XTA_EARG);
    chunk = 0;
    assert_int_equal(xta_tune_cost(&bounds, &chunk, &query, 1, &cost), XTA_EARG);
    chunk = 4;
    query.weight = 0;
    assert_int_equal(xta_tune_cost(&bounds, &chunk, &query, 1, &cost), XTA_EARG);
    query.weight = 1;
    query.length[0] = 0;
    assert_int_equal(xta_tune_cost(&bounds, &chunk, &query, 1, &cost), XTA_EARG);
    query.length[0] = 4;
    query.placed = true;
    query.lo[0] = 9;
    assert_int_equal(xta_tune_cost(&bounds, &chunk, &query, 1, &cost), XTA_EARG);
    query.lo[0] = -4;
    assert_int_equal(xta_tune_cost(&bounds, &chunk, &query, 1, &cost), XTA_EARG);
    assert_true(cost == -7);
    query.lo[0] = 6;
    assert_int_equal(xta_tune_cost(&bounds, &chunk, &query, 1, &cost), XTA_OK);
    assert_true(cost == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_queries),
        cmocka_unit_test(long_axes),
        cmocka_unit_test(wrong_arguments),
    };

    seed = test_seed("tune_cost", 20240610);
    return cmocka_run_group_tests_name("tune_cost", tests, NULL, NULL);
}
