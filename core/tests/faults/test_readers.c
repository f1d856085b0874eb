/* Readers while others append and compact: a slab that was appended is never seen without its
 * cells.
 *
 * Two processes append rows at either end of one array, a third compacts the journal repeatedly,
 * and two readers (one through a mapping, one through a small cache) refresh and read. The values
 * of a row depend on its coordinate alone, so a reader can check every row it sees.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

#define COLUMNS 37
#define N_ROLES 5

static test_story story;
static char path[TEST_PATH_BYTES];
static int64_t n_rows; /* appended at each end */

static uint32_t value_of(int64_t row, int64_t column)
{
    return (uint32_t)((uint64_t)(row * 64 + column) * 2654435761u) | 1u;
}

static xta_array *open_it(bool writable, xta_access access)
{
    xta_array *array = NULL;
    xta_error err;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    options.writable = writable;
    options.access = access;
    options.cache_bytes = 2000;
    STORY_OK(&story, xta_array_open(path, &options, &array, &err), err);
    return array;
}

static void append_rows(uint64_t seed, xta_side side)
{
    xta_error err;
    xta_array *array = open_it(true, side == XTA_BACK ? XTA_ACCESS_AUTO : XTA_ACCESS_CACHED);
    test_random random = test_random_make(seed, 1 + (uint64_t)side);
    uint32_t cells[3 * COLUMNS];

    for (int64_t row = 0; row < n_rows;) {
        xta_growth growth = {0, side, test_random_in(&random, 1, 3)};
        int64_t first = side == XTA_BACK ? row : -row - growth.by;
        xta_box after;
        for (int64_t i = 0; i < growth.by * COLUMNS; i++) {
            cells[i] = value_of(first + i / COLUMNS, i % COLUMNS);
        }
        STORY_OK(&story, xta_array_append(array, &growth, NULL, cells, &after, &err), err);
        int64_t begins = side == XTA_BACK ? after.hi[0] - growth.by : after.lo[0];
        STORY_CHECK(&story, begins == first, "row %lld was appended as %lld", (long long)first,
                    (long long)begins);
        row += growth.by;
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static bool complete(const xta_box *bounds)
{
    return bounds->hi[0] >= n_rows && bounds->lo[0] <= -n_rows;
}

static void judge_rows(xta_array *array, int64_t lo, int64_t hi)
{
    xta_error err;
    static uint32_t cells[64 * COLUMNS];
    xta_box box = {.ndim = 2, .lo = {lo, 0}, .hi = {hi, COLUMNS}};

    STORY_OK(&story, xta_array_read(array, &box, NULL, cells, &err), err);
    for (int64_t i = 0; i < (hi - lo) * COLUMNS; i++) {
        STORY_CHECK(&story, cells[i] == value_of(lo + i / COLUMNS, i % COLUMNS),
                    "row %lld, column %lld of %lld:%lld holds %u", (long long)(lo + i / COLUMNS),
                    (long long)(i % COLUMNS), (long long)lo, (long long)hi, cells[i]);
    }
}

/* The newest rows of both ends each time, and some in between. */
static void read_rows(uint64_t seed, uint64_t reader)
{
    xta_error err;
    xta_array *array = open_it(false, reader == 0 ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED);
    test_random random = test_random_make(seed, 10 + reader);
    xta_box bounds = xta_array_bounds(array);

    while (!complete(&bounds)) {
        STORY_OK(&story, xta_array_refresh(array, NULL, &err), err);
        bounds = xta_array_bounds(array);
        int64_t lo = bounds.lo[0];
        int64_t hi = bounds.hi[0];
        if (lo == hi) {
            continue;
        }
        int64_t few = hi - lo < 12 ? hi - lo : 12;
        judge_rows(array, hi - few, hi);
        judge_rows(array, lo, lo + few);
        int64_t at = test_random_in(&random, lo, hi - few);
        judge_rows(array, at, at + few);
    }
    for (int64_t row = bounds.lo[0]; row < bounds.hi[0]; row += 64) {
        judge_rows(array, row, row + 64 < bounds.hi[0] ? row + 64 : bounds.hi[0]);
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static void compact_often(void)
{
    xta_error err;
    xta_array *array = open_it(false, XTA_ACCESS_AUTO);
    xta_box bounds = xta_array_bounds(array);

    while (!complete(&bounds)) {
        STORY_OK(&story, xta_compact(path, NULL, NULL, &err), err);
        STORY_OK(&story, xta_array_refresh(array, NULL, &err), err);
        bounds = xta_array_bounds(array);
        usleep(3000);
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static void act(int role, uint64_t seed)
{
    switch (role) {
    case 0:
        append_rows(seed, XTA_BACK);
        break;
    case 1:
        append_rows(seed, XTA_FRONT);
        break;
    case 2:
        compact_often();
        break;
    default:
        read_rows(seed, (uint64_t)role - 3);
        break;
    }
}

/* All must succeed. If one fails the others would wait for it, so they are killed. */
static void wait_for(pid_t children[])
{
    for (int k = 0; k < N_ROLES; k++) {
        int status = 0;
        pid_t ended = wait(&status);
        for (int role = 0; role < N_ROLES; role++) {
            if (children[role] == ended) {
                children[role] = 0;
            }
        }
        for (int role = 0; role < N_ROLES && status != 0; role++) {
            if (children[role] > 0) {
                kill(children[role], SIGKILL);
            }
        }
        STORY_CHECK(&story, ended > 0 && status == 0,
                    "a process failed, status %d (14: it waited in vain)", status);
    }
}

int main(void)
{
    pid_t children[N_ROLES];
    test_folder folder;
    xta_array *array = NULL;
    xta_error err;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    uint64_t seed = test_seed("test_readers", 20240306);

    n_rows = (int64_t)test_scale(6000);
    test_story_begin(&story, "test_readers", seed, 0);
    test_folder_make(&folder);
    test_folder_join(&folder, "a", path);
    options.chunk = (const int64_t[]){8, 16};
    STORY_OK(
        &story,
        xta_array_create(path, XTA_U32, 2, (const int64_t[]){0, COLUMNS}, &options, &array, &err),
        err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    fflush(NULL);
    for (int role = 0; role < N_ROLES; role++) {
        children[role] = fork();
        if (children[role] == 0) {
            alarm(60);
            act(role, seed);
            exit(0);
        }
    }
    wait_for(children);
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    test_folder_remove(&folder);
    printf("test_readers: every one of %lld rows was whole whenever it was seen\n",
           (long long)(2 * n_rows));
    return 0;
}
