/* Failures in one of several threads: a system call, an allocation, a thread that cannot be
 * created, a value that does not fit.
 *
 * The n-th of each fails, for n = 1, 2, ... until there is no n-th. The call returns that failure
 * or, if it can do without, success; the handle stays usable, and the same call, made again,
 * succeeds. No memory leaks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/report.h"
#include "util/os.h"

#include <xta/array.h>

enum { N = 768, CHUNK = 128, THREADS = 4 };

typedef struct scene {
    test_story story;
    xta_array *array;
    xta_access access;
    xta_order order;
    bool convert;
    char path[TEST_PATH_BYTES];
    double *cells, *back;
    xta_error err;
} scene;

static const xta_box all = {.ndim = 2, .hi = {N, N}};

/* ---- calls and threads that fail ---- */

static _Atomic int64_t left; /* until the one that fails; 0 and less: none */
static _Atomic int64_t struck;

static bool strikes(void)
{
    if (atomic_fetch_sub(&left, 1) != 1) {
        return false;
    }
    atomic_fetch_add(&struck, 1);
    return true;
}

static ssize_t write_or_not(int fd, const void *bytes, size_t n, off_t offset)
{
    if (strikes()) {
        errno = ENOSPC;
        return -1;
    }
    return pwrite(fd, bytes, n, offset);
}

static ssize_t read_or_not(int fd, void *bytes, size_t n, off_t offset)
{
    if (strikes()) {
        errno = EIO;
        return -1;
    }
    return pread(fd, bytes, n, offset);
}

static atomic_int threads_left = -1; /* threads that can be created; < 0: any number */
static atomic_int threads_made;

// The linker's --wrap option determines these names.
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user)
{
    if (threads_left >= 0 && atomic_fetch_sub(&threads_left, 1) <= 0) {
        threads_left = 0;
        return EAGAIN;
    }
    threads_made++;
    return __real_pthread_create(thread, attributes, run, user);
}

/* ---- the calls ---- */

static xta_io_options io_of(const scene *s)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;

    io.threads = THREADS;
    io.type = s->convert ? XTA_F64 : XTA_TYPE_SAME;
    return io;
}

static xta_status write_all(scene *s)
{
    xta_io_options io = io_of(s);

    return xta_array_write(s->array, &all, &io, s->cells, &s->err);
}

static xta_status read_all(scene *s)
{
    xta_io_options io = io_of(s);

    memset(s->back, 0, sizeof(double) * N * N);
    return xta_array_read(s->array, &all, &io, s->back, &s->err);
}

static void open_scene(scene *s)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = true;
    options.access = s->access;
    options.cache_bytes = 1 << 20;
    STORY_OK(&s->story, xta_array_open(s->path, &options, &s->array, &s->err), s->err);
}

static void make_scene(scene *s)
{
    const int64_t lengths[2] = {N, N}, chunk[2] = {CHUNK, CHUNK};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk;
    options.order = s->order;
    STORY_OK(&s->story,
             xta_array_create(s->path, s->convert ? XTA_F32 : XTA_F64, 2, lengths, &options,
                              &s->array, &s->err),
             s->err);
    STORY_OK(&s->story, xta_array_close(s->array, &s->err), s->err);
    open_scene(s);
}

static void check_whole(scene *s)
{
    STORY_OK(&s->story, write_all(s), s->err);
    STORY_OK(&s->story, read_all(s), s->err);
    STORY_CHECK(&s->story, memcmp(s->cells, s->back, sizeof(double) * N * N) == 0, "other cells");
}

static void drop_scene(scene *s)
{
    STORY_OK(&s->story, xta_array_close(s->array, &s->err), s->err);
    STORY_OK(&s->story, xta_check(s->path, NULL, NULL, &s->err), s->err);
    STORY_OK(&s->story, xta_array_delete(s->path, &s->err), s->err);
}

/* ---- every n-th ---- */

static void fail_each_call(scene *s, xta_status (*call)(scene *s))
{
    int n_failed = 0;

    for (int64_t n = 1;; n++) {
        xta__os_calls calls = *xta__os();
        // The chunk cache must read again.
        STORY_OK(&s->story, xta_array_close(s->array, &s->err), s->err);
        open_scene(s);
        calls.write_at = write_or_not;
        calls.read_at = read_or_not;
        struck = 0;
        left = n;
        xta__os_replace(&calls);
        xta_status status = call(s);
        left = 0;
        xta__os_replace(NULL);
        if (struck == 0) {
            STORY_OK(&s->story, status, s->err);
            break;
        }
        STORY_CHECK(&s->story, status == XTA_EIO || status == XTA_ENOSPC,
                    "call %d failed, and the answer is %s", (int)n, xta_status_name(status));
        STORY_CHECK(&s->story, s->err.status == status && s->err.text[0] != '\0', "no text");
        n_failed++;
        check_whole(s);
    }
    test_story_add(&s->story, "%d calls failed", n_failed);
    // Reads of a mapped file make no calls.
    STORY_CHECK(&s->story, n_failed > 4 || (call == read_all && s->access == XTA_ACCESS_MAPPED),
                "only %d calls failed", n_failed);
}

static void refuse_each_allocation(scene *s, xta_status (*call)(scene *s), bool for_good)
{
    int n_refused = 0;

    for (uint64_t n = 1;; n++) {
        STORY_OK(&s->story, call(s), s->err); // memory that stays with the handle is allocated
        int64_t before = failing_alloc_live();
        failing_alloc_at(n, for_good);
        failing_alloc_arm(true);
        xta_status status = call(s);
        failing_alloc_arm(false);
        bool happened = failing_alloc_happened();
        failing_alloc_at(0, false);
        STORY_CHECK(&s->story, status == XTA_OK || (happened && status == XTA_ENOMEM),
                    "allocation %d refused: %s", (int)n, xta_status_name(status));
        STORY_CHECK(&s->story, s->access == XTA_ACCESS_CACHED || failing_alloc_live() <= before + 1,
                    "%lld blocks are left behind", (long long)(failing_alloc_live() - before));
        if (!happened) {
            break;
        }
        n_refused++;
    }
    STORY_CHECK(&s->story, n_refused > 0, "no allocation was refused");
    check_whole(s);
}

static void refuse_threads(scene *s)
{
    for (int n = 0; n < THREADS; n++) {
        threads_left = n;
        threads_made = 0;
        memset(s->back, 0, sizeof(double) * N * N);
        STORY_OK(&s->story, write_all(s), s->err);
        STORY_CHECK(&s->story, s->convert || threads_made == (n < THREADS - 1 ? n : THREADS - 1),
                    "%d threads instead of %d", threads_made, n);
        threads_left = n;
        STORY_OK(&s->story, read_all(s), s->err);
        STORY_CHECK(&s->story, memcmp(s->cells, s->back, sizeof(double) * N * N) == 0,
                    "other cells with %d threads", n);
    }
    threads_left = -1;
}

/* If several values do not fit, the error names the first one, even though another, the first of
 * its slab, is found sooner; and no cell has changed. */
static void name_the_first(scene *s)
{
    const size_t at[] = {(size_t)255 * N + 767, (size_t)256 * N, (size_t)767 * N + 767};
    double kept[3];

    check_whole(s);
    for (int k = 0; k < 3; k++) {
        kept[k] = s->cells[at[k]];
    }
    for (int round = 0; round < 30; round++) {
        for (size_t i = 0; i < (size_t)N * N; i++) {
            s->cells[i] += 1;
        }
        for (int k = 0; k < 3; k++) {
            s->cells[at[k]] = 1e300;
        }
        STORY_FAILS(&s->story, write_all(s), XTA_ERANGE, s->err);
        STORY_CHECK(&s->story, strstr(s->err.text, "255,767") != NULL, "%s", s->err.text);
        for (int k = 0; k < 3; k++) {
            s->cells[at[k]] = kept[k];
        }
        for (size_t i = 0; i < (size_t)N * N; i++) {
            s->cells[i] -= i == at[0] || i == at[1] || i == at[2] ? 0 : 1;
        }
        STORY_OK(&s->story, read_all(s), s->err);
        STORY_CHECK(&s->story, memcmp(s->cells, s->back, sizeof(double) * N * N) == 0,
                    "a write that was refused has changed cells");
    }
}

static void run(scene *s)
{
    make_scene(s);
    check_whole(s);
    refuse_threads(s);
    fail_each_call(s, write_all);
    fail_each_call(s, read_all);
    for (int for_good = 0; for_good < 2; for_good++) {
        refuse_each_allocation(s, write_all, for_good != 0);
        refuse_each_allocation(s, read_all, for_good != 0);
    }
    if (s->convert) {
        name_the_first(s);
    }
    drop_scene(s);
}

int main(void)
{
    static scene s;
    static const struct {
        xta_access access;
        xta_order order;
        bool convert;
    } kinds[] = {
        {XTA_ACCESS_MAPPED, XTA_ROW, false},     {XTA_ACCESS_CACHED, XTA_ROW, false},
        {XTA_ACCESS_MAPPED, XTA_HILBERT, false}, {XTA_ACCESS_MAPPED, XTA_ROW, true},
        {XTA_ACCESS_CACHED, XTA_MORTON, true},
    };
    test_folder folder;

    test_folder_make_fast(&folder);
    test_folder_join(&folder, "a", s.path);
    s.cells = malloc(sizeof(double) * N * N);
    s.back = malloc(sizeof(double) * N * N);
    if (s.cells == NULL || s.back == NULL) {
        return 1;
    }
    for (int i = 0; i < N * N; i++) {
        s.cells[i] = i;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        s.access = kinds[k].access;
        s.order = kinds[k].order;
        s.convert = kinds[k].convert;
        test_story_begin(&s.story, "test_slab_faults", 0, k);
        run(&s);
    }
    free(s.cells);
    free(s.back);
    test_folder_remove(&folder);
    return 0;
}
