/* How many threads move a box: by the options and XTA_THREADS, and by the size of the box.
 *
 * System calls are counted by thread: the first one waits a while for one of another thread.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "array/io/box/slabs.h"
#include "support/folder.h"
#include "support/must.h"

enum { N = 1024 }; /* N x N float64, 8 MiB */

static test_folder folder;
static char path[TEST_PATH_BYTES];
static xta_error err;
static double *cells;
static const int64_t lengths[2] = {N, N}, chunk[2] = {128, 128};

static xta_array *make(xta_access access)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    options.chunk = chunk;
    options.access = access;
    test_must(xta_array_create(path, XTA_F64, 2, lengths, &options, &array, &err), &err);
    return array;
}

static void drop(xta_array *array)
{
    test_must(xta_array_close(array, &err), &err);
    test_must(xta_array_delete(path, &err), &err);
}

/* ---- which threads write ---- */

static pthread_mutex_t seen_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t seen[8];
static atomic_int n_seen;
static int n_waits;

static void see_this_thread(void)
{
    int k = 0, n;

    pthread_mutex_lock(&seen_lock);
    n = n_seen;
    while (k < n && !pthread_equal(seen[k], pthread_self())) {
        k++;
    }
    if (k == n && n < 8) {
        seen[n] = pthread_self();
        n_seen = n + 1;
    }
    pthread_mutex_unlock(&seen_lock);
    for (int i = 0; k == 0 && n == 0 && i < n_waits && n_seen < 2; i++) {
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
}

static ssize_t write_seen(int fd, const void *bytes, size_t n, off_t offset)
{
    see_this_thread();
    return pwrite(fd, bytes, n, offset);
}

/* How many threads write a box: 1, or 2 for more than one. */
static int writers(xta_array *array, const xta_box *box, int threads, int waits)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta__os_calls calls = *xta__os();

    io.threads = threads;
    n_seen = 0;
    n_waits = waits;
    calls.write_at = write_seen;
    xta__os_replace(&calls);
    xta_status status = xta_array_write(array, box, threads != 0 ? &io : NULL, cells, &err);
    xta__os_replace(NULL);
    test_must(status, &err);
    assert_true(n_seen >= 1);
    return n_seen > 1 ? 2 : 1;
}

enum { LONG_WAIT = 20000, SHORT_WAIT = 30 };

static void test_as_many_as_asked(void **state)
{
    const xta_box all = {.ndim = 2, .hi = {N, N}}, small = {.ndim = 2, .hi = {N, 255}};
    (void)state;

    assert_int_equal(unsetenv("XTA_THREADS"), 0);
    xta_array *array = make(XTA_ACCESS_MAPPED);
    assert_int_equal(writers(array, &all, 0, SHORT_WAIT), 1);
    assert_int_equal(writers(array, &all, 1, SHORT_WAIT), 1);
    assert_int_equal(writers(array, &all, 2, LONG_WAIT), 2);
    assert_int_equal(writers(array, &all, 1024, LONG_WAIT), 2);
    assert_int_equal(writers(array, &small, 2, SHORT_WAIT), 1);
    drop(array);

    assert_int_equal(setenv("XTA_THREADS", "2", 1), 0);
    array = make(XTA_ACCESS_MAPPED);
    assert_int_equal(writers(array, &all, 0, LONG_WAIT), 2);
    assert_int_equal(writers(array, &all, 1, SHORT_WAIT), 1);
    drop(array);
}

/* ---- what is refused ---- */

static void refused(xta_array *array, int threads, const char *word)
{
    const xta_box box = {.ndim = 2, .hi = {2, 2}};
    const xta_growth growth = {0, XTA_BACK, 1};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_box before = xta_array_bounds(array);

    io.threads = threads;
    assert_int_equal(xta_array_read(array, &box, &io, cells, &err), XTA_EARG);
    assert_non_null(strstr(err.text, word));
    assert_int_equal(xta_array_write(array, &box, &io, cells, &err), XTA_EARG);
    assert_non_null(strstr(err.text, word));
    assert_int_equal(xta_array_append(array, &growth, &io, cells, NULL, &err), XTA_EARG);
    assert_non_null(strstr(err.text, word));
    xta_box after = xta_array_bounds(array);
    assert_true(xta_box_equal(&before, &after));
}

static void test_numbers_out_of_range(void **state)
{
    const xta_box box = {.ndim = 2, .hi = {2, 2}};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    (void)state;

    assert_int_equal(unsetenv("XTA_THREADS"), 0);
    xta_array *array = make(XTA_ACCESS_MAPPED);
    refused(array, -1, "-1 threads");
    refused(array, 1025, "1025 threads");
    io.threads = 1024;
    test_must(xta_array_read(array, &box, &io, cells, &err), &err);
    // The struct of an earlier release ends before this member.
    io.struct_size = offsetof(xta_io_options, threads);
    io.threads = -1;
    test_must(xta_array_read(array, &box, &io, cells, &err), &err);
    drop(array);
}

static void test_the_variable(void **state)
{
    static const char *const bad[] = {"0", "-1", "1025", "two", "2x", "99999999999999999999", " "};
    static const struct {
        const char *text;
        int wanted;
    } good[] = {{"", 0}, {"1", 1}, {"7", 7}, {"1024", 1024}};
    const xta_box box = {.ndim = 2, .hi = {2, 2}};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    (void)state;

    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        assert_int_equal(setenv("XTA_THREADS", good[k].text, 1), 0);
        assert_int_equal(xta__threads_wanted(), good[k].wanted);
    }
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_int_equal(setenv("XTA_THREADS", bad[k], 1), 0);
        xta_array *array = make(XTA_ACCESS_MAPPED);
        refused(array, 0, "XTA_THREADS");
        assert_int_equal(xta_array_read(array, &box, NULL, cells, &err), XTA_EARG);
        io.threads = 2;
        test_must(xta_array_read(array, &box, &io, cells, &err), &err);
        drop(array);
    }
    assert_int_equal(unsetenv("XTA_THREADS"), 0);
}

/* ---- when threads are worth it ---- */

static int threads_for(xta_array *array, xta__direction direction, int64_t rows, ptrdiff_t row,
                       ptrdiff_t column)
{
    xta__transfer_call t = {.array = array, .direction = direction, .memory_cell = 8};
    const xta_box box = {.ndim = 2, .hi = {rows, N}};

    assert_int_equal(xta__region_init(&t.region, &box, NULL, chunk), XTA_OK);
    t.to[0] = row;
    t.to[1] = column;
    return xta__threads_for(&t, 4);
}

static void test_what_is_worth_a_thread(void **state)
{
    const ptrdiff_t row = N * 8;
    (void)state;

    assert_int_equal(unsetenv("XTA_THREADS"), 0);
    xta_array *array = make(XTA_ACCESS_MAPPED);
    assert_int_equal(threads_for(array, XTA__READ, 255, row, 8), 1);
    assert_int_equal(threads_for(array, XTA__READ, 256, row, 8), 2);
    assert_int_equal(threads_for(array, XTA__READ, 400, row, 8), 3);
    assert_int_equal(threads_for(array, XTA__READ, N, row, 8), 4);
    // Cells that overlap in memory: the last one counts.
    assert_int_equal(threads_for(array, XTA__READ, N, -row, -8), 4);
    assert_int_equal(threads_for(array, XTA__READ, N, 8, N * 8), 4);
    assert_int_equal(threads_for(array, XTA__READ, N, row - 8, 8), 1);
    assert_int_equal(threads_for(array, XTA__READ, N, 0, 8), 1);
    assert_int_equal(threads_for(array, XTA__READ, N, row, 7), 1);
    assert_int_equal(threads_for(array, XTA__READ, N, PTRDIFF_MIN, 8), 1);
    assert_int_equal(threads_for(array, XTA__WRITE, N, 0, 8), 4);
    array->chunk_store->one_thread = true;
    assert_int_equal(threads_for(array, XTA__READ, N, row, 8), 1);
    drop(array);
}

static int make_folder(void **state)
{
    (void)state;
    test_folder_make_fast(&folder);
    test_folder_join(&folder, "a", path);
    cells = calloc((size_t)N * N, sizeof *cells);
    return cells == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    free(cells);
    test_folder_remove(&folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_many_as_asked),
        cmocka_unit_test(test_numbers_out_of_range),
        cmocka_unit_test(test_the_variable),
        cmocka_unit_test(test_what_is_worth_a_thread),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
