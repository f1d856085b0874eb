/* <xta/replacement.h>: a new pair of files in the place of an old one, or nothing.
 *
 * Loss of power is tested in rechunk/tests/faults/test_replacement_power.c, links and owners are in
 * test_array_paths.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/replacement.h>

#include "support/folder.h"

#define N 40

static test_folder base;
static char path[4200], sibling[4200];
static xta_error err;

static int begin(void **state)
{
    (void)state;
    test_folder_make(&base);
    snprintf(path, sizeof path, "%s/a", base.path);
    snprintf(sibling, sizeof sibling, "%s/a.rechunk.xmd", base.path);
    return 0;
}

static int end(void **state)
{
    (void)state;
    test_folder_remove(&base);
    return 0;
}

static void ok(xta_status status)
{
    if (status != XTA_OK) {
        fail_msg("%s", err.text);
    }
}

static void fill_cells(xta_array *array, int32_t first)
{
    const xta_box bounds = xta_array_bounds(array);
    int32_t cells[N];

    for (int k = 0; k < N; k++) {
        cells[k] = first + k;
    }
    ok(xta_array_write(array, &bounds, NULL, cells, &err));
}

static void make_array(void)
{
    const int64_t bounds[1] = {N}, chunk[1] = {8};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    options.chunk = chunk;
    ok(xta_array_create(path, XTA_I32, 1, bounds, &options, &array, &err));
    fill_cells(array, 100);
    ok(xta_array_close(array, &err));
}

/* The array at the path has chunks of this shape, and its first cell has this value. */
static void check_array(int64_t chunk, int32_t first)
{
    xta_array *array = NULL;
    xta_array_info info;
    int32_t cells[N];

    ok(xta_array_open(path, NULL, &array, &err));
    const xta_box bounds = xta_array_bounds(array);
    ok(xta_array_inquire(array, &info, &err));
    assert_int_equal(info.chunk[0], chunk);
    ok(xta_array_read(array, &bounds, NULL, cells, &err));
    assert_int_equal(cells[0], first);
    assert_int_equal(cells[N - 1], first + N - 1);
    ok(xta_array_close(array, &err));
}

static xta_status create(xta_replacement *r, int64_t length, xta_array **fresh)
{
    const int64_t chunk[1] = {length};
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;

    changes.chunk = chunk;
    return xta_replacement_create(r, &changes, fresh, &err);
}

static xta_status resume(xta_replacement *r, int64_t length, xta_array **fresh)
{
    const int64_t chunk[1] = {length};
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;

    changes.chunk = chunk;
    return xta_replacement_resume(r, &changes, fresh, &err);
}

static void put_notes(const xta_replacement *r)
{
    test_file_write(xta_replacement_notes_path(r), "notes", 5);
}

static void committed(void **state)
{
    xta_replacement *r = NULL;
    xta_array *fresh = NULL;

    (void)state;
    make_array();
    ok(xta_replacement_begin(path, &r, &err));
    ok(create(r, 5, &fresh));
    fill_cells(fresh, 200);
    check_array(8, 100);
    ok(xta_replacement_commit(r, &err));
    xta_replacement_end(r, false);
    check_array(5, 200);
    assert_int_equal(access(sibling, F_OK), -1);
}

static void given_up(void **state)
{
    xta_replacement *r = NULL;
    xta_array *fresh = NULL;

    (void)state;
    make_array();
    ok(xta_replacement_begin(path, &r, &err));
    ok(create(r, 5, &fresh));
    put_notes(r);
    assert_int_equal(access(sibling, F_OK), 0);
    xta_replacement_end(r, false);
    assert_int_equal(access(sibling, F_OK), -1);
    check_array(8, 100);

    // Nothing was kept, so nothing can be resumed.
    ok(xta_replacement_begin(path, &r, &err));
    ok(resume(r, 5, &fresh));
    assert_null(fresh);
    assert_int_equal(xta_replacement_commit(r, &err), XTA_ESTATE);
    xta_replacement_end(r, false);
    check_array(8, 100);
    xta_replacement_end(NULL, true);
}

static void kept_and_resumed(void **state)
{
    xta_replacement *r = NULL;
    xta_array *fresh = NULL;

    (void)state;
    make_array();
    ok(xta_replacement_begin(path, &r, &err));
    ok(create(r, 5, &fresh));
    fill_cells(fresh, 300);
    put_notes(r);
    uint64_t stamp = xta_replacement_stamp(r);
    xta_replacement_end(r, true);
    check_array(8, 100);

    ok(xta_replacement_begin(path, &r, &err));
    assert_true(xta_replacement_stamp(r) == stamp);
    // A request for other chunks cannot resume what was kept.
    ok(resume(r, 6, &fresh));
    assert_null(fresh);
    ok(resume(r, 5, &fresh));
    assert_non_null(fresh);
    ok(xta_replacement_commit(r, &err));
    xta_replacement_end(r, false);
    check_array(5, 300);
}

static void created_twice(void **state)
{
    xta_replacement *r = NULL;
    xta_array *fresh = NULL;

    (void)state;
    make_array();
    ok(xta_replacement_begin(path, &r, &err));
    ok(create(r, 5, &fresh));
    ok(create(r, 7, &fresh));
    fill_cells(fresh, 400);
    ok(xta_replacement_commit(r, &err));
    xta_replacement_end(r, false);
    check_array(7, 400);
}

/* Cells written meanwhile would be lost. */
static void written_meanwhile(void **state)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_replacement *r = NULL;
    xta_array *fresh = NULL, *writer = NULL;

    (void)state;
    make_array();
    options.writable = true;
    ok(xta_array_open(path, &options, &writer, &err));
    ok(xta_replacement_begin(path, &r, &err));
    ok(create(r, 5, &fresh));
    fill_cells(fresh, 100);
    fill_cells(writer, 500);
    assert_int_equal(xta_replacement_commit(r, &err), XTA_ESTATE);
    assert_non_null(strstr(err.text, "cells were written"));
    xta_replacement_end(r, false);
    ok(xta_array_close(writer, &err));
    check_array(8, 500);
    assert_int_equal(access(sibling, F_OK), -1);
}

static void refused(void **state)
{
    xta_replacement *r = NULL;
    char other[4200];

    (void)state;
    assert_int_equal(xta_replacement_begin(path, &r, &err), XTA_ENOENT);
    assert_null(r);
    make_array();
    snprintf(other, sizeof other, "%s/second.xta", base.path);
    char data[4210];
    snprintf(data, sizeof data, "%s.xta", path);
    assert_int_equal(link(data, other), 0);
    assert_int_equal(xta_replacement_begin(path, &r, &err), XTA_EACCESS);
    assert_null(r);
    check_array(8, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(committed, begin, end),
        cmocka_unit_test_setup_teardown(given_up, begin, end),
        cmocka_unit_test_setup_teardown(kept_and_resumed, begin, end),
        cmocka_unit_test_setup_teardown(created_twice, begin, end),
        cmocka_unit_test_setup_teardown(written_meanwhile, begin, end),
        cmocka_unit_test_setup_teardown(refused, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
