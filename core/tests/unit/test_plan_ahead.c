/* Which bytes of a file are fetched ahead of a read: the table, and random cells against the naive
 * version.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/region/read_ahead.h"
#include "support/random.h"

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)

static xta__file_ranges ranges;

static void begin(uint64_t unit, uint64_t phase)
{
    memset(&ranges, 0, sizeof ranges);
    ranges.unit = unit;
    ranges.phase = phase;
}

/* One contiguous range of bytes. */
static bool add_bytes(uint64_t at, uint64_t n, uint64_t turn, uint64_t *bytes)
{
    const xta__file_cells cells = {.ndim = 0, .begin = at, .cell_bytes = (size_t)n};

    return xta__ranges_add(&ranges, &cells, turn, bytes);
}

static void expect_range(size_t k, uint64_t from, uint64_t to, uint64_t turn)
{
    assert_true(k < ranges.n);
    assert_int_equal(ranges.items[k].begin, from);
    assert_int_equal(ranges.items[k].end, to);
    assert_int_equal(ranges.items[k].turn, turn);
}

/* Chunks of 64^3 doubles: planes of each axis, and of each 200th row of a chunk of 1 GiB. */
static void test_shapes(void **state)
{
    (void)state;
    const ptrdiff_t stride[3] = {32768, 512, 8};
    const struct {
        size_t count[3];
        uint64_t span;
    } planes[] = {{{1, 64, 64}, 32768},
                  {{64, 1, 64}, 63 * 32768 + 512},
                  {{64, 64, 1}, 63 * 32768 + 63 * 512 + 8}};

    for (size_t k = 0; k < sizeof planes / sizeof planes[0]; k++) {
        const xta__file_cells cells = {.ndim = 3,
                                       .begin = 4 * MIB + 8,
                                       .cell_bytes = 8,
                                       .count = planes[k].count,
                                       .stride = stride};
        uint64_t bytes = 0;
        begin(2 * MIB, 0);
        assert_true(xta__ranges_add(&ranges, &cells, 7, &bytes));
        xta__ranges_order(&ranges);
        assert_int_equal(ranges.n, 1);
        expect_range(0, 4 * MIB + 8, 4 * MIB + 8 + planes[k].span, 7);
        assert_int_equal(bytes, 2 * MIB);
    }
}

/* Rows of one large chunk that are further apart than a unit are separate ranges; others are
 * not. */
static void test_large_chunk(void **state)
{
    (void)state;
    const size_t count[2] = {4, 100};
    const ptrdiff_t near[2] = {(ptrdiff_t)(2 * MIB + 799), 8}, far[2] = {3 * (ptrdiff_t)MIB, 8};
    uint64_t bytes = 0;
    xta__file_cells cells = {
        .ndim = 2, .begin = 0, .cell_bytes = 8, .count = count, .stride = near};

    begin(2 * MIB, 0);
    assert_true(xta__ranges_add(&ranges, &cells, 0, &bytes));
    assert_int_equal(ranges.n, 1);
    expect_range(0, 0, 3 * (2 * MIB + 799) + 800, 0);
    cells.stride = far;
    begin(2 * MIB, 0);
    bytes = 0;
    assert_true(xta__ranges_add(&ranges, &cells, 0, &bytes));
    assert_int_equal(ranges.n, 4);
    for (size_t k = 0; k < 4; k++) {
        expect_range(k, k * 3 * MIB, k * 3 * MIB + 800, 0);
    }
    assert_int_equal(bytes, 8 * MIB);
}

/* Chunks are added in read order; ranges come out in file order. */
static void test_order(void **state)
{
    (void)state;
    uint64_t bytes = 0;

    begin(MIB, 0);
    assert_true(add_bytes(9 * MIB, MIB, 0, &bytes));
    assert_true(add_bytes(2 * MIB, MIB, 1, &bytes));
    assert_true(add_bytes(8 * MIB, MIB, 2, &bytes));
    assert_true(add_bytes(5 * MIB, 1, 3, &bytes)); // 2 MiB after the previous one
    assert_int_equal(bytes, 4 * MIB);
    xta__ranges_order(&ranges);
    assert_int_equal(ranges.n, 3);
    expect_range(0, 2 * MIB, 3 * MIB, 1);
    expect_range(1, 5 * MIB, 5 * MIB + 1, 3);
    expect_range(2, 8 * MIB, 10 * MIB, 2);
}

/* Pieces end at the ends of units, whatever the offset of address 0. */
static void test_cuts(void **state)
{
    (void)state;
    uint64_t bytes = 0;

    begin(2 * MIB, 4096);
    assert_true(add_bytes(MIB, 4 * MIB, 0, &bytes));
    assert_int_equal(bytes, 6 * MIB);
    xta__file_range range = ranges.items[0];
    assert_int_equal(range.begin = xta__range_cut(&ranges, &range), 2 * MIB - 4096);
    assert_int_equal(range.begin = xta__range_cut(&ranges, &range), 4 * MIB - 4096);
    assert_int_equal(xta__range_cut(&ranges, &range), 5 * MIB);
}

/* A run may continue over several batches; a gap ends it. */
static void test_runs(void **state)
{
    (void)state;
    uint64_t bytes = 0;

    begin(2 * MIB, 0);
    for (uint64_t k = 0; k < 8; k++) {
        ranges.n = 0;
        assert_true(add_bytes(k * 16 * MIB, 16 * MIB, k, &bytes));
        xta__ranges_order(&ranges);
        assert_int_equal(ranges.items[0].run, (k + 1) * 16 * MIB >= XTA__RUN_BYTES);
    }
    ranges.n = 0;
    assert_true(add_bytes(8 * 16 * MIB + 2 * MIB, 16 * MIB, 8, &bytes));
    xta__ranges_order(&ranges);
    assert_false(ranges.items[0].run);
}

/* Ranges beyond the capacity are not planned, and no planned range is lost. */
static void test_bounded(void **state)
{
    (void)state;
    uint64_t bytes = 0;

    begin(64 * KIB, 0);
    for (uint64_t k = 0; k < XTA__MOST_RANGES; k++) {
        assert_true(add_bytes(k * 200 * KIB, 8, k, &bytes));
    }
    assert_false(add_bytes(XTA__MOST_RANGES * 200 * KIB, 8, 1000, &bytes));
    assert_int_equal(ranges.n, XTA__MOST_RANGES);
    assert_int_equal(bytes, XTA__MOST_RANGES * 64 * KIB);
}

/* Mark the units of all cells of a part, one by one. */
static void mark_naively(const xta__file_cells *cells, bool units[], size_t n_units)
{
    size_t index[XTA_MAX_NDIM] = {0};
    int axis;

    do {
        uint64_t at = cells->begin;
        for (int k = 0; k < cells->ndim; k++) {
            at += index[k] * (uint64_t)cells->stride[k];
        }
        for (uint64_t byte = at; byte < at + cells->cell_bytes; byte++) {
            uint64_t unit = (byte + ranges.phase) / ranges.unit;
            assert_true(unit < n_units);
            units[unit] = true;
        }
        for (axis = 0; axis < cells->ndim && ++index[axis] == cells->count[axis]; axis++) {
            index[axis] = 0;
        }
    } while (axis < cells->ndim);
}

static void check_units(const bool wanted[], size_t n_units)
{
    bool *fetched = calloc(n_units, 1);

    assert_non_null(fetched);
    for (size_t k = 0; k < ranges.n; k++) {
        xta__file_range range = ranges.items[k];
        assert_true(k == 0 || range.begin > ranges.items[k - 1].end);
        while (range.begin < range.end) {
            uint64_t unit = (range.begin + ranges.phase) / ranges.unit;
            uint64_t end = xta__range_cut(&ranges, &range);
            assert_true(end > range.begin && (end - 1 + ranges.phase) / ranges.unit == unit);
            assert_false(fetched[unit] && end - range.begin == ranges.unit);
            fetched[unit] = true;
            range.begin = end;
        }
    }
    assert_memory_equal(fetched, wanted, n_units);
    free(fetched);
}

/* Exactly the units that contain a requested cell, whatever strides, steps, counts and phase. */
static void test_random_cells(void **state)
{
    (void)state;
    enum { N_UNITS = 4096, ROUNDS = 4000 };
    static bool wanted[N_UNITS];
    test_random random = test_random_make(test_seed("test_plan_ahead", 1), 0);

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t bytes = 0;
        int n_chunks = (int)test_random_in(&random, 1, 5);
        begin((uint64_t)test_random_in(&random, 1, 300), 0);
        ranges.phase = (uint64_t)test_random_in(&random, 0, (int64_t)ranges.unit - 1);
        memset(wanted, 0, sizeof wanted);
        for (int k = 0; k < n_chunks; k++) {
            size_t count[3];
            ptrdiff_t stride[3], length = test_random_in(&random, 1, 9);
            const xta__file_cells cells = {.ndim = 3,
                                           .begin = (uint64_t)test_random_in(&random, 0, 2000),
                                           .cell_bytes = (size_t)length,
                                           .count = count,
                                           .stride = stride};
            for (int axis = 0; axis < 3; axis++) {
                count[axis] = (size_t)test_random_in(&random, 1, 4);
                stride[axis] = length * test_random_in(&random, 1, 3);
                length = stride[axis] * (ptrdiff_t)count[axis];
            }
            uint64_t before = ranges.n;
            assert_true(xta__ranges_add(&ranges, &cells, (uint64_t)k, &bytes));
            assert_true(ranges.n >= before);
            mark_naively(&cells, wanted, N_UNITS);
        }
        xta__ranges_order(&ranges);
        check_units(wanted, N_UNITS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),       cmocka_unit_test(test_large_chunk),
        cmocka_unit_test(test_order),        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_runs),         cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_random_cells),
    };

    return cmocka_run_group_tests_name("plan/ahead", tests, NULL, NULL);
}
