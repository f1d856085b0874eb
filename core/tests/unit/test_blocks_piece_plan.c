/* How a piece of a chunk is moved (blocks/piece_plan.h): each case with its method.
 *
 * That all methods move the right cells is tested in
 * rechunk/tests/property/test_repartition_array.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>

#include <cmocka.h>

#include <xta/block_grid.h>

#include "blocks/piece_plan.h"
#include "support/folder.h"

static test_folder base;
static xta_array *array;
static xta_blocks blocks;
static xta_error err;

static void ok(xta_status status)
{
    if (status != XTA_OK) {
        fail_msg("%s", err.text);
    }
}

/* 3 x 3 chunks of 128 x 64 cells of 8 bytes, the last ones of each axis cut by the bounds. */
static void make_blocks(xta_order order, bool in_memory)
{
    const int64_t bounds[2] = {300, 150}, chunk[2] = {128, 64};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    char path[4200];

    snprintf(path, sizeof path, "%s/a", base.path);
    options.chunk = chunk;
    options.order = order;
    if (in_memory) {
        ok(xta_array_new(XTA_F64, 2, bounds, &options, &array, &err));
    } else {
        ok(xta_array_create(path, XTA_F64, 2, bounds, &options, &array, &err));
    }
    ok(xta_blocks_into_array(array, &blocks, &err));
}

static int begin(void **state)
{
    (void)state;
    test_folder_make(&base);
    return 0;
}

static int end(void **state)
{
    (void)state;
    ok(xta_blocks_close(&blocks, true, &err));
    ok(xta_array_close(array, &err));
    test_folder_remove(&base);
    return 0;
}

/* The plan of a piece of block (i, j) whose cells are dense in memory. */
static xta__piece_plan plan(int64_t i, int64_t j, const int64_t lo[], const int64_t hi[],
                            bool reading)
{
    const int64_t block[2] = {i, j};
    const xta_box piece = xta_box_make(2, lo, hi);
    ptrdiff_t strides[XTA_MAX_NDIM];

    xta__dense_strides(&piece, 8, strides);
    return xta__plan_piece(blocks.self, block, &piece, strides, reading);
}

static int count_slices(const xta__piece_plan *made, const int64_t lo[], const int64_t hi[])
{
    const xta_box piece = xta_box_make(2, lo, hi);
    xta_box slice;
    uint64_t cells = 0, all = 0, n = 0;
    int slices = 0;

    xta__first_slice(blocks.self, made, &piece, &slice);
    do {
        assert_int_equal(xta_box_cells(&slice, &n), XTA_OK);
        assert_true(xta_box_contains(&piece, &slice));
        cells += n;
        slices++;
    } while (xta__next_slice(blocks.self, made, &piece, &slice));
    assert_int_equal(xta_box_cells(&piece, &all), XTA_OK);
    assert_true(cells == all);
    return slices;
}

static void row_order(void **state)
{
    (void)state;
    make_blocks(XTA_ROW, false);

    // Cells have a different byte order in memory on a big-endian machine.
    const int64_t lo[2] = {0, 0}, hi[2] = {128, 64};
    bool native = array->decode == NULL;
    xta__piece_plan made = plan(0, 0, lo, hi, true);
    assert_int_equal(made.method, native ? XTA__PIECE_DIRECT : XTA__PIECE_BOUNCED);
    assert_int_equal(count_slices(&made, lo, hi), 1);

    // Rows of an edge chunk have ghost cells between them: still one call.
    const int64_t edge_lo[2] = {256, 128}, edge_hi[2] = {300, 150};
    made = plan(2, 2, edge_lo, edge_hi, true);
    assert_int_equal(made.method, XTA__PIECE_BOUNCED);
    assert_int_equal(count_slices(&made, edge_lo, edge_hi), 1);
    made = plan(2, 2, edge_lo, edge_hi, false);
    assert_int_equal(made.method, XTA__PIECE_BOUNCED);
    assert_int_equal(count_slices(&made, edge_lo, edge_hi), 1);

    // A column of a chunk is read together with the cells in between, but never written that way,
    // since that would overwrite other cells.
    const int64_t column_lo[2] = {0, 5}, column_hi[2] = {128, 6};
    made = plan(0, 0, column_lo, column_hi, true);
    assert_int_equal(made.method, XTA__PIECE_BOUNCED);
    made = plan(0, 0, column_lo, column_hi, false);
    assert_int_equal(made.method, XTA__PIECE_BY_ARRAY);
}

static void curve_order(void **state)
{
    (void)state;
    make_blocks(XTA_HILBERT, false);

    const int64_t lo[2] = {0, 0}, hi[2] = {128, 64}, half[2] = {64, 64};
    assert_int_equal(plan(0, 0, lo, hi, true).method, XTA__PIECE_WHOLE_CHUNK);
    assert_int_equal(plan(0, 0, lo, hi, false).method, XTA__PIECE_WHOLE_CHUNK);
    // Half of a chunk can be read by reading all of it; writing all of it would overwrite the other
    // half.
    assert_int_equal(plan(0, 0, lo, half, true).method, XTA__PIECE_WHOLE_CHUNK);
    assert_int_equal(plan(0, 0, lo, half, false).method, XTA__PIECE_BY_ARRAY);
}

static void memory(void **state)
{
    (void)state;
    make_blocks(XTA_ROW, true);

    const int64_t lo[2] = {0, 0}, hi[2] = {128, 64};
    assert_int_equal(plan(0, 0, lo, hi, true).method, XTA__PIECE_BY_ARRAY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(row_order, begin, end),
        cmocka_unit_test_setup_teardown(curve_order, begin, end),
        cmocka_unit_test_setup_teardown(memory, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
