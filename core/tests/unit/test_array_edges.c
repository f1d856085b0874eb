/* Growth by zero cells, a sparse array in memory, many addresses in one call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/resident.h"

static test_folder base;
static char path[TEST_PATH_BYTES];

static int begin(void **state)
{
    (void)state;
    test_folder_make(&base);
    test_folder_join(&base, "a", path);
    return 0;
}

static int end(void **state)
{
    (void)state;
    test_folder_remove(&base);
    return 0;
}

static void create(const int64_t bounds[2], const int64_t chunk[2], xta_array **array)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_error err = {0};

    options.chunk = chunk;
    if (xta_array_create(path, XTA_F64, 2, bounds, &options, array, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
}

static uint64_t steps_of(xta_array *array)
{
    xta_array_info info;
    xta_error err = {0};

    assert_int_equal(xta_array_inquire(array, &info, &err), XTA_OK);
    return info.n_steps;
}

/* A call that changes nothing adds no step to the history. */
static void test_nothing(void **state)
{
    const int64_t bounds[2] = {4, 4}, chunk[2] = {2, 2};
    const xta_growth none[2] = {{.axis = 0, .side = XTA_BACK, .by = 0},
                                {.axis = 1, .side = XTA_FRONT, .by = 0}};
    const xta_growth some[2] = {none[0], {.axis = 1, .side = XTA_FRONT, .by = 1}};
    xta_array *array = NULL;
    xta_box after = {0};
    xta_error err = {0};
    double cell = 0;

    (void)state;
    create(bounds, chunk, &array);
    uint64_t before = steps_of(array);
    assert_int_equal(xta_array_extend(array, none, 2, &after, &err), XTA_OK);
    assert_int_equal(after.hi[0], 4);
    assert_int_equal(xta_array_shrink(array, none, 2, &after, &err), XTA_OK);
    assert_int_equal(xta_array_append(array, none, NULL, &cell, &after, &err), XTA_OK);
    const xta_array_growth group = {.array = array, .growths = none, .n_growths = 2};
    memset(&after, 0, sizeof after);
    assert_int_equal(xta_arrays_extend(&group, 1, &after, &err), XTA_OK);
    assert_int_equal(after.hi[1], 4);
    assert_int_equal(steps_of(array), before);
    assert_int_equal(xta_array_extend(array, some, 2, &after, &err), XTA_OK);
    assert_int_equal(after.lo[1], -1);
    assert_int_equal(steps_of(array), before + 1);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

/* 4 TiB of holes and two cells: memory is allocated only for chunks with cells. */
static void test_sparse(void **state)
{
    const int64_t bounds[2] = {1 << 20, 1 << 19}, chunk[2] = {64, 64};
    const int64_t corner[2] = {(1 << 20) - 1, (1 << 19) - 1}, middle[2] = {12345, 54321};
    const double one = 1, two = 2;
    double cell = -1;
    xta_array *array = NULL, *loaded = NULL;
    xta_error err = {0};

    (void)state;
    create(bounds, chunk, &array);
    assert_int_equal(xta_array_put(array, corner, &one, &err), XTA_OK);
    assert_int_equal(xta_array_put(array, middle, &two, &err), XTA_OK);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    if (xta_array_load(path, &loaded, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(xta_array_get(loaded, corner, &cell, &err), XTA_OK);
    assert_true(cell == one);
    assert_int_equal(xta_array_get(loaded, middle, &cell, &err), XTA_OK);
    assert_true(cell == two);
    assert_int_equal(xta_array_get(loaded, (const int64_t[2]){7, 7}, &cell, &err), XTA_OK);
    assert_true(cell == 0);
    assert_int_equal(xta_array_close(loaded, &err), XTA_OK);
}

/* 64 MiB in memory, in chunks of 1,000 bytes, which no page and no window ends with: a shrink frees
 * them, and does not allocate what was never written. Cells that come back are fill. */
static void test_shrunk_memory(void **state)
{
    const int64_t n = 64 << 20, kept = 12345, chunk = 1000;
    const xta_growth front = {0, XTA_FRONT, n - kept}, back = {0, XTA_BACK, n};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const uint8_t fill = 7, seven_off = 200;
    xta_array *array = NULL;
    xta_error err = {0};
    uint8_t *cells = malloc((size_t)n);

    (void)state;
    assert_non_null(cells);
    options.chunk = &chunk;
    options.fill = &fill;
    assert_int_equal(xta_array_new(XTA_U8, 1, &n, &options, &array, &err), XTA_OK);
    xta_box box = xta_array_bounds(array), left = box;
    assert_int_equal(xta_array_fill(array, &box, &seven_off, &err), XTA_OK);
    long full = test_resident();
    left.lo[0] = n - kept;
    assert_int_equal(xta_array_shrink(array, &front, 1, NULL, &err), XTA_OK);
    assert_true(full - test_resident() > 48L << 20);
    assert_int_equal(xta_array_read(array, &left, NULL, cells, &err), XTA_OK);
    for (int64_t k = 0; k < kept; k++) {
        assert_int_equal(cells[k], seven_off);
    }
    assert_int_equal(xta_array_extend(array, &front, 1, NULL, &err), XTA_OK);
    assert_int_equal(xta_array_read(array, &box, NULL, cells, &err), XTA_OK);
    for (int64_t k = 0; k < n; k++) {
        if (cells[k] != (k < n - kept ? fill : seven_off)) {
            fail_msg("cell %ld is %d", (long)k, cells[k]);
        }
    }
    // As much again that nobody touches.
    full = test_resident();
    assert_int_equal(xta_array_extend(array, &back, 1, NULL, &err), XTA_OK);
    assert_int_equal(xta_array_shrink(array, &back, 1, NULL, &err), XTA_OK);
    assert_true(test_resident() - full < 16L << 20);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    free(cells);
}

static void test_addresses(void **state)
{
    enum { N = 5000 };
    const int64_t bounds[2] = {3, 3}, chunk[2] = {1, 1};
    static int64_t chunks[N][2];
    static uint64_t addresses[N];
    xta_array *array = NULL;
    xta_error err = {0};

    (void)state;
    create(bounds, chunk, &array);
    for (int k = 0; k < 40; k++) {
        const xta_growth growth = {k % 2, k % 3 == 0 ? XTA_FRONT : XTA_BACK, 1};
        assert_int_equal(xta_array_extend(array, &growth, 1, NULL, &err), XTA_OK);
    }
    const xta_box box = xta_array_bounds(array);
    for (int k = 0; k < N; k++) {
        chunks[k][0] = box.lo[0] + k % (box.hi[0] - box.lo[0]);
        chunks[k][1] = box.lo[1] + k / 7 % (box.hi[1] - box.lo[1]);
    }
    assert_int_equal(xta_array_chunk_addresses(array, N, chunks[0], addresses, &err), XTA_OK);
    for (int k = 0; k < N; k++) {
        uint64_t address = UINT64_MAX;
        assert_int_equal(xta_array_chunk_address(array, chunks[k], &address, &err), XTA_OK);
        assert_int_equal(address, addresses[k]);
    }
    chunks[4321][1] = box.hi[1];
    assert_int_equal(xta_array_chunk_addresses(array, N, chunks[0], addresses, &err), XTA_EBOX);
    assert_non_null(strstr(err.text, "outside the allocated box"));
    assert_int_equal(xta_array_chunk_addresses(array, 0, NULL, NULL, &err), XTA_OK);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_sparse, begin, end),
        cmocka_unit_test(test_shrunk_memory),
        cmocka_unit_test_setup_teardown(test_addresses, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
