/* A disk that fails after the file system has accepted the data: EIO at write-back.
 *
 *   write ARRAY STATE [STEPS]   random writes, until some steps after the first sync that fails; at
 *                               one of them the command $XTA_TEST_BREAK is run, if there is one
 *   verify ARRAY STATE          each cell is what it was at the last good sync, or newer
 *
 * failing_disk.sh makes the disk and repairs it in between. Every failure is an error with its
 * errno, never a signal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/array.h>

#include "support/random.h"
#include "support/report.h"

enum { WIDTH = 64, MOST_ROWS = 16384, STEPS_AFTER = 60, SYNC_EVERY = 40 };

/* The values that a cell may hold: numbers of writes, ascending. */
typedef struct range {
    int64_t least, most;
} range;

typedef struct state {
    int64_t least_rows, most_rows; /* of the bounds; rows are only added */
    range cells[MOST_ROWS][WIDTH];
} state;

static test_story story;
static test_random rnd;
static state *s;
static xta_array *array;
static xta_error err;
static int64_t n_writes, n_failed;
static bool sync_failed;

static bool went_well(xta_status status, const char *what)
{
    test_story_add(&story, "%s: %s", what, status == XTA_OK ? "XTA_OK" : err.text);
    if (status == XTA_OK) {
        return true;
    }
    // EROFS: the file system has become read-only.
    STORY_CHECK(&story,
                (status == XTA_EIO && err.os_errno == EIO) ||
                    (status == XTA_ENOSPC && err.os_errno == ENOSPC) ||
                    (status == XTA_EACCESS && err.os_errno == EROFS),
                "%s: %s, errno %d: %s", what, xta_status_name(status), err.os_errno, err.text);
    n_failed++;
    return false;
}

static void note_write(const xta_box *box)
{
    for (int64_t i = box->lo[0]; i < box->hi[0]; i++) {
        for (int64_t j = box->lo[1]; j < box->hi[1]; j++) {
            s->cells[i][j].most = n_writes;
        }
    }
}

static void write_box(void)
{
    int64_t rows = xta_array_bounds(array).hi[0];
    xta_box box = {.ndim = 2};
    int64_t n = 1, cells[64 * WIDTH];

    box.lo[0] = test_random_in(&rnd, 0, rows - 1);
    box.lo[1] = test_random_in(&rnd, 0, WIDTH - 1);
    box.hi[0] = test_random_in(&rnd, box.lo[0] + 1, box.lo[0] + 64 < rows ? box.lo[0] + 64 : rows);
    box.hi[1] = test_random_in(&rnd, box.lo[1] + 1, WIDTH);
    if (test_random_chance(&rnd, 30)) {
        box.lo[1] = 0;
        box.hi[1] = WIDTH;
    }
    n_writes++;
    n = (box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]);
    for (int64_t k = 0; k < n; k++) {
        cells[k] = n_writes;
    }
    note_write(&box); // also if it fails: some of it may be on the disk
    (void)!went_well(xta_array_write(array, &box, NULL, cells, &err), "write");
}

static void put(void)
{
    int64_t coord[2] = {test_random_in(&rnd, 0, xta_array_bounds(array).hi[0] - 1),
                        test_random_in(&rnd, 0, WIDTH - 1)};

    n_writes++;
    s->cells[coord[0]][coord[1]].most = n_writes;
    (void)!went_well(xta_array_put(array, coord, &n_writes, &err), "put");
}

static void grow(void)
{
    const xta_growth growth = {0, XTA_BACK, test_random_in(&rnd, 1, 200)};
    xta_box bounds = xta_array_bounds(array);

    if (bounds.hi[0] + growth.by <= MOST_ROWS &&
        went_well(xta_array_extend(array, &growth, 1, &bounds, &err), "extend")) {
        s->most_rows = bounds.hi[0];
    }
}

static void sync_it(void)
{
    bool well = went_well(xta_array_sync(array, &err), "sync");

    STORY_CHECK(&story, !(sync_failed && well), "a sync went well after one that failed");
    sync_failed = !well;
    if (well) {
        s->least_rows = s->most_rows;
        for (int64_t i = 0; i < s->most_rows; i++) {
            for (int64_t j = 0; j < WIDTH; j++) {
                s->cells[i][j].least = s->cells[i][j].most;
            }
        }
    }
}

static void write_until_it_fails(const char *path, int64_t steps)
{
    static const int64_t bounds[2] = {100, WIDTH}, chunk[2] = {32, 16};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const char *command = getenv("XTA_TEST_BREAK");
    int64_t after = 0, breaks_at = command != NULL ? test_random_in(&rnd, 0, 400) : -1;

    options.chunk = chunk;
    options.access = test_random_chance(&rnd, 60) ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED;
    options.cache_bytes = (uint64_t)test_random_in(&rnd, 1, 2000000);
    options.exclusive_writer = test_random_chance(&rnd, 30);
    STORY_OK(&story, xta_array_create(path, XTA_I64, 2, bounds, &options, &array, &err), err);
    s->most_rows = bounds[0];
    sync_it();
    for (int64_t k = 0; k < steps && after < STEPS_AFTER; k++) {
        int64_t what = test_random_in(&rnd, 0, 9);
        STORY_CHECK(&story, k != breaks_at || system(command) == 0, "%s has failed", command);
        if (k % SYNC_EVERY == SYNC_EVERY - 1) {
            sync_it();
        } else if (what == 0) {
            grow();
        } else if (what < 4) {
            put();
        } else {
            write_box();
        }
        after += sync_failed;
    }
    (void)!went_well(xta_array_close(array, &err), "close");
}

static void verify(const char *path)
{
    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    xta_box bounds = xta_array_bounds(array);
    STORY_CHECK(&story, bounds.hi[0] >= s->least_rows && bounds.hi[0] <= s->most_rows,
                "%lld rows, not %lld to %lld", (long long)bounds.hi[0], (long long)s->least_rows,
                (long long)s->most_rows);
    int64_t *cells = calloc((size_t)bounds.hi[0] * WIDTH, sizeof cells[0]);
    STORY_CHECK(&story, cells != NULL, "no memory");
    STORY_OK(&story, xta_array_read(array, &bounds, NULL, cells, &err), err);
    for (int64_t k = 0; k < bounds.hi[0] * WIDTH; k++) {
        const range *r = &s->cells[k / WIDTH][k % WIDTH];
        STORY_CHECK(&story, cells[k] >= r->least && cells[k] <= r->most,
                    "cell %lld,%lld holds write %lld, not %lld to %lld", (long long)(k / WIDTH),
                    (long long)(k % WIDTH), (long long)cells[k], (long long)r->least,
                    (long long)r->most);
    }
    free(cells);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed("test_failing_disk", 20261201);

    if (argc < 4) {
        fprintf(stderr, "usage: test_failing_disk write|verify ARRAY STATE [STEPS]\n");
        return 2;
    }
    bool writes = strcmp(argv[1], "write") == 0;
    s = calloc(1, sizeof *s);
    test_story_begin(&story, "test_failing_disk", seed, 0);
    rnd = test_random_make(seed, 0);
    FILE *file = fopen(argv[3], writes ? "wb" : "rb");
    STORY_CHECK(&story, s != NULL && file != NULL, "no memory, or no %s", argv[3]);
    if (writes) {
        write_until_it_fails(argv[2], argc > 4 ? atoll(argv[4]) : 4000);
        printf("test_failing_disk: %lld writes, %lld calls failed\n", (long long)n_writes,
               (long long)n_failed);
    } else {
        STORY_CHECK(&story, fread(s, sizeof *s, 1, file) == 1, "%s is cut", argv[3]);
        verify(argv[2]);
        printf("test_failing_disk: %lld rows as promised\n", (long long)s->least_rows);
    }
    STORY_CHECK(&story, !writes || fwrite(s, sizeof *s, 1, file) == 1, "cannot write %s", argv[3]);
    STORY_CHECK(&story, fclose(file) == 0, "cannot write %s", argv[3]);
    free(s);
    return writes && !sync_failed ? 3 : 0;
}
