/* Numbers of [CXA] 6.3, 8.4 and 8.5 that contradict each other; docs/ERRATA.md 12.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "papers/pair.h"

/* Cells of a cube of `side` cells on each of k axes, counted by the library. */
static uint64_t cells_of_cube(int k, int64_t side)
{
    const int64_t bounds[4] = {side, side, side, side};
    xta_array_info info;
    uint64_t cells = 1;
    pair both;

    // One chunk for all, so that nothing is to be counted one by one.
    pair_begin(&both, k, bounds, bounds, XTA_EXACT);
    assert_int_equal(xta_array_inquire(both.array, &info, NULL), XTA_OK);
    for (int axis = 0; axis < info.bounds.ndim; axis++) {
        cells *= (uint64_t)(info.bounds.hi[axis] - info.bounds.lo[axis]);
    }
    pair_end(&both);
    return cells;
}

/* 6.3: "In the case of k = 3 and k = 4 we initially allocated A[142][142] and A[44][44]"; 6.4.1:
 * "the array files grew from 3 x 10^6". */
static void the_first_arrays_have_k_axes(void **state)
{
    (void)state;
    assert_int_equal(cells_of_cube(2, 142), 20164);
    assert_int_equal(cells_of_cube(2, 44), 1936);
    assert_in_range(cells_of_cube(3, 142), 2800000, 3000000);
    assert_in_range(cells_of_cube(4, 44), 3000000, 4000000);
    assert_in_range(cells_of_cube(2, 1976), 3000000, 4000000);
}

/* Fig. 3.5.1: "Array size of 10e9"; 3.5 and 6.2: 10^9. The bounds of 6.3 decide. */
static void ten_e_nine_is_ten_to_the_ninth(void **state)
{
    (void)state;
    assert_in_range(cells_of_cube(2, 31622), 990000000, 1000000000);
    assert_in_range(cells_of_cube(3, 1000), 1000000000, 1000000000);
    assert_in_range(cells_of_cube(4, 177), 980000000, 1000000000);
}

/* 8.5.1: cubical growth begins at A[12][12][12]; 8.5.2: "increased from 12GB to 64GB". */
static void twelve_cubed_is_14_kilobytes(void **state)
{
    (void)state;
    assert_int_equal(8 * cells_of_cube(3, 12), 13824);
    // What 12 GB would be, and the end: 2048 = 12 + 2 * 1018.
    assert_in_range(8 * cells_of_cube(3, 1144), 11900000000, 12000000000);
    assert_int_equal(8 * cells_of_cube(3, 2048), (uint64_t)64 << 30);
}

/* 8.5.2: a global array of 5000^3 doubles, on 24 nodes of 24 GB on average. */
static void the_global_array_does_not_fit(void **state)
{
    (void)state;
    assert_int_equal(8 * cells_of_cube(3, 5000), 1000000000000);
    assert_true(8 * cells_of_cube(3, 5000) > (uint64_t)24 * 24 << 30);
}

/* 8.4: "size_t odims[]": "a negative value in this array means no extensions". */
static void odims_are_never_negative(void **state)
{
    const int64_t none = -1;
    size_t odims[] = {(size_t)none, 0};

    (void)state;
    // Compared as a number it is the greatest, not a negative one.
    assert_true(odims[0] > odims[1]);
    assert_true(odims[0] >= (size_t)1 << 63);
    assert_int_equal((int64_t)odims[0], -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_arrays_have_k_axes),
        cmocka_unit_test(ten_e_nine_is_ten_to_the_ninth),
        cmocka_unit_test(twelve_cubed_is_14_kilobytes),
        cmocka_unit_test(the_global_array_does_not_fit),
        cmocka_unit_test(odims_are_never_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
