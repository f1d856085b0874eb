/* Appends with coordinates and cells whose writer is killed at any instant: every member has the
 * slab, with its coordinates and cells, or none has it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <xta/xta.h>

#include "open_set.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

enum { N_KILLS = 40, MOST_SLAB = 3, N_X = 5 };

typedef struct rig {
    int64_t most_ns; /* until a kill: a few appends, as long as they take here */
    test_story story;
    test_random random;
    char path[TEST_PATH_BYTES];
    xta_error err;
} rig;

/* The coordinate of a cell; no step is the same, so they cannot become regular. */
static int64_t coordinate(int64_t cell)
{
    return 1000 * cell + (cell % 2 == 0);
}

static int32_t value(int64_t cell, int64_t x)
{
    return (int32_t)(cell * 100 + x);
}

static void append_once(rig *r, xta_dataset *set, xta_side side, int64_t n)
{
    xta_dimension time;
    int64_t coordinates[MOST_SLAB];
    int32_t a[MOST_SLAB * N_X], b[MOST_SLAB];

    STORY_OK(&r->story, xta_dataset_dimension(set, "time", &time, &r->err), r->err);
    int64_t first = side == XTA_BACK ? time.hi : time.lo - n;
    for (int64_t k = 0; k < n; k++) {
        coordinates[k] = coordinate(first + k);
        b[k] = value(first + k, 0);
        for (int64_t x = 0; x < N_X; x++) {
            a[k * N_X + x] = value(first + k, x);
        }
    }
    const xta_new_coordinates c = {.n = n, .type = XTA_I64, .values = coordinates};
    const xta_member_cells cells[2] = {{.member = "a", .cells = a}, {.member = "b", .cells = b}};
    const xta_dataset_slab slab = {.dimension = "time",
                                   .side = side,
                                   .by = n,
                                   .coordinates = &c,
                                   .cells = cells,
                                   .n_cells = 2};
    STORY_OK(&r->story, xta_dataset_append(set, &slab, NULL, &r->err), r->err);
}

static void read_cells(rig *r, xta_dataset *set, const char *name, void *cells, int64_t lo,
                       int64_t hi)
{
    xta_array *array = NULL;
    char path[TEST_PATH_BYTES + 8];

    STORY_OK(&r->story, xta_dataset_member(set, name, &array, &r->err), r->err);
    xta_box box = xta_array_bounds(array);
    STORY_CHECK(&r->story, box.lo[0] == lo && box.hi[0] == hi, "%s has other cells", name);
    STORY_OK(&r->story, xta_array_read(array, &box, NULL, cells, &r->err), r->err);
    snprintf(path, sizeof path, "%s/%s", r->path, name);
    STORY_OK(&r->story, xta_check(path, NULL, NULL, &r->err), r->err);
}

/* The number of cells along time. */
static int64_t check(rig *r)
{
    xta_dataset *set = test_open_set(&r->story, r->path);
    xta_dimension d;

    STORY_OK(&r->story, xta_dataset_dimension(set, "time", &d, &r->err), r->err);
    int64_t n = d.hi - d.lo;
    int64_t *time = calloc((size_t)n, sizeof *time);
    int32_t *a = calloc((size_t)(n * N_X), sizeof *a), *b = calloc((size_t)n, sizeof *b);
    STORY_CHECK(&r->story, time != NULL && a != NULL && b != NULL, "no memory");
    read_cells(r, set, "time", time, d.lo, d.hi);
    read_cells(r, set, "a", a, d.lo, d.hi);
    read_cells(r, set, "b", b, d.lo, d.hi);
    for (int64_t k = 0; k < n; k++) {
        STORY_CHECK(&r->story, time[k] == coordinate(d.lo + k), "time of cell %lld is %lld",
                    (long long)(d.lo + k), (long long)time[k]);
        STORY_CHECK(&r->story, b[k] == value(d.lo + k, 0), "b of cell %lld is %d",
                    (long long)(d.lo + k), b[k]);
        for (int64_t x = 0; x < N_X; x++) {
            STORY_CHECK(&r->story, a[k * N_X + x] == value(d.lo + k, x), "a of cell %lld is %d",
                        (long long)(d.lo + k), a[k * N_X + x]);
        }
    }
    free(time);
    free(a);
    free(b);
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
    return n;
}

static _Noreturn void work(rig *r)
{
    xta_dataset *set = test_open_set(&r->story, r->path);

    for (;;) {
        xta_side side = test_random_chance(&r->random, 50) ? XTA_FRONT : XTA_BACK;
        append_once(r, set, side, test_random_in(&r->random, 1, MOST_SLAB));
    }
}

static int64_t kill_once(rig *r)
{
    int64_t ns = test_random_in(&r->random, 1000000, r->most_ns);
    struct timespec pause = {ns / 1000000000, ns % 1000000000};
    int how = 0;

    pid_t child = fork();
    STORY_CHECK(&r->story, child >= 0, "fork failed");
    if (child == 0) {
        work(r);
    }
    nanosleep(&pause, NULL);
    STORY_CHECK(&r->story, kill(child, SIGKILL) == 0, "kill failed");
    STORY_CHECK(&r->story, waitpid(child, &how, 0) == child && WIFSIGNALED(how),
                "the child ended by itself");
    return check(r);
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* How long a writer needs until its first append is complete. */
static int64_t measure(rig *r)
{
    int64_t start = now_ns();
    xta_dataset *set = test_open_set(&r->story, r->path);

    append_once(r, set, XTA_BACK, 2);
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
    return now_ns() - start;
}

static void make_set(rig *r)
{
    const char *const a[2] = {"time", "x"}, *const b[1] = {"time"};
    const xta_dimension time = {.name = "time"}, x = {.name = "x", .hi = N_X};
    xta_dataset *set = NULL;

    STORY_OK(&r->story, xta_dataset_create(r->path, NULL, &set, &r->err), r->err);
    STORY_OK(&r->story, xta_dataset_set_dimension(set, &time, &r->err), r->err);
    STORY_OK(&r->story, xta_dataset_set_dimension(set, &x, &r->err), r->err);
    STORY_OK(&r->story, xta_dataset_add_member(set, "time", XTA_I64, 1, b, NULL, NULL, &r->err),
             r->err);
    STORY_OK(&r->story, xta_dataset_add_member(set, "a", XTA_I32, 2, a, NULL, NULL, &r->err),
             r->err);
    STORY_OK(&r->story, xta_dataset_add_member(set, "b", XTA_I32, 1, b, NULL, NULL, &r->err),
             r->err);
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
    int64_t took = measure(r);
    r->most_ns = 5 * took > 30000000 ? 5 * took : 30000000;
}

int main(void)
{
    static rig r;
    test_folder folder;
    uint64_t seed = test_seed("test_dataset_append_kill", 20261125);
    int64_t n = 0;

    test_folder_make(&folder);
    test_folder_join(&folder, "set", r.path);
    test_story_begin(&r.story, "test_dataset_append_kill", seed, 0);
    make_set(&r);
    for (uint64_t k = 0; k < test_scale(N_KILLS); k++) {
        r.random = test_random_make(seed, k);
        test_story_begin(&r.story, "test_dataset_append_kill", seed, k);
        n = kill_once(&r);
    }
    printf("%lld cells along time after all kills\n", (long long)n);
    STORY_CHECK(&r.story, n > 2, "nothing was appended between the kills");
    test_folder_remove(&folder);
    return 0;
}
