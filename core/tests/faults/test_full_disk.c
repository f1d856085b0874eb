/* Random histories on a disk that fills up: an error each time, never a signal, and nothing that
 * was made durable is lost.
 *
 * The disk is a small tmpfs in a mount namespace of its own, or the one that $XTA_TEST_DISK names:
 * an image that on_image.sh has mounted. Without the right to mount anything the test is skipped.
 * Two handles with a mapping take turns, so that one does not know what the other removes; on an
 * image another process repeatedly allocates all free space and frees it again. With
 * $XTA_TEST_QUOTA a quota limits the space.
 *
 * On a tmpfs handles with a mapping are not read from: reading a hole allocates a page there, and
 * if none is left the system sends a signal (XTA_ACCESS_AUTO selects the chunk cache there). Cells
 * that they wrote are read back through the cache.
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
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"
#include "support/skip.h"

enum {
    FARTHEST = 256,
    MOST_VALUES = 6,
    STEPS_AFTER = 12,
    MOST_STEPS = 4000,
    MOST_STEPS_ON_IMAGE = 600
};

/* The values that a cell may have on the disk; the last one is the newest. */
typedef struct cell {
    int64_t values[MOST_VALUES];
    int n;
    bool either; /* a write that failed may or may not have reached it */
    bool any;    /* too many values are possible */
} cell;

static test_story story;
static test_random rnd;
static test_folder folder;
static char path[TEST_PATH_BYTES];
static cell (*model)[2 * FARTHEST];
static xta_box bounds;
static xta_array *hands[2];
static xta_array *array;  /* the handle of the current step */
static const char *image; /* a disk that is an image; NULL: a tmpfs */
static int full = ENOSPC; /* errno when it is full; EDQUOT with a quota */
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
            what(&model[i + FARTHEST][j + FARTHEST], values != NULL ? *values++ : 0);
        }
    }
}

/* ---- steps ---- */

/* Read the changes of the other handle. A handle with a cache is alone, and may have cells to
 * write. */
static void take_news(void)
{
    xta_error other = {0};

    if (!cached) {
        STORY_OK(&story, xta_array_refresh(array, NULL, &other), other);
    }
}

/* A call has succeeded, or has failed because the disk is full. */
static bool went_well(xta_status status, const char *what)
{
    test_story_add(&story, "%s: %s", what, xta_status_name(status));
    if (status == XTA_OK) {
        return true;
    }
    STORY_CHECK(&story, status == XTA_ENOSPC, "%s: %s: %s", what, xta_status_name(status),
                err.text);
    STORY_CHECK(&story, err.os_errno == full, "%s: errno %d: %s", what, err.os_errno, err.text);
    n_full++;
    take_news();
    xta_box now = xta_array_bounds(array);
    STORY_CHECK(&story, xta_box_equal(&now, &bounds), "%s failed, and changed the bounds", what);
    return false;
}

static bool random_growth(bool shrink, xta_growth *growth, xta_box *after, xta_box *slab)
{
    int axis = (int)in(0, 1);
    xta_side side = test_random_chance(&rnd, 70) ? XTA_BACK : XTA_FRONT;
    int64_t slack = shrink             ? bounds.hi[axis] - bounds.lo[axis] - 1
                    : side == XTA_BACK ? FARTHEST - bounds.hi[axis]
                                       : bounds.lo[axis] + FARTHEST;
    int64_t by = in(1, 20);

    by = by < slack ? by : slack;
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

/* Within the current bounds and those that the handle knows. */
static bool random_box(xta_box *box)
{
    xta_box known = xta_array_bounds(array), all = xta_box_intersect(&known, &bounds);
    int64_t most = test_random_chance(&rnd, 20) ? 2 * FARTHEST : 40;

    *box = all;
    for (int axis = 0; axis < 2 && !xta_box_empty(&all); axis++) {
        box->lo[axis] = in(all.lo[axis], all.hi[axis] - 1);
        int64_t end = box->lo[axis] + most;
        box->hi[axis] = in(box->lo[axis] + 1, end < all.hi[axis] ? end : all.hi[axis]);
    }
    return !xta_box_empty(&all);
}

static void grow(bool append)
{
    xta_growth growth;
    xta_box after, slab;

    if (!random_growth(false, &growth, &after, &slab)) {
        return;
    }
    // A slab has the shape of the bounds that the handle knows.
    take_news();
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
    xta_box box;

    if (!random_box(&box)) {
        return;
    }
    int64_t *cells = random_cells(&box);
    bool well = went_well(xta_array_write(array, &box, NULL, cells, &err), "write");
    each(&box, well ? wrote : failed, cells);
    free(cells);
}

static void fill_some(void)
{
    xta_box box;
    uint64_t n = 0;

    if (!random_box(&box)) {
        return;
    }
    int64_t *cells = random_cells(&box), value = test_random_chance(&rnd, 50) ? 0 : cells[0];
    STORY_CHECK(&story, xta_box_cells(&box, &n) == XTA_OK, "a box of too many cells");
    for (uint64_t k = 0; k < n; k++) {
        cells[k] = value;
    }
    bool well = went_well(xta_array_fill(array, &box, &value, &err), "fill");
    each(&box, well ? wrote : failed, cells);
    free(cells);
}

/* Some single cells, some of them repeatedly. */
static void put_some(void)
{
    xta_box box;
    int64_t n = test_random_chance(&rnd, 20) ? 400 : in(1, 6);

    if (!random_box(&box)) {
        return;
    }
    for (int64_t k = 0; k < n; k++) {
        int64_t at[2] = {in(box.lo[0], box.hi[0] - 1), in(box.lo[1], box.hi[1] - 1)};
        int64_t value = in(1, INT64_MAX);
        xta_box one = {.ndim = 2, .lo = {at[0], at[1]}, .hi = {at[0] + 1, at[1] + 1}};
        bool well = went_well(xta_array_put(array, at, &value, &err), "put");
        each(&one, well ? wrote : failed, &value);
        if (!well) {
            return;
        }
    }
}

static void judge_cells(const xta_box *box, const int64_t *at)
{
    for (int64_t i = box->lo[0]; i < box->hi[0]; i++) {
        for (int64_t j = box->lo[1]; j < box->hi[1]; j++, at++) {
            const cell *c = &model[i + FARTHEST][j + FARTHEST];
            bool found = c->any;
            for (int k = 0; k < c->n && !found; k++) {
                found = c->values[k] == *at;
            }
            STORY_CHECK(&story, found, "cell %lld,%lld holds %lld, and not %lld (%d may be)",
                        (long long)i, (long long)j, (long long)*at, (long long)c->values[0], c->n);
        }
    }
}

static void read_some(void)
{
    xta_box box;

    if ((image == NULL && !cached) || !random_box(&box)) {
        return;
    }
    int64_t *cells = random_cells(&box);
    if (went_well(xta_array_read(array, &box, NULL, cells, &err), "read")) {
        judge_cells(&box, cells);
    }
    free(cells);
}

static void sync_all(void)
{
    if (went_well(xta_array_sync(array, &err), "sync")) {
        each(&bounds, synced, NULL);
    }
}

/* Another reader reads the whole file, so that the page cache chooses the size of the folios. */
static void read_by_another_program(void)
{
    static char bytes[1 << 20];
    char name[TEST_PATH_BYTES + 8];

    snprintf(name, sizeof name, "%s.xta", path);
    int fd = open(name, O_RDONLY);
    if (fd < 0) {
        return;
    }
    (void)!fdatasync(fd);
    (void)!posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    for (off_t at = 0; at < (off_t)8 << 20; at += (off_t)sizeof bytes) {
        if (pread(fd, bytes, sizeof bytes, at) <= 0) {
            break;
        }
    }
    close(fd);
}

static void take_random_step(bool exclusive)
{
    int64_t which = in(0, 99);

    array = hands[hands[1] != NULL ? in(0, 1) : 0];
    // An exclusive writer does not grow in groups.
    bool may_grow = !exclusive || array == hands[0];
    if (test_random_chance(&rnd, 50)) {
        take_news();
    }
    if (which < 40 && may_grow) {
        grow(which < 30);
    } else if (which < 45 && may_grow) {
        shrink();
    } else if (which < 65) {
        write_some();
    } else if (which < 73) {
        fill_some();
    } else if (which < 85) {
        put_some();
    } else if (which < 92) {
        read_some();
    } else if (which < 95 && image != NULL) {
        read_by_another_program();
    } else {
        sync_all();
    }
}

/* ---- one history ---- */

static void pause_ms(int ms)
{
    struct timespec pause = {0, ms * 1000000L};

    nanosleep(&pause, NULL);
}

static bool begin(void)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_open_options again = XTA_OPEN_OPTIONS_INIT;
    int64_t most = test_random_chance(&rnd, 30) ? 400 : 64;
    bool curve = test_random_chance(&rnd, 20);
    const int64_t chunk[2] = {curve ? 1 << in(0, 8) : in(1, most),
                              curve ? 1 << in(0, 8) : in(1, most)};
    const int64_t lengths[2] = {4, 4};

    memset(model, 0, sizeof model[0] * 2 * FARTHEST);
    bounds = (xta_box){.ndim = 2, .hi = {4, 4}};
    each(&bounds, become, NULL);
    options.chunk = chunk;
    options.order = curve ? XTA_HILBERT : test_random_chance(&rnd, 50) ? XTA_ROW : XTA_COLUMN;
    options.access = cached ? XTA_ACCESS_CACHED : XTA_ACCESS_MAPPED;
    options.cache_bytes = (uint64_t)in(1, 200000);
    options.exclusive_writer = test_random_chance(&rnd, 30);
    test_story_add(&story, "%s%s, chunks of %lld x %lld", cached ? "cached" : "mapped",
                   options.exclusive_writer ? ", exclusive writer" : "", (long long)chunk[0],
                   (long long)chunk[1]);
    xta_status status = XTA_ENOSPC;
    for (int k = 0; k < 1000 && status == XTA_ENOSPC; k++) {
        status = xta_array_create(path, XTA_I64, 2, lengths, &options, &hands[0], &err);
        if (status == XTA_ENOSPC) {
            pause_ms(2); // until the other process frees the space
        }
    }
    STORY_OK(&story, status, err);
    again.writable = true;
    again.access = XTA_ACCESS_MAPPED;
    hands[1] = NULL;
    if (!cached) {
        STORY_OK(&story, xta_array_open(path, &again, &hands[1], &err), err);
    }
    return options.exclusive_writer;
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
    int64_t *cells = calloc((size_t)n + 1, sizeof cells[0]);
    STORY_OK(&story, xta_array_read(array, &bounds, NULL, cells, &err), err);
    judge_cells(&bounds, cells);
    free(cells);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static void close_hand(xta_array *hand)
{
    xta_status status = xta_array_close(hand, &err);

    STORY_CHECK(&story, status == XTA_OK || (status == XTA_ENOSPC && err.os_errno == full),
                "close: %s: %s", xta_status_name(status), err.text);
    test_story_add(&story, "close: %s: %s", xta_status_name(status), err.text);
    if (status == XTA_OK) {
        each(&bounds, synced, NULL);
    }
}

static void one_history(void)
{
    uint64_t before = n_full;
    int left = image != NULL ? MOST_STEPS_ON_IMAGE : MOST_STEPS;

    bool exclusive = begin();
    while (left > 0) {
        take_random_step(exclusive);
        left--;
        if (n_full > before && left > STEPS_AFTER) {
            left = STEPS_AFTER;
        }
    }
    STORY_CHECK(&story, image != NULL || n_full > before, "the disk never was full");
    // The first handle is closed last: if it is cached it has cells to write.
    for (int k = 1; k >= 0; k--) {
        if (hands[k] != NULL) {
            close_hand(hands[k]);
        }
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

/* As root, or as root in a user namespace. */
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

/* With a quota only a trial shows how much space is left, and freed space counts once it has
 * reached the disk. */
static void take_quota_but(int fd, uint64_t left)
{
    struct stat facts;
    uint64_t now = fstat(fd, &facts) == 0 ? (uint64_t)facts.st_size : 0;

    for (uint64_t piece = (uint64_t)16 << 20; piece >= 4096;) {
        if (fallocate(fd, 0, (off_t)now, (off_t)piece) == 0) {
            now += piece;
        } else {
            piece /= 2;
        }
    }
    if (left > 0) {
        (void)!ftruncate(fd, now > left ? (off_t)(now - left) : 0);
        (void)!syncfs(fd);
    }
}

static uint64_t free_bytes(void)
{
    struct statvfs facts;

    return statvfs(image, &facts) == 0 ? (uint64_t)facts.f_bavail * facts.f_frsize : 0;
}

/* A file that leaves this many bytes free. */
static void take_all_but(int fd, uint64_t left)
{
    struct stat facts;
    uint64_t now = fstat(fd, &facts) == 0 ? (uint64_t)facts.st_size : 0, rest = free_bytes();

    if (full == EDQUOT) {
        take_quota_but(fd, left);
    } else if (rest < left) {
        uint64_t length = now > left - rest ? now - (left - rest) : 0;
        (void)!ftruncate(fd, (off_t)length);
    } else if (rest > left) {
        (void)!fallocate(fd, 0, (off_t)now, (off_t)(rest - left));
    }
}

/* Another process that fills the disk to the last block and frees it again, until it is killed. */
static pid_t begin_neighbour(void)
{
    char name[TEST_PATH_BYTES];

    test_folder_join(&folder, "neighbour", name);
    pid_t child = fork();
    if (child != 0) {
        return child;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int fd = open(name, O_RDWR | O_CREAT, 0600);
    unsigned k = 0;
    while (fd >= 0) {
        take_all_but(fd, k % 2 == 0 ? 0 : (uint64_t)200000 * (k % 7));
        k++;
        pause_ms(3);
    }
    _exit(1);
}

static bool make_disk(void)
{
    char name[TEST_PATH_BYTES];

    image = getenv("XTA_TEST_DISK");
    if (image != NULL) {
        full = getenv("XTA_TEST_QUOTA") != NULL ? EDQUOT : ENOSPC;
        snprintf(folder.path, sizeof folder.path, "%s", image);
        test_folder_join(&folder, "ballast", name);
        int ballast = open(name, O_RDWR | O_CREAT, 0600);
        take_all_but(ballast, (uint64_t)3 << 20);
        return ballast >= 0 && close(ballast) == 0;
    }
    test_folder_make(&folder);
    if (own_mounts() && mount("tmpfs", folder.path, "tmpfs", 0, "size=700k") == 0) {
        return true;
    }
    test_skip("a disk that fills up: a tmpfs cannot be mounted here: %s", strerror(errno));
    test_folder_remove(&folder);
    return false;
}

enum { MOST_MORE = 40 }; /* histories until one meets a full disk */

int main(int argc, char **argv)
{
    uint64_t seed = test_seed("test_full_disk", 20261123);
    uint64_t n = test_scale(argc > 1 ? strtoull(argv[1], NULL, 10) : 200), n_lost = 0;
    const char *only = getenv("XTA_PART");
    uint64_t part = only != NULL ? strtoull(only, NULL, 0) : 0;

    if (!make_disk()) {
        return test_end(0);
    }
    pid_t neighbour = image != NULL ? begin_neighbour() : 0;
    test_folder_join(&folder, "a", path);
    model = calloc(2 * FARTHEST, sizeof model[0]);
    do {
        cached = part % 3 == 0;
        test_story_begin(&story, "test_full_disk", seed, part);
        rnd = test_random_make(seed, part);
        one_history();
        part++;
        // When a disk is full depends on when others write: a few histories may meet it never.
    } while (only == NULL && (part < n || (n_full == 0 && part < n + MOST_MORE)));
    free(model);
    if (image == NULL) {
        n_lost += (uint64_t)(umount(folder.path) != 0);
        test_folder_remove(&folder);
    } else {
        kill(neighbour, SIGKILL);
        waitpid(neighbour, NULL, 0);
    }
    printf("test_full_disk: %llu histories, %llu calls found the disk full, nothing synced was "
           "lost\n",
           (unsigned long long)part, (unsigned long long)n_full);
    return n_lost != 0 || (only == NULL && n_full == 0);
}
