/* Parts of the server that need no client: ranges, hosts, the memory of answers, keys of chunks.
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

#include <xta/zarr_view.h>

#include "serve/budget.h"
#include "serve/byte_range.h"
#include "serve/client_host.h"
#include "support/folder.h"
#include "support/must.h"
#include "zarr/pin.h"

static void ranges(void **state)
{
    static const struct {
        const char *header;
        uint64_t size;
        byte_range kind;
        uint64_t from, n;
    } cases[] = {
        {NULL, 10, BYTES_ALL, 0, 0},
        {"bytes=0-0", 10, BYTES_PART, 0, 1},
        {"bytes=0-", 10, BYTES_PART, 0, 10},
        {"bytes=9-", 10, BYTES_PART, 9, 1},
        {"bytes=10-", 10, BYTES_NONE, 0, 0},
        {"bytes=3-5", 10, BYTES_PART, 3, 3},
        {"bytes=3-99999999999999999999999", 10, BYTES_PART, 3, 7},
        {"bytes=99999999999999999999999-", 10, BYTES_NONE, 0, 0},
        {"bytes=18446744073709551615-18446744073709551615", UINT64_MAX, BYTES_NONE, 0, 0},
        {"bytes=18446744073709551614-", UINT64_MAX, BYTES_PART, UINT64_MAX - 1, 1},
        {"bytes=-3", 10, BYTES_PART, 7, 3},
        {"bytes=-30", 10, BYTES_PART, 0, 10},
        {"bytes=-0", 10, BYTES_NONE, 0, 0},
        {"bytes=-1", 0, BYTES_NONE, 0, 0},
        {"bytes=0-0", 0, BYTES_NONE, 0, 0},
        {"bytes=5-3", 10, BYTES_ALL, 0, 0},
        {"bytes=0-1,3-4", 10, BYTES_ALL, 0, 0},
        {"bytes=", 10, BYTES_ALL, 0, 0},
        {"bytes=-", 10, BYTES_ALL, 0, 0},
        {"bytes=--1", 10, BYTES_ALL, 0, 0},
        {"bytes=a-1", 10, BYTES_ALL, 0, 0},
        {"bytes=1-a", 10, BYTES_ALL, 0, 0},
        {"bytes = 1-2", 10, BYTES_ALL, 0, 0},
        {"items=1-2", 10, BYTES_ALL, 0, 0},
        {"", 10, BYTES_ALL, 0, 0},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        uint64_t from = 0, n = 0;
        byte_range kind = xta__byte_range(cases[k].header, cases[k].size, &from, &n);
        if (kind != cases[k].kind || from != cases[k].from || n != cases[k].n) {
            fail_msg("%s: %d, %llu, %llu", cases[k].header, kind, (unsigned long long)from,
                     (unsigned long long)n);
        }
    }
}

static void hosts(void **state)
{
    static const char *const ours[] = {"localhost",   "LocalHost:80", "127.0.0.1",
                                       "127.9.9.9:1", "[::1]",        "[::1]:8420"};
    static const char *const others[] = {"localhost.evil", "evil.localhost", "127.0.0.1.evil",
                                         "128.0.0.1",      "1127.0.0.1",     "127.0.0",
                                         "[::2]",          "[::1",           "127.a.0.1"};
    static const char *const invalid[] = {"", "a b", "a\r\nb", "a/b", "a\"b", "<x>", "a@b"};

    (void)state;
    for (size_t k = 0; k < sizeof ours / sizeof ours[0]; k++) {
        assert_true(xta__host_is_valid(ours[k]) && xta__host_is_loopback(ours[k]));
    }
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        assert_false(xta__host_is_loopback(others[k]));
    }
    for (size_t k = 0; k < sizeof invalid / sizeof invalid[0]; k++) {
        assert_false(xta__host_is_valid(invalid[k]));
    }
}

static void budgets(void **state)
{
    serve_budget budget;

    (void)state;
    xta__budget_init(&budget, 100);
    assert_false(xta__budget_reserve(&budget, 101, 0));
    assert_true(xta__budget_reserve(&budget, 60, 0));
    assert_false(xta__budget_reserve(&budget, 60, 0)); // not in time
    xta__budget_release(&budget, 60);
    assert_true(xta__budget_reserve(&budget, 100, 0));
    xta__budget_close(&budget);
    xta__budget_release(&budget, 100);
    assert_false(xta__budget_reserve(&budget, 1, 0)); // the server ends
    xta__budget_clear(&budget);
}

static void pins(void **state)
{
    static const char *const none[] = {"",
                                       "a",
                                       "a=",
                                       "a=0",
                                       "a=0:",
                                       "=0:1",
                                       "a=1:0",
                                       "a=0:1,",
                                       ",a=0:1",
                                       "a=0:1:2",
                                       "a=+0:1",
                                       "a= 0:1",
                                       "a=0x0:1",
                                       "a=:1",
                                       "a=--1:0",
                                       "a=0:1;b=",
                                       "a=0:4611686018427387905"};
    uint64_t step = 0;
    view_bounds bounds;

    (void)state;
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++) {
        if (xta__pin_read(none[k], &bounds) != XTA_EARG) {
            fail_msg("%s: is a pin", none[k]);
        }
        xta__pin_clear(&bounds);
    }
    assert_int_equal(xta__pin_read("time=-3:120,lat=0:180", &bounds), XTA_OK);
    assert_int_equal(bounds.n, 2);
    assert_string_equal(bounds.bounds[0].dimension, "time");
    assert_true(bounds.bounds[0].lo == -3 && bounds.bounds[1].hi == 180);
    xta__pin_clear(&bounds);
    assert_true(xta__pin_read_step("17", &step) && step == 17);
    assert_false(xta__pin_read_step("017", &step) || xta__pin_read_step("-1", &step) ||
                 xta__pin_read_step("", &step) || xta__pin_read_step("-0", &step) ||
                 xta__pin_read_step("1 ", &step));
}

/* What the keys of a small array hold, also where its front lies inside a chunk. */
static void keys(void **state)
{
    static const char *const none[] = {
        "a/0",  "a/0.0.0",         "a/00.0",          "a/2.0",     "a/0.3",     "b/0.0",
        "a/n1", "a/n000000000006", "a/n00000000000x", "a/.zgroup", "zarr.json", "a/c/0/0",
        ""};
    const int64_t bounds[2] = {3, 5}, chunk[2] = {3, 2}, first[2] = {-1, 0};
    const char *path = test_folder_path(&test_group_folder, "a");
    const xta_growth growth = {.axis = 0, .side = XTA_FRONT, .by = 1};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_zarr_view *view = NULL;
    unsigned char *bytes = NULL;
    size_t n = 0;
    xta_error err;
    uint16_t cell = 77, cells[6];

    (void)state;
    options.chunk = chunk;
    test_must(xta_array_create(path, XTA_U16, 2, bounds, &options, &array, &err), &err);
    test_must(xta_array_extend(array, &growth, 1, NULL, &err), &err);
    test_must(xta_array_put(array, first, &cell, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    test_must(xta_zarr_view_open(path, NULL, &view, &err), &err);
    assert_string_equal(xta_zarr_view_pin(view), "1");
    for (int version = 2; version <= 3; version++) {
        const char *key = version == 2 ? "a/0.0" : "a/c/0/0";
        test_must(xta_zarr_view_get(view, version, key, &bytes, &n, &err), &err);
        assert_int_equal(n, sizeof cells);
        memcpy(cells, bytes, n);
        assert_true(cells[0] == 77 && cells[1] == 0 && cells[5] == 0);
        free(bytes);
        test_must(xta_zarr_view_get(view, version, "a/n000000000005", &bytes, &n, &err), &err);
        free(bytes);
    }
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++) {
        if (xta_zarr_view_get(view, 2, none[k], &bytes, &n, &err) != XTA_ENOENT) {
            fail_msg("%s: is a key", none[k]);
        }
        assert_int_equal(xta_zarr_view_chunk_bytes(view, 2, none[k]), 0);
    }
    assert_int_equal(xta_zarr_view_get(view, 4, "zarr.json", &bytes, &n, &err), XTA_EARG);
    xta_zarr_view_close(view);
    assert_int_equal(xta_zarr_view_open(path, "2", &view, &err), XTA_ENOENT);
    assert_null(view);
    assert_int_equal(xta_zarr_view_open(path, "x", &view, &err), XTA_EARG);
    test_must(xta_zarr_view_open(path, "0", &view, &err), &err);
    assert_int_equal(xta_zarr_view_get(view, 2, "a/0.0", &bytes, &n, &err), XTA_OK);
    free(bytes);
    xta_zarr_view_close(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges), cmocka_unit_test(hosts), cmocka_unit_test(budgets),
        cmocka_unit_test(pins),   cmocka_unit_test(keys),
    };
    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
