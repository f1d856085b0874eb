/* Curves by blocks: every position is that of the order, however many axes and levels there are.
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

static uint64_t seed;

static void check_cell(const xta__curve *curve, uint64_t position)
{
    int64_t coord[XTA_MAX_NDIM], block[XTA_MAX_NDIM];
    const uint16_t *rank;

    xta__grid_coord(&curve->grid, position, coord);
    assert_true(xta__curve_position(curve, coord) == position);
    for (int axis = 0; axis < curve->grid.ndim; axis++) {
        block[axis] = coord[axis] >> curve->shift[axis];
    }
    // A block is one contiguous range of positions.
    assert_true(xta__curve_block(curve, block, &rank) ==
                position / curve->block_cells * curve->block_cells);
}

static void check_grid(xta_order order, int ndim, const int64_t lengths[], test_random *random)
{
    xta__grid grid;
    xta__curve curve;

    assert_int_equal(xta__grid_init(&grid, order, ndim, lengths), XTA_OK);
    assert_int_equal(xta__curve_init(&curve, &grid), XTA_OK);
    for (uint64_t k = 0; k < 3000; k++) {
        uint64_t any = test_random_u64(random) & (grid.n_cells - 1);
        check_cell(&curve, grid.n_cells <= 3000 ? k % grid.n_cells : any);
    }
    check_cell(&curve, grid.n_cells - 1);
    xta__curve_clear(&curve);
    xta__curve_clear(&curve); // of zeros
}

static void random_grids(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(200); trial++) {
        int ndim = (int)test_random_in(&random, 1, 7), bits = 16;
        int64_t lengths[XTA_MAX_NDIM];
        for (int axis = 0; axis < ndim; axis++) {
            int log = (int)test_random_in(&random, 0, bits < 9 ? bits : 9);
            lengths[axis] = (int64_t)1 << log;
            bits -= log;
        }
        check_grid(XTA_MORTON, ndim, lengths, &random);
        check_grid(XTA_HILBERT, ndim, lengths, &random);
    }
}

/* The number of orientations of a Hilbert curve: 4 with 2 axes, 12 with 3, 32 with 4; a Morton
 * curve has one. */
static void patterns_are_few(void **state)
{
    static const int64_t lengths[4][4] = {{64}, {64, 64}, {32, 32, 32}, {16, 16, 16, 16}};
    static const size_t most[4] = {1, 4, 12, 32};

    (void)state;
    for (int ndim = 1; ndim <= 4; ndim++) {
        xta__grid grid;
        xta__curve curve;
        assert_int_equal(xta__grid_init(&grid, XTA_HILBERT, ndim, lengths[ndim - 1]), XTA_OK);
        assert_int_equal(xta__curve_init(&curve, &grid), XTA_OK);
        assert_true(curve.n_patterns >= 1 && curve.n_patterns <= most[ndim - 1]);
        assert_true(curve.block_cells > 1 && curve.block_cells <= 512);
        xta__curve_clear(&curve);
        assert_int_equal(xta__grid_init(&grid, XTA_MORTON, ndim, lengths[ndim - 1]), XTA_OK);
        assert_int_equal(xta__curve_init(&curve, &grid), XTA_OK);
        assert_int_equal(curve.n_patterns, 1);
        xta__curve_clear(&curve);
    }
}

/* More axes than a block can have, more blocks than a table can have. */
static void the_greatest_grids(void **state)
{
    test_random random = test_random_make(seed, 2);
    int64_t many[XTA_MAX_NDIM];
    int64_t long_axis[1] = {(int64_t)1 << 61};
    int64_t unequal[3] = {(int64_t)1 << 31, 4, (int64_t)1 << 28};
    int64_t thirds[3] = {1024, 2, 4096};

    (void)state;
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        many[axis] = 2;
    }
    static const int ndims[] = {10, 16, 17, 20, 23, XTA_MAX_NDIM};
    for (size_t k = 0; k < sizeof ndims / sizeof ndims[0]; k++) {
        check_grid(XTA_MORTON, ndims[k], many, &random);
        check_grid(XTA_HILBERT, ndims[k], many, &random);
    }
    for (xta_order order = XTA_MORTON; order <= XTA_HILBERT; order++) {
        check_grid(order, 1, long_axis, &random);
        check_grid(order, 3, unequal, &random);
        check_grid(order, 3, thirds, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_grids),
        cmocka_unit_test(patterns_are_few),
        cmocka_unit_test(the_greatest_grids),
    };

    seed = test_seed("order_curve", 31);
    return cmocka_run_group_tests_name("order_curve", tests, NULL, NULL);
}
