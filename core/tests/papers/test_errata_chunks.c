/* [CXA] 4.1, 4.3 and 5.3 as printed, against the oracle and the library; docs/ERRATA.md 8.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

#include "papers/pair.h"
#include "support/random.h"

static const int64_t threes[] = {3, 3, 3};
static const int64_t unit[] = {1, 1, 1, 1};

/* Eq. 4.1.1, and Eq. 4.1.3 behind the inequality 4.1.2. */
static int64_t ceiling(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t chunks_added(int64_t bound, int64_t by, int64_t chunk)
{
    int64_t allocated = ceiling(bound, chunk) * chunk;

    return bound + by > allocated ? ceiling(bound + by - allocated, chunk) : 0;
}

static void equations_4_1_1_to_4_1_3_are_correct(void **state)
{
    (void)state;
    for (int64_t bound = 1; bound <= 9; bound++) {
        for (int64_t by = 1; by <= 9; by++) {
            pair both;
            pair_begin(&both, 1, &bound, threes, XTA_EXACT);
            uint64_t before = pair_n_chunks(&both);
            assert_int_equal(before, ceiling(bound, 3));
            pair_grow(&both, 0, by);
            assert_int_equal(pair_n_chunks(&both) - before, chunks_added(bound, by, 3));
            pair_end(&both);
        }
    }
}

/* The example of Fig. 4.1.1: A[4][5] grows on D_1 by 1 and by 2; "updated as A[5][8]". */
static void the_example_ends_at_4_by_8(void **state)
{
    xta_array_info info;
    pair both;

    (void)state;
    pair_begin(&both, 2, (int64_t[]){4, 5}, threes, XTA_EXACT);
    pair_grow(&both, 1, 1);
    assert_int_equal(pair_n_chunks(&both), 4);
    pair_grow(&both, 1, 2);
    assert_int_equal(pair_n_chunks(&both), 6);
    assert_int_equal(xta_array_inquire(both.array, &info, NULL), XTA_OK);
    assert_int_equal(info.bounds.hi[0], 4);
    assert_int_equal(info.bounds.hi[1], 8);
    // "<2; 4; 1, 2; S_1>": chunk (1,2) is 4 + (2 - 2) 2 + 1 1.
    assert_int_equal(pair_address(&both, (int64_t[]){0, 2}), 4);
    assert_int_equal(pair_address(&both, (int64_t[]){1, 2}), 5);
    pair_end(&both);
}

/* "With the base address of the local chunk as q_c* [...] the address [...] is only a displacement
 * within the chunk": q_c* of Eq. 4.1.5 numbers chunks, and is not multiplied by their size. */
static void chunk_numbers_are_not_addresses(void **state)
{
    static const int64_t first[] = {0, 1}, second[] = {0, 3};
    xta_location a, b;
    pair both;

    (void)state;
    pair_begin(&both, 2, (int64_t[]){4, 5}, threes, XTA_EXACT);
    assert_int_equal(xta_array_locate(both.array, first, &a, NULL), XTA_OK);
    assert_int_equal(xta_array_locate(both.array, second, &b, NULL), XTA_OK);
    assert_int_equal(pair_address(&both, (int64_t[]){0, 0}) + 1, 1); // q_c* + displacement
    assert_int_equal(pair_address(&both, (int64_t[]){0, 1}) + 0, 1);
    assert_int_equal(9 * a.address + a.position, 1);
    assert_int_equal(9 * b.address + b.position, 9);
    pair_end(&both);
}

/* Lemma 4.3.1: one cubical extension of a unit array brings the records "from k to T_c = 2k - 1",
 * and "as k increases, T_c >> T_n = k + 1". */
static void a_cubical_extension_adds_k_records(void **state)
{
    (void)state;
    for (int k = 2; k <= 4; k++) {
        pair both;
        pair_begin(&both, k, unit, NULL, XTA_CUBICAL);
        uint64_t before = pair_n_segments(&both); // 1, where the thesis counts k - 1 empty ones too
        pair_grow(&both, k - 1, 1);
        uint64_t printed = 2 * (uint64_t)k - 1;
        uint64_t counted = (uint64_t)k - 1 + pair_n_segments(&both);
        assert_int_equal(before, 1);
        assert_int_equal(counted, 2 * k);
        assert_int_equal(counted - printed, 1);
        assert_true(counted < 2 * ((uint64_t)k + 1)); // less than twice T_n for every k
        pair_end(&both);
    }
}

static uint64_t records_of_alternating(int64_t times)
{
    pair both;

    pair_begin(&both, 3, unit, NULL, XTA_EXACT);
    for (int64_t k = 0; k < times; k++) {
        pair_grow(&both, 0, 1);
        pair_grow(&both, 1, 1);
    }
    assert_int_equal(pair_n_chunks(&both), (times + 1) * (times + 1));
    uint64_t n = pair_n_segments(&both);
    pair_end(&both);
    return n;
}

/* Corollary 4.3.1 and Lemma 4.3.1 take the cube for the worst case. With N elements that is false:
 * two axes of three grow in turn, and there are 2 sqrt(N) records, not 3 cbrt(N). */
static void the_cube_is_not_the_worst_case(void **state)
{
    double before = 0;

    (void)state;
    for (int64_t times = 10; times <= 160; times *= 4) {
        double n = (double)((times + 1) * (times + 1));
        uint64_t records = records_of_alternating(times);
        assert_int_equal(records, 1 + 2 * times);
        double excess = (double)records / (3 * cbrt(n));
        assert_true(excess > 1.25 * before); // grows without a bound, as N to the power 1/6
        before = excess;
    }
    assert_true(before > 3);
    // Of arrays with the same bounds, none has more records than cyclic growth gives.
    pair both;
    pair_begin(&both, 3, unit, NULL, XTA_EXACT);
    for (int k = 0; k < 3 * 5; k++) {
        pair_grow(&both, k % 3, 1);
    }
    assert_int_equal(pair_n_segments(&both), 1 + 3 * 5);
    pair_end(&both);
}

static void grow_both(test_random *random, uint64_t segments[2])
{
    pair exact, cubical;

    pair_begin(&exact, 3, unit, NULL, XTA_EXACT);
    pair_begin(&cubical, 3, unit, NULL, XTA_CUBICAL);
    for (int k = 0; k < 12; k++) {
        int axis = (int)test_random_in(random, 0, 2);
        int64_t by = test_random_in(random, 1, 2);
        pair_grow(&exact, axis, by);
        pair_grow(&cubical, axis, by);
    }
    segments[0] = pair_n_segments(&exact);
    segments[1] = pair_n_segments(&cubical);
    pair_end(&exact);
    pair_end(&cubical);
}

/* 5.3: cubical expansion is employed "to significantly reduce the height of the O2-Tree". By Lemma
 * 4.3.1 it has the most records, and it does. */
static void cubical_growth_does_not_save_records(void **state)
{
    test_random random = test_random_make(test_seed("errata_chunks", 20160528), 1);
    uint64_t sum[2] = {0};

    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        uint64_t segments[2];
        grow_both(&random, segments);
        sum[0] += segments[0];
        sum[1] += segments[1];
    }
    assert_true(sum[1] > sum[0]);
    // The worst: one axis only. One record, or three for each step.
    pair both;
    pair_begin(&both, 3, unit, NULL, XTA_CUBICAL);
    for (int k = 0; k < 6; k++) {
        pair_grow(&both, 1, 1);
    }
    assert_int_equal(pair_n_segments(&both), 1 + 3 * 6);
    pair_end(&both);
    pair_begin(&both, 3, unit, NULL, XTA_EXACT);
    for (int k = 0; k < 6; k++) {
        pair_grow(&both, 1, 1);
    }
    assert_int_equal(pair_n_segments(&both), 1 + 1);
    pair_end(&both);
}

/* 5.3: "Initial cubical padding can only be performed if" dimension 0 is shorter than the others,
 * in row-major order. With F* any dimension can be padded: no address of an element changes. */
static void any_dimension_can_be_padded(void **state)
{
    int64_t element[18][3];
    pair both;

    (void)state;
    pair_begin(&both, 3, (int64_t[]){3, 2, 3}, NULL, XTA_EXACT);
    for (uint64_t q = 0; q < 18; q++) {
        pair_chunk(&both, q, element[q]);
    }
    pair_grow(&both, 1, 1);
    assert_int_equal(pair_n_chunks(&both), 27);
    for (uint64_t q = 0; q < 18; q++) {
        assert_int_equal(pair_address(&both, element[q]), q);
    }
    // The condition is that of row-major order, where A<1,0,0> would move from 6 to 9.
    pair padded;
    pair_begin(&padded, 3, (int64_t[]){3, 3, 3}, NULL, XTA_EXACT);
    assert_int_equal(pair_address(&both, (int64_t[]){1, 0, 0}), 6);
    assert_int_equal(pair_address(&padded, (int64_t[]){1, 0, 0}), 9);
    pair_end(&padded);
    pair_end(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_4_1_1_to_4_1_3_are_correct),
        cmocka_unit_test(the_example_ends_at_4_by_8),
        cmocka_unit_test(chunk_numbers_are_not_addresses),
        cmocka_unit_test(a_cubical_extension_adds_k_records),
        cmocka_unit_test(the_cube_is_not_the_worst_case),
        cmocka_unit_test(cubical_growth_does_not_save_records),
        cmocka_unit_test(any_dimension_can_be_padded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
