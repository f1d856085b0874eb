/* Lock files on network file systems: what clients cache, what servers do not confirm, and what
 * fails while a lock file is read (F-123). System calls are replaced to simulate the server.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <sys/file.h>

#include <cmocka.h>

#include "lock_file_rig.h"

static char journal_path[TEST_PATH_BYTES + 16], data_path[TEST_PATH_BYTES + 16];

static void make_pair(const char *name)
{
    make(name);
    snprintf(journal_path, sizeof journal_path, "%s.xmd", path);
    snprintf(data_path, sizeof data_path, "%s.xta", path);
}

static bool is_file(int fd, const char *name)
{
    struct stat a, b;

    return fstat(fd, &a) == 0 && stat(name, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);

    return n >= k && strcmp(name + n - k, end) == 0;
}

static int64_t cells_of(const char *name)
{
    xta_array *array = NULL;

    test_must(xta_array_open(name, NULL, &array, &err), &err);
    int64_t n = xta_array_bounds(array).hi[0];
    test_must(xta_array_close(array, &err), &err);
    return n;
}

static int fail_with(int number)
{
    errno = number;
    return -1;
}

/* ---- records that are not confirmed ---- */

static const char *unconfirmed;
static unsigned sync_to_fail; /* of that file, counted from 1; 0: none */

static int fail_sync_of_journal(int fd)
{
    if (sync_to_fail > 0 && is_file(fd, unconfirmed) && --sync_to_fail == 0) {
        return fail_with(EDQUOT);
    }
    return fdatasync(fd);
}

/* The record may have reached the server, and others may have read it: it stays, and the handle
 * becomes unusable. */
static void test_not_confirmed(void **state)
{
    xta_array *array = NULL;
    uint8_t cell = 0;

    (void)state;
    make_pair("unconfirmed");
    unconfirmed = journal_path;
    array = open_it();
    calls.sync = fail_sync_of_journal;
    xta__os_replace(&calls);
    sync_to_fail = 1;
    assert_int_equal(xta_array_extend(array, &one_more, 1, NULL, &err), XTA_ENOSPC);
    assert_int_equal(err.os_errno, EDQUOT);
    assert_says(".xmd");
    assert_says("may have been made");
    assert_int_equal(sync_to_fail, 0);
    assert_false(is_there());
    assert_int_equal(cells_of(path), 5);
    assert_int_equal(xta_array_extend(array, &one_more, 1, NULL, &err), XTA_ESTATE);
    assert_int_equal(xta_array_get(array, (int64_t[]){0}, &cell, &err), XTA_ESTATE);
    (void)!xta_array_close(array, &err);
    xta__os_replace(NULL);
    array = open_it();
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    assert_int_equal(cells_of(path), 6);
    test_must(xta_check(path, NULL, NULL, &err), &err);
    assert_clean();
}

/* With several arrays, at each of the syncs: all of them have grown, or none, and a handle that
 * does not know which does not continue. */
static void test_group_not_confirmed(void **state)
{
    char first[TEST_PATH_BYTES], first_journal[TEST_PATH_BYTES + 16];
    unsigned n_failed = 0;

    (void)state;
    for (unsigned k = 0; k < 16; k++) { // either may be the leader
        xta_array *arrays[2] = {NULL, NULL};
        char name[32];
        snprintf(name, sizeof name, "group_a%u", k);
        make_pair(name);
        arrays[0] = open_it();
        strcpy(first, path);
        strcpy(first_journal, journal_path);
        snprintf(name, sizeof name, "group_b%u", k);
        make_pair(name);
        arrays[1] = open_it();
        unconfirmed = k % 4 < 2 ? first_journal : journal_path;
        calls.sync = fail_sync_of_journal;
        xta__os_replace(&calls);
        sync_to_fail = 1 + k % 2;
        const xta_array_growth growths[2] = {{arrays[0], &one_more, 1}, {arrays[1], &one_more, 1}};
        xta_status status = xta_arrays_extend(growths, 2, NULL, &err);
        n_failed += status != XTA_OK;
        sync_to_fail = 0;
        xta__os_replace(NULL);
        for (int i = 0; i < 2; i++) {
            // A handle that still works shows the same as a new one.
            xta_status again = xta_array_refresh(arrays[i], NULL, &err);
            if (again == XTA_OK) {
                assert_int_equal(xta_array_bounds(arrays[i]).hi[0],
                                 cells_of(i == 0 ? first : path));
            } else {
                assert_int_equal(again, XTA_ESTATE);
            }
            (void)!xta_array_close(arrays[i], &err);
        }
        assert_int_equal(cells_of(first), cells_of(path));
        test_must(xta_check(first, NULL, NULL, &err), &err);
        test_must(xta_check(path, NULL, NULL, &err), &err);
    }
    assert_true(n_failed >= 8);
}

/* ---- what a client caches ---- */

static int fail_revalidate(int fd)
{
    (void)fd;
    return fail_with(EIO);
}

/* Without a reply from the server the end of the journal is not known, and nothing is appended. */
static void test_server_does_not_answer(void **state)
{
    xta_array *array = NULL;

    (void)state;
    make_pair("silent");
    array = open_it();
    calls.revalidate = fail_revalidate;
    xta__os_replace(&calls);
    assert_int_equal(xta_array_extend(array, &one_more, 1, NULL, &err), XTA_EIO);
    assert_says("silent.xmd");
    xta__os_replace(NULL);
    assert_false(is_there());
    assert_int_equal(cells_of(path), 4);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    assert_int_equal(cells_of(path), 5);
}

static ino_t stale;

static ssize_t read_unless_stale(int fd, void *bytes, size_t n, off_t offset)
{
    struct stat facts;

    if (fstat(fd, &facts) == 0 && facts.st_ino == stale) {
        return fail_with(ESTALE);
    }
    return pread(fd, bytes, n, offset);
}

static int revalidate_unless_stale(int fd)
{
    struct stat facts;

    return fstat(fd, &facts) == 0 && facts.st_ino == stale ? fail_with(ESTALE) : 0;
}

/* Another node has compacted the journal, and the old file is gone from the server: no record of
 * the handle goes there. */
static void test_replaced(void **state)
{
    xta_array *array = NULL;
    struct stat facts;

    (void)state;
    make_pair("replaced");
    array = open_it();
    assert_int_equal(stat(journal_path, &facts), 0);
    stale = facts.st_ino;
    test_must(xta_compact(path, NULL, NULL, &err), &err);
    calls.read_at = read_unless_stale;
    calls.revalidate = revalidate_unless_stale;
    xta__os_replace(&calls);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    assert_int_equal(xta_array_bounds(array).hi[0], 5);
    test_must(xta_array_close(array, &err), &err);
    xta__os_replace(NULL);
    assert_int_equal(cells_of(path), 5);
    test_must(xta_check(path, NULL, NULL, &err), &err);
    assert_clean();
}

/* Another array now has the name. */
static void test_replaced_by_another(void **state)
{
    char other[sizeof journal_path];
    xta_array *array = NULL;

    (void)state;
    make_pair("other");
    strcpy(other, journal_path);
    make_pair("mine");
    array = open_it();
    assert_int_equal(rename(other, journal_path), 0);
    assert_int_equal(xta_array_extend(array, &one_more, 1, NULL, &err), XTA_ESTATE);
    assert_says("another array has taken this one's place");
    (void)!xta_array_close(array, &err);
    assert_clean();
}

static unsigned n_asked;

/* The server has a file length that the client does not know. */
static int report_length(int fd)
{
    struct stat facts;

    if (is_file(fd, data_path)) {
        n_asked++;
        assert_int_equal(fstat(fd, &facts), 0);
        assert_int_equal(truncate(data_path, facts.st_size + (1 << 20)), 0);
    }
    return 0;
}

static void test_stale_length(void **state)
{
    xta_array *reader = NULL, *writer = NULL;
    struct stat facts;
    const xta_growth many = {0, XTA_BACK, 1 << 20};

    (void)state;
    make_pair("length");
    test_must(open_as(XTA_LOCK_DEFAULT, false, false, &reader), &err);
    assert_int_equal(stat(data_path, &facts), 0);
    writer = open_it();
    test_must(xta_array_extend(writer, &many, 1, NULL, &err), &err);
    test_must(xta_array_close(writer, &err), &err);
    assert_int_equal(truncate(data_path, facts.st_size), 0);
    calls.revalidate = report_length;
    xta__os_replace(&calls);
    n_asked = 0;
    test_must(xta_array_refresh(reader, NULL, &err), &err);
    assert_int_equal(n_asked, 1);
    assert_int_equal(xta_array_bounds(reader).hi[0], 4 + many.by);
    xta__os_replace(NULL);
    test_must(xta_array_close(reader, &err), &err);
}

/* ---- lock files that cannot be read ---- */

static int open_number;

static int fail_open_of_lock(const char *name, int flags, unsigned mode)
{
    return ends_with(name, ".lock") ? fail_with(open_number) : open(name, flags, mode);
}

/* The failure is of this process, not of the lock file: no waiting, and the error does not blame
 * the lock file. */
static void test_cannot_read(void **state)
{
    const int numbers[] = {EMFILE, ENFILE, ENOMEM, EIO};
    xta_array *array = NULL;

    (void)state;
    make_pair("look");
    array = open_it();
    calls.open = fail_open_of_lock;
    xta__os_replace(&calls);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        open_number = numbers[k];
        uint64_t before = xta__clock_ms();
        assert_int_equal(xta_array_extend(array, &one_more, 1, NULL, &err),
                         numbers[k] == ENOMEM ? XTA_ENOMEM : XTA_EIO);
        assert_true(xta__clock_ms() - before < 15000);
        assert_int_equal(err.os_errno, numbers[k]);
        assert_says("look.xmd.lock: cannot look at the lock file");
    }
    xta__os_replace(NULL);
    assert_int_equal(xta_array_bounds(array).hi[0], 4);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    assert_clean();
}

static bool made;

static int watch_rename(const char *from, const char *to, bool replace)
{
    (void)replace;
    int result = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);

    made = made || (result == 0 && ends_with(to, ".lock"));
    return result;
}

static int fail_open_once_made(const char *name, int flags, unsigned mode)
{
    return made && ends_with(name, ".lock") ? fail_with(EMFILE) : open(name, flags, mode);
}

/* A process without free descriptors can still release its lock file. */
static void test_given_back_unread(void **state)
{
    xta_array *array = NULL;

    (void)state;
    make_pair("unread");
    array = open_it();
    calls.rename = watch_rename;
    calls.open = fail_open_once_made;
    xta__os_replace(&calls);
    made = false;
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    assert_true(made);
    assert_false(is_there());
    xta__os_replace(NULL);
    test_must(xta_array_close(array, &err), &err);
    assert_clean();
}

/* ---- breaking ---- */

/* The file of a dead owner that another process is about to remove: an ordinary wait. */
static void test_breaker_is_slow(void **state)
{
    xta__lock_owner owner = myself();
    xta_array *array = NULL;

    (void)state;
    make_pair("slow");
    setenv("XTA_LOCK_WAIT", "1", 1);
    array = open_it();
    owner.pid = ended_process();
    put_lock(&owner);
    int fd = open(lock_path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_busy(array, (const char *const[]){"is gone", "another process has it open"}, 2);
    close(fd);
    test_must(xta_array_extend(array, &one_more, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    assert_clean();
}

/* ---- a process's own lock file ---- */

static unsigned stays;

static int fail_some_unlinks(const char *name)
{
    if (stays > 0 && ends_with(name, ".lock")) {
        stays--;
        return fail_with(EIO);
    }
    return unlink(name);
}

/* A lock file left by a change, and reused when this handle becomes the exclusive writer, shows
 * that to others. */
static void test_taken_up_for_longer(void **state)
{
    xta_array *exclusive = NULL;
    char text[XTA__LOCK_FILE_BYTES];
    xta__lock_owner owner;
    size_t n = 0;

    (void)state;
    make_pair("longer");
    calls.unlink = fail_some_unlinks;
    xta__os_replace(&calls);
    stays = 1;
    test_must(open_as(XTA_LOCK_FILE, true, true, &exclusive), &err);
    assert_int_equal(stays, 0);
    uint8_t *is = test_file_read(lock_path, &n);
    assert_in_range(n, 1, sizeof text - 1);
    memcpy(text, is, n);
    free(is);
    assert_null(xta__lock_owner_parse(text, n, &owner));
    assert_true(owner.keeps);
    xta__os_replace(NULL);
    test_must(xta_array_close(exclusive, &err), &err);
    assert_clean();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_not_confirmed, end_test),
        cmocka_unit_test_teardown(test_group_not_confirmed, end_test),
        cmocka_unit_test_teardown(test_server_does_not_answer, end_test),
        cmocka_unit_test_teardown(test_replaced, end_test),
        cmocka_unit_test_teardown(test_replaced_by_another, end_test),
        cmocka_unit_test_teardown(test_stale_length, end_test),
        cmocka_unit_test_teardown(test_cannot_read, end_test),
        cmocka_unit_test_teardown(test_given_back_unread, end_test),
        cmocka_unit_test_teardown(test_breaker_is_slow, end_test),
        cmocka_unit_test_teardown(test_taken_up_for_longer, end_test),
    };

    return cmocka_run_group_tests_name("lock files on networks", tests, test_group_begin,
                                       test_group_end);
}
