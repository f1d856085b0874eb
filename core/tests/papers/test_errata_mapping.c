/* [CXA] 3.1 to 3.3 as printed, against the oracle and the library; docs/ERRATA.md 6.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "papers/pair.h"
#include "papers/printed.h"

/* Eq. 3.1.1 and 3.1.2 of two axes; the coefficient named last is set to 1 as the text says. */
static void coefficients(const int64_t bounds[2], bool column_major, int64_t c[2])
{
    c[0] = column_major ? 1 : bounds[1];
    c[1] = column_major ? bounds[0] : 1;
}

static int64_t linear(const int64_t c[2], int64_t i, int64_t j)
{
    return i * c[0] + j * c[1];
}

static void c0_and_the_last_are_exchanged(void **state)
{
    static const int64_t bounds[] = {2, 3};
    pair both;
    int64_t c[2], printed[2];

    (void)state;
    pair_begin(&both, 2, bounds, NULL, XTA_EXACT);
    // Eq. 3.1.1 "and C_0 = 1": (0,1) and (1,0) get one address.
    coefficients(bounds, false, c);
    memcpy(printed, c, sizeof c);
    printed[0] = 1;
    assert_int_equal(linear(printed, 1, 0), 1);
    assert_int_equal(linear(printed, 0, 1), 1);
    assert_int_equal(c[1], 1); // what is 1 is C_{k-1}, and needs no saying: the product is empty
    for (int64_t i = 0; i < 2; i++) {
        for (int64_t j = 0; j < 3; j++) {
            assert_int_equal(linear(c, i, j), pair_address(&both, (int64_t[]){i, j}));
        }
    }
    // Eq. 3.1.2 "and C_{k-1} = 1": the same, the other way round.
    coefficients(bounds, true, c);
    memcpy(printed, c, sizeof c);
    printed[1] = 1;
    assert_int_equal(linear(printed, 1, 0), linear(printed, 0, 1));
    assert_int_equal(c[0], 1);
    bool seen[6] = {false};
    for (int64_t q = 0; q < 6; q++) {
        seen[linear(c, q / 3, q % 3)] = true;
    }
    assert_memory_equal(seen, ((bool[]){true, true, true, true, true, true}), sizeof seen);
    pair_end(&both);
}

/* Definition 3.1.1: "onto the address, L = {0, 1, ..., n}", n + 1 of them for n elements. */
static void there_is_no_address_n(void **state)
{
    pair both;
    xta_chunk chunk;

    (void)state;
    pair_begin(&both, 2, (int64_t[]){2, 3}, NULL, XTA_EXACT);
    assert_int_equal(xta_array_chunk_at(both.array, 5, &chunk, NULL), XTA_OK);
    assert_int_not_equal(xta_array_chunk_at(both.array, 6, &chunk, NULL), XTA_OK);
    pair_end(&both);
}

static void algorithm_1(const int64_t bounds[3], int64_t q, int64_t index[3])
{
    for (int j = 2; j >= 1; j--) {
        index[j] = q % bounds[j];
        q /= bounds[j];
    }
    index[0] = q;
}

/* Right, where the base s_0, which Eq. 3.1.1 adds and nothing subtracts, is 0. */
static void algorithm_1_is_correct_from_0(void **state)
{
    static const int64_t bounds[] = {2, 3, 4};
    int64_t index[3], expected[3];
    pair both;

    (void)state;
    pair_begin(&both, 3, bounds, NULL, XTA_EXACT);
    for (int64_t q = 0; q < 24; q++) {
        algorithm_1(bounds, q, index);
        pair_chunk(&both, (uint64_t)q, expected);
        assert_memory_equal(index, expected, sizeof expected);
    }
    const int64_t base = 100;
    algorithm_1(bounds, base + 5, index);
    assert_int_equal(index[0], 8); // of 2
    algorithm_1(bounds, base + 5 - base, index);
    assert_memory_equal(index, ((int64_t[]){0, 1, 1}), sizeof index);
    pair_end(&both);
}

static void equation_3_3_1_is_correct(void **state)
{
    pair both;

    (void)state;
    pair_begin_cxa(&both);
    assert_int_equal(pair_n_chunks(&both), 75);
    for (uint64_t q = 0; q < 75; q++) {
        int64_t element[3];
        pair_chunk(&both, q, element);
        assert_int_equal(printed_address(&printed_cxa, element), q);
    }
    pair_end(&both);
}

/* Fig. 3.3.2 gives the empty records the starting address 0, which the first block has as well:
 * "the maximum starting address" is then three records, of which two have coefficients -1. */
static void empty_records_tie_with_the_first_block(void **state)
{
    static const int64_t element[] = {1, 1, 1};
    pair both;

    (void)state;
    pair_begin_cxa(&both);
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(printed_cxa.at[axis][0].address, 0);
    }
    assert_int_equal(printed_apply(&printed_cxa, 2, 0, element), -3);
    assert_int_equal(printed_apply(&printed_cxa, 0, 0, element), 9);
    assert_int_equal(pair_address(&both, element), 9);
    // [DRX] Fig. 3b has -1 there, and no tie.
    assert_int_equal(printed_drx.at[1][0].address, -1);
    assert_int_equal(printed_drx.at[2][0].address, -1);
    pair_end(&both);
}

/* "max(Gamma_0<3>.v<1>, Gamma_1<3>.v<1>, Gamma_2<1>.v<1>) = max(30, 18, 0)": in the brackets stand
 * the element's indexes, where the numbers of records belong. */
static void brackets_hold_record_numbers(void **state)
{
    static const int64_t element[] = {3, 3, 1};
    pair both;

    (void)state;
    pair_begin_cxa(&both);
    assert_true(element[0] >= printed_cxa.n[0]); // there is no record 3
    assert_int_equal(printed_cxa.at[2][element[2]].address, 50);
    assert_int_equal(printed_cxa.at[2][printed_floor(&printed_cxa, 2, 1)].address, 0);
    assert_int_equal(printed_apply(&printed_cxa, 2, 1, element), 43);
    assert_int_equal(printed_address(&printed_cxa, element), 37);
    assert_int_equal(pair_address(&both, element), 37);
    pair_end(&both);
}

/* "The hyperslab whose first elements are <i_0, 0, ..., 0>, ..." */
static void candidates_hold_but_do_not_begin_there(void **state)
{
    pair both;

    (void)state;
    pair_begin_cxa(&both);
    // A<4,4,1> belongs to the hyperslab that begins with A<3,0,0>.
    assert_int_equal(pair_address(&both, (int64_t[]){4, 0, 0}), 40);
    assert_int_equal(pair_address(&both, (int64_t[]){3, 0, 0}), 30);
    assert_int_equal(printed_address(&printed_cxa, (int64_t[]){4, 4, 1}),
                     pair_address(&both, (int64_t[]){4, 4, 1}));
    pair_end(&both);
}

/* "a 1-dimensional vector, v[k+3] of k+3 values and a pointer": v<0>, v<1> and k coefficients. */
static void a_record_has_k_plus_2_values(void **state)
{
    static const int k = 3;
    const size_t last_coefficient = 1 + k; // "v<2>, v<3>, ..., v<k+1>"

    (void)state;
    assert_int_equal(last_coefficient + 1, k + 2);
    assert_int_equal(sizeof(printed_record) / sizeof(int64_t), k + 2);
}

/* Eq. 3.3.2 takes Z / v<0> for C_l; false where it divides by 0. */
static bool equation_3_3_2(const printed_record *r, int l, const int64_t index[], int64_t *address)
{
    if (r->index == 0) {
        return false;
    }
    *address = r->address + (index[l] - r->index) * (r->address / r->index);
    for (int j = 0; j < 3; j++) {
        *address += j != l ? index[j] * r->c[j] : 0;
    }
    return true;
}

static void equation_3_3_2_has_no_first_block(void **state)
{
    pair both;
    int undefined = 0;

    (void)state;
    // It holds for any growth, not only for uniform ones: Z / v<0> is C_l in every later record.
    pair_begin_cxa(&both);
    for (uint64_t q = 0; q < 75; q++) {
        int64_t element[3], address = -1;
        int record;
        pair_chunk(&both, q, element);
        int l = printed_owner(&printed_cxa, element, &record);
        if (equation_3_3_2(&printed_cxa.at[l][record], l, element, &address)) {
            assert_int_equal(address, q);
        } else {
            undefined++;
        }
    }
    assert_int_equal(undefined, 18); // 3 x 3 x 2
    pair_end(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c0_and_the_last_are_exchanged),
        cmocka_unit_test(there_is_no_address_n),
        cmocka_unit_test(algorithm_1_is_correct_from_0),
        cmocka_unit_test(equation_3_3_1_is_correct),
        cmocka_unit_test(empty_records_tie_with_the_first_block),
        cmocka_unit_test(brackets_hold_record_numbers),
        cmocka_unit_test(candidates_hold_but_do_not_begin_there),
        cmocka_unit_test(a_record_has_k_plus_2_values),
        cmocka_unit_test(equation_3_3_2_has_no_first_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
