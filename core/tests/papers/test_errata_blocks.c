/* [CXA] 5.1 and 5.2 as printed, against counting and the library; docs/ERRATA.md 10.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

#include <xta/tune.h>

#include "papers/pair.h"

/* Cells of the lines along axis `fastest` that a box of `query` cells meets. */
static int64_t cells_of_lines(const int64_t bounds[3], const int64_t query[3], int fastest)
{
    int64_t n = bounds[fastest];

    for (int axis = 0; axis < 3; axis++) {
        n *= axis != fastest ? query[axis] : 1;
    }
    return n;
}

/* 5.1, Fig. 5.1.1 and 5.1.2: <1,5,4> of <2,10,12> retrieves 60 in row-major order and "also" 60 in
 * column-major order. */
static void columns_retrieve_40(void **state)
{
    static const int64_t bounds[] = {2, 10, 12}, query[] = {1, 5, 4};

    (void)state;
    assert_int_equal(cells_of_lines(bounds, query, 2), 60);
    assert_int_equal(cells_of_lines(bounds, query, 1), 40); // columns of a 10 x 12 page
    assert_int_equal(cells_of_lines(bounds, query, 0), 40); // the first index fastest
}

/* 5.1 says: chi_i intervals of the axis, rho_i cells in each. 4.1 says: chi_i cells in a chunk,
 * rho_i chunks. Both print rho_i = ceil(U_i / chi_i). */
static void chi_and_rho_change_places(void **state)
{
    static const int64_t bounds[] = {10, 12}, chi[] = {2, 3};
    xta_array_info info;
    pair both;

    (void)state;
    pair_begin(&both, 2, bounds, chi, XTA_EXACT);
    assert_int_equal(pair_n_chunks(&both), 5 * 4); // 4.1: chunks of 2 x 3 cells
    pair_end(&both);
    pair_begin(&both, 2, bounds, (int64_t[]){5, 4}, XTA_EXACT);
    assert_int_equal(pair_n_chunks(&both), 2 * 3); // 5.1: chunks of 5 x 4 cells
    assert_int_equal(xta_array_inquire(both.array, &info, NULL), XTA_OK);
    assert_int_equal(info.chunk[0], 5);
    pair_end(&both);
}

static double library_cost(const int64_t bounds[], const int64_t chunk[], const xta_query queries[],
                           size_t n)
{
    static const int64_t zero[2] = {0};
    xta_box box = xta_box_make(2, zero, bounds);
    double cost = -1;

    assert_int_equal(xta_tune_cost(&box, chunk, queries, n, &cost), XTA_OK);
    return cost;
}

/* Eq. 5.2.2 with A[a][b]; the text: class i has the shape <A_i1 ... A_ik>. The equations: the
 * length of class j on axis i is A_ij. */
static double equation_5_2_2(const int64_t a[2][2], bool as_in_the_text, const double p[2],
                             const int64_t rho[2])
{
    double cost = 0;

    for (int j = 0; j < 2; j++) {
        double chunks = 1;
        for (int i = 0; i < 2; i++) {
            int64_t length = as_in_the_text ? a[j][i] : a[i][j];
            chunks *= (double)(length - 1) / (double)rho[i] + 1;
        }
        cost += chunks * p[j];
    }
    return cost;
}

static void the_indexes_of_a_are_exchanged(void **state)
{
    // Two classes: 1 x 13 cells, 3 of 4 times, and 4 x 5.
    static const int64_t a[2][2] = {{1, 13}, {4, 5}}, rho[] = {4, 4};
    static const double p[] = {0.75, 0.25};
    // So large that the borders do not count: Eq. 5.2.2 is exact to 5 digits.
    static const int64_t bounds[] = {4000003, 4000012};
    xta_query queries[2] = {{0}};

    (void)state;
    for (int j = 0; j < 2; j++) {
        queries[j] = (xta_query){.weight = p[j], .length = {a[j][0], a[j][1]}};
    }
    assert_true(fabs(equation_5_2_2(a, true, p, rho) - (0.75 * 4 + 0.25 * 3.5)) < 1e-12);
    assert_true(fabs(equation_5_2_2(a, false, p, rho) - (0.75 * 1.75 + 0.25 * 8)) < 1e-12);
    assert_true(fabs(library_cost(bounds, rho, queries, 2) - 3.875) < 1e-4);
}

/* The mean and the least number of intervals of `chunk` cells that `length` cells meet, counted
 * over all places in `bound` cells. */
static double counted(int64_t bound, int64_t chunk, int64_t length, int64_t *least)
{
    int64_t sum = 0;

    *least = INT64_MAX;
    for (int64_t at = 0; at + length <= bound; at++) {
        int64_t n = (at + length - 1) / chunk - at / chunk + 1;
        sum += n;
        *least = n < *least ? n : *least;
    }
    return (double)sum / (double)(bound - length + 1);
}

/* Eq. 5.2.1 is called the average cost; it is the least. Eq. 5.2.2 is called exact; it is the mean
 * over all places in an endless array. */
static void the_average_is_the_least_and_the_exact_an_estimate(void **state)
{
    int differ = 0;

    (void)state;
    for (int64_t bound = 6; bound <= 20; bound++) {
        for (int64_t length = 1; length <= 5; length++) {
            const int64_t bounds[] = {bound, 1}, chunk[] = {4, 1};
            const xta_query query = {.weight = 1, .length = {length, 1}};
            int64_t least;
            double mean = counted(bound, 4, length, &least);
            assert_int_equal(least, (length + 3) / 4); // Eq. 5.2.1
            assert_true(fabs(library_cost(bounds, chunk, &query, 1) - mean) < 1e-12);
            differ += fabs((double)(length - 1) / 4 + 1 - mean) > 1e-12;
        }
    }
    assert_true(differ > 30);
    int64_t least;
    assert_true(fabs(counted(9, 4, 3, &least) - 10.0 / 7) < 1e-12); // Eq. 5.2.2: 1.5
}

/* Eq. 5.2.3 divides by the estimate; an error relative to the exact cost divides by that. */
static void the_relative_error_has_the_wrong_base(void **state)
{
    double estimate = 1, exact = 1 + 1.0 / 4; // two cells, chunks of four

    (void)state;
    assert_true(fabs((exact - estimate) / estimate - 0.25) < 1e-12);
    assert_true(fabs((exact - estimate) / exact - 0.2) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_retrieve_40),
        cmocka_unit_test(chi_and_rho_change_places),
        cmocka_unit_test(the_indexes_of_a_are_exchanged),
        cmocka_unit_test(the_average_is_the_least_and_the_exact_an_estimate),
        cmocka_unit_test(the_relative_error_has_the_wrong_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
