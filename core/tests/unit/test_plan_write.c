/* The result of xta_array_plan_write against a walk over every cell of the box: chunks, whole ones,
 * and runs of contiguous cells; and how the methods change as the handle learns the state of the
 * file.
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

#include "support/folder.h"
#include "support/must.h"
#include "support/random.h"
#include "util/os.h"
#include "xta/io_plan.h"

enum { NDIM = 3, STEPS = 300 };

static const int64_t bounds[NDIM] = {19, 17, 23};
static const int64_t chunk[NDIM] = {4, 8, 6};

static char path[TEST_PATH_BYTES];
static xta_error err;

/* The position of a cell as one number, greater by one for the next cell in the chunk. */
static uint64_t place_of(xta_array *array, const int64_t coord[], uint64_t *address)
{
    xta_location at;

    test_must(xta_array_locate(array, coord, &at, &err), &err);
    *address = at.address;
    return at.address * 1000 + at.position;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Chunks, whole chunks and runs, cell by cell. */
static void count_naively(xta_array *array, const xta_box *box, const int64_t step[],
                          xta_io_share *share, uint64_t *n_whole)
{
    static uint64_t positions[19 * 17 * 23];
    uint64_t n = 0, address = 0, in_chunk = 0;

    for (int64_t x = box->lo[0]; x < box->hi[0]; x += step[0]) {
        for (int64_t y = box->lo[1]; y < box->hi[1]; y += step[1]) {
            for (int64_t z = box->lo[2]; z < box->hi[2]; z += step[2]) {
                positions[n++] = place_of(array, (int64_t[]){x, y, z}, &address);
            }
        }
    }
    qsort(positions, n, sizeof positions[0], by_number);
    *share = (xta_io_share){.n_bytes = 4 * n};
    *n_whole = 0;
    for (uint64_t k = 0; k < n; k++) {
        bool same = k > 0 && positions[k] / 1000 == positions[k - 1] / 1000;
        share->n_chunks += !same;
        share->n_rows += !same || positions[k] != positions[k - 1] + 1;
        in_chunk = same ? in_chunk + 1 : 1;
        *n_whole += in_chunk == 4 * 8 * 6;
    }
}

static xta_array *make_array(xta_order order, xta_access access)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    test_folder_join(&test_group_folder, "a", path);
    options.chunk = chunk;
    options.order = order;
    options.access = access;
    test_must(xta_array_create(path, XTA_I32, NDIM, bounds, &options, &array, &err), &err);
    return array;
}

static void remove_array(xta_array *array)
{
    test_must(xta_array_close(array, &err), &err);
    test_pair_remove(path);
}

static void check_plan(xta_array *array, test_random *random)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    xta_io_share naive, sum = {0};
    uint64_t n_whole = 0;
    int64_t step[NDIM];
    xta_io_plan plan;
    xta_box box = {.ndim = NDIM};

    for (int axis = 0; axis < NDIM; axis++) {
        box.lo[axis] = test_random_in(random, 0, bounds[axis] - 1);
        box.hi[axis] = test_random_in(random, box.lo[axis] + 1, bounds[axis]);
        step[axis] = test_random_chance(random, 25) ? 2 : 1;
    }
    options.step = step;
    test_must(xta_array_plan_write(array, &box, &options, &plan, &err), &err);
    count_naively(array, &box, step, &naive, &n_whole);
    assert_int_equal(plan.total.n_bytes, naive.n_bytes);
    assert_int_equal(plan.total.n_chunks, naive.n_chunks);
    assert_int_equal(plan.total.n_rows, naive.n_rows);
    assert_int_equal(plan.n_whole, n_whole);
    for (int m = 0; m < XTA_IO_METHODS; m++) {
        sum.n_chunks += plan.by_method[m].n_chunks;
        sum.n_rows += plan.by_method[m].n_rows;
        sum.n_bytes += plan.by_method[m].n_bytes;
    }
    assert_memory_equal(&sum, &plan.total, sizeof sum);
}

static void counts_are_those_of_cells(void **state)
{
    static const xta_order orders[] = {XTA_ROW, XTA_COLUMN};
    uint64_t seed = test_seed("test_plan_write", 20261123);
    (void)state;

    for (size_t k = 0; k < 2; k++) {
        test_random random = test_random_make(seed, k);
        xta_array *array = make_array(orders[k], XTA_ACCESS_MAPPED);
        for (uint64_t n = test_scale(STEPS); n > 0; n--) {
            check_plan(array, &random);
        }
        remove_array(array);
    }
}

static xta_io_method method_of(xta_array *array, const xta_box *box)
{
    xta_io_plan plan;
    int method = 0;

    test_must(xta_array_plan_write(array, box, NULL, &plan, &err), &err);
    while (plan.by_method[method].n_chunks == 0) {
        method++;
    }
    assert_int_equal(plan.by_method[method].n_chunks, plan.total.n_chunks);
    return (xta_io_method)method;
}

/* One cell: written by a call at first, in place once its page has been written twice. */
static void the_plan_knows_what_was_written(void **state)
{
    const xta_box cell = {.ndim = NDIM, .lo = {1, 2, 3}, .hi = {2, 3, 4}};
    const int32_t value = 7;
    (void)state;

    xta_array *array = make_array(XTA_ROW, XTA_ACCESS_MAPPED);
    assert_int_equal(method_of(array, &cell), XTA_IO_ROWS);
    assert_int_equal(method_of(array, &cell), XTA_IO_ROWS);
    for (int k = 0; k < 3; k++) {
        test_must(xta_array_write(array, &cell, NULL, &value, &err), &err);
    }
    assert_int_equal(method_of(array, &cell), XTA_IO_IN_PLACE);
    test_must(xta_array_sync(array, &err), &err);
    assert_int_equal(method_of(array, &cell), XTA_IO_ROWS);
    remove_array(array);

    array = make_array(XTA_ROW, XTA_ACCESS_CACHED);
    assert_int_equal(method_of(array, &cell), XTA_IO_CACHE);
    remove_array(array);
}

static uint32_t btrfs(int fd)
{
    (void)fd;
    return 0x9123683e;
}

/* On btrfs a handle that reads may be mapped, and one that writes has a chunk cache. */
static void a_reader_reports_writers(void **state)
{
    const xta_box all = {.ndim = NDIM, .hi = {19, 17, 23}};
    xta__os_calls calls = *xta__os();
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = make_array(XTA_ROW, XTA_ACCESS_AUTO);
    xta_array_info info;
    xta_io_plan plan;
    (void)state;

    test_must(xta_array_close(array, &err), &err);
    calls.file_system = btrfs;
    xta__os_replace(&calls);
    for (int writable = 0; writable < 2; writable++) {
        options.writable = writable == 1;
        test_must(xta_array_open(path, &options, &array, &err), &err);
        test_must(xta_array_inquire(array, &info, &err), &err);
        assert_int_equal(info.mapped, writable == 0);
        test_must(xta_array_plan_write(array, &all, NULL, &plan, &err), &err);
        assert_int_equal(plan.access, XTA_ACCESS_CACHED);
        assert_int_equal(plan.by_method[XTA_IO_CACHE].n_chunks, plan.total.n_chunks);
        test_must(xta_array_close(array, &err), &err);
    }
    xta__os_replace(NULL);
    test_pair_remove(path);
}

static void errors_and_names(void **state)
{
    const xta_box beyond = {.ndim = NDIM, .lo = {0, 0, 0}, .hi = {1, 1, 24}};
    const xta_box none = {.ndim = NDIM, .lo = {0, 0, 0}, .hi = {0, 1, 1}};
    xta_io_plan plan;
    (void)state;

    xta_array *array = make_array(XTA_ROW, XTA_ACCESS_MAPPED);
    assert_int_equal(xta_array_plan_write(array, &beyond, NULL, &plan, &err), XTA_EBOX);
    test_must(xta_array_plan_write(array, &none, NULL, &plan, &err), &err);
    assert_int_equal(plan.total.n_chunks, 0);
    remove_array(array);
    assert_string_equal(xta_io_method_name(XTA_IO_STREAM), "stream");
    assert_string_equal(xta_io_method_name(XTA_IO_CACHE), "cache");
    assert_string_equal(xta_io_method_name((xta_io_method)XTA_IO_METHODS), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_cells),
        cmocka_unit_test(the_plan_knows_what_was_written),
        cmocka_unit_test(a_reader_reports_writers),
        cmocka_unit_test(errors_and_names),
    };
    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
