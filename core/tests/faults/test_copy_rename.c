/* Copying and renaming arrays: whatever call fails, and whenever the process ends, an array is
 * there under exactly one name with all of its cells, and nothing half-made is left.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xta/xta.h>

#include "support/ending_os.h"
#include "support/faulty_os.h"
#include "support/folder.h"
#include "support/report.h"

enum { ROWS = 7, COLUMNS = 5, FRONT = 2, N_CELLS = ROWS * COLUMNS };

static test_story story;
static xta_error err;

/* An array that has grown at the front, with a coordinate for each row. */
static void make_array(const char *path, uint8_t first)
{
    const int64_t bounds[2] = {ROWS - FRONT, COLUMNS}, chunk[2] = {2, 3};
    const xta_growth growth = {0, XTA_FRONT, FRONT};
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    double rows[ROWS];
    uint8_t cells[N_CELLS];
    xta_array *array = NULL;

    o.chunk = chunk;
    o.access = XTA_ACCESS_CACHED;
    STORY_OK(&story, xta_array_create(path, XTA_U8, 2, bounds, &o, &array, &err), err);
    STORY_OK(&story, xta_array_extend(array, &growth, 1, NULL, &err), err);
    for (int k = 0; k < N_CELLS; k++) {
        cells[k] = (uint8_t)(first + k);
    }
    for (int k = 0; k < ROWS; k++) {
        rows[k] = 10.0 * k;
    }
    const xta_box box = xta_array_bounds(array);
    const xta_attribute list = {.name = "values", .type = XTA_F64, .count = ROWS, .values = rows};
    STORY_OK(&story, xta_array_write(array, &box, NULL, cells, &err), err);
    STORY_OK(&story, xta_attribute_set(array, 0, &list, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

/* Whether the array at `path` is there and whole. */
static bool is_whole(const char *path, uint8_t first)
{
    xta_array *array = NULL;
    uint8_t cells[N_CELLS];
    xta_attribute list;
    bool same = true;

    if (xta_array_open(path, NULL, &array, &err) != XTA_OK) {
        return false;
    }
    const xta_box box = xta_array_bounds(array);
    STORY_CHECK(&story, box.lo[0] == -FRONT && box.hi[0] == ROWS - FRONT, "other bounds");
    STORY_OK(&story, xta_array_read(array, &box, NULL, cells, &err), err);
    STORY_OK(&story, xta_attribute_get(array, 0, "values", &list, &err), err);
    STORY_CHECK(&story, list.count == ROWS, "%zu coordinates", list.count);
    for (int k = 0; k < N_CELLS; k++) {
        same = same && cells[k] == (uint8_t)(first + k);
    }
    STORY_OK(&story, xta_array_check_finished(array, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    return same;
}

static bool exists(const char *base, const char *suffix)
{
    char path[TEST_PATH_BYTES + 16];

    snprintf(path, sizeof path, "%s%s", base, suffix);
    return access(path, F_OK) == 0;
}

static void check_renamed(const char *old, const char *new)
{
    struct stat facts;
    char data[TEST_PATH_BYTES + 16];

    snprintf(data, sizeof data, "%s.xta", new);
    STORY_CHECK(&story, is_whole(new, 1), "not there under the new name");
    STORY_CHECK(&story, !exists(old, ".xmd") && !exists(old, ".xta"), "files of the old name");
    STORY_CHECK(&story, stat(data, &facts) == 0 && facts.st_nlink == 1, "two names of the data");
    STORY_OK(&story, xta_check(new, NULL, NULL, &err), err);
}

static void delete_both(const char *a, const char *b)
{
    (void)!xta_array_delete(a, NULL);
    (void)!xta_array_delete(b, NULL);
}

/* ---- a call fails ---- */

static void rename_with_failures(const test_folder *folder)
{
    char old[TEST_PATH_BYTES], new[TEST_PATH_BYTES];
    bool happened = true;

    test_folder_join(folder, "old", old);
    test_folder_join(folder, "new", new);
    for (uint64_t n = 1; happened; n++) {
        test_story_add(&story, "rename, call %d fails", (int)n);
        make_array(old, 1);
        faulty_os_start();
        faulty_os_fail_at(n, EIO, true);
        xta_status status = xta_array_rename(old, "new", &err);
        happened = faulty_os_happened();
        faulty_os_stop();
        bool at_old = is_whole(old, 1), at_new = is_whole(new, 1);
        STORY_CHECK(&story, at_old != at_new, "old name %d, new name %d", at_old, at_new);
        STORY_CHECK(&story, status != XTA_OK || at_new, "renamed to nowhere");
        if (status != XTA_OK) {
            STORY_OK(&story, xta_array_rename(old, "new", &err), err);
        }
        check_renamed(old, new);
        delete_both(old, new);
        test_story_begin(&story, "test_copy_rename", 0, 0);
    }
}

/* What a failure has left of a replacement is done by whoever opens the array for a change. */
static void complete(const char *path, bool there)
{
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    o.writable = true;
    if (there) {
        STORY_OK(&story, xta_array_open(path, &o, &array, &err), err);
        STORY_OK(&story, xta_array_close(array, &err), err);
        STORY_CHECK(&story, !exists(path, ".xmd.next"), "a replacement still waits");
    }
}

static void copy_with_failures(const test_folder *folder, bool over)
{
    char from[TEST_PATH_BYTES], to[TEST_PATH_BYTES];
    xta_copy_options o = XTA_COPY_OPTIONS_INIT;
    bool happened = true;

    o.overwrite = over;
    test_folder_join(folder, "from", from);
    test_folder_join(folder, "to", to);
    make_array(from, 1);
    for (uint64_t n = 1; happened; n++) {
        xta_open_options cached = XTA_OPEN_OPTIONS_INIT;
        xta_array *array = NULL;
        test_story_add(&story, "copy%s, call %d fails", over ? " over another" : "", (int)n);
        if (over) {
            make_array(to, 101);
        }
        cached.access = XTA_ACCESS_CACHED;
        faulty_os_start();
        STORY_OK(&story, xta_array_open(from, &cached, &array, &err), err);
        faulty_os_fail_at(n, EIO, true);
        xta_status status = xta_array_copy(array, to, &o, &err);
        happened = faulty_os_happened();
        faulty_os_fail_at(0, 0, false);
        STORY_OK(&story, xta_array_close(array, NULL), err);
        faulty_os_stop();
        bool is_copy = is_whole(to, 1), is_old = over && is_whole(to, 101);
        STORY_CHECK(&story, status != XTA_OK || is_copy, "no copy");
        STORY_CHECK(&story, status == XTA_OK || over || is_copy || !exists(to, ".xmd"),
                    "a part of the copy is left");
        STORY_CHECK(&story, !over || is_copy || is_old,
                    "neither the old array nor the copy: status %d, %s", (int)status, err.text);
        complete(to, is_copy || is_old);
        delete_both(to, to);
        STORY_CHECK(&story, is_whole(from, 1), "the source has changed");
        test_story_begin(&story, "test_copy_rename", 0, 0);
    }
    delete_both(from, to);
}

/* ---- the process ends ---- */

static xta_status rename_to_new(void *path, xta_error *why)
{
    return xta_array_rename(path, "new", why);
}

static void rename_and_die(const test_folder *folder)
{
    char old[TEST_PATH_BYTES], new[TEST_PATH_BYTES];
    bool ended = true;
    int n = 1;

    test_folder_join(folder, "old", old);
    test_folder_join(folder, "new", new);
    for (; ended; n++) {
        test_story_add(&story, "the process ends at change %d of a name", n);
        make_array(old, 1);
        ended = ending_os_run(&story, rename_to_new, old, (uint64_t)n, true);
        bool at_old = is_whole(old, 1), at_new = is_whole(new, 1);
        STORY_CHECK(&story, at_old != at_new, "old name %d, new name %d", at_old, at_new);
        if (ended) {
            STORY_OK(&story, xta_array_rename(old, "new", &err), err);
        }
        check_renamed(old, new);
        delete_both(old, new);
        test_story_begin(&story, "test_copy_rename", 0, 0);
    }
    STORY_CHECK(&story, n > 4, "only %d changes of names were seen", n - 2);
}

/* ---- refusals ---- */

static void expect(xta_status got, xta_status wanted, const char *what)
{
    STORY_CHECK(&story, got == wanted, "%s: %s (%s)", what, xta_status_name(got), err.text);
}

static void refused(const test_folder *folder)
{
    char a[TEST_PATH_BYTES], b[TEST_PATH_BYTES], link[TEST_PATH_BYTES];
    char link_file[TEST_PATH_BYTES + 16], target[TEST_PATH_BYTES + 8];
    xta_work_plan plan = XTA_WORK_PLAN_INIT;
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_work *work = NULL;

    test_folder_join(folder, "a", a);
    test_folder_join(folder, "b", b);
    test_folder_join(folder, "link", link);
    make_array(a, 1);
    make_array(b, 50);
    expect(xta_array_rename(a, "b", &err), XTA_EEXIST, "a name in use");
    expect(xta_array_rename(a, "c/d", &err), XTA_EARG, "a slash");
    expect(xta_array_rename(a, "", &err), XTA_EARG, "no name");
    expect(xta_array_rename(a, "c.xmd", &err), XTA_EARG, "a suffix");
    expect(xta_array_rename(link, "c", &err), XTA_ENOENT, "no array");
    snprintf(link_file, sizeof link_file, "%s.xmd", link);
    snprintf(target, sizeof target, "%s.xmd", a);
    STORY_CHECK(&story, symlink(target, link_file) == 0, "no link");
    expect(xta_array_rename(link, "c", &err), XTA_EACCESS, "a link");
    writable.writable = true;
    STORY_OK(&story, xta_array_open(a, &writable, &array, &err), err);
    STORY_OK(&story, xta_work_begin(array, &plan, NULL, &work, &err), err);
    expect(xta_array_rename(a, "c", &err), XTA_ESTATE, "unfinished work");
    STORY_OK(&story, xta_work_end(array, work, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_CHECK(&story, is_whole(a, 1) && is_whole(b, 50), "a refusal has changed something");
    unlink(link_file);
    delete_both(a, b);
}

int main(void)
{
    test_folder folder;

    test_folder_make_fast(&folder);
    test_story_begin(&story, "test_copy_rename", 0, 0);
    refused(&folder);
    test_story_begin(&story, "test_copy_rename", 0, 0);
    rename_with_failures(&folder);
    copy_with_failures(&folder, false);
    copy_with_failures(&folder, true);
    rename_and_die(&folder);
    test_folder_remove(&folder);
    return 0;
}
