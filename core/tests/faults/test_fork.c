/* A child inherits handles, and must not be able to change its parent's files through them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/array.h>
#include <xta/attribute.h>

#include "support/folder.h"

static test_folder folder;
static char path[TEST_PATH_BYTES];
static xta_error err;

static const xta_growth one_more = {0, XTA_BACK, 1};

static int make_folder(void **state)
{
    (void)state;
    test_folder_make(&folder);
    test_folder_join(&folder, "a", path);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    test_folder_remove(&folder);
    return 0;
}

static xta_array *make(xta_access access, bool exclusive)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    options.chunk = (const int64_t[]){64};
    options.access = access;
    options.exclusive_writer = exclusive;
    assert_int_equal(
        xta_array_create(path, XTA_I64, 1, (const int64_t[]){8}, &options, &array, &err), XTA_OK);
    for (int64_t k = 0; k < 8; k++) {
        assert_int_equal(xta_array_put(array, &k, &(int64_t){10 + k}, &err), XTA_OK);
    }
    return array;
}

static long length_of(const char *suffix)
{
    char name[TEST_PATH_BYTES + 8];
    struct stat facts;

    snprintf(name, sizeof name, "%s%s", path, suffix);
    return stat(name, &facts) == 0 ? (long)facts.st_size : -1;
}

/* Runs in the child, which has no cmocka: the number of the first call that was not refused. */
static int all_refuse(xta_array *array)
{
    int64_t at = 1, cell = 99;
    xta_box box = {.ndim = 1, .lo = {0}, .hi = {1}};
    xta_array_info info;
    const xta_array_growth growth = {array, &one_more, 1};
    const xta_status answers[] = {
        xta_array_get(array, &at, &cell, &err),
        xta_array_put(array, &at, &cell, &err),
        xta_array_read(array, &box, NULL, &cell, &err),
        xta_array_write(array, &box, NULL, &cell, &err),
        xta_array_fill(array, &box, &cell, &err),
        xta_array_extend(array, &one_more, 1, NULL, &err),
        xta_arrays_extend(&growth, 1, NULL, &err),
        xta_array_append(array, &one_more, NULL, &cell, NULL, &err),
        xta_array_shrink(array, &one_more, 1, NULL, &err),
        xta_array_add_axis(array, 0, NULL, &err),
        xta_attribute_set_text(array, XTA_ON_ARRAY, "x", "y", &err),
        xta_axis_set_name(array, 0, "x", &err),
        xta_array_refresh(array, NULL, &err),
        xta_array_inquire(array, &info, &err),
        xta_array_sync(array, &err),
    };

    for (int k = 0; k < (int)(sizeof answers / sizeof answers[0]); k++) {
        if (answers[k] != XTA_ESTATE) {
            return 1 + k;
        }
    }
    return strstr(err.text, "process") != NULL ? 0 : 100;
}

/* The exit status of the child, which calls exit, so that exit handlers run. */
static int in_child(xta_array *array, int (*act)(xta_array *array))
{
    int status = -1;

    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        exit(act(array));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int refuse_then_close(xta_array *array)
{
    int which = all_refuse(array);

    if (which == 0 && xta_array_close(array, &err) != XTA_OK) {
        which = 101;
    }
    return which;
}

static int only_close(xta_array *array)
{
    return xta_array_close(array, &err) == XTA_OK ? 0 : 101;
}

static int do_nothing(xta_array *array)
{
    (void)array;
    return 0;
}

/* Another handle: can it become the exclusive writer, can it change the structure? */
static xta_status try_exclusive(void)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    options.writable = options.exclusive_writer = true;
    xta_status status = xta_array_open(path, &options, &array, &err);
    xta_array_close(array, NULL);
    return status;
}

static void judge(xta_array *array, int64_t n)
{
    int64_t cell = 0;

    for (int64_t k = 0; k < n; k++) {
        assert_int_equal(xta_array_get(array, &k, &cell, &err), XTA_OK);
        assert_int_equal(cell, k < 8 ? 10 + k : 0);
    }
}

static void child_of_a_writer(void **state)
{
    int (*const acts[])(xta_array *) = {do_nothing, only_close, refuse_then_close};
    (void)state;

    for (int k = 0; k < 12; k++) {
        bool exclusive = k % 2 != 0;
        xta_access access = k / 2 % 2 != 0 ? XTA_ACCESS_CACHED : XTA_ACCESS_MAPPED;
        xta_array *array = make(access, exclusive);
        long data = length_of(".xta"), journal = length_of(".xmd");
        int answer = in_child(array, acts[k / 4]);
        if (answer != 0) {
            print_error("access %d, exclusive %d: the child says %d\\n", (int)access, exclusive,
                        answer);
        }
        assert_int_equal(answer, 0);
        assert_int_equal(length_of(".xta"), data);
        assert_int_equal(length_of(".xmd"), journal);
        if (exclusive) {
            assert_int_equal(try_exclusive(), XTA_EBUSY);
        }
        for (int step = 0; step < 1000; step++) {
            assert_int_equal(xta_array_extend(array, &one_more, 1, NULL, &err), XTA_OK);
        }
        judge(array, 1008);
        assert_int_equal(xta_array_close(array, &err), XTA_OK);
        assert_int_equal(xta_array_open(path, NULL, &array, &err), XTA_OK);
        judge(array, 1008);
        assert_int_equal(xta_array_close(array, &err), XTA_OK);
        assert_int_equal(xta_check(path, NULL, NULL, &err), XTA_OK);
        assert_int_equal(xta_array_delete(path, &err), XTA_OK);
    }
}

/* A child that lives on keeps no lock of a parent that was killed. */
static void child_of_a_killed_writer(void **state)
{
    int pipes[2];
    pid_t child = 0;
    (void)state;

    assert_int_equal(pipe(pipes), 0);
    pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        make(XTA_ACCESS_MAPPED, true);
        child = fork();
        if (child == 0) {
            alarm(60);
            pause();
            _exit(0);
        }
        if (write(pipes[1], &child, sizeof child) != (ssize_t)sizeof child) {
            _exit(1);
        }
        raise(SIGKILL);
    }
    assert_int_equal(read(pipes[0], &child, sizeof child), sizeof child);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    xta_status status = try_exclusive();
    kill(child, SIGKILL);
    assert_int_equal(status, XTA_OK);
    close(pipes[0]);
    close(pipes[1]);
}

static int grow_and_close(xta_array *array)
{
    int64_t at = 8, cell = 1;

    if (xta_array_extend(array, &one_more, 1, NULL, &err) != XTA_OK ||
        xta_array_get(array, &at, &cell, &err) != XTA_OK || cell != 0) {
        return 1;
    }
    return xta_array_close(array, &err) == XTA_OK ? 0 : 2;
}

/* Fork copies arrays in memory. */
static void memory_goes_on_in_both(void **state)
{
    xta_array *array = NULL;
    (void)state;

    assert_int_equal(xta_array_new(XTA_I64, 1, (const int64_t[]){8}, NULL, &array, &err), XTA_OK);
    assert_int_equal(in_child(array, grow_and_close), 0);
    xta_box bounds = xta_array_bounds(array);
    assert_int_equal(bounds.hi[0], 8);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

/* A child may open arrays of its own. */
static int open_again(xta_array *inherited)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    options.writable = true;
    if (xta_array_close(inherited, &err) != XTA_OK ||
        xta_array_open(path, &options, &array, &err) != XTA_OK) {
        return 3;
    }
    return grow_and_close(array);
}

static void child_opens_for_itself(void **state)
{
    (void)state;
    xta_array *array = make(XTA_ACCESS_CACHED, false);
    assert_int_equal(xta_array_sync(array, &err), XTA_OK);
    assert_int_equal(in_child(array, open_again), 0);
    assert_int_equal(xta_array_refresh(array, NULL, &err), XTA_OK);
    judge(array, 9);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        CASE(child_of_a_writer),
        CASE(child_of_a_killed_writer),
        CASE(memory_goes_on_in_both),
        CASE(child_opens_for_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
