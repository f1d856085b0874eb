/* Every order as a numbering of a grid: a bijection with its inverse, untouched by axes of length
 * 1, and as its definition says. The Hilbert curve has its own file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/order/column.h"
#include "geometry/order/grid.h"
#include "geometry/order/hilbert.h"
#include "geometry/order/morton.h"
#include "geometry/order/row.h"
#include "geometry/order/template.h"
#include "support/random.h"

#define MAX_CELLS 4096

static uint64_t seed;

static const xta__layout *const layouts[] = {&xta__layout_row, &xta__layout_column,
                                             &xta__layout_morton, &xta__layout_hilbert,
                                             &xta__layout_template};
#define N_LAYOUTS (sizeof layouts / sizeof layouts[0])

/* Random lengths, some of them 1, with at most MAX_CELLS cells. */
static int random_lengths(test_random *random, bool powers_of_two, int64_t lengths[])
{
    int ndim = (int)test_random_in(random, 1, 7);
    int64_t cells_left = MAX_CELLS;

    for (int axis = 0; axis < ndim; axis++) {
        int64_t most = cells_left < 32 ? cells_left : 32;
        lengths[axis] = test_random_in(random, 1, most);
        while (powers_of_two && (lengths[axis] & (lengths[axis] - 1)) != 0) {
            lengths[axis] &= lengths[axis] - 1;
        }
        cells_left /= lengths[axis];
    }
    return ndim;
}

/* The next cell in row-major order; false after the last. */
static bool next_cell(int ndim, const int64_t lengths[], int64_t coord[])
{
    for (int axis = ndim - 1; axis >= 0; axis--) {
        if (++coord[axis] < lengths[axis]) {
            return true;
        }
        coord[axis] = 0;
    }
    return false;
}

static void check_bijection(const xta__grid *grid)
{
    bool taken[MAX_CELLS] = {false};
    int64_t coord[XTA_MAX_NDIM] = {0};
    uint64_t n = 0;

    do {
        int64_t back[XTA_MAX_NDIM];
        uint64_t position = xta__grid_position(grid, coord);
        assert_true(position < grid->n_cells);
        assert_false(taken[position]);
        taken[position] = true;
        xta__grid_coord(grid, position, back);
        assert_memory_equal(back, coord, (size_t)grid->ndim * sizeof coord[0]);
        n++;
    } while (next_cell(grid->ndim, grid->length, coord));
    assert_int_equal(n, grid->n_cells);
}

static void positions_are_a_bijection(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(300); trial++) {
        for (size_t k = 0; k < N_LAYOUTS; k++) {
            int64_t lengths[XTA_MAX_NDIM];
            xta__grid grid;
            int ndim = random_lengths(&random, layouts[k]->needs_powers_of_two, lengths);
            assert_int_equal(xta__grid_init_layout(&grid, layouts[k], ndim, lengths), XTA_OK);
            assert_int_equal(grid.ndim, ndim);
            check_bijection(&grid);
            xta__grid_clear(&grid);
        }
    }
}

/* An axis of length 1 can be added to an array at any position, and no cell may move. */
static void axes_of_length_1_have_no_influence(void **state)
{
    test_random random = test_random_make(seed, 2);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(300); trial++) {
        for (size_t k = 0; k < N_LAYOUTS; k++) {
            int64_t lengths[XTA_MAX_NDIM];
            int64_t more_lengths[XTA_MAX_NDIM];
            int64_t coord[XTA_MAX_NDIM] = {0};
            xta__grid grid;
            xta__grid more;
            int ndim = random_lengths(&random, layouts[k]->needs_powers_of_two, lengths);
            int place = (int)test_random_in(&random, 0, ndim);
            size_t before = (size_t)place * sizeof lengths[0];
            size_t after = (size_t)(ndim - place) * sizeof lengths[0];
            memcpy(more_lengths, lengths, before);
            more_lengths[place] = 1;
            memcpy(more_lengths + place + 1, lengths + place, after);
            assert_int_equal(xta__grid_init_layout(&grid, layouts[k], ndim, lengths), XTA_OK);
            assert_int_equal(xta__grid_init_layout(&more, layouts[k], ndim + 1, more_lengths),
                             XTA_OK);
            do {
                int64_t more_coord[XTA_MAX_NDIM] = {0};
                memcpy(more_coord, coord, before);
                memcpy(more_coord + place + 1, coord + place, after);
                assert_int_equal(xta__grid_position(&more, more_coord),
                                 xta__grid_position(&grid, coord));
            } while (next_cell(ndim, lengths, coord));
        }
    }
}

static void row_and_column_are_strided(void **state)
{
    const int64_t lengths[3] = {4, 3, 5};
    const int64_t row_strides[3] = {15, 5, 1};
    const int64_t column_strides[3] = {1, 4, 12};
    const int64_t coord[3] = {2, 1, 3};
    xta__grid grid;

    (void)state;
    assert_int_equal(xta__grid_init(&grid, XTA_ROW, 3, lengths), XTA_OK);
    assert_true(xta__grid_is_strided(&grid));
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(xta__grid_stride(&grid, axis), row_strides[axis]);
    }
    assert_int_equal(xta__grid_position(&grid, coord), 2 * 15 + 1 * 5 + 3);
    assert_int_equal(grid.n_cells, 60);

    assert_int_equal(xta__grid_init(&grid, XTA_COLUMN, 3, lengths), XTA_OK);
    assert_true(xta__grid_is_strided(&grid));
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(xta__grid_stride(&grid, axis), column_strides[axis]);
    }
    assert_int_equal(xta__grid_position(&grid, coord), 2 + 1 * 4 + 3 * 12);
}

static void curves_are_not_strided(void **state)
{
    const int64_t lengths[2] = {4, 8};
    xta__grid grid;

    (void)state;
    for (int order = XTA_MORTON; order <= XTA_HILBERT; order++) {
        assert_int_equal(xta__grid_init(&grid, (xta_order)order, 2, lengths), XTA_OK);
        assert_false(xta__grid_is_strided(&grid));
        assert_true(xta__order_needs_powers_of_two((xta_order)order));
    }
    assert_false(xta__order_needs_powers_of_two(XTA_ROW));
    assert_false(xta__order_needs_powers_of_two(XTA_COLUMN));
}

/* Bits distributed by the definition: highest level first, first axis first, as far as an axis has
 * any. */
static uint64_t morton_naive(int ndim, const int64_t lengths[], const int64_t coord[])
{
    uint64_t position = 0;

    for (int level = 61; level >= 0; level--) {
        for (int axis = 0; axis < ndim; axis++) {
            if (((int64_t)1 << level) < lengths[axis]) {
                position = 2 * position + (uint64_t)(coord[axis] / ((int64_t)1 << level) % 2);
            }
        }
    }
    return position;
}

static void morton_distributes_bits(void **state)
{
    test_random random = test_random_make(seed, 3);
    const int64_t square[2] = {4, 4};
    const int64_t facts[4][3] = {{0, 0, 0}, {0, 1, 1}, {1, 0, 2}, {2, 3, 13}};
    xta__grid grid;

    (void)state;
    assert_int_equal(xta__grid_init(&grid, XTA_MORTON, 2, square), XTA_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(xta__grid_position(&grid, facts[i]), facts[i][2]);
    }
    for (uint64_t trial = 0; trial < test_scale(300); trial++) {
        int64_t lengths[XTA_MAX_NDIM];
        int64_t coord[XTA_MAX_NDIM] = {0};
        int ndim = random_lengths(&random, true, lengths);
        assert_int_equal(xta__grid_init(&grid, XTA_MORTON, ndim, lengths), XTA_OK);
        do {
            assert_int_equal(xta__grid_position(&grid, coord), morton_naive(ndim, lengths, coord));
        } while (next_cell(ndim, lengths, coord));
    }
}

/* The last cell and random ones, in both directions. */
static void check_some_positions(const xta__grid *grid, test_random *random)
{
    for (int trial = 0; trial < 1000; trial++) {
        uint64_t position =
            trial == 0 ? grid->n_cells - 1 : test_random_u64(random) & (grid->n_cells - 1);
        int64_t coord[XTA_MAX_NDIM];
        xta__grid_coord(grid, position, coord);
        for (int axis = 0; axis < grid->ndim; axis++) {
            assert_true(coord[axis] >= 0 && coord[axis] < grid->length[axis]);
        }
        assert_true(xta__grid_position(grid, coord) == position);
    }
}

/* 2^61 cells on one axis, on 32 axes, on 2 unequal ones: no bit is lost at the upper end. */
static void the_greatest_grids(void **state)
{
    test_random random = test_random_make(seed, 4);
    int64_t long_axis[1] = {(int64_t)1 << 61};
    int64_t unequal[2] = {(int64_t)1 << 31, (int64_t)1 << 30};
    int64_t many[XTA_MAX_NDIM];
    struct {
        int ndim;
        const int64_t *lengths;
    } grids[] = {{1, long_axis}, {2, unequal}, {XTA_MAX_NDIM, many}};

    (void)state;
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        many[axis] = axis < 29 ? 4 : 2;
    }
    for (size_t g = 0; g < 3; g++) {
        for (size_t k = 0; k < N_LAYOUTS; k++) {
            xta__grid grid;
            assert_int_equal(
                xta__grid_init_layout(&grid, layouts[k], grids[g].ndim, grids[g].lengths), XTA_OK);
            assert_true(grid.n_cells == (uint64_t)1 << 61);
            check_some_positions(&grid, &random);
        }
    }
}

static void wrong_grids_are_refused(void **state)
{
    const int64_t good[2] = {4, 4};
    const int64_t odd[2] = {4, 3};
    const int64_t zero[2] = {4, 0};
    const int64_t negative[2] = {-4, 4};
    const int64_t huge[2] = {(int64_t)1 << 31, (int64_t)1 << 31};
    const int64_t beyond[2] = {INT64_MAX, INT64_MAX};
    int64_t many[XTA_MAX_NDIM + 1];
    xta__grid grid;

    (void)state;
    for (int axis = 0; axis <= XTA_MAX_NDIM; axis++) {
        many[axis] = 1;
    }
    for (int order = XTA_ROW; order <= XTA_HILBERT; order++) {
        bool curve = order >= XTA_MORTON;
        assert_int_equal(xta__grid_init(&grid, (xta_order)order, 2, good), XTA_OK);
        assert_int_equal(xta__grid_init(&grid, (xta_order)order, 2, odd),
                         curve ? XTA_EARG : XTA_OK);
        assert_int_equal(xta__grid_init(&grid, (xta_order)order, 2, zero), XTA_EARG);
        assert_int_equal(xta__grid_init(&grid, (xta_order)order, 2, negative), XTA_EARG);
        assert_int_equal(xta__grid_init(&grid, (xta_order)order, 2, huge), XTA_EOVERFLOW);
        assert_null(grid.layout);
        assert_int_equal(xta__grid_init(&grid, (xta_order)order, 2, beyond),
                         curve ? XTA_EARG : XTA_EOVERFLOW);
        assert_int_equal(xta__grid_init(&grid, (xta_order)order, 0, good), XTA_EARG);
        assert_int_equal(xta__grid_init(&grid, (xta_order)order, XTA_MAX_NDIM, many), XTA_OK);
        assert_int_equal(grid.n_cells, 1);
        assert_int_equal(xta__grid_init(&grid, (xta_order)order, XTA_MAX_NDIM + 1, many), XTA_EARG);
    }
    assert_int_equal(xta__grid_init(&grid, (xta_order)4, 2, good), XTA_EARG);
    assert_int_equal(xta__grid_init(&grid, (xta_order)-1, 2, good), XTA_EARG);
    xta__grid_clear(&grid);
    xta__grid_clear(&grid);
}

/* The template walks from neighbour to neighbour, whatever the lengths. */
static void the_template_is_a_snake(void **state)
{
    const int64_t lengths[3] = {3, 4, 5};
    int64_t before[3] = {0, 0, 0};
    xta__grid grid;

    (void)state;
    assert_int_equal(xta__grid_init_layout(&grid, &xta__layout_template, 3, lengths), XTA_OK);
    for (uint64_t position = 1; position < grid.n_cells; position++) {
        int64_t coord[3];
        int64_t distance = 0;
        xta__grid_coord(&grid, position, coord);
        for (int axis = 0; axis < 3; axis++) {
            distance += llabs(coord[axis] - before[axis]);
        }
        assert_int_equal(distance, 1);
        memcpy(before, coord, sizeof before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_a_bijection),
        cmocka_unit_test(axes_of_length_1_have_no_influence),
        cmocka_unit_test(row_and_column_are_strided),
        cmocka_unit_test(curves_are_not_strided),
        cmocka_unit_test(morton_distributes_bits),
        cmocka_unit_test(the_greatest_grids),
        cmocka_unit_test(wrong_grids_are_refused),
        cmocka_unit_test(the_template_is_a_snake),
    };

    seed = test_seed("order_grid", 20240503);
    return cmocka_run_group_tests_name("order_grid", tests, NULL, NULL);
}
