/* After a failed sync the system no longer knows which pages did not reach the disk, so no later
 * sync may succeed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/must.h"
#include "util/os.h"

static xta_error err;
static xta__os_calls calls;
static char failing[TEST_PATH_BYTES + 8];
static int number; /* of the next failure; 0: none */
static unsigned n_interrupted;

static bool is_failing(int fd)
{
    struct stat a, b;

    return fstat(fd, &a) == 0 && stat(failing, &b) == 0 && a.st_ino == b.st_ino;
}

static int fail_once(int fd)
{
    if (number != 0 && is_failing(fd)) {
        errno = number;
        number = 0;
        return -1;
    }
    return fdatasync(fd);
}

static int interrupt_twice(int fd)
{
    if (n_interrupted < 2 && is_failing(fd)) {
        n_interrupted++;
        errno = EINTR;
        return -1;
    }
    return fdatasync(fd);
}

static xta_array *make(const char *name, xta_access access, const char *suffix)
{
    const int64_t bounds[1] = {100};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    const char *path = test_folder_path(&test_group_folder, name);

    options.access = access;
    snprintf(failing, sizeof failing, "%s%s", path, suffix);
    test_must(xta_array_create(path, XTA_U8, 1, bounds, &options, &array, &err), &err);
    calls = *xta__os();
    return array;
}

static int end_test(void **state)
{
    (void)state;
    xta__os_replace(NULL);
    return 0;
}

static void put(xta_array *array, uint8_t value)
{
    test_must(xta_array_put(array, (int64_t[]){7}, &value, &err), &err);
}

static void assert_stays_failed(const char *name, xta_access access, const char *suffix, int what)
{
    xta_array *array = make(name, access, suffix);
    const xta_growth growth = {0, XTA_BACK, 1};

    put(array, 1);
    test_must(xta_array_extend(array, &growth, 1, NULL, &err), &err);
    calls.sync = fail_once;
    xta__os_replace(&calls);
    number = what;
    xta_status first = xta_array_sync(array, &err);
    assert_int_equal(first, what == EIO ? XTA_EIO : XTA_ENOSPC);
    assert_int_equal(err.os_errno, what);
    put(array, 2);
    assert_int_equal(xta_array_sync(array, &err), first);
    assert_int_equal(err.os_errno, what);
    assert_non_null(strstr(err.text, suffix));
    assert_non_null(strstr(err.text, "an earlier attempt failed"));
    assert_int_equal(xta_array_close(array, &err), first);
    // A new handle can sync again.
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    options.writable = true;
    const char *path = test_folder_path(&test_group_folder, name);
    test_must(xta_array_open(path, &options, &array, &err), &err);
    put(array, 3);
    test_must(xta_array_sync(array, &err), &err);
    test_must(xta_array_close(array, &err), &err);
}

static void test_stays_failed(void **state)
{
    (void)state;
    assert_stays_failed("mapped_eio", XTA_ACCESS_MAPPED, ".xta", EIO);
    assert_stays_failed("mapped_quota", XTA_ACCESS_MAPPED, ".xta", EDQUOT);
    assert_stays_failed("cached_eio", XTA_ACCESS_CACHED, ".xta", EIO);
    assert_stays_failed("cached_space", XTA_ACCESS_CACHED, ".xta", ENOSPC);
    assert_stays_failed("journal", XTA_ACCESS_MAPPED, ".xmd", EIO);
}

/* An interruption by a signal is not a failure. */
static void test_interrupted(void **state)
{
    xta_array *array = make("interrupted", XTA_ACCESS_MAPPED, ".xta");

    (void)state;
    put(array, 1);
    calls.sync = interrupt_twice;
    xta__os_replace(&calls);
    test_must(xta_array_sync(array, &err), &err);
    assert_int_equal(n_interrupted, 2);
    test_must(xta_array_close(array, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_stays_failed, end_test),
        cmocka_unit_test_teardown(test_interrupted, end_test),
    };

    return cmocka_run_group_tests_name("failing syncs", tests, test_group_begin, test_group_end);
}
