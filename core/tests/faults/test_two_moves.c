/* The journal is compacted once more while a writer follows the first compaction: the writer must
 * hold the lock of the latest journal when it appends, and no growth may be lost.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/array.h>

#include "util/os.h"

enum { FIRST_RECORD_AT = 128 };

static const xta__os_calls *real;
static xta__os_calls watching;
static char folder[] = "/tmp/xta-two-moves-XXXXXX", path[64], journal[64];
static int compact_at = -1, n_appends, n_unlocked;

/* The journal is replaced once more right after it has been opened the `compact_at`-th time. */
static int open_and_compact(const char *name, int flags, unsigned mode)
{
    int fd = real->open(name, flags, mode);
    xta_error err;

    if (compact_at > 0 && strcmp(name, journal) == 0 && --compact_at == 0) {
        compact_at = -1;
        assert_int_equal(xta_compact(path, NULL, NULL, &err), XTA_OK);
    }
    return fd;
}

/* A process that writes records into the journal has locked it: no other process gets the lock. */
static ssize_t write_and_check(int fd, const void *bytes, size_t n, off_t at)
{
    char name[64], target[128] = "";

    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (readlink(name, target, sizeof target - 1) > 0 && strcmp(target, journal) == 0 &&
        at >= FIRST_RECORD_AT) {
        int other = open(journal, O_RDWR);
        n_appends++;
        n_unlocked += flock(other, LOCK_EX | LOCK_NB) == 0;
        close(other);
    }
    return real->write_at(fd, bytes, n, at);
}

static void two_moves(void **state)
{
    const int64_t bounds[1] = {10};
    const xta_growth growth = {0, XTA_BACK, 1};
    xta_array *array = NULL;
    xta_error err;
    xta_box after = {.ndim = 0};
    (void)state;

    assert_int_equal(xta_array_create(path, XTA_U8, 1, bounds, NULL, &array, &err), XTA_OK);
    assert_int_equal(xta_compact(path, NULL, NULL, &err), XTA_OK);
    real = xta__os();
    watching = *real;
    watching.open = open_and_compact;
    watching.write_at = write_and_check;
    xta__os_replace(&watching);
    compact_at = 1;
    xta_status status = xta_array_extend(array, &growth, 1, &after, &err);
    xta__os_replace(NULL);
    assert_int_equal(status, XTA_OK);
    assert_int_equal(compact_at, -1);
    assert_true(n_appends > 0);
    assert_int_equal(n_unlocked, 0);
    assert_int_equal(after.hi[0], 11);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    assert_int_equal(xta_array_open(path, NULL, &array, &err), XTA_OK);
    assert_int_equal(xta_array_bounds(array).hi[0], 11);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    assert_int_equal(xta_array_delete(path, &err), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_moves)};

    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(journal, sizeof journal, "%s/a.xmd", folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
