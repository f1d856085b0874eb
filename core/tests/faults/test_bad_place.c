/* Faults of the file system: one file of a pair missing; files of another format; a folder without
 * write permission; a full disk. Each gives a clear error that names the file, and nothing is
 * changed or lost.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "small.h"
#include "support/random.h"

/* ---- files ---- */

static void refuse_open(const char *path, xta_status expected)
{
    xta_array *array = (xta_array *)&small_err;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    STORY_FAILS(&small_story, xta_array_open(path, NULL, &array, &small_err), expected, small_err);
    STORY_CHECK(&small_story, array == NULL, "a failed open leaves a handle");
    const char *name = strrchr(path, '/') + 1;
    small_names(name);
    options.writable = true;
    array = (xta_array *)&small_err;
    STORY_FAILS(&small_story, xta_array_open(path, &options, &array, &small_err), expected,
                small_err);
    STORY_CHECK(&small_story, array == NULL, "a failed open leaves a handle");
    STORY_FAILS(&small_story, xta_array_load(path, &array, &small_err), expected, small_err);
    STORY_CHECK(&small_story, xta_check(path, NULL, NULL, &small_err) != XTA_OK,
                "check finds nothing");
}

static void missing_halves(void)
{
    char path[TEST_PATH_BYTES];
    char half[TEST_PATH_BYTES + 8];
    char aside[TEST_PATH_BYTES + 8];
    xta_array *array;
    static const char *const suffixes[] = {"xmd", "xta"};

    test_story_add(&small_story, "missing halves");
    test_folder_join(&small_folder, "half", path);
    refuse_open(path, XTA_ENOENT);
    STORY_FAILS(&small_story, xta_array_delete(path, &small_err), XTA_ENOENT, small_err);
    STORY_OK(&small_story, xta_array_close(small_make(path), &small_err), small_err);
    STORY_FAILS(&small_story,
                xta_array_create(path, XTA_I16, 2, small_bounds, NULL, &array, &small_err),
                XTA_EEXIST, small_err);
    for (int i = 0; i < 2; i++) {
        snprintf(half, sizeof(half), "%s.%s", path, suffixes[i]);
        snprintf(aside, sizeof(aside), "%s.aside", path);
        STORY_CHECK(&small_story, rename(half, aside) == 0, "rename");
        refuse_open(path, XTA_ENOENT);
        STORY_CHECK(&small_story, access(half, F_OK) != 0, "a failed open made a file");
        STORY_FAILS(&small_story,
                    xta_array_create(path, XTA_I16, 2, small_bounds, NULL, &array, &small_err),
                    XTA_EEXIST, small_err);
        STORY_CHECK(&small_story, rename(aside, half) == 0, "rename");
    }
    STORY_OK(&small_story, xta_array_open(path, NULL, &array, &small_err), small_err);
    small_unchanged(array);
    STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
    STORY_OK(&small_story, xta_array_delete(path, &small_err), small_err);
}

/* A creation that fails in the middle leaves nothing behind. */
static void no_space_to_create(void)
{
    static const int64_t bounds[] = {1000, 1000};
    char path[TEST_PATH_BYTES], data[TEST_PATH_BYTES + 8], journal[TEST_PATH_BYTES + 8];
    struct rlimit before, small = {0};
    xta_array *array = NULL;

    test_story_add(&small_story, "no room to create");
    test_folder_join(&small_folder, "large", path);
    snprintf(data, sizeof data, "%s.xta", path);
    snprintf(journal, sizeof journal, "%s.xmd", path);
    STORY_CHECK(&small_story, getrlimit(RLIMIT_FSIZE, &before) == 0, "no limits");
    small = (struct rlimit){.rlim_cur = 65536, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    STORY_CHECK(&small_story, setrlimit(RLIMIT_FSIZE, &small) == 0, "the limit cannot be set");
    STORY_FAILS(&small_story, xta_array_create(path, XTA_I16, 2, bounds, NULL, &array, &small_err),
                XTA_ENOSPC, small_err);
    STORY_CHECK(&small_story, setrlimit(RLIMIT_FSIZE, &before) == 0, "the limit stays");
    signal(SIGXFSZ, SIG_DFL);
    STORY_CHECK(&small_story, access(data, F_OK) != 0 && access(journal, F_OK) != 0,
                "a failed creation left a file");
}

/* Each kind of write; 0 if all were refused because of the limit on file length. */
static int write_beyond_the_limit(const char *path, xta_access access)
{
    static const xta_box boxes[] = {{.ndim = 1, .lo = {399999}, .hi = {400000}},
                                    {.ndim = 1, .lo = {390000}, .hi = {399000}},
                                    {.ndim = 1, .lo = {300000}, .hi = {400000}}};
    static int16_t cells[100000];
    const int16_t seven = 7;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    int n_wrong = 0;

    options.writable = true;
    options.access = access;
    n_wrong += xta_array_open(path, &options, &array, &small_err) != XTA_OK;
    for (int k = 0; k < 3 && n_wrong == 0; k++) {
        xta_status of_write = xta_array_write(array, &boxes[k], NULL, cells, &small_err);
        of_write = of_write == XTA_OK ? xta_array_sync(array, &small_err) : of_write;
        n_wrong += of_write != XTA_ENOSPC || small_err.os_errno != EFBIG;
        xta_status of_fill = xta_array_fill(array, &boxes[k], &seven, &small_err);
        of_fill = of_fill == XTA_OK ? xta_array_sync(array, &small_err) : of_fill;
        n_wrong += of_fill != XTA_ENOSPC || small_err.os_errno != EFBIG;
        xta_status of_put = xta_array_put(array, boxes[k].lo, &seven, &small_err);
        of_put = of_put == XTA_OK ? xta_array_sync(array, &small_err) : of_put;
        n_wrong += of_put != XTA_ENOSPC || small_err.os_errno != EFBIG;
    }
    (void)!xta_array_close(array, &small_err);
    return n_wrong;
}

/* A process with a limit on file length opens an array that is longer: writing beyond the limit is
 * an error, not SIGXFSZ. */
static void no_space_to_write(void)
{
    static const int64_t bounds[] = {400000}, chunk[] = {20000};
    static const xta_access access[] = {XTA_ACCESS_MAPPED, XTA_ACCESS_CACHED};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    char path[TEST_PATH_BYTES];
    xta_array *array = NULL;

    test_story_add(&small_story, "no room to write");
    test_folder_join(&small_folder, "long", path);
    options.chunk = chunk;
    STORY_OK(&small_story, xta_array_create(path, XTA_I16, 1, bounds, &options, &array, &small_err),
             small_err);
    STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
    for (int k = 0; k < 2; k++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            struct rlimit limit;
            getrlimit(RLIMIT_FSIZE, &limit);
            limit.rlim_cur = 131072;
            _exit(setrlimit(RLIMIT_FSIZE, &limit) != 0 ? 99
                                                       : write_beyond_the_limit(path, access[k]));
        }
        STORY_CHECK(&small_story, waitpid(child, &status, 0) == child, "waitpid");
        STORY_CHECK(&small_story, status == 0, "%s: %s %d", k == 0 ? "mapped" : "cached",
                    WIFSIGNALED(status) ? "ended by signal" : "wrong answers:",
                    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    STORY_OK(&small_story, xta_array_delete(path, &small_err), small_err);
}

static void other_formats(void)
{
    char path[TEST_PATH_BYTES];
    char file[TEST_PATH_BYTES + 8];
    uint8_t bytes[8192] = "\x89HDF\r\n\x1a\n";
    xta_array *array = NULL;

    test_story_add(&small_story, "files of another format");
    test_folder_join(&small_folder, "other", path);
    snprintf(file, sizeof(file), "%s.xta", path);
    test_file_write(file, bytes, sizeof(bytes));
    snprintf(file, sizeof(file), "%s.xmd", path);
    test_file_write(file, bytes, sizeof(bytes));
    refuse_open(path, XTA_EFORMAT);
    memset(bytes, 0, sizeof(bytes));
    test_file_write(file, bytes, sizeof(bytes));
    refuse_open(path, XTA_EFORMAT);
    test_file_write(file, "CDF\x01", 4);
    refuse_open(path, XTA_EFORMAT);
    test_random random = test_random_make(1, 1);
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)test_random_u64(&random);
    }
    test_file_write(file, bytes, sizeof(bytes));
    refuse_open(path, XTA_EFORMAT);
    unlink(file);
    STORY_CHECK(&small_story, mkdir(file, 0777) == 0, "mkdir");
    STORY_CHECK(&small_story, xta_array_open(path, NULL, &array, &small_err) != XTA_OK,
                "a folder is opened");
    small_names("other");
    rmdir(file);
    test_pair_remove(path);

    char nowhere[TEST_PATH_BYTES];
    test_folder_join(&small_folder, "no/such/folder/a", nowhere);
    STORY_FAILS(&small_story,
                xta_array_create(nowhere, XTA_I16, 2, small_bounds, NULL, &array, &small_err),
                XTA_ENOENT, small_err);
    STORY_FAILS(&small_story, xta_dataset_list(nowhere, NULL, NULL, &small_err), XTA_ENOENT,
                small_err);
}

/* ---- a folder without write permission ---- */

/* In a child without privileges. Messages of failures are printed as usual; the status is that of
 * the child. */
static void in_read_only_folder(const char *path, const char *fresh)
{
    xta_array *array = NULL;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    STORY_FAILS(&small_story,
                xta_array_create(fresh, XTA_I16, 2, small_bounds, NULL, &array, &small_err),
                XTA_EACCESS, small_err);
    small_names("fresh");
    options.writable = true;
    STORY_FAILS(&small_story, xta_array_open(path, &options, &array, &small_err), XTA_EACCESS,
                small_err);
    small_names("kept");
    STORY_FAILS(&small_story, xta_compact(path, NULL, NULL, &small_err), XTA_EACCESS, small_err);
    STORY_FAILS(&small_story, xta_array_delete(path, &small_err), XTA_EACCESS, small_err);
    STORY_OK(&small_story, xta_array_open(path, NULL, &array, &small_err), small_err);
    small_unchanged(array);
    STORY_FAILS(&small_story, xta_array_save(array, fresh, &small_err), XTA_EACCESS, small_err);
    STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
    STORY_OK(&small_story, xta_check(path, NULL, NULL, &small_err), small_err);
}

static void read_only_folder(void)
{
    char inner[TEST_PATH_BYTES];
    char path[TEST_PATH_BYTES + 8];
    char fresh[TEST_PATH_BYTES + 8];
    char file[TEST_PATH_BYTES + 16];

    test_story_add(&small_story, "a read-only folder");
    test_folder_join(&small_folder, "locked", inner);
    snprintf(path, sizeof(path), "%s/kept", inner);
    snprintf(fresh, sizeof(fresh), "%s/fresh", inner);
    STORY_CHECK(&small_story, mkdir(inner, 0755) == 0, "mkdir");
    STORY_OK(&small_story, xta_array_close(small_make(path), &small_err), small_err);
    snprintf(file, sizeof(file), "%s.xmd", path);
    STORY_CHECK(&small_story, chmod(file, 0444) == 0, "chmod");
    snprintf(file, sizeof(file), "%s.xta", path);
    STORY_CHECK(&small_story, chmod(file, 0444) == 0, "chmod");
    STORY_CHECK(&small_story, chmod(inner, 0555) == 0 && chmod(small_folder.path, 0755) == 0,
                "chmod");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0) {
            printf("SKIPPED: a read-only folder (cannot give up privileges)\n");
            exit(0);
        }
        in_read_only_folder(path, fresh);
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    STORY_CHECK(&small_story, status == 0, "the child failed (status %d)", status);
    STORY_CHECK(&small_story, chmod(inner, 0755) == 0, "chmod");
}

/* ---- a full disk ---- */

/* Fill the disk but for about `leave` bytes. */
static void take_space(const char *ballast, size_t leave)
{
    static uint8_t bytes[4096];
    int fd = open(ballast, O_WRONLY | O_CREAT | O_APPEND, 0666);
    memset(bytes, 1, sizeof(bytes));
    off_t n = 0;
    while (write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes)) {
        n += (off_t)sizeof(bytes);
    }
    off_t keep = n > (off_t)leave ? n - (off_t)leave : 0;
    STORY_CHECK(&small_story, ftruncate(fd, keep) == 0, "ftruncate");
    close(fd);
}

static void fill_the_disk(const char *path, const char *ballast, xta_access access)
{
    xta_array *array = NULL;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    static const int64_t bounds[] = {64, 4096};
    static const int64_t chunk[] = {1, 4096};
    static uint8_t line[4096];
    int64_t full = -1;

    test_story_add(&small_story, "full disk, access %d", (int)access);
    options.chunk = chunk;
    options.access = access;
    options.cache_bytes = 8192;
    STORY_OK(&small_story, xta_array_create(path, XTA_U8, 2, bounds, &options, &array, &small_err),
             small_err);
    memset(line, 9, sizeof(line));
    xta_box box = {.ndim = 2, .lo = {0, 0}, .hi = {1, 4096}};
    STORY_OK(&small_story, xta_array_write(array, &box, NULL, line, &small_err), small_err);
    STORY_OK(&small_story, xta_array_sync(array, &small_err), small_err);
    take_space(ballast, 10 * 4096);
    for (int64_t i = 1; i < 64 && full < 0; i++) {
        box.lo[0] = i;
        box.hi[0] = i + 1;
        xta_status status = xta_array_write(array, &box, NULL, line, &small_err);
        status = status == XTA_OK ? xta_array_sync(array, &small_err) : status;
        if (status != XTA_OK) {
            STORY_CHECK(&small_story, status == XTA_ENOSPC, "a full disk gives %s: %s",
                        xta_status_name(status), small_err.text);
            small_names("full.xta");
            full = i;
        }
    }
    STORY_CHECK(&small_story, full > 1, "the disk did not fill");
    unlink(ballast); // With space again, refused calls succeed, and what was written is there.
    STORY_OK(&small_story, xta_array_write(array, &box, NULL, line, &small_err), small_err);
    STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
    STORY_OK(&small_story, xta_check(path, NULL, NULL, &small_err), small_err);
    STORY_OK(&small_story, xta_array_open(path, NULL, &array, &small_err), small_err);
    for (int64_t i = 0; i <= full; i++) {
        static uint8_t back[4096];
        box.lo[0] = i;
        box.hi[0] = i + 1;
        STORY_OK(&small_story, xta_array_read(array, &box, NULL, back, &small_err), small_err);
        STORY_CHECK(&small_story, memcmp(back, line, sizeof(line)) == 0, "line %lld was lost",
                    (long long)i);
    }
    STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
    STORY_OK(&small_story, xta_array_delete(path, &small_err), small_err);
}

/* Changes of structure and attributes on a full disk are refused, and the array is as before. */
static void fill_the_journal(const char *path, const char *ballast, bool exclusive)
{
    xta_array *array = small_make(path);
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_status status = XTA_OK;
    xta_box bounds = xta_array_bounds(array);
    xta_growth growth = {0, XTA_BACK, 1};
    static char text[1500];

    test_story_add(&small_story, "a journal on a full disk%s",
                   exclusive ? ", exclusive writer" : "");
    options.writable = options.exclusive_writer = true;
    if (exclusive) {
        STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
        STORY_OK(&small_story, xta_array_open(path, &options, &array, &small_err), small_err);
    }
    STORY_OK(&small_story, xta_array_sync(array, &small_err), small_err);
    take_space(ballast, 0);
    memset(text, 't', sizeof(text) - 1);
    int n_texts = 0;
    while (status == XTA_OK && n_texts < 1000) {
        text[0] = (char)('a' + n_texts % 26);
        status = xta_attribute_set_text(array, XTA_ON_ARRAY, "t", text, &small_err);
        n_texts += status == XTA_OK;
    }
    STORY_CHECK(&small_story, status == XTA_ENOSPC, "a full disk gives %s: %s",
                xta_status_name(status), small_err.text);
    small_names("full.xmd");
    for (int i = 0; i < 200; i++) { // Small records may still fit.
        status = xta_array_extend(array, &growth, 1, &bounds, &small_err);
        STORY_CHECK(&small_story, status == XTA_OK || status == XTA_ENOSPC,
                    "extend on a full disk: %s", xta_status_name(status));
        xta_box has = xta_array_bounds(array);
        STORY_CHECK(&small_story, xta_box_equal(&has, &bounds),
                    "a refused extend changed the bounds");
    }
    STORY_CHECK(&small_story, status == XTA_ENOSPC,
                "two hundred records found room on a full disk");
    unlink(ballast);
    STORY_OK(&small_story, xta_array_extend(array, &growth, 1, &bounds, &small_err), small_err);
    STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
    STORY_OK(&small_story, xta_check(path, NULL, NULL, &small_err), small_err);
    STORY_OK(&small_story, xta_array_open(path, NULL, &array, &small_err), small_err);
    xta_box has = xta_array_bounds(array);
    STORY_CHECK(&small_story, xta_box_equal(&has, &bounds), "reopened: other bounds");
    xta_attribute attribute;
    if (n_texts > 0) {
        STORY_OK(&small_story, xta_attribute_get(array, XTA_ON_ARRAY, "t", &attribute, &small_err),
                 small_err);
        char expected = (char)('a' + (n_texts - 1) % 26);
        STORY_CHECK(&small_story, ((const char *)attribute.values)[0] == expected,
                    "the attribute is not the last that was set");
    }
    STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
    STORY_OK(&small_story, xta_array_delete(path, &small_err), small_err);
}

/* Reading a hole must not need space: on a file system in memory a mapping would. */
static void read_holes(const char *path, const char *ballast)
{
    const int64_t bounds[2] = {16, 4096}, chunk[2] = {1, 4096};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    static uint8_t cells[16 * 4096];
    xta_array *array = NULL;
    uint8_t cell = 1;

    test_story_add(&small_story, "reading holes on a full disk");
    options.chunk = chunk;
    STORY_OK(&small_story, xta_array_create(path, XTA_U8, 2, bounds, &options, &array, &small_err),
             small_err);
    STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
    take_space(ballast, 0);
    STORY_OK(&small_story, xta_array_open(path, NULL, &array, &small_err), small_err);
    xta_box box = xta_array_bounds(array);
    memset(cells, 1, sizeof(cells));
    STORY_OK(&small_story, xta_array_read(array, &box, NULL, cells, &small_err), small_err);
    STORY_CHECK(&small_story, cells[0] == 0 && memcmp(cells, cells + 1, sizeof(cells) - 1) == 0,
                "a hole does not read as fill");
    STORY_OK(&small_story, xta_array_get(array, (int64_t[]){3, 9}, &cell, &small_err), small_err);
    STORY_CHECK(&small_story, cell == 0, "a cell of a hole is %u", (unsigned)cell);
    STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
    unlink(ballast);
    STORY_OK(&small_story, xta_array_delete(path, &small_err), small_err);
}

static void full_disk(void)
{
    char disk[TEST_PATH_BYTES];
    char path[TEST_PATH_BYTES + 8];
    char ballast[TEST_PATH_BYTES + 8];

    test_folder_join(&small_folder, "disk", disk);
    STORY_CHECK(&small_story, mkdir(disk, 0777) == 0, "mkdir");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) { // The mount is private to the child and ends with it.
        if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
            mount("none", disk, "tmpfs", 0, "size=512k") != 0) {
            printf("SKIPPED: a full disk (cannot mount a small file system: needs root)\n");
            exit(0);
        }
        snprintf(path, sizeof(path), "%s/full", disk);
        snprintf(ballast, sizeof(ballast), "%s/ballast", disk);
        fill_the_disk(path, ballast, XTA_ACCESS_AUTO);
        fill_the_disk(path, ballast, XTA_ACCESS_MAPPED);
        fill_the_disk(path, ballast, XTA_ACCESS_CACHED);
        fill_the_journal(path, ballast, false);
        fill_the_journal(path, ballast, true);
        read_holes(path, ballast);
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    STORY_CHECK(&small_story, status == 0, "the child failed (status %d; a signal is a crash)",
                status);
}

int main(void)
{
    test_story_begin(&small_story, "test_bad_place", 0, 0);
    test_folder_make(&small_folder);
    missing_halves();
    no_space_to_create();
    no_space_to_write();
    other_formats();
    read_only_folder();
    full_disk();
    test_folder_remove(&small_folder);
    printf("test_bad_place: done\n");
    return 0;
}
