/* [CXA] 5.4 as printed, against the library's curve; docs/ERRATA.md 11.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>

#include <cmocka.h>

#include "geometry/order/order.h"
#include "oracle/hilbert_tree.h"
#include "papers/butz.h"

static xta__grid cube(xta_order order, int n, int log)
{
    const int64_t lengths[4] = {1 << log, 1 << log, 1 << log, 1 << log};
    xta__grid grid;

    assert_int_equal(xta__grid_init(&grid, order, n, lengths), XTA_OK);
    return grid;
}

/* "The order of the curve d is determined by d = chi_i. For chunk sizes of 2, 4 and 8 [...] the
 * corresponding highest orders will be 1, 2 and 4"; the curve of order d has 2^(dk) points. */
static void the_order_is_the_logarithm(void **state)
{
    (void)state;
    for (int log = 1; log <= 3; log++) {
        xta__grid grid = cube(XTA_HILBERT, 2, log);
        assert_int_equal(grid.n_levels, log);
        assert_int_equal(grid.n_cells, 1 << (2 * log));
    }
    assert_int_not_equal(1 << (2 * 4), 8 * 8);
}

/* 4.1, 4.2, 5.4: Z and Hilbert order "if the chunk size is 2^n where n >= 2". One bit is enough,
 * and Fig. 5.4.1 shows it. */
static void chunks_of_two_will_do(void **state)
{
    static const int64_t path[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
    xta__grid hilbert = cube(XTA_HILBERT, 2, 1), morton = cube(XTA_MORTON, 2, 1);

    (void)state;
    for (uint64_t place = 0; place < 4; place++) {
        assert_int_equal(xta__grid_position(&hilbert, path[place]), place);
        assert_int_equal(
            xta__grid_position(&morton, (int64_t[]){(int64_t)place / 2, (int64_t)place % 2}),
            place);
    }
}

/* How Algorithm 7 leaves its loop: "do ... while K > leaf_l", K being advanced while it is below
 * leaf_l. Returns the derived key; *levels is how many there were, at most `limit`. */
static uint64_t algorithm_7(const hilbert_tree *tree, int leaf, const int64_t p[2], bool until,
                            int limit, int *levels)
{
    uint32_t node = 0;
    uint64_t d = 0;
    int k = 1;

    *levels = 0;
    do {
        int level = leaf - k;
        uint32_t point = (uint32_t)((p[0] >> level & 1) << 1 | (p[1] >> level & 1));
        d = d << 2 | hilbert_tree_key(tree, node, point);
        ++*levels;
        if (k < leaf) {
            node = hilbert_tree_child(tree, node, point);
            k = k + 1;
        }
    } while (*levels < limit && (until ? k <= leaf : k > leaf));
    return d;
}

static void algorithm_7_ends_too_soon_or_never(void **state)
{
    static const int64_t p[] = {5, 3};
    hilbert_tree *tree = hilbert_tree_new(2, 3, false);
    xta__grid grid = cube(XTA_HILBERT, 2, 3);
    int levels;

    (void)state;
    assert_int_equal(algorithm_7(tree, 3, p, false, 100, &levels), 3); // 11 of 110100
    assert_int_equal(levels, 1);
    // Read as "until K > leaf_l" it has no end, for K stops at leaf_l.
    algorithm_7(tree, 3, p, true, 100, &levels);
    assert_int_equal(levels, 100);
    assert_int_equal(hilbert_tree_position(tree, p), 52);
    assert_int_equal(xta__grid_position(&grid, p), 52);
    hilbert_tree_free(tree);
}

/* Cells whose position differs from the library's. */
static uint64_t wrong_cells(int n, int order, unsigned slips)
{
    xta__grid grid = cube(XTA_HILBERT, n, order);
    uint64_t wrong = 0;

    for (uint64_t place = 0; place < grid.n_cells; place++) {
        int64_t coord[4];
        xta__grid_coord(&grid, place, coord);
        wrong += butz_position(n, order, coord, slips) != place;
    }
    return wrong;
}

static void butz_has_four_slips(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++) {
        assert_int_equal(wrong_cells(n, 3, BUTZ_CORRECTED), 0);
        for (unsigned slip = 1; slip <= BUTZ_KEY_OF_TAU; slip *= 2) {
            // In two dimensions rho of sigma is the same, and left is right.
            bool harmless = n == 2 && (slip == BUTZ_RHO_OF_SIGMA || slip == BUTZ_TAU_LEFT);
            assert_true((wrong_cells(n, 3, slip) == 0) == harmless);
        }
    }
    // The smallest cases, with both numbers.
    static const int64_t a[] = {0, 1}, b[] = {1, 0, 0}, c[] = {0, 0, 2};
    assert_int_equal(butz_position(2, 2, a, BUTZ_SHIFT_J_MINUS_1), 1);
    assert_int_equal(butz_position(2, 2, a, BUTZ_CORRECTED), 3);
    assert_int_equal(butz_position(3, 1, b, BUTZ_RHO_OF_SIGMA), 6);
    assert_int_equal(butz_position(3, 1, b, BUTZ_CORRECTED), 7);
    assert_int_equal(butz_position(3, 3, c, BUTZ_TAU_LEFT), 62);
    assert_int_equal(butz_position(3, 3, c, BUTZ_CORRECTED), 60);
    assert_int_equal(butz_position(2, 1, a, BUTZ_KEY_OF_TAU), 0);
    assert_int_equal(butz_position(2, 1, a, BUTZ_CORRECTED), 1);
}

typedef struct stretch {
    uint64_t sum, n;
} stretch;

/* The distances in rank of all pairs of cells that share a face. */
static double mean_stretch(xta_order order, int n, int log)
{
    xta__grid grid = cube(order, n, log), row = cube(XTA_ROW, n, log);
    stretch s = {0};

    for (uint64_t cell = 0; cell < row.n_cells; cell++) {
        int64_t coord[4];
        xta__grid_coord(&row, cell, coord);
        int64_t here = (int64_t)xta__grid_position(&grid, coord);
        for (int axis = 0; axis < n; axis++) {
            if (++coord[axis] < (int64_t)1 << log) {
                s.sum += (uint64_t)llabs((int64_t)xta__grid_position(&grid, coord) - here);
                s.n++;
            }
            coord[axis]--;
        }
    }
    return (double)s.sum / (double)s.n;
}

/* 5.4.2: "Hilbert curve performs better than row-major order and z-order when the average nearest
 * neighbor stretch (ANNS) metric is used". */
static void hilbert_does_not_stretch_least(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++) {
        for (int log = 2; log <= 12 / n; log++) {
            double row = mean_stretch(XTA_ROW, n, log);
            double powers = (pow(2, n * log) - 1) / (pow(2, log) - 1); // 1 + s + ... + s^(n-1)
            assert_true(fabs(row - powers / n) < 1e-9);
            assert_true(mean_stretch(XTA_MORTON, n, log) == row);
            assert_true(mean_stretch(XTA_COLUMN, n, log) == row);
            assert_true(mean_stretch(XTA_HILBERT, n, log) > 1.02 * row);
            assert_true(mean_stretch(XTA_HILBERT, n, log) < 1.21 * row);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_the_logarithm),
        cmocka_unit_test(chunks_of_two_will_do),
        cmocka_unit_test(algorithm_7_ends_too_soon_or_never),
        cmocka_unit_test(butz_has_four_slips),
        cmocka_unit_test(hilbert_does_not_stretch_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
