/* Existing lock files: which are broken, which are waited for, and what is not a lock file (F-120,
 * F-122).
 *
 * Waiting for one whose owner cannot be checked lasts 30 seconds, or as long as XTA_LOCK_WAIT says.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <signal.h>

#include <cmocka.h>

#include "lock_file_rig.h"

/* ---- which are broken ---- */

static void assert_broken(const xta__lock_owner *owner)
{
    xta_array *array = open_it();

    put_lock(owner);
    uint64_t before = xta__clock_ms();
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    assert_true(xta__clock_ms() - before < 15000);
    test_must(xta_array_close(array, &err), &err);
    assert_clean();
}

static void test_broken(void **state)
{
    xta__lock_owner owner = myself();

    (void)state;
    make("broken");
    owner.pid = ended_process();
    assert_broken(&owner);
    owner.keeps = true;
    assert_broken(&owner);
    owner = myself();
    owner.start++; // another process had this pid
    assert_broken(&owner);
    if (strcmp(owner.machine, "-") != 0) {
        owner = myself();
        xta__lock_owner_set(owner.boot, "an-earlier-one");
        assert_broken(&owner);
    }
}

/* A process that has ended counts as dead before its parent has waited for it. */
static void test_zombie(void **state)
{
    xta__lock_owner owner = myself();
    siginfo_t info;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        _exit(0);
    }
    make("zombie");
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    owner.pid = (uint64_t)child;
    owner.start = 0;
    assert_broken(&owner);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Leftovers of link: the temporary name of a dead owner's lock file, and names left by processes
 * that died before they had the lock. A compaction removes those of dead processes, and no
 * others. */
static void test_leftovers(void **state)
{
    xta__lock_owner owner = myself();
    char name[TEST_PATH_BYTES + 64], text[XTA__LOCK_FILE_BYTES];

    (void)state;
    make("left");
    snprintf(name, sizeof name, "%s-%s", lock_path, owner.nonce);
    test_file_write(name, text, xta__lock_owner_encode(&owner, text));
    test_must(xta_compact(path, NULL, NULL, &err), &err);
    assert_int_equal(access(name, F_OK), 0); // of this process, which is alive
    owner.pid = ended_process();
    test_file_write(name, text, xta__lock_owner_encode(&owner, text));
    assert_int_equal(link(name, lock_path), 0);
    assert_broken(&owner);
}

/* ---- which are not broken ---- */

static void test_not_known(void **state)
{
    xta__lock_owner owner = myself();

    (void)state;
    make("unknown");
    setenv("XTA_LOCK_WAIT", "1", 1);
    xta_array *array = open_it();
    owner.pid = ended_process();
    xta__lock_owner_set(owner.host, "node2");
    xta__lock_owner_set(owner.boot, "another");
    put_lock(&owner);
    char process[32];
    snprintf(process, sizeof process, "process %llu on node2", (unsigned long long)owner.pid);
    assert_busy(array, (const char *const[]){process, "look there, and remove this file"}, 2);
    // Nor does opening treat it as that of an exclusive writer.
    xta_array *other = NULL;
    assert_int_equal(open_as(XTA_LOCK_FILE, true, false, &other), XTA_EBUSY);
    assert_null(other);
    test_must(open_as(XTA_LOCK_FILE, false, false, &other), &err);
    test_must(xta_array_close(other, &err), &err);
    owner = myself();
    owner.pid = ended_process();
    owner.space++;
    put_lock(&owner);
    assert_busy(array, (const char *const[]){"cannot be known here"}, 1);
    assert_int_equal(unlink(lock_path), 0);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    assert_clean();
}

/* An exclusive writer on another machine: after the usual half second opening continues without
 * it. */
static void test_exclusive_elsewhere(void **state)
{
    xta__lock_owner owner = myself();
    xta_array *array = NULL;

    (void)state;
    make("elsewhere");
    owner.keeps = true;
    xta__lock_owner_set(owner.host, "node2");
    xta__lock_owner_set(owner.boot, "another");
    put_lock(&owner);
    uint64_t before = xta__clock_ms();
    array = open_it();
    assert_int_equal(xta_array_extend(array, &one_more, 1, NULL, &err), XTA_EBUSY);
    assert_in_range(xta__clock_ms() - before, 450, 15000);
    assert_says("on node2 has the array open as its exclusive writer");
    test_must(xta_array_close(array, &err), &err);
    assert_int_equal(open_as(XTA_LOCK_FILE, true, true, &array), XTA_EBUSY);
    assert_true(is_there());
    assert_int_equal(unlink(lock_path), 0);
}

static void test_exclusive_here(void **state)
{
    xta_array *exclusive = NULL, *array = NULL;

    (void)state;
    make("exclusive");
    test_must(open_as(XTA_LOCK_FILE, true, true, &exclusive), &err);
    assert_true(is_there());
    for (int k = 0; k < 100; k++) {
        test_must(xta_array_extend(exclusive, &one_more, 1, NULL, &err), &err);
    }
    array = open_it();
    assert_int_equal(xta_array_extend(array, &one_more, 1, NULL, &err), XTA_EBUSY);
    assert_says("exclusive writer");
    test_must(xta_array_close(exclusive, &err), &err);
    assert_clean();
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    assert_int_equal(xta_array_bounds(array).hi[0], 105);
    test_must(xta_array_close(array, &err), &err);
}

static void test_without_option(void **state)
{
    xta__lock_owner owner = myself();
    xta_array *array = NULL;

    (void)state;
    make("without_option");
    put_lock(&owner);
    assert_int_equal(open_as(XTA_LOCK_SYSTEM, true, false, &array), XTA_EBUSY);
    assert_says("this handle takes none");
    assert_says("XTA_LOCK=file");
    test_must(open_as(XTA_LOCK_SYSTEM, false, false, &array), &err);
    test_must(xta_array_close(array, &err), &err);
    assert_int_equal(unlink(lock_path), 0);
}

/* ---- hostile files ---- */

static void assert_in_the_way(xta_array *array, const char *word)
{
    assert_busy(array, (const char *const[]){word, "who made it cannot be known"}, 2);
}

static void test_hostile(void **state)
{
    char bytes[5000], target[TEST_PATH_BYTES], text[XTA__LOCK_FILE_BYTES];
    xta__lock_owner owner = myself();
    size_t n = 0;

    (void)state;
    make("hostile");
    setenv("XTA_LOCK_WAIT", "1", 1);
    xta_array *array = open_it();
    memset(bytes, 'x', sizeof bytes);
    test_file_write(lock_path, bytes, sizeof bytes);
    assert_in_the_way(array, "it is too long");
    test_file_write(lock_path, "", 0);
    assert_in_the_way(array, "does not begin with");
    test_file_write(lock_path, "\x89XTA\r\n\x1a\n\0\0\0", 11);
    assert_in_the_way(array, "does not begin with");
    owner.pid = ended_process();
    test_file_write(lock_path, text, xta__lock_owner_encode(&owner, text) - 10);
    assert_in_the_way(array, "a line is missing");
    assert_int_equal(unlink(lock_path), 0);

    // A link to a file of the user is neither read nor removed.
    snprintf(target, sizeof target, "%s", test_folder_path(&test_group_folder, "precious"));
    test_file_write(target, text, xta__lock_owner_encode(&owner, text));
    assert_int_equal(symlink(target, lock_path), 0);
    assert_in_the_way(array, "cannot open");
    uint8_t *is = test_file_read(target, &n);
    assert_memory_equal(is, text, n);
    free(is);
    assert_int_equal(unlink(lock_path), 0);
    assert_int_equal(symlink("nowhere", lock_path), 0);
    assert_in_the_way(array, "cannot open");
    assert_int_equal(unlink(lock_path), 0);
    assert_int_equal(mkfifo(lock_path, 0600), 0);
    assert_in_the_way(array, "not a regular file");
    assert_int_equal(unlink(lock_path), 0);
    assert_int_equal(mkdir(lock_path, 0700), 0);
    assert_in_the_way(array, "not a regular file");
    assert_int_equal(rmdir(lock_path), 0);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    assert_clean();
}

/* As a user without permission to read the lock file. */
static int try_as_nobody(void)
{
    xta_array *array = NULL;

    if (setgid(65534) != 0 || setuid(65534) != 0) {
        return 3;
    }
    xta_status status = open_as(XTA_LOCK_FILE, true, false, &array);
    return status == XTA_EBUSY && strstr(err.text, "who made it cannot be known") != NULL &&
                   strstr(err.text, "cannot open") != NULL
               ? 0
               : 1;
}

static void test_not_ours_to_read(void **state)
{
    xta__lock_owner owner = myself();
    char file[TEST_PATH_BYTES + 8];
    int status = 0;

    (void)state;
    if (getuid() != 0) {
        skip();
    }
    make("foreign");
    setenv("XTA_LOCK_WAIT", "1", 1);
    owner.pid = ended_process();
    put_lock(&owner);
    assert_int_equal(chmod(lock_path, 0600), 0);
    assert_int_equal(chmod(test_group_folder.path, 0777), 0);
    snprintf(file, sizeof file, "%s.xmd", path);
    assert_int_equal(chmod(file, 0666), 0);
    snprintf(file, sizeof file, "%s.xta", path);
    assert_int_equal(chmod(file, 0666), 0);
    pid_t child = fork();
    if (child == 0) {
        _exit(try_as_nobody());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(is_there());
    assert_int_equal(unlink(lock_path), 0);
}

/* Every user with write access to the array can see who has locked it, whoever created the lock
 * file. */
static void test_mode(void **state)
{
    xta_array *exclusive = NULL;
    struct stat facts;
    char file[TEST_PATH_BYTES + 8];

    (void)state;
    make("mode");
    snprintf(file, sizeof file, "%s.xmd", path);
    assert_int_equal(chmod(file, 0660), 0);
    test_must(open_as(XTA_LOCK_FILE, true, true, &exclusive), &err);
    assert_int_equal(stat(lock_path, &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0660);
    test_must(xta_array_close(exclusive, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_broken, end_test),
        cmocka_unit_test_teardown(test_zombie, end_test),
        cmocka_unit_test_teardown(test_leftovers, end_test),
        cmocka_unit_test_teardown(test_not_known, end_test),
        cmocka_unit_test_teardown(test_exclusive_elsewhere, end_test),
        cmocka_unit_test_teardown(test_exclusive_here, end_test),
        cmocka_unit_test_teardown(test_without_option, end_test),
        cmocka_unit_test_teardown(test_hostile, end_test),
        cmocka_unit_test_teardown(test_not_ours_to_read, end_test),
        cmocka_unit_test_teardown(test_mode, end_test),
    };

    return cmocka_run_group_tests_name("lock files of others", tests, test_group_begin,
                                       test_group_end);
}
