/* Random histories on a disk that fills up: an error each time, never a signal, and nothing that
 * was made durable is lost.
 *
 * The disk is a small tmpfs in a mount namespace of its own; without the right to make one the test
 * is skipped. Handles with a mapping are not read from: in a file system in memory a hole that is
 * looked at takes a page, and where there is none left the system knows no answer but a signal
 * (XTA_ACCESS_AUTO takes the chunk cache there). What they wrote is read back through the cache.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"
#include "support/skip.h"

enum { REACH = 256, MOST_VALUES = 6, STEPS_AFTER = 12, MOST_STEPS = 4000 };

/* What a cell may hold on the disk; the last one is the newest. */
typedef struct cell {
    int64_t values[MOST_VALUES];
    int n;
    bool either; /* a write that failed may or may not have reached it */
    bool any;    /* too much has happened to it */
} cell;

static test_story story;
static test_random rnd;
static test_folder folder;
static char path[TEST_PATH_BYTES];
static cell (*model)[2 * REACH];
static xta_box bounds;
static xta_array *array;
static xta_error err;
static bool cached;
static uint64_t n_full; /* calls that found the disk full */

static int64_t in(int64_t lo, int64_t hi)
{
    return test_random_in(&rnd, lo, hi);
}

/* ---- the model ---- */

static void become(cell *c, int64_t value)
{
    memset(c, 0, sizeof *c);
    c->values[c->n++] = value;
}

static void maybe(cell *c, int64_t value)
{
    c->any = c->any || c->n == MOST_VALUES;
    if (!c->any) {
        c->values[c->n++] = value;
    }
}

typedef void change(cell *c, int64_t value);

static void wrote(cell *c, int64_t value)
{
    if (!cached) {
        become(c, value);
        return;
    }
    maybe(c, value);
    c->either = false;
}

static void failed(cell *c, int64_t value)
{
    maybe(c, value);
    c->either = true;
}

static void synced(cell *c, int64_t value)
{
    (void)value;
    if (!c->any && !c->either) {
        become(c, c->values[c->n - 1]);
    }
}

static void each(const xta_box *box, change *what, const int64_t values[])
{
    for (int64_t i = box->lo[0]; i < box->hi[0]; i++) {
        for (int64_t j = box->lo[1]; j < box->hi[1]; j++) {
            what(&model[i + REACH][j + REACH], values != NULL ? *values++ : 0);
        }
    }
}

/* ---- steps ---- */

/* A call has gone well, or has found the disk full and says so. */
static bool went_well(xta_status status, const char *what)
{
    test_story_add(&story, "%s: %s", what, xta_status_name(status));
    if (status == XTA_OK) {
        return true;
    }
    STORY_CHECK(&story, status == XTA_ENOSPC, "%s: %s: %s", what, xta_status_name(status),
                err.text);
    STORY_CHECK(&story, err.os_errno == ENOSPC, "%s: errno %d: %s", what, err.os_errno, err.text);
    n_full++;
    xta_box now = xta_array_bounds(array);
    STORY_CHECK(&story, xta_box_equal(&now, &bounds), "%s failed, and changed the bounds", what);
    return false;
}

static bool random_growth(bool shrink, xta_growth *growth, xta_box *after, xta_box *slab)
{
    int axis = (int)in(0, 1);
    xta_side side = test_random_chance(&rnd, 70) ? XTA_BACK : XTA_FRONT;
    int64_t room = shrink             ? bounds.hi[axis] - bounds.lo[axis] - 1
                   : side == XTA_BACK ? REACH - bounds.hi[axis]
                                      : bounds.lo[axis] + REACH;
    int64_t by = in(1, 20);

    by = by < room ? by : room;
    *growth = (xta_growth){axis, side, by};
    *after = *slab = bounds;
    if (side == XTA_BACK) {
        slab->lo[axis] = bounds.hi[axis] - (shrink ? by : 0);
        slab->hi[axis] = bounds.hi[axis] + (shrink ? 0 : by);
        after->hi[axis] += shrink ? -by : by;
    } else {
        slab->hi[axis] = bounds.lo[axis] + (shrink ? by : 0);
        slab->lo[axis] = bounds.lo[axis] - (shrink ? 0 : by);
        after->lo[axis] += shrink ? by : -by;
    }
    return by > 0;
}

static int64_t *random_cells(const xta_box *box)
{
    uint64_t n = 0;

    STORY_CHECK(&story, xta_box_cells(box, &n) == XTA_OK, "a box of too many cells");
    int64_t *cells = calloc((size_t)n + 1, sizeof cells[0]);
    for (uint64_t k = 0; k < n; k++) {
        cells[k] = (int64_t)(test_random_u64(&rnd) >> 1) | 1;
    }
    return cells;
}

static xta_box random_box(void)
{
    xta_box box = bounds;

    for (int axis = 0; axis < 2; axis++) {
        box.lo[axis] = in(bounds.lo[axis], bounds.hi[axis] - 1);
        int64_t most = box.lo[axis] + 40;
        box.hi[axis] = in(box.lo[axis] + 1, most < bounds.hi[axis] ? most : bounds.hi[axis]);
    }
    return box;
}

static void grow(bool append)
{
    xta_growth growth;
    xta_box after, slab;

    if (!random_growth(false, &growth, &after, &slab)) {
        return;
    }
    int64_t *cells = append ? random_cells(&slab) : NULL;
    xta_status status = append ? xta_array_append(array, &growth, NULL, cells, NULL, &err)
                               : xta_array_extend(array, &growth, 1, NULL, &err);
    if (went_well(status, append ? "append" : "extend")) {
        bounds = after;
        each(&slab, become, cells);
    }
    free(cells);
}

static void shrink(void)
{
    xta_growth growth;
    xta_box after, slab;

    if (random_growth(true, &growth, &after, &slab) &&
        went_well(xta_array_shrink(array, &growth, 1, NULL, &err), "shrink")) {
        bounds = after;
    }
}

static void write_some(void)
{
    xta_box box = random_box();
    int64_t *cells = random_cells(&box);

    bool well = went_well(xta_array_write(array, &box, NULL, cells, &err), "write");
    each(&box, well ? wrote : failed, cells);
    free(cells);
}

static void fill_some(void)
{
    xta_box box = random_box();
    int64_t *cells = random_cells(&box), value = test_random_chance(&rnd, 50) ? 0 : cells[0];
    uint64_t n = 0;

    STORY_CHECK(&story, xta_box_cells(&box, &n) == XTA_OK, "a box of too many cells");
    for (uint64_t k = 0; k < n; k++) {
        cells[k] = value;
    }
    bool well = went_well(xta_array_fill(array, &box, &value, &err), "fill");
    each(&box, well ? wrote : failed, cells);
    free(cells);
}

static void put_one(void)
{
    int64_t at[2] = {in(bounds.lo[0], bounds.hi[0] - 1), in(bounds.lo[1], bounds.hi[1] - 1)};
    int64_t value = in(1, INT64_MAX);
    xta_box box = {.ndim = 2, .lo = {at[0], at[1]}, .hi = {at[0] + 1, at[1] + 1}};

    bool well = went_well(xta_array_put(array, at, &value, &err), "put");
    each(&box, well ? wrote : failed, &value);
}

static void sync_all(void)
{
    if (went_well(xta_array_sync(array, &err), "sync")) {
        each(&bounds, synced, NULL);
    }
}

static void take_random_step(void)
{
    int64_t which = in(0, 99);

    if (which < 15) {
        grow(false);
    } else if (which < 45) {
        grow(true);
    } else if (which < 50) {
        shrink();
    } else if (which < 75) {
        write_some();
    } else if (which < 80) {
        fill_some();
    } else if (which < 90) {
        put_one();
    } else {
        sync_all();
    }
}

/* ---- one history ---- */

static void begin(void)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const int64_t chunk[2] = {in(1, 64), in(1, 64)}, lengths[2] = {4, 4};

    memset(model, 0, sizeof model[0] * 2 * REACH);
    bounds = (xta_box){.ndim = 2, .hi = {4, 4}};
    each(&bounds, become, NULL);
    options.chunk = chunk;
    options.order = test_random_chance(&rnd, 50) ? XTA_ROW : XTA_COLUMN;
    options.access = cached ? XTA_ACCESS_CACHED : XTA_ACCESS_MAPPED;
    options.cache_bytes = (uint64_t)in(1, 200000);
    options.sole_writer = test_random_chance(&rnd, 30);
    test_story_add(&story, "%s%s, chunks of %lld x %lld", cached ? "cached" : "mapped",
                   options.sole_writer ? ", sole writer" : "", (long long)chunk[0],
                   (long long)chunk[1]);
    STORY_OK(&story, xta_array_create(path, XTA_I64, 2, lengths, &options, &array, &err), err);
}

static void judge(void)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    uint64_t n = 0;

    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    options.access = XTA_ACCESS_CACHED;
    STORY_OK(&story, xta_array_open(path, &options, &array, &err), err);
    xta_box now = xta_array_bounds(array);
    STORY_CHECK(&story, xta_box_equal(&now, &bounds), "other bounds after opening again");
    STORY_CHECK(&story, xta_box_cells(&bounds, &n) == XTA_OK, "too many cells");
    int64_t *cells = calloc((size_t)n + 1, sizeof cells[0]), *at = cells;
    STORY_OK(&story, xta_array_read(array, &bounds, NULL, cells, &err), err);
    for (int64_t i = bounds.lo[0]; i < bounds.hi[0]; i++) {
        for (int64_t j = bounds.lo[1]; j < bounds.hi[1]; j++, at++) {
            const cell *c = &model[i + REACH][j + REACH];
            bool found = c->any;
            for (int k = 0; k < c->n && !found; k++) {
                found = c->values[k] == *at;
            }
            STORY_CHECK(&story, found, "cell %lld,%lld holds %lld, and not %lld (%d may be)",
                        (long long)i, (long long)j, (long long)*at, (long long)c->values[0], c->n);
        }
    }
    free(cells);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static void one_history(void)
{
    uint64_t before = n_full;
    int left = MOST_STEPS;

    begin();
    while (left > 0) {
        take_random_step();
        left--;
        if (n_full > before && left > STEPS_AFTER) {
            left = STEPS_AFTER;
        }
    }
    STORY_CHECK(&story, n_full > before, "the disk never was full");
    xta_status status = xta_array_close(array, &err);
    STORY_CHECK(&story, status == XTA_OK || (status == XTA_ENOSPC && err.os_errno == ENOSPC),
                "close: %s: %s", xta_status_name(status), err.text);
    test_story_add(&story, "close: %s: %s", xta_status_name(status), err.text);
    if (status == XTA_OK) {
        each(&bounds, synced, NULL);
    }
    judge();
    STORY_OK(&story, xta_array_delete(path, &err), err);
}

/* ---- the disk ---- */

static bool write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    bool well = file != NULL && fputs(text, file) >= 0;

    return file != NULL && fclose(file) == 0 && well;
}

/* As root, or as one who is root in a namespace of his own. */
static bool own_mounts(void)
{
    char map[64];

    if (unshare(CLONE_NEWNS) != 0) {
        snprintf(map, sizeof map, "0 %ld 1", (long)getuid());
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !write_text("/proc/self/uid_map", map)) {
            return false;
        }
    }
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

int main(void)
{
    uint64_t seed = test_seed("test_full_disk", 20261123);
    uint64_t n = test_scale(200), n_lost = 0;
    const char *only = getenv("XTA_PART");
    uint64_t part = only != NULL ? strtoull(only, NULL, 0) : 0;

    test_folder_make(&folder);
    if (!own_mounts() || mount("tmpfs", folder.path, "tmpfs", 0, "size=700k") != 0) {
        test_skip("a disk that fills up: a tmpfs cannot be mounted here: %s", strerror(errno));
        test_folder_remove(&folder);
        return test_end(0);
    }
    test_folder_join(&folder, "a", path);
    model = calloc(2 * REACH, sizeof model[0]);
    do {
        cached = part % 2 == 0;
        test_story_begin(&story, "test_full_disk", seed, part);
        rnd = test_random_make(seed, part);
        one_history();
        part++;
    } while (only == NULL && part < n);
    free(model);
    n_lost += (uint64_t)(umount(folder.path) != 0);
    test_folder_remove(&folder);
    printf("test_full_disk: %llu histories, %llu calls found the disk full, nothing synced was "
           "lost\n",
           (unsigned long long)part, (unsigned long long)n_full);
    return n_lost != 0;
}
