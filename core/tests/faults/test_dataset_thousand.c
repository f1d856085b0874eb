/* A data set of 1,000 members: one step grows all of them, and a kill leaves all or none grown.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <xta/xta.h>

#include "open_set.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"
#include "support/skip.h"

enum { N_MEMBERS = 1000, N_KILLS = 3, JOURNAL_BYTES = 256 };

typedef struct rig {
    test_story story;
    test_random random;
    char path[TEST_PATH_BYTES];
    int n_members;
    int64_t step_us; /* what one step takes */
    xta_error err;
} rig;

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void make_members(rig *r)
{
    const char *const names[] = {"t", "x"};
    const int64_t bounds[] = {2, 3};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    char path[TEST_PATH_BYTES + 16];

    options.names = names;
    STORY_CHECK(&r->story, mkdir(r->path, 0777) == 0, "no folder");
    for (int k = 0; k < r->n_members; k++) {
        xta_array *array = NULL;
        snprintf(path, sizeof path, "%s/m%04d", r->path, k);
        STORY_OK(&r->story, xta_array_create(path, XTA_U8, 2, bounds, &options, &array, &r->err),
                 r->err);
        STORY_OK(&r->story, xta_array_close(array, &r->err), r->err);
    }
}

static void grow(rig *r, xta_dataset *set)
{
    const xta_dimension_growth growths[] = {{"t", XTA_BACK, 1}, {"t", XTA_FRONT, 1}};

    STORY_OK(&r->story,
             xta_dataset_extend(set, &growths[test_random_in(&r->random, 0, 1)], 1, &r->err),
             r->err);
}

/* The cells along t; an error if members disagree. */
static int64_t length(rig *r)
{
    xta_dataset *set = test_open_set(&r->story, r->path);
    xta_dimension t = {0};

    STORY_OK(&r->story, xta_dataset_dimension(set, "t", &t, &r->err), r->err);
    STORY_CHECK(&r->story, t.n_members == (size_t)r->n_members, "%zu members have t", t.n_members);
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
    return t.hi - t.lo;
}

static int64_t bytes_of_journals(rig *r)
{
    char path[TEST_PATH_BYTES + 16];
    struct stat facts;
    int64_t bytes = 0;

    for (int k = 0; k < r->n_members; k++) {
        snprintf(path, sizeof path, "%s/m%04d.xmd", r->path, k);
        STORY_CHECK(&r->story, stat(path, &facts) == 0, "%s is not there", path);
        bytes += (int64_t)facts.st_size;
    }
    return bytes;
}

static int open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int n = 0;

    while (folder != NULL && readdir(folder) != NULL) {
        n++;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return n;
}

static void measure(rig *r)
{
    double start = seconds();
    STORY_CHECK(&r->story, length(r) == 2, "t has other cells");
    double opened = seconds();
    xta_dataset *set = test_open_set(&r->story, r->path);
    int before = open_files();
    grow(r, set); // opens all, and begins their journals
    int64_t bytes = bytes_of_journals(r);
    double begun = seconds();
    grow(r, set);
    double grown = seconds();
    r->step_us = (int64_t)(1e6 * (grown - begun)) + 1;
    int files = open_files() - before;
    int64_t added = bytes_of_journals(r) - bytes;
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
    printf("%d members: opened and closed in %.3f s, grown by one step in %.3f s; %lld bytes of "
           "journals and %d descriptors each\n",
           r->n_members, opened - start, grown - begun, (long long)(added / r->n_members),
           files / r->n_members);
    STORY_CHECK(&r->story, added <= (int64_t)r->n_members * JOURNAL_BYTES, "%lld bytes for a step",
                (long long)added);
    STORY_CHECK(&r->story, files <= 2 * r->n_members + 16, "%d descriptors", files);
}

static void kill_once(rig *r)
{
    int64_t before = length(r);
    int pipe_ends[2], how = 0;
    char ready = 0;

    STORY_CHECK(&r->story, pipe(pipe_ends) == 0, "no pipe");
    pid_t child = fork();
    STORY_CHECK(&r->story, child >= 0, "fork failed");
    if (child == 0) {
        xta_dataset *set = test_open_set(&r->story, r->path);
        size_t n = 0;
        STORY_OK(&r->story, xta_dataset_dimension_count(set, &n, &r->err), r->err);
        if (write(pipe_ends[1], "r", 1) == 1) {
            grow(r, set);
        }
        pause();
    }
    struct timespec wait = {0, test_random_in(&r->random, 0, r->step_us * 3 / 2) % 1000000 * 1000};
    STORY_CHECK(&r->story, read(pipe_ends[0], &ready, 1) == 1, "the child has failed");
    nanosleep(&wait, NULL);
    STORY_CHECK(&r->story, kill(child, SIGKILL) == 0 && waitpid(child, &how, 0) == child,
                "kill failed");
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    int64_t after = length(r);
    printf("killed after %d of %d us: %lld cells, then %lld\n", (int)(wait.tv_nsec / 1000),
           (int)r->step_us, (long long)before, (long long)after);
    STORY_CHECK(&r->story, after == before || after == before + 1, "%lld cells after %lld",
                (long long)after, (long long)before);
    // Growth goes on after it.
    xta_dataset *set = test_open_set(&r->story, r->path);
    grow(r, set);
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
    STORY_CHECK(&r->story, length(r) == after + 1, "the next growth is lost");
}

int main(void)
{
    static rig r;
    test_folder folder;
    uint64_t seed = test_seed("test_dataset_thousand", 20261125);
    struct rlimit limit;

    r.n_members = test_scale(N_MEMBERS) < N_MEMBERS ? (int)test_scale(N_MEMBERS) : N_MEMBERS;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur < 2 * (rlim_t)r.n_members + 100) {
        test_skip("the hard limit of open files is too low for 1,000 members");
        return test_end(0);
    }
    test_folder_make_fast(&folder);
    test_folder_join(&folder, "set", r.path);
    r.random = test_random_make(seed, 0);
    test_story_begin(&r.story, "test_dataset_thousand", seed, 0);
    make_members(&r);
    measure(&r);
    for (int k = 0; k < N_KILLS; k++) {
        kill_once(&r);
    }
    test_folder_remove(&folder);
    return test_end(0);
}
