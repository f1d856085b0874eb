/* A chunk cache and partly written chunks: they are not read from the file before a call needs
 * their cells, and then hold the cells of the file and those written since.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/must.h"
#include "support/random.h"
#include "util/os.h"

enum { SIDE = 256, CHUNK = 64, LEAST_READ = 4096 };

static char path[TEST_PATH_BYTES];
static xta_error err;
static _Atomic unsigned n_reads; /* of cells */

static ssize_t count_reads(int fd, void *bytes, size_t n, off_t offset)
{
    n_reads += n >= LEAST_READ;
    return pread(fd, bytes, n, offset);
}

static int set_up(void **state)
{
    static xta__os_calls calls;

    (void)state;
    test_folder_join(&test_group_folder, "a", path);
    calls = *xta__os();
    calls.read_at = count_reads;
    xta__os_replace(&calls);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    xta__os_replace(NULL);
    test_pair_remove(path);
    return 0;
}

/* SIDE x SIDE numbers in chunks of CHUNK x CHUNK, each `value`. */
static xta_array *make(int64_t value, uint64_t cache_bytes)
{
    static const int64_t bounds[2] = {SIDE, SIDE}, chunk[2] = {CHUNK, CHUNK};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_open_options again = XTA_OPEN_OPTIONS_INIT;
    xta_box all = {.ndim = 2, .hi = {SIDE, SIDE}};
    xta_array *array = NULL;

    options.chunk = chunk;
    test_must(xta_array_create(path, XTA_I64, 2, bounds, &options, &array, &err), &err);
    test_must(xta_array_fill(array, &all, &value, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    again.writable = true;
    again.access = XTA_ACCESS_CACHED;
    again.cache_bytes = cache_bytes;
    test_must(xta_array_open(path, &again, &array, &err), &err);
    n_reads = 0;
    return array;
}

static void write_row(xta_array *array, int64_t row, int64_t value)
{
    int64_t cells[SIDE];
    xta_box box = {.ndim = 2, .lo = {row, 0}, .hi = {row + 1, SIDE}};

    for (int64_t j = 0; j < SIDE; j++) {
        cells[j] = value;
    }
    test_must(xta_array_write(array, &box, NULL, cells, &err), &err);
}

static int64_t cell_at(xta_array *array, int64_t i, int64_t j)
{
    int64_t value = 0;

    test_must(xta_array_get(array, (int64_t[]){i, j}, &value, &err), &err);
    return value;
}

/* Rows are written without reading anything, also through a cache that is too small for them. */
static void test_streamed_rows(void **state)
{
    xta_array *array = make(7, 1);

    (void)state;
    for (int64_t i = 0; i < SIDE; i += 2) {
        write_row(array, i, 100 + i);
    }
    test_must(xta_array_put(array, (int64_t[]){5, 9}, &(int64_t){55}, &err), &err);
    test_must(xta_array_sync(array, &err), &err);
    assert_int_equal(n_reads, 0);
    for (int64_t i = 0; i < SIDE; i++) {
        for (int64_t j = 3; j < SIDE; j += 50) {
            assert_int_equal(cell_at(array, i, j), i % 2 == 0 ? 100 + i : 7);
        }
    }
    assert_int_equal(cell_at(array, 5, 9), 55);
    test_must(xta_array_close(array, &err), &err);
}

/* Cells that another handle has written in the same chunk are kept, and are seen once the chunk is
 * read. */
static void test_others_beside(void **state)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = make(7, 1 << 24), *other = NULL;

    (void)state;
    options.writable = true;
    options.access = XTA_ACCESS_MAPPED;
    test_must(xta_array_open(path, &options, &other, &err), &err);
    n_reads = 0; // of the journal
    write_row(array, 10, 1);
    write_row(other, 11, 2);
    assert_int_equal(n_reads, 0);
    assert_int_equal(cell_at(array, 11, 0), 2);
    assert_int_equal(n_reads, 1);
    assert_int_equal(cell_at(array, 10, 0), 1);
    // The chunk is complete in the cache: later writes of others are not seen before a refresh.
    write_row(other, 12, 3);
    assert_int_equal(cell_at(array, 12, 0), 7);
    test_must(xta_array_sync(array, &err), &err);
    for (int64_t i = 10; i < 13; i++) {
        assert_int_equal(cell_at(other, i, SIDE - 1), i - 9);
    }
    test_must(xta_array_close(array, &err), &err);
    test_must(xta_array_close(other, &err), &err);
}

/* A disk that cannot be read: the write succeeds, the read fails and loses nothing. */
static ssize_t fail_reads(int fd, void *bytes, size_t n, off_t offset)
{
    if (n >= LEAST_READ) {
        errno = EIO;
        return -1;
    }
    return pread(fd, bytes, n, offset);
}

static void test_unreadable(void **state)
{
    xta_array *array = make(7, 1 << 24);
    xta__os_calls calls = *xta__os();
    int64_t value = 0;

    (void)state;
    calls.read_at = fail_reads;
    xta__os_replace(&calls);
    write_row(array, 3, 9);
    assert_int_equal(xta_array_get(array, (int64_t[]){3, 3}, &value, &err), XTA_EIO);
    xta__os_replace(NULL);
    assert_int_equal(cell_at(array, 3, 3), 9);
    assert_int_equal(cell_at(array, 4, 3), 7);
    test_must(xta_array_close(array, &err), &err);
}

/* On a network file system a refresh asks the server for changes; elsewhere it makes no such
 * call. */
static unsigned n_asked;

static uint32_t is_nfs(int fd)
{
    (void)fd;
    return 0x6969;
}

static int count_asking(int fd)
{
    (void)fd;
    n_asked++;
    return 0;
}

static int fail_asking(int fd)
{
    (void)fd;
    errno = EIO;
    return -1;
}

static void test_asks_server(void **state)
{
    xta__os_calls calls = *xta__os();
    xta_array *array = NULL;

    (void)state;
    calls.revalidate = count_asking;
    xta__os_replace(&calls);
    array = make(7, 1 << 24);
    test_must(xta_array_refresh(array, NULL, &err), &err);
    assert_int_equal(n_asked, 0);
    test_must(xta_array_close(array, &err), &err);
    calls.file_system = is_nfs;
    calls.mounts = NULL;
    xta__os_replace(&calls);
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    options.access = XTA_ACCESS_CACHED;
    test_must(xta_array_open(path, &options, &array, &err), &err);
    n_asked = 0;
    test_must(xta_array_refresh(array, NULL, &err), &err);
    assert_int_equal(n_asked, 1);
    calls.revalidate = fail_asking;
    xta__os_replace(&calls);
    assert_int_equal(xta_array_refresh(array, NULL, &err), XTA_EIO);
    test_must(xta_array_close(array, &err), &err);
}

/* ---- threads ---- */

typedef struct worker {
    xta_array *array;
    int64_t column;
    uint64_t seed;
    int64_t last[SIDE]; /* written into its column, by row */
    bool wrong;
} worker;

/* Writes cells of its own column and reads them back; another thread's lie in the same chunks. */
static void *work(void *user)
{
    worker *w = user;
    test_random r = test_random_make(w->seed, 0);
    xta_error mine;

    for (int64_t k = 1; k <= 3000; k++) {
        int64_t at[2] = {test_random_in(&r, 0, SIDE - 1), w->column}, value = 0;
        if (test_random_chance(&r, 60)) {
            w->last[at[0]] = k;
            w->wrong = w->wrong || xta_array_put(w->array, at, &k, &mine) != XTA_OK;
        } else {
            w->wrong = w->wrong || xta_array_get(w->array, at, &value, &mine) != XTA_OK ||
                       value != w->last[at[0]];
        }
    }
    return NULL;
}

static void test_threads(void **state)
{
    // Capacity for four of the sixteen chunks, so that they are loaded and evicted.
    xta_array *array = make(0, 4 * CHUNK * CHUNK * sizeof(int64_t));
    static worker workers[4];
    pthread_t threads[4];

    (void)state;
    for (int k = 0; k < 4; k++) {
        workers[k] = (worker){.array = array, .column = k * 65 % SIDE, .seed = 77 + (uint64_t)k};
        assert_int_equal(pthread_create(&threads[k], NULL, work, &workers[k]), 0);
    }
    for (int k = 0; k < 4; k++) {
        assert_int_equal(pthread_join(threads[k], NULL), 0);
        assert_false(workers[k].wrong);
    }
    test_must(xta_array_sync(array, &err), &err);
    for (int k = 0; k < 4; k++) {
        for (int64_t i = 0; i < SIDE; i++) {
            assert_int_equal(cell_at(array, i, workers[k].column), workers[k].last[i]);
        }
    }
    test_must(xta_array_close(array, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_streamed_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_others_beside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unreadable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_asks_server, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("parts of cached chunks", tests, test_group_begin,
                                       test_group_end);
}
