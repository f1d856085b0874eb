/* [CXA] 3.4 and Algorithm 2 as printed, against the oracle and the library; docs/ERRATA.md 7.
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

/* A record: axis l, number z; l = -1: there is none. */
typedef struct found {
    int l, z;
} found;

/* "the dimension l and the component axial-vector with the minimum upper bound on q*", that is,
 * "q* <= Gamma_l<z_l>.v<1>". */
static found minimum_upper_bound(int64_t q)
{
    found best = {-1, 0};

    for (int l = 0; l < 3; l++) {
        for (int z = 0; z < printed_cxa.n[l]; z++) {
            int64_t address = printed_cxa.at[l][z].address;
            if (q <= address && (best.l < 0 || address < printed_cxa.at[best.l][best.z].address)) {
                best = (found){l, z};
            }
        }
    }
    return best;
}

/* What [DRX] III.C says: the greatest starting address that is not above q*. The empty records,
 * which have the address of the first block, are not asked. */
static found maximum_lower_bound(int64_t q)
{
    found best = {0, 0};

    for (int l = 0; l < 3; l++) {
        for (int z = 1; z < printed_cxa.n[l]; z++) {
            int64_t address = printed_cxa.at[l][z].address;
            if (address <= q && address > printed_cxa.at[best.l][best.z].address) {
                best = (found){l, z};
            }
        }
    }
    return best;
}

/* "Quotients of fractions in the algorithm is regarded as 1." */
static int64_t quotient(int64_t a, int64_t b)
{
    return a > 0 && a < b ? 1 : a / b;
}

/* Algorithm 2 after its first line: the coefficients of one record, the base of another, which may
 * be the same. All of the loop's body stands under "if j != l"; a division by 0 gives -1. */
static void algorithm_2(int64_t q, found of, found base, int64_t index[3])
{
    int64_t c[3];
    int l = of.l;

    memcpy(c, printed_cxa.at[l][of.z].c, sizeof c);
    q -= printed_cxa.at[base.l][base.z].address;
    index[0] = index[1] = index[2] = -1;
    for (int j = 2; j >= 1; j--) {
        if (j == l || c[j - 1] == 0) {
            continue;
        }
        index[j] = q % c[j - 1];
        q = quotient(q, c[j - 1]);
        for (int r = 0; r <= j - 2; r++) {
            c[r] /= c[j - 1];
        }
        if (l > 0) {
            c[l] /= c[j - 1];
        }
    }
    index[0] = c[1] != 0 ? q % c[1] : -1;
    index[l] = c[0] != 0 ? quotient(q, c[0]) : -1;
}

/* What it should be: the grown axis first, for it varies slowest; and the first index is added. */
static void inverse(int64_t q, int64_t index[3])
{
    found f = maximum_lower_bound(q);
    const printed_record *r = &printed_cxa.at[f.l][f.z];

    q -= r->address;
    index[f.l] = r->index + q / r->c[f.l];
    q %= r->c[f.l];
    for (int j = 0; j < 3; j++) {
        if (j != f.l) {
            index[j] = q / r->c[j];
            q %= r->c[j];
        }
    }
}

static int count_right(pair *both, bool upper)
{
    int right = 0;

    for (int64_t q = 0; q < 75; q++) {
        int64_t expected[3], index[3];
        found base = maximum_lower_bound(q);
        found of = upper ? minimum_upper_bound(q) : base;
        pair_chunk(both, (uint64_t)q, expected);
        if (of.l >= 0) {
            algorithm_2(q, of, base, index);
            right += memcmp(index, expected, sizeof index) == 0;
        }
    }
    return right;
}

/* The example of the text: q* = 27, coefficients 10, 2, 1 of the upper bound 30, base 18 of the
 * lower bound. It reaches (1,4,1), which is right, with 4/5 = 1 and 1/5 = 1. */
static void the_example_is_right_by_accident(void **state)
{
    int64_t index[3], expected[3];
    pair both;

    (void)state;
    pair_begin_cxa(&both);
    found of = minimum_upper_bound(27), base = maximum_lower_bound(27);
    assert_int_equal(printed_cxa.at[of.l][of.z].address, 30);
    assert_int_equal(printed_cxa.at[base.l][base.z].address, 18);
    algorithm_2(27, of, base, index);
    pair_chunk(&both, 27, expected);
    assert_memory_equal(index, expected, sizeof index);
    // The first element of the same hyperslab: (0,3,0).
    algorithm_2(18, minimum_upper_bound(18), maximum_lower_bound(18), index);
    assert_int_not_equal(index[1], 3);
    algorithm_2(20, minimum_upper_bound(20), maximum_lower_bound(20), index);
    pair_chunk(&both, 20, expected);
    assert_memory_equal(expected, ((int64_t[]){1, 3, 0}), sizeof expected);
    assert_int_equal(index[1], 1); // for 3
    pair_end(&both);
}

static void an_upper_bound_need_not_exist(void **state)
{
    int64_t index[3];
    pair both;

    (void)state;
    pair_begin_cxa(&both);
    // The last hyperslab is above all starting addresses but the last.
    assert_int_equal(minimum_upper_bound(51).l, -1);
    assert_int_equal(pair_n_chunks(&both), 75);
    inverse(51, index);
    assert_int_equal(pair_address(&both, index), 51);
    assert_int_equal(count_right(&both, true), 3); // of 75
    pair_end(&both);
}

/* With the right record the algorithm still forgets the first index and takes C_{j-1} where j - 1
 * is the grown axis. */
static void the_steps_are_wrong_too(void **state)
{
    int64_t index[3];
    pair both;

    (void)state;
    pair_begin_cxa(&both);
    algorithm_2(37, maximum_lower_bound(37), maximum_lower_bound(37), index);
    assert_int_equal(index[0], 1); // of (3,3,1)
    algorithm_2(27, maximum_lower_bound(27), maximum_lower_bound(27), index);
    assert_int_equal(index[2], 3); // of (1,4,1): 9 mod C_1 = 6, where C_0 = 2 belongs
    assert_int_equal(count_right(&both, false), 7); // of 75
    pair_end(&both);
}

static void corrected(void **state)
{
    pair both;

    (void)state;
    pair_begin_cxa(&both);
    for (int64_t q = 0; q < 75; q++) {
        int64_t expected[3], index[3];
        inverse(q, index);
        pair_chunk(&both, (uint64_t)q, expected);
        assert_memory_equal(index, expected, sizeof index);
    }
    pair_end(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_is_right_by_accident),
        cmocka_unit_test(an_upper_bound_need_not_exist),
        cmocka_unit_test(the_steps_are_wrong_too),
        cmocka_unit_test(corrected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
