/* Lock files: which calls create and release them, and what can fail in between (F-118, F-119,
 * F-121).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <signal.h>

#include <cmocka.h>

#include <xta/work.h>

#include "lock_file_rig.h"

/* ---- which calls create one ---- */

typedef struct watched {
    unsigned made;
} watched;

static watched seen;

static int watch_rename(const char *from, const char *to, bool replace)
{
    const xta__os_calls *system = NULL;
    size_t n = strlen(to);

    xta__os_replace(NULL);
    system = xta__os();
    int result = system->rename(from, to, replace);
    xta__os_replace(&calls);
    seen.made += n > 5 && strcmp(to + n - 5, ".lock") == 0 && result == 0;
    return result;
}

static void test_made_and_given_back(void **state)
{
    xta_array *array = NULL;
    uint8_t cells[5];

    (void)state;
    make("plain");
    calls.rename = watch_rename;
    xta__os_replace(&calls);
    seen.made = 0;
    test_must(open_as(XTA_LOCK_DEFAULT, true, false, &array), &err);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    assert_int_equal(seen.made, 0);

    test_must(open_as(XTA_LOCK_FILE, false, false, &array), &err);
    test_must(xta_array_read(array, &(xta_box){.ndim = 1, .hi = {5}}, NULL, cells, &err), &err);
    test_must(xta_array_refresh(array, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    assert_int_equal(seen.made, 0);

    array = open_it();
    assert_int_equal(seen.made, 1);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    assert_int_equal(seen.made, 2);
    assert_false(is_there());
    test_must(xta_array_close(array, &err), &err);
    assert_clean();

    setenv("XTA_LOCK", "file", 1);
    seen.made = 0;
    test_must(open_as(XTA_LOCK_DEFAULT, true, false, &array), &err);
    assert_int_equal(seen.made, 1);
    test_must(xta_array_close(array, &err), &err);
    seen.made = 0;
    test_must(open_as(XTA_LOCK_SYSTEM, true, false, &array), &err);
    test_must(xta_array_close(array, &err), &err);
    assert_int_equal(seen.made, 0);
    test_must(xta_compact(path, NULL, NULL, &err), &err);
    assert_true(seen.made > 0);
    assert_clean();
}

static void test_create(void **state)
{
    const int64_t bounds[1] = {4};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    (void)state;
    make("first");
    setenv("XTA_LOCK_WAIT", "1", 1);
    snprintf(path, sizeof path, "%s", test_folder_path(&test_group_folder, "second"));
    snprintf(lock_path, sizeof lock_path, "%s.xmd.lock", path);
    xta__lock_owner owner = myself();
    xta__lock_owner_set(owner.host, "node2");
    xta__lock_owner_set(owner.boot, "another");
    put_lock(&owner);
    options.lock = XTA_LOCK_FILE;
    assert_int_equal(xta_array_create(path, XTA_U8, 1, bounds, &options, &array, &err), XTA_EBUSY);
    assert_says("node2");
    options.lock = XTA_LOCK_SYSTEM;
    assert_int_equal(xta_array_create(path, XTA_U8, 1, bounds, &options, &array, &err), XTA_EBUSY);
    assert_says("XTA_LOCK=file");
    assert_int_equal(unlink(lock_path), 0);
    options.lock = XTA_LOCK_FILE;
    options.exclusive_writer = true;
    test_must(xta_array_create(path, XTA_U8, 1, bounds, &options, &array, &err), &err);
    assert_true(is_there());
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    assert_clean();
    test_must(xta_check(path, NULL, NULL, &err), &err);
    assert_int_equal(xta_array_create(path, XTA_U8, 1, bounds, &options, &array, &err), XTA_EEXIST);
    assert_clean();
}

static void test_nonsense(void **state)
{
    xta_array *array = NULL;

    (void)state;
    make("nonsense");
    assert_int_equal(open_as((xta_locking)3, true, false, &array), XTA_EARG);
    assert_says("lock 3");
    setenv("XTA_LOCK", "files", 1);
    assert_int_equal(open_as(XTA_LOCK_DEFAULT, true, false, &array), XTA_EARG);
    assert_says("\"files\"; give file or system");
    test_must(open_as(XTA_LOCK_DEFAULT, false, false, &array), &err);
    test_must(xta_array_close(array, &err), &err);
    setenv("XTA_LOCK_WAIT", "1m", 1);
    assert_int_equal(open_as(XTA_LOCK_FILE, true, false, &array), XTA_EARG);
    assert_says("XTA_LOCK_WAIT");
    setenv("XTA_LOCK_WAIT", "-1", 1);
    assert_int_equal(open_as(XTA_LOCK_FILE, true, false, &array), XTA_EARG);
    test_must(open_as(XTA_LOCK_SYSTEM, true, false, &array), &err);
    test_must(xta_array_close(array, &err), &err);
}

/* ---- where locks do nothing, or there are none ---- */

static int grant(int fd, int operation)
{
    (void)fd;
    (void)operation;
    return 0;
}

static int know_none(int fd, int operation)
{
    (void)fd;
    (void)operation;
    errno = ENOSYS;
    return -1;
}

static uint32_t is_lustre(int fd)
{
    (void)fd;
    return 0x0bd00bd0;
}

static void change_it(void)
{
    xta_array *array = open_it();

    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    test_must(open_as(XTA_LOCK_FILE, true, true, &array), &err);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    test_must(xta_check(path, NULL, NULL, &err), &err);
    assert_clean();
}

static void test_without_locks(void **state)
{
    xta__lock_owner owner = myself();

    (void)state;
    make("without");
    setenv("XTA_LOCK_WAIT", "1", 1);
    calls.file_system = is_lustre;
    calls.mounts = NULL;
    calls.lock = know_none;
    xta__os_replace(&calls);
    change_it();
    calls.lock = grant;
    change_it();
    // But no lock file is broken if processes that break one could not exclude each other.
    xta_array *array = open_it();
    owner.pid = ended_process();
    put_lock(&owner);
    assert_busy(array, (const char *const[]){"is gone", "locks do nothing", "remove it"}, 3);
    assert_int_equal(unlink(lock_path), 0);
    test_must(xta_array_close(array, &err), &err);
}

/* ---- processes ---- */

/* A child that closes its copy of an exclusive writer's handle releases nothing. */
static void test_fork(void **state)
{
    xta_array *exclusive = NULL;
    int status = 0;

    (void)state;
    make("fork");
    test_must(open_as(XTA_LOCK_FILE, true, true, &exclusive), &err);
    pid_t child = fork();
    if (child == 0) {
        _exit(xta_array_close(exclusive, &err) == XTA_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(is_there());
    test_must(xta_array_extend(exclusive, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(exclusive, &err), &err);
    assert_clean();
}

/* An exclusive writer that is killed delays the next change by one poll. */
static void test_killed_exclusive(void **state)
{
    int ready[2], status = 0;
    char byte = 0;

    (void)state;
    make("killed");
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        xta_array *exclusive = NULL;
        if (open_as(XTA_LOCK_FILE, true, true, &exclusive) != XTA_OK ||
            xta_array_extend(exclusive, &one_more, 1, NULL, &err) != XTA_OK ||
            write(ready[1], &byte, 1) != 1) {
            _exit(1);
        }
        pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_true(is_there());
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(is_there());
    xta_array *array = open_it();
    assert_int_equal(xta_array_bounds(array).hi[0], 5);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    test_must(xta_check(path, NULL, NULL, &err), &err);
    assert_clean();
    close(ready[0]);
    close(ready[1]);
}

/* ---- lost replies and failed calls ---- */

static int fail_unlink(const char *name)
{
    (void)name;
    errno = EIO;
    return -1;
}

/* A lock file that could not be removed still belongs to its handle, and is removed with the next
 * change. */
static void test_not_removed(void **state)
{
    xta_array *array = NULL;

    (void)state;
    make("stays");
    array = open_it();
    calls.unlink = fail_unlink;
    xta__os_replace(&calls);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    assert_true(is_there());
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    xta__os_replace(NULL);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    assert_false(is_there());
    test_must(xta_array_close(array, &err), &err);
    assert_clean();
}

/* The rename was done, but its reply was lost: a second attempt finds that the file exists. */
static int lose_answer(const char *from, const char *to, bool replace)
{
    xta__os_replace(NULL);
    int result = xta__os()->rename(from, to, replace);
    xta__os_replace(&calls);
    errno = EEXIST;
    return strstr(to, ".lock") != NULL ? -1 : result;
}

static void test_lost_answer(void **state)
{
    xta_array *array = NULL;

    (void)state;
    make("answer");
    array = open_it();
    calls.rename = lose_answer;
    xta__os_replace(&calls);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    xta__os_replace(NULL);
    test_must(xta_array_close(array, &err), &err);
    assert_clean();
}

static int fail_sync(int fd)
{
    (void)fd;
    errno = ENOSPC;
    return -1;
}

/* A server that accepts records and refuses them at the sync: nothing has changed. */
static void test_sync_fails(void **state)
{
    xta_array *array = NULL;

    (void)state;
    make("sync");
    array = open_it();
    calls.sync = fail_sync;
    xta__os_replace(&calls);
    assert_int_equal(xta_array_extend(array, &one_more, 1, NULL, &err), XTA_ENOSPC);
    xta__os_replace(NULL);
    assert_false(is_there());
    assert_int_equal(xta_array_bounds(array).hi[0], 4);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    test_must(xta_check(path, NULL, NULL, &err), &err);
    assert_clean();
}

/* ---- what lock files do not replace ---- */

static void test_unsupported(void **state)
{
    const int64_t bounds[1] = {4};
    xta_array *array = NULL;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_work *work = NULL;
    xta_lock *lock = NULL;
    xta_work_plan plan = XTA_WORK_PLAN_INIT;

    (void)state;
    make("unsupported");
    array = open_it();
    assert_int_equal(xta_work_begin(array, NULL, NULL, &work, &err), XTA_EUNSUPPORTED);
    assert_says("a lock file does not replace");
    assert_int_equal(xta_array_lock(array, 0, &lock, &err), XTA_EUNSUPPORTED);
    test_must(xta_array_close(array, &err), &err);
    options.lock = XTA_LOCK_FILE;
    snprintf(path, sizeof path, "%s", test_folder_path(&test_group_folder, "filled"));
    assert_int_equal(
        xta_work_create_array(path, XTA_U8, 1, bounds, &options, &plan, &array, &work, &err),
        XTA_EUNSUPPORTED);
    assert_clean();
    snprintf(lock_path, sizeof lock_path, "%s.xta", path);
    assert_false(is_there());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_made_and_given_back, end_test),
        cmocka_unit_test_teardown(test_create, end_test),
        cmocka_unit_test_teardown(test_nonsense, end_test),
        cmocka_unit_test_teardown(test_without_locks, end_test),
        cmocka_unit_test_teardown(test_fork, end_test),
        cmocka_unit_test_teardown(test_killed_exclusive, end_test),
        cmocka_unit_test_teardown(test_not_removed, end_test),
        cmocka_unit_test_teardown(test_lost_answer, end_test),
        cmocka_unit_test_teardown(test_sync_fails, end_test),
        cmocka_unit_test_teardown(test_unsupported, end_test),
    };

    return cmocka_run_group_tests_name("lock files", tests, test_group_begin, test_group_end);
}
