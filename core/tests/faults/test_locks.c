/* Locks that do nothing: system calls that grant everything or do not support locks, and file
 * systems whose locks are local to the node. Changes of an array are refused, and nothing changes;
 * reads need no lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/array.h>
#include <xta/work.h>

#include "support/folder.h"
#include "util/os.h"

static xta__os_calls calls; /* the system calls, some of them replaced */
static xta_error err;
static unsigned locks, inquiries; /* how often the replaced ones were called */
static const char *mount_line;
static dev_t device;

/* ---- systems ---- */

static int grant(int fd, int operation)
{
    (void)fd;
    (void)operation;
    locks++;
    return 0;
}

static int count_lock(int fd, int operation)
{
    locks++;
    return flock(fd, operation);
}

static int know_none(int fd, int operation)
{
    (void)fd;
    (void)operation;
    errno = ENOSYS;
    return -1;
}

/* F_OFD_GETLK says that the range is free. */
static int grant_range(int fd, int command, struct flock *range)
{
    (void)fd;
    (void)command;
    range->l_type = F_UNLCK;
    return 0;
}

static uint32_t is_lustre(int fd)
{
    (void)fd;
    return 0x0bd00bd0;
}

static uint32_t is_nfs(int fd)
{
    (void)fd;
    return 0x6969;
}

static char *one_mount(void)
{
    char *text = malloc(256);

    inquiries++;
    if (text != NULL && mount_line != NULL) {
        snprintf(text, 256, "1 1 %u:%u / / rw - %s\n", major(device), minor(device), mount_line);
        return text;
    }
    free(text);
    return NULL;
}

/* ---- a test ---- */

static const char *make(const char *name)
{
    const int64_t bounds[1] = {4};
    const char *path = test_folder_path(&test_group_folder, name);
    xta_array *array = NULL;
    struct stat facts;

    xta__os_replace(NULL);
    assert_int_equal(xta_array_create(path, XTA_U8, 1, bounds, NULL, &array, &err), XTA_OK);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    assert_int_equal(stat(test_group_folder.path, &facts), 0);
    device = facts.st_dev;
    calls = *xta__os();
    calls.mounts = one_mount;
    mount_line = NULL;
    locks = inquiries = 0;
    xta__os_replace(&calls);
    return path;
}

static int end_test(void **state)
{
    (void)state;
    xta__os_replace(NULL);
    return 0;
}

static xta_status open_array(const char *path, bool writable, xta_array **array)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = writable;
    return xta_array_open(path, &options, array, &err);
}

static void assert_says(const char *word)
{
    if (strstr(err.text, word) == NULL) {
        fail_msg("no '%s' in: %s", word, err.text);
    }
}

/* Opening for writing and creating are refused with the given text, and change nothing; reading is
 * not refused. */
static void assert_refused(const char *path, const char *word)
{
    const int64_t bounds[1] = {4};
    const char *other = test_folder_path(&test_group_folder, "not-made");
    char file[TEST_PATH_BYTES + 8];
    xta_array *array = NULL;
    size_t before = 0, after = 0;

    snprintf(file, sizeof file, "%s.xmd", path);
    uint8_t *was = test_file_read(file, &before);
    assert_int_equal(open_array(path, true, &array), XTA_EUNSUPPORTED);
    assert_null(array);
    assert_says(word);
    assert_says(".xmd");
    uint8_t *is = test_file_read(file, &after);
    assert_int_equal(before, after);
    assert_memory_equal(was, is, before);
    free(was);
    free(is);

    assert_int_equal(xta_array_create(other, XTA_U8, 1, bounds, NULL, &array, &err),
                     XTA_EUNSUPPORTED);
    assert_says(word);
    snprintf(file, sizeof file, "%s.xta", other);
    assert_int_equal(access(file, F_OK), -1);
    snprintf(file, sizeof file, "%s.xmd", other);
    assert_int_equal(access(file, F_OK), -1);

    assert_int_equal(open_array(path, false, &array), XTA_OK);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

/* ---- locks that exclude nobody ---- */

static void test_granted_twice(void **state)
{
    const char *path = make("granted");

    (void)state;
    calls.lock = grant;
    assert_refused(path, "locks do nothing");
    assert_true(locks > 0);
}

static void test_no_locks(void **state)
{
    const char *path = make("none");
    xta_array *array = NULL;

    (void)state;
    calls.lock = know_none;
    assert_int_equal(open_array(path, true, &array), XTA_EIO);
    assert_says("lock");
    assert_int_equal(err.os_errno, ENOSYS);
}

/* Each handle tests locks once: later changes only acquire and release them. */
static void test_proved_once(void **state)
{
    const char *path = make("once");
    const xta_growth growth = {0, XTA_BACK, 1};
    xta_array *array = NULL;

    (void)state;
    calls.lock = count_lock;
    assert_int_equal(open_array(path, true, &array), XTA_OK);
    assert_int_equal(locks, 3);
    locks = 0;
    assert_int_equal(xta_array_extend(array, &growth, 1, NULL, &err), XTA_OK);
    assert_int_equal(locks, 2);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    locks = 0;
    assert_int_equal(open_array(path, false, &array), XTA_OK);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    assert_int_equal(locks, 0);
}

/* A piece of work is live as long as its byte is locked. */
static void test_work_without_locks(void **state)
{
    const char *path = make("work");
    xta_array *array = NULL;
    xta_work *work = NULL;

    (void)state;
    assert_int_equal(open_array(path, true, &array), XTA_OK);
    calls.lock_range = grant_range;
    assert_int_equal(xta_work_begin(array, NULL, NULL, &work, &err), XTA_EUNSUPPORTED);
    assert_null(work);
    assert_says("locks do nothing");
    xta__os_replace(NULL);
    assert_int_equal(xta_work_begin(array, NULL, NULL, &work, &err), XTA_OK);
    assert_int_equal(xta_work_end(array, work, &err), XTA_OK);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

/* ---- locks that are local to the node ---- */

static void test_lustre(void **state)
{
    const char *path = make("lustre");
    xta_array *array = NULL;

    (void)state;
    calls.file_system = is_lustre;
    mount_line = "lustre mgs:/fs rw,localflock";
    assert_refused(path, "localflock");
    mount_line = "lustre mgs:/fs rw";
    calls.lock = know_none; // such a mount has no locks: the text must still name it
    assert_refused(path, "mount it with flock");
    calls.lock = flock;
    mount_line = NULL;
    assert_refused(path, "mountinfo");
    mount_line = "lustre mgs:/fs rw,flock";
    inquiries = 0;
    assert_int_equal(open_array(path, true, &array), XTA_OK);
    assert_int_equal(inquiries, 1);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    assert_int_equal(inquiries, 1);
}

static void test_nfs(void **state)
{
    const char *path = make("nfs");
    xta_array *array = NULL;

    (void)state;
    calls.file_system = is_nfs;
    mount_line = "nfs4 srv:/x rw,vers=4.2,local_lock=flock";
    assert_refused(path, "local_lock=flock");
    mount_line = "nfs srv:/x rw,local_lock=posix";
    assert_refused(path, "local_lock=none");
    mount_line = "nfs4 srv:/x rw,local_lock=none";
    assert_int_equal(open_array(path, true, &array), XTA_OK);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

/* On other file systems the table of mounts, which may be long, is not read. */
static void test_table_is_not_read(void **state)
{
    const char *path = make("local");
    xta_array *array = NULL;

    (void)state;
    assert_int_equal(open_array(path, true, &array), XTA_OK);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    assert_int_equal(inquiries, 0);
}

/* A compaction removes files that killed ranks left beside the journal; a file in use by ranks is
 * locked, and stays. */
static void test_leftovers(void **state)
{
    static const char *const names[] = {"left.xmd.meet-0123456789abcdef",
                                        "left.xmd.meet-fedcba9876543210", "left.xmd.meet-mine",
                                        "left2.xmd.meet-0123456789abcdef"};
    static const bool stays[] = {false, true, true, true};
    char path[TEST_PATH_BYTES];
    int fd = -1;

    (void)state;
    snprintf(path, sizeof path, "%s", make("left")); // the text is used again
    xta__os_replace(NULL);
    for (int k = 0; k < 4; k++) {
        test_file_write(test_folder_path(&test_group_folder, names[k]), "", 0);
    }
    fd = open(test_folder_path(&test_group_folder, names[1]), O_RDWR | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(xta_compact(path, NULL, NULL, &err), XTA_OK);
    for (int k = 0; k < 4; k++) {
        bool there = access(test_folder_path(&test_group_folder, names[k]), F_OK) == 0;
        assert_int_equal(there, stays[k]);
    }
    close(fd);
    assert_int_equal(xta_compact(path, NULL, NULL, &err), XTA_OK);
    assert_int_equal(access(test_folder_path(&test_group_folder, names[1]), F_OK), -1);
}

/* The system's own table of mounts. */
static void test_real_table(void **state)
{
    (void)state;
    make("table");
    xta__os_replace(NULL);
    char *text = xta__os()->mounts();
    assert_non_null(text);
    assert_non_null(strstr(text, " / "));
    assert_non_null(strstr(text, " - "));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_granted_twice, end_test),
        cmocka_unit_test_teardown(test_no_locks, end_test),
        cmocka_unit_test_teardown(test_proved_once, end_test),
        cmocka_unit_test_teardown(test_work_without_locks, end_test),
        cmocka_unit_test_teardown(test_lustre, end_test),
        cmocka_unit_test_teardown(test_nfs, end_test),
        cmocka_unit_test_teardown(test_table_is_not_read, end_test),
        cmocka_unit_test_teardown(test_leftovers, end_test),
        cmocka_unit_test_teardown(test_real_table, end_test),
    };

    return cmocka_run_group_tests_name("locks", tests, test_group_begin, test_group_end);
}
