/* The Hilbert curve against Butz's formulas written out bit by bit, and against its defining
 * properties: it goes from neighbour to neighbour, and each of its cubes is again a Hilbert curve.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/order/order.h"
#include "support/random.h"

#define MAX_N 6

static uint64_t seed;

/* ---- the naive version: arrays of single bits, counted from 1 as in Lawder's report ---- */

typedef struct bits {
    int at[MAX_N + 1];
} bits;

/* Rotation to the right by one place, `by` times. */
static bits turned(bits b, int n, int by)
{
    for (; by > 0; by--) {
        int last = b.at[n];
        for (int j = n; j > 1; j--) {
            b.at[j] = b.at[j - 1];
        }
        b.at[1] = last;
    }
    return b;
}

static bits sum(bits a, bits b, int n)
{
    for (int j = 1; j <= n; j++) {
        a.at[j] = (a.at[j] + b.at[j]) % 2;
    }
    return a;
}

static int principal(const bits *rho, int n)
{
    for (int j = n - 1; j >= 1; j--) {
        if (rho->at[j] != rho->at[n]) {
            return j;
        }
    }
    return n;
}

static bits gray_of(const bits *rho, int n)
{
    bits sigma = *rho;

    for (int j = 2; j <= n; j++) {
        sigma.at[j] = (rho->at[j] + rho->at[j - 1]) % 2;
    }
    return sigma;
}

static bits tau_of(bits sigma, int n, int j_principal)
{
    int ones = 0;

    sigma.at[n] = 1 - sigma.at[n];
    for (int j = 1; j <= n; j++) {
        ones += sigma.at[j];
    }
    if (ones % 2 == 1) {
        sigma.at[j_principal] = 1 - sigma.at[j_principal];
    }
    return sigma;
}

/* Butz's direction: from a position on the curve of order m in n dimensions to the point. */
static void butz(int n, int m, uint64_t place, int64_t coord[])
{
    bits omega = {{0}};
    int turns = 0;

    memset(coord, 0, (size_t)n * sizeof coord[0]);
    for (int i = 1; i <= m; i++) {
        bits rho = {{0}};
        for (int j = 1; j <= n; j++) {
            rho.at[j] = (int)(place >> (n * (m - i) + (n - j)) & 1);
        }
        int j_principal = principal(&rho, n);
        bits sigma = gray_of(&rho, n);
        bits alpha = sum(omega, turned(sigma, n, turns), n);
        for (int j = 1; j <= n; j++) {
            coord[j - 1] = 2 * coord[j - 1] + alpha.at[j];
        }
        omega = sum(omega, turned(tau_of(sigma, n, j_principal), n, turns), n);
        turns += j_principal - 1;
    }
}

/* ---- tests ---- */

static uint64_t position_in_square(int64_t length, int64_t a, int64_t b)
{
    const int64_t lengths[2] = {length, length};
    const int64_t coord[2] = {a, b};
    xta__grid grid;

    assert_int_equal(xta__grid_init(&grid, XTA_HILBERT, 2, lengths), XTA_OK);
    return xta__grid_position(&grid, coord);
}

/* [CXA] 5.4.1, and the smallest curve by hand: up the last axis, over, and back down. */
static void known_points(void **state)
{
    (void)state;
    assert_int_equal(position_in_square(8, 5, 3), 52);
    assert_int_equal(position_in_square(8, 3, 5), 28);
    assert_int_equal(position_in_square(2, 0, 0), 0);
    assert_int_equal(position_in_square(2, 0, 1), 1);
    assert_int_equal(position_in_square(2, 1, 1), 2);
    assert_int_equal(position_in_square(2, 1, 0), 3);
    assert_int_equal(position_in_square(8, 7, 0), 63);
}

static void equal_lengths_are_butz_curves(void **state)
{
    // The order up to which curves are checked completely, for each number of axes.
    static const int orders[MAX_N + 1] = {0, 12, 6, 4, 3, 2, 2};

    (void)state;
    for (int n = 1; n <= MAX_N; n++) {
        for (int m = 1; m <= orders[n]; m++) {
            int64_t lengths[MAX_N];
            xta__grid grid;
            for (int axis = 0; axis < n; axis++) {
                lengths[axis] = (int64_t)1 << m;
            }
            assert_int_equal(xta__grid_init(&grid, XTA_HILBERT, n, lengths), XTA_OK);
            for (uint64_t place = 0; place < grid.n_cells; place++) {
                int64_t expected[MAX_N];
                int64_t coord[MAX_N];
                butz(n, m, place, expected);
                xta__grid_coord(&grid, place, coord);
                assert_memory_equal(coord, expected, (size_t)n * sizeof coord[0]);
                assert_int_equal(xta__grid_position(&grid, coord), place);
            }
        }
    }
}

/* Checks the property itself, in 1 to 5 dimensions, without the formulas. */
static void successive_cells_are_neighbours(void **state)
{
    static const int orders[6] = {0, 10, 6, 4, 3, 3};

    (void)state;
    for (int n = 1; n <= 5; n++) {
        int64_t lengths[5];
        int64_t before[5] = {0};
        xta__grid grid;
        for (int axis = 0; axis < n; axis++) {
            lengths[axis] = (int64_t)1 << orders[n];
        }
        assert_int_equal(xta__grid_init(&grid, XTA_HILBERT, n, lengths), XTA_OK);
        for (uint64_t place = 0; place < grid.n_cells; place++) {
            int64_t coord[5];
            int64_t distance = 0;
            xta__grid_coord(&grid, place, coord);
            for (int axis = 0; axis < n; axis++) {
                distance += llabs(coord[axis] - before[axis]);
            }
            assert_int_equal(distance, place == 0 ? 0 : 1);
            memcpy(before, coord, sizeof before);
        }
    }
}

/* Walk the curve of the smallest cube around the box: the k-th cell inside the box has position
 * k. */
static void check_ranks(int n, int m, const int64_t lengths[])
{
    uint64_t rank = 0;
    xta__grid grid;

    assert_int_equal(xta__grid_init(&grid, XTA_HILBERT, n, lengths), XTA_OK);
    for (uint64_t place = 0; place < (uint64_t)1 << (n * m); place++) {
        int64_t coord[MAX_N];
        int64_t back[MAX_N];
        bool inside = true;
        butz(n, m, place, coord);
        for (int axis = 0; axis < n; axis++) {
            inside = inside && coord[axis] < lengths[axis];
        }
        if (inside) {
            assert_int_equal(xta__grid_position(&grid, coord), rank);
            xta__grid_coord(&grid, rank, back);
            assert_memory_equal(back, coord, (size_t)n * sizeof coord[0]);
            rank++;
        }
    }
    assert_int_equal(rank, grid.n_cells);
}

/* Every box of 1 to 4 axes whose cube has at most 2^12 cells; axes of length 1 are not in the
 * cube. */
static void unequal_lengths_keep_the_order_of_the_cube(void **state)
{
    (void)state;
    for (int n = 1; n <= 4; n++) {
        int most = 12 / n;
        int log[4] = {1, 1, 1, 1};
        int axis = 0;
        while (axis < n) {
            int64_t lengths[4];
            int m = 0;
            for (axis = 0; axis < n; axis++) {
                lengths[axis] = (int64_t)1 << log[axis];
                m = log[axis] > m ? log[axis] : m;
            }
            check_ranks(n, m, lengths);
            for (axis = 0; axis < n && ++log[axis] > most; axis++) {
                log[axis] = 1;
            }
        }
    }
}

static void random_boxes_of_many_axes(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(30); trial++) {
        int n = (int)test_random_in(&random, 5, 6);
        int64_t lengths[MAX_N];
        int m = 0;
        for (int axis = 0; axis < n; axis++) {
            int log = (int)test_random_in(&random, 1, n == 5 ? 3 : 2);
            lengths[axis] = (int64_t)1 << log;
            m = log > m ? log : m;
        }
        check_ranks(n, m, lengths);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_points),
        cmocka_unit_test(equal_lengths_are_butz_curves),
        cmocka_unit_test(successive_cells_are_neighbours),
        cmocka_unit_test(unequal_lengths_keep_the_order_of_the_cube),
        cmocka_unit_test(random_boxes_of_many_axes),
    };

    seed = test_seed("order_hilbert", 20240504);
    return cmocka_run_group_tests_name("order_hilbert", tests, NULL, NULL);
}
