/* [DRX] III as printed, against the oracle and the library; docs/ERRATA.md 5.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/order/order.h"
#include "papers/pair.h"
#include "papers/printed.h"

/* Function F*, whose last line is "return prodsum + Gamma_z<iz>.x": x is the first index, which
 * the line before subtracts. */
static int64_t f_star_as_printed(const printed_vectors *vectors, const int64_t index[])
{
    int record;
    int z = printed_owner(vectors, index, &record);
    const printed_record *r = &vectors->at[z][record];
    int64_t prodsum = 0;

    for (int j = 0; j < PRINTED_AXES; j++) {
        prodsum += (j == z ? index[j] - r->index : index[j]) * r->c[j];
    }
    return prodsum + r->index;
}

/* "the highest index of the axial-vector where the expansion record has a maximum starting address
 * of the segment less than or equal to I_j". */
static int search_as_printed(const printed_vectors *vectors, int axis, int64_t index)
{
    int record = 0;

    for (int k = 1; k < vectors->n[axis]; k++) {
        record = vectors->at[axis][k].address <= index ? k : record;
    }
    return record;
}

static void figure_3_is_correct(void **state)
{
    pair both;

    (void)state;
    pair_begin_drx(&both);
    for (uint64_t q = 0; q < pair_n_chunks(&both); q++) {
        int64_t chunk[3];
        pair_chunk(&both, q, chunk);
        assert_int_equal(printed_address(&printed_drx, chunk), q);
    }
    assert_int_equal(pair_n_chunks(&both), 96);
    pair_end(&both);
}

static void f_star_returns_x(void **state)
{
    pair both;
    int wrong = 0;

    (void)state;
    pair_begin_drx(&both);
    assert_int_equal(f_star_as_printed(&printed_drx, (int64_t[]){4, 2, 2}), 12);
    assert_int_equal(pair_address(&both, (int64_t[]){4, 2, 2}), 56);
    assert_int_equal(pair_address(&both, (int64_t[]){0, 0, 1}), 12);
    for (uint64_t q = 0; q < 96; q++) {
        int64_t chunk[3];
        pair_chunk(&both, q, chunk);
        wrong += f_star_as_printed(&printed_drx, chunk) != (int64_t)q;
    }
    // Only the first block, whose base and first index are both 0, comes out right.
    assert_int_equal(wrong, 96 - 12);
    pair_end(&both);
}

static void the_search_compares_indexes(void **state)
{
    static const int64_t chunk[] = {4, 2, 2};
    pair both;

    (void)state;
    pair_begin_drx(&both);
    // The example says z = (1, 0, 1).
    assert_int_equal(search_as_printed(&printed_drx, 0, chunk[0]), 0);
    assert_int_equal(search_as_printed(&printed_drx, 2, chunk[2]), 0);
    assert_int_equal(printed_floor(&printed_drx, 0, chunk[0]), 1);
    assert_int_equal(printed_floor(&printed_drx, 1, chunk[1]), 0);
    assert_int_equal(printed_floor(&printed_drx, 2, chunk[2]), 1);
    assert_int_equal(printed_apply(&printed_drx, 0, 0, chunk), 16);
    assert_int_equal(printed_address(&printed_drx, chunk), 56);
    assert_int_equal(pair_address(&both, chunk), 56);
    pair_end(&both);
}

static void records_are_not_expansions(void **state)
{
    static const int axes[] = {2, 2, 1, 0, 2};
    int expansions[3] = {0};
    pair both;

    (void)state;
    pair_begin_drx(&both);
    for (int k = 0; k < 5; k++) {
        expansions[axes[k]] += k == 0 || axes[k] != axes[k - 1];
    }
    // "exactly the number of uninterrupted expansions"; the figure has one more on every axis.
    for (int j = 0; j < 3; j++) {
        assert_int_equal(printed_drx.n[j], expansions[j] + 1);
    }
    // Two growths of one axis in succession are one record: an *un*interrupted extension.
    assert_int_equal(pair_n_segments(&both), 1 + expansions[0] + expansions[1] + expansions[2]);
    pair_end(&both);
}

/* The inverse of Eq. 3 "by repeated modulus arithmetic" with C_{k-2} .. C_last. */
static void by_moduli(const int64_t bounds[3], int last, int64_t q, int64_t index[3])
{
    const int64_t c[3] = {bounds[1] * bounds[2], bounds[2], 1};

    for (int j = 2; j > last; j--) {
        index[j] = q % c[j - 1] / c[j];
    }
    index[last] = q / c[last];
    for (int j = 0; j < last; j++) {
        index[j] = 0;
    }
}

static void the_moduli_go_down_to_c0(void **state)
{
    static const int64_t bounds[] = {2, 3, 4};
    int64_t index[3], expected[3];
    pair both;

    (void)state;
    pair_begin(&both, 3, bounds, NULL, XTA_EXACT);
    by_moduli(bounds, 1, 23, index);
    assert_int_equal(index[1], 5); // of 3
    for (int64_t q = 0; q < 24; q++) {
        by_moduli(bounds, 0, q, index);
        pair_chunk(&both, (uint64_t)q, expected);
        assert_memory_equal(index, expected, sizeof expected);
    }
    pair_end(&both);
}

/* Comparisons of a binary search among n records. */
static int comparisons(int64_t n)
{
    int count = 0;

    for (; n > 1; n -= n / 2) {
        count++;
    }
    return count;
}

static void k_searches_are_not_log_e(void **state)
{
    double before = 0;

    (void)state;
    // k searches among 2^m records each, for k = m: k m comparisons, and k + log E = 2 k + log k.
    for (int k = 4; k <= 32; k *= 2) {
        double searches = (double)k * comparisons((int64_t)1 << k);
        double claimed = 2.0 * k + comparisons(k);
        assert_true(searches / claimed > 1.5 * before);
        before = searches / claimed;
    }
    assert_true(before > 12);
}

/* III.A: "a much desired allocation scheme is that shown in Figure 2b", which is Z order. */
static void z_order_does_not_append(void **state)
{
    static const int64_t lengths[] = {4, 4};
    xta__grid grid;
    pair both;

    (void)state;
    assert_int_equal(xta__grid_init(&grid, XTA_MORTON, 2, lengths), XTA_OK);
    pair_begin(&both, 2, (int64_t[]){2, 2}, NULL, XTA_EXACT);
    pair_grow(&both, 1, 1);
    // One column added to 2 x 2 chunks: Z order leaves address 5 unused.
    assert_int_equal(xta__grid_position(&grid, (int64_t[]){0, 2}), 4);
    assert_int_equal(xta__grid_position(&grid, (int64_t[]){1, 2}), 6);
    assert_int_equal(pair_address(&both, (int64_t[]){0, 2}), 4);
    assert_int_equal(pair_address(&both, (int64_t[]){1, 2}), 5);
    pair_end(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_3_is_correct),         cmocka_unit_test(f_star_returns_x),
        cmocka_unit_test(the_search_compares_indexes), cmocka_unit_test(records_are_not_expansions),
        cmocka_unit_test(the_moduli_go_down_to_c0),    cmocka_unit_test(k_searches_are_not_log_e),
        cmocka_unit_test(z_order_does_not_append),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
