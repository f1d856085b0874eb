/* Repartitioning of files that is killed at random moments, or at each rename; on a full disk; from
 * a source that is cut short.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "property/fake_grid.h"
#include "repartition_files.h"
#include "util/os.h"

/* A grid that forwards its calls to that of an array, slowly, and records the blocks. */
typedef struct watched {
    xta_blocks inner;
    xta_blocks_calls calls;
    bool *written;
    bool again; /* a block in the resume log has been written again */
} watched;

static void note_block(watched *w, const int64_t block[])
{
    w->again = w->again || w->written[fake_block_number(&w->inner, block)];
    usleep(300);
}

static xta_status watched_write(void *self, const int64_t block[], const xta_box *piece,
                                const void *from, const int64_t strides[], xta_error *why)
{
    watched *w = self;

    note_block(w, block);
    return w->inner.calls->write(w->inner.self, block, piece, from, strides, why);
}

static xta_status watched_run(void *self, size_t n, const int64_t *const block[],
                              const void *const from[], xta_error *why)
{
    watched *w = self;

    for (size_t k = 0; k < n; k++) {
        note_block(w, block[k]);
    }
    return w->inner.calls->write_run(w->inner.self, n, block, from, why);
}

static uint64_t watched_place(void *self, const int64_t block[])
{
    watched *w = self;

    return w->inner.calls->place(w->inner.self, block);
}

static xta_status watched_sync(void *self, xta_error *why)
{
    watched *w = self;

    return w->inner.calls->sync(w->inner.self, why);
}

static xta_blocks watch(watched *w)
{
    xta_blocks blocks = w->inner;

    w->calls = (xta_blocks_calls){.place = watched_place,
                                  .write = watched_write,
                                  .write_run = watched_run,
                                  .sync = watched_sync};
    blocks.calls = &w->calls;
    blocks.self = w;
    return blocks;
}

/* One run from file to file in a separate process. Exits with 0 on success. */
static int run_files(const char *source, const char *target, const char *notes, int threads)
{
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_repartition_options o = XTA_REPARTITION_OPTIONS_INIT;
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    const int64_t chunk[2] = {9, 10};
    bool is_noted[256];
    watched w = {.written = is_noted};
    xta_array *from = NULL, *to = NULL;
    xta_repartition_report report;
    xta_blocks of, into;
    char name[TEST_PATH_BYTES + 8];

    noted_blocks(notes, is_noted, 256);
    changes.chunk = chunk;
    writable.writable = true;
    snprintf(name, sizeof name, "%s.xmd", target);
    STORY_OK(&story, xta_array_open(source, NULL, &from, &err), err);
    STORY_OK(&story,
             access(name, F_OK) == 0 ? xta_array_open(target, &writable, &to, &err)
                                     : xta_array_create_like(from, target, &changes, &to, &err),
             err);
    STORY_OK(&story, xta_blocks_of_array(from, &of, &err), err);
    STORY_OK(&story, xta_blocks_into_array(to, &w.inner, &err), err);
    into = watch(&w);
    o.memory_bytes = 16384;
    o.n_threads = threads;
    o.resume_path = notes;
    o.resume = true;
    STORY_OK(&story, xta_repartition_run(&of, &into, &o, &report, &err), err);
    STORY_CHECK(&story, !w.again, "a finished block was written again");
    STORY_OK(&story, xta_blocks_close(&of, true, &err), err);
    STORY_OK(&story, xta_blocks_close(&w.inner, true, &err), err);
    STORY_OK(&story, xta_array_close(from, &err), err);
    STORY_OK(&story, xta_array_close(to, &err), err);
    return 0;
}

static int in_place(const char *path, int64_t length, bool resume)
{
    xta_repartition_options o = XTA_REPARTITION_OPTIONS_INIT;
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    const int64_t chunk[2] = {length, 10};

    changes.chunk = chunk;
    o.memory_bytes = 16384;
    o.resume = resume;
    STORY_OK(&story, xta_array_rechunk(path, &changes, &o, NULL, &err), err);
    return 0;
}

/* Kill a child after some time; returns whether it was alive. */
static bool kill_after(pid_t child, int64_t us)
{
    int status = 0;

    usleep((useconds_t)us);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    STORY_CHECK(&story, WIFSIGNALED(status) || WEXITSTATUS(status) == 0, "the child failed");
    return WIFSIGNALED(status);
}

/* The run time of a child that is not killed. */
static int64_t time_us(pid_t child)
{
    struct timespec begin, end;
    int status = 0;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    waitpid(child, &status, 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    STORY_CHECK(&story, status == 0, "the child failed");
    return (end.tv_sec - begin.tv_sec) * 1000000 + (end.tv_nsec - begin.tv_nsec) / 1000;
}

static void killed(uint64_t seed)
{
    char source[TEST_PATH_BYTES], target[TEST_PATH_BYTES], notes[TEST_PATH_BYTES];
    test_random random = test_random_make(seed, 1);
    uint64_t n_kills = 0, n_resumed = 0, wanted = test_scale(50);

    test_story_begin(&story, "killed", seed, 0);
    test_folder_join(&folder, "source", source);
    test_folder_join(&folder, "target", target);
    test_folder_join(&folder, "notes", notes);
    make_source(source);
    fflush(NULL);
    pid_t first = fork();
    if (first == 0) {
        _exit(run_files(source, target, notes, 2));
    }
    int64_t longest = time_us(first);
    test_pair_remove(target);
    while (n_kills < wanted) {
        bool alive = true;
        while (alive && n_kills < wanted) {
            int threads = (int)test_random_in(&random, 1, 2);
            fflush(NULL);
            pid_t child = fork();
            if (child == 0) {
                _exit(run_files(source, target, notes, threads));
            }
            alive = kill_after(child, test_random_in(&random, 0, longest));
            bool is_noted[256];
            n_resumed += noted_blocks(notes, is_noted, 256) > 0;
            n_kills += alive;
            // A kill while the target is created leaves part of it.
            bool early = alive && noted_blocks(notes, is_noted, 256) == 0;
            if (early) {
                test_pair_remove(target);
                unlink(notes);
            }
            // The first run may be much faster or slower than the others.
            longest += early ? longest / 8 + 1 : alive ? 0 : -longest / 8;
        }
        STORY_CHECK(&story, run_files(source, target, notes, 2) == 0, "it does not go on");
        check_file(target);
        check_file(source);
        STORY_CHECK(&story, access(notes, F_OK) != 0, "notes are left behind");
        test_pair_remove(target);
    }
    STORY_CHECK(&story, n_resumed > wanted / 10, "only %llu kills came in the middle",
                (unsigned long long)n_resumed);
    test_pair_remove(source);
}

static void killed_in_place(uint64_t seed)
{
    char path[TEST_PATH_BYTES];
    test_random random = test_random_make(seed, 2);
    int64_t now = 7, next = 9;
    uint64_t n_kills = 0, wanted = test_scale(50);

    test_story_begin(&story, "killed in place", seed, 0);
    test_folder_join(&folder, "here", path);
    make_source(path);
    fflush(NULL);
    pid_t first = fork();
    if (first == 0) {
        _exit(in_place(path, 7, false));
    }
    int64_t longest = time_us(first);
    while (n_kills < wanted) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            _exit(in_place(path, next, test_random_chance(&random, 50)));
        }
        n_kills += kill_after(child, test_random_in(&random, 0, longest + longest / 4));
        int64_t found = check_file(path);
        STORY_CHECK(&story, found == now || found == next, "neither the old array nor the new one");
        if (found == next) {
            next = now;
            now = found;
        }
    }
    in_place(path, next, true);
    STORY_CHECK(&story, check_file(path) == next, "the new array is not there");
    test_pair_remove(path);
}

/* ---- killed at each rename ---- */

static int renames_left;
static bool before_it;

static int last_rename(const char *from, const char *to, bool replace)
{
    bool last = renames_left-- == 0;

    if (last && before_it) {
        _exit(7);
    }
    int result = replace ? rename(from, to) : renameat2(AT_FDCWD, from, AT_FDCWD, to, 1);
    if (last) {
        _exit(7);
    }
    return result;
}

static void cut_at_renames(void)
{
    char path[TEST_PATH_BYTES], next[TEST_PATH_BYTES + 16];
    bool ended = false;
    int n_old = 0, n_new = 0, n_waiting = 0;

    test_story_begin(&story, "cut at renames", 0, 0);
    test_folder_join(&folder, "here", path);
    snprintf(next, sizeof next, "%s.xmd.next", path);
    for (int k = 0; !ended; k++) {
        make_source(path);
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            xta__os_calls calls = *xta__os();
            calls.rename = last_rename;
            renames_left = k / 2;
            before_it = k % 2 == 0;
            xta__os_replace(&calls);
            _exit(in_place(path, 9, false));
        }
        int status = 0;
        waitpid(child, &status, 0);
        STORY_CHECK(&story, WIFEXITED(status) && (WEXITSTATUS(status) == 7 || status == 0),
                    "the child failed");
        ended = status == 0;
        int64_t found = check_file(path);
        STORY_CHECK(&story, found == 7 || found == 9, "neither the old array nor the new one");
        n_old += found == 7;
        n_new += found == 9;
        // Opening for reading renames nothing (F-93), opening for writing completes the replacement
        // (F-92).
        n_waiting += access(next, F_OK) == 0;
        open_to_write(path);
        STORY_CHECK(&story, check_file(path) == found && access(next, F_OK) != 0,
                    "a replacement is still to be done");
        STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
        STORY_CHECK(&story, in_place(path, 13, true) == 0 && check_file(path) == 13,
                    "it cannot be repartitioned any more");
        test_pair_remove(path);
    }
    STORY_CHECK(&story, n_old > 1 && n_new > 3 && n_waiting == 4,
                "%d times the old array, %d times the new one, %d times half done", n_old, n_new,
                n_waiting);
}

/* ---- a full disk, a source that is cut ---- */

static void fill_the_disk(const char *disk)
{
    char source[TEST_PATH_BYTES], target[TEST_PATH_BYTES + 8], notes[TEST_PATH_BYTES];
    xta_repartition_options o = XTA_REPARTITION_OPTIONS_INIT;
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    const int64_t chunk[2] = {9, 10};
    xta_array *from = NULL, *to = NULL;
    xta_blocks of, into;

    test_folder_join(&folder, "source", source);
    test_folder_join(&folder, "notes", notes);
    snprintf(target, sizeof target, "%s/target", disk);
    make_source(source);
    changes.chunk = chunk;
    o.memory_bytes = 16384;
    o.resume_path = notes;
    STORY_OK(&story, xta_array_open(source, NULL, &from, &err), err);
    STORY_OK(&story, xta_array_create_like(from, target, &changes, &to, &err), err);
    STORY_OK(&story, xta_blocks_of_array(from, &of, &err), err);
    STORY_OK(&story, xta_blocks_into_array(to, &into, &err), err);
    STORY_FAILS(&story, xta_repartition_run(&of, &into, &o, NULL, &err), XTA_ENOSPC, err);
    STORY_CHECK(&story, access(notes, F_OK) == 0, "there is no resume file");
    STORY_OK(&story, xta_blocks_close(&into, false, &err), err);
    xta_array_close(to, NULL);
    check_file(source);
    // With more space it resumes.
    STORY_CHECK(&story, mount("none", disk, "tmpfs", MS_REMOUNT, "size=1m") == 0, "no more room");
    writable.writable = true;
    STORY_OK(&story, xta_array_open(target, &writable, &to, &err), err);
    STORY_OK(&story, xta_blocks_into_array(to, &into, &err), err);
    o.resume = o.verify = true;
    STORY_OK(&story, xta_repartition_run(&of, &into, &o, NULL, &err), err);
    STORY_OK(&story, xta_blocks_close(&of, true, &err), err);
    STORY_OK(&story, xta_blocks_close(&into, true, &err), err);
    STORY_OK(&story, xta_array_close(from, &err), err);
    STORY_OK(&story, xta_array_close(to, &err), err);
    check_file(target);
    test_pair_remove(source);
}

static void full_disk(void)
{
    char disk[TEST_PATH_BYTES];
    int status = 0;

    test_story_begin(&story, "full disk", 0, 0);
    test_folder_join(&folder, "disk", disk);
    STORY_CHECK(&story, mkdir(disk, 0777) == 0, "mkdir");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) { // The mount is private to the child and ends with it.
        if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
            mount("none", disk, "tmpfs", 0, "size=24k") != 0) {
            printf("SKIPPED: a full disk (cannot mount a small file system: needs root)\n");
            exit(0);
        }
        fill_the_disk(disk);
        exit(0);
    }
    waitpid(child, &status, 0);
    STORY_CHECK(&story, status == 0, "the child failed (status %d)", status);
}

static int cut_source(void *user, const xta_repartition_progress *progress)
{
    (void)progress;
    STORY_CHECK(&story, truncate(user, 4096) == 0, "truncate");
    return 0;
}

static void source_is_cut(void)
{
    char source[TEST_PATH_BYTES], target[TEST_PATH_BYTES], data[TEST_PATH_BYTES + 8];
    xta_repartition_options o = XTA_REPARTITION_OPTIONS_INIT;
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    const int64_t chunk[2] = {9, 10};
    xta_array *from = NULL, *to = NULL;
    xta_blocks of, into;

    test_story_begin(&story, "a source is cut", 0, 0);
    test_folder_join(&folder, "source", source);
    test_folder_join(&folder, "target", target);
    snprintf(data, sizeof data, "%s.xta", source);
    make_source(source);
    changes.chunk = chunk;
    STORY_OK(&story, xta_array_open(source, NULL, &from, &err), err);
    STORY_OK(&story, xta_array_create_like(from, target, &changes, &to, &err), err);
    STORY_OK(&story, xta_blocks_of_array(from, &of, &err), err);
    STORY_OK(&story, xta_blocks_into_array(to, &into, &err), err);
    o.memory_bytes = 16384;
    o.n_threads = 1;
    o.report = cut_source;
    o.user = data;
    STORY_FAILS(&story, xta_repartition_run(&of, &into, &o, NULL, &err), XTA_ECORRUPT, err);
    STORY_CHECK(&story, strstr(err.text, data) != NULL, "'%s' does not name the file", err.text);
    STORY_OK(&story, xta_blocks_close(&of, true, &err), err);
    STORY_OK(&story, xta_blocks_close(&into, false, &err), err);
    xta_array_close(from, NULL);
    xta_array_close(to, NULL);
    test_pair_remove(source);
    test_pair_remove(target);
}

int main(void)
{
    uint64_t seed = test_seed("test_repartition_kill", 3);

    test_folder_make(&folder);
    source_is_cut();
    full_disk();
    killed(seed);
    killed_in_place(seed);
    cut_at_renames();
    test_folder_remove(&folder);
    printf("test_repartition_kill: done\n");
    return 0;
}
