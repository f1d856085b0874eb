/* Dirty cells in the chunk cache of a handle must never undo what another process made durable.
 *
 * Two handles of one array, in one process, behave like those of two processes: each has its own
 * files, locks and cache.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "array/array.h"
#include "support/faulty_os.h"
#include "support/folder.h"

#define OK(call)                                                                    \
    do {                                                                            \
        xta_status of_call = (call);                                                \
        if (of_call != XTA_OK) {                                                    \
            print_error("%s: %s: %s\n", #call, xta_status_name(of_call), err.text); \
        }                                                                           \
        assert_int_equal(of_call, XTA_OK);                                          \
    } while (0)

static test_folder folder;
static char path[TEST_PATH_BYTES];
static xta_error err;

static int make_folder(void **state)
{
    (void)state;
    test_folder_make_fast(&folder);
    test_folder_join(&folder, "a", path);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    faulty_os_stop();
    test_folder_remove(&folder);
    return 0;
}

static xta_array *open_cached(bool writable)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    options.writable = writable;
    options.access = XTA_ACCESS_CACHED;
    OK(xta_array_open(path, &options, &array, &err));
    return array;
}

/* An array of int64 with these bounds and chunks. */
static void make(int ndim, const int64_t bounds[], const int64_t chunk[], xta_order order)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    options.chunk = chunk;
    options.order = order;
    OK(xta_array_create(path, XTA_I64, ndim, bounds, &options, &array, &err));
    OK(xta_array_close(array, &err));
}

static void make_line(int64_t n)
{
    make(1, (const int64_t[]){n}, (const int64_t[]){4}, XTA_ROW);
}

static int64_t get(xta_array *array, int64_t at)
{
    int64_t cell = -1;

    OK(xta_array_get(array, &at, &cell, &err));
    return cell;
}

static void put(xta_array *array, int64_t at, int64_t cell)
{
    OK(xta_array_put(array, &at, &cell, &err));
}

static void grow(xta_array *array, int axis, int64_t by)
{
    OK(xta_array_extend(array, &(xta_growth){axis, XTA_BACK, by}, 1, NULL, &err));
}

static void cut(xta_array *array, int axis, int64_t by)
{
    OK(xta_array_shrink(array, &(xta_growth){axis, XTA_BACK, by}, 1, NULL, &err));
}

static void append(xta_array *array, int64_t by, const int64_t cells[])
{
    OK(xta_array_append(array, &(xta_growth){0, XTA_BACK, by}, NULL, cells, NULL, &err));
}

static void expect_on_disk(int64_t at, int64_t cell)
{
    xta_array *array = open_cached(false);

    assert_int_equal(get(array, at), cell);
    OK(xta_array_close(array, &err));
}

/* ---- durable changes of one handle are not undone by another ---- */

static void shrink_keeps_nothing_back(void **state)
{
    (void)state;
    make_line(8);
    xta_array *a = open_cached(true);
    for (int64_t k = 0; k < 8; k++) {
        put(a, k, 10 + k);
    }
    OK(xta_array_sync(a, &err));
    cut(a, 0, 2);
    xta_array *b = open_cached(true);
    append(b, 2, (const int64_t[]){55, 66});
    OK(xta_array_sync(b, &err));
    OK(xta_array_close(a, &err));
    expect_on_disk(5, 15);
    expect_on_disk(6, 55);
    expect_on_disk(7, 66);
    OK(xta_array_close(b, &err));
}

/* Cells that A wrote before B removed them must not come back with A's close, its sync, its
 * refresh, its own next step, or because its cache is full. */
static void old_cells_stay_away(void **state)
{
    (void)state;
    for (int way = 0; way < 6; way++) {
        make_line(8);
        xta_array *a = open_cached(true), *b = open_cached(true);
        put(a, 3, 33);
        put(a, 7, 77);
        cut(b, 0, 2);
        if (way == 5) {
            // A knows of the shrink, but not of later steps.
            OK(xta_array_refresh(a, NULL, &err));
        }
        append(b, 2, (const int64_t[]){55, 66});
        OK(xta_array_sync(b, &err));
        if (way == 1) {
            OK(xta_array_sync(a, &err));
        } else if (way == 2) {
            OK(xta_array_refresh(a, NULL, &err));
        } else if (way == 3) {
            grow(a, 0, 1);
        } else if (way == 4) {
            OK(xta_compact(path, NULL, NULL, &err));
            OK(xta_array_refresh(a, NULL, &err));
        }
        if (way >= 2 && way <= 4) {
            assert_int_equal(get(a, 6), 55);
            assert_int_equal(get(a, 7), 66);
            assert_int_equal(get(a, 3), 33);
        }
        OK(xta_array_close(a, &err));
        expect_on_disk(3, 33);
        expect_on_disk(6, 55);
        expect_on_disk(7, 66);
        OK(xta_array_close(b, &err));
        OK(xta_array_delete(path, &err));
    }
}

/* As before, in chunks of each order, with two axes, and a third one inserted meanwhile. */
static void old_cells_stay_away_in_every_order(void **state)
{
    (void)state;
    for (int order = XTA_ROW; order <= XTA_HILBERT; order++) {
        int64_t theirs[8 * 3], cell = 0, n_seen = 0;
        make(2, (const int64_t[]){8, 8}, (const int64_t[]){4, 4}, (xta_order)order);
        xta_array *a = open_cached(true), *b = open_cached(true);
        for (int64_t k = 0; k < 64; k++) {
            OK(xta_array_put(a, (const int64_t[]){k / 8, k % 8}, &(int64_t){100 + k}, &err));
        }
        cut(b, 1, 3);
        for (int k = 0; k < 24; k++) {
            theirs[k] = 1000 + k;
        }
        OK(xta_array_append(b, &(xta_growth){1, XTA_BACK, 3}, NULL, theirs, NULL, &err));
        OK(xta_array_add_axis(b, 1, NULL, &err));
        OK(xta_array_sync(b, &err));
        OK(xta_array_close(a, &err));
        OK(xta_array_refresh(b, NULL, &err));
        for (int64_t k = 0; k < 64; k++) {
            int64_t row = k / 8, column = k % 8;
            int64_t expected = column < 5 ? 100 + k : theirs[row * 3 + column - 5];
            OK(xta_array_get(b, (const int64_t[]){row, 0, column}, &cell, &err));
            assert_int_equal(cell, expected);
            n_seen++;
        }
        assert_int_equal(n_seen, 64);
        OK(xta_array_close(b, &err));
        OK(xta_array_delete(path, &err));
    }
}

/* A cache of few chunks evicts its oldest ones with their dirty cells. */
static void eviction_is_no_exception(void **state)
{
    enum { CELLS = 1 << 20 };
    xta_array *b = NULL;
    int64_t *many = calloc(CELLS, sizeof many[0]);
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *a = NULL;
    (void)state;

    make(1, (const int64_t[]){CELLS}, (const int64_t[]){4096}, XTA_ROW);
    options.writable = true;
    options.access = XTA_ACCESS_CACHED;
    options.cache_bytes = 1;
    OK(xta_array_open(path, &options, &a, &err));
    b = open_cached(true);
    put(a, CELLS - 1, 77);
    cut(b, 0, 2);
    append(b, 2, (const int64_t[]){55, 66});
    OK(xta_array_sync(b, &err));
    OK(xta_array_read(a, &(xta_box){.ndim = 1, .lo = {0}, .hi = {CELLS}}, NULL, many, &err));
    expect_on_disk(CELLS - 1, 66);
    expect_on_disk(CELLS - 2, 55);
    OK(xta_array_close(a, &err));
    OK(xta_array_close(b, &err));
    free(many);
}

/* Compactions drop the history, so cells removed between two of them cannot be determined. */
static void two_compactions_hide_a_shrink(void **state)
{
    (void)state;
    make_line(8);
    xta_array *a = open_cached(true);
    put(a, 7, 77);
    OK(xta_compact(path, NULL, NULL, &err));
    xta_array *b = open_cached(true);
    cut(b, 0, 2);
    append(b, 2, (const int64_t[]){55, 66});
    OK(xta_array_close(b, &err));
    OK(xta_compact(path, NULL, NULL, &err));
    assert_int_equal(xta_array_close(a, &err), XTA_ESTATE);
    assert_non_null(strstr(err.text, "1 cell in 1 chunk"));
    assert_non_null(strstr(err.text, "compacted"));
    expect_on_disk(7, 66);
}

/* ---- what a handle sees ---- */

static void refresh_ignores_pins(void **state)
{
    xta__pin pin = {0};
    (void)state;

    make_line(8);
    xta_array *a = open_cached(false), *b = open_cached(true);
    assert_int_equal(get(a, 1), 0);
    // As a thread that is reading does.
    OK(a->chunk_store->ops->pin_read(a->chunk_store, 0, &pin, &err));
    put(b, 1, 11);
    OK(xta_array_sync(b, &err));
    OK(xta_array_refresh(a, NULL, &err));
    assert_int_equal(get(a, 1), 11);
    a->chunk_store->ops->unpin(a->chunk_store, &pin);
    assert_int_equal(get(a, 1), 11);
    OK(xta_array_close(a, &err));
    OK(xta_array_close(b, &err));
}

/* A structural step reads the changes of others, both their bounds and their cells. */
static void a_step_brings_cells_with_the_bounds(void **state)
{
    (void)state;
    make_line(2);
    xta_array *a = open_cached(true), *b = open_cached(true);
    assert_int_equal(get(a, 1), 0);
    append(b, 1, (const int64_t[]){55});
    OK(xta_array_sync(b, &err));
    grow(a, 0, 1);
    assert_int_equal(get(a, 2), 55);
    assert_int_equal(get(a, 3), 0);
    OK(xta_array_close(a, &err));
    OK(xta_array_close(b, &err));
}

/* ---- an interrupted append ---- */

/* The n-th system call fails in an append along one axis; then another axis grows. False: there was
 * no n-th call. */
static bool fail_an_append(xta_access access, uint64_t n)
{
    const int64_t cells[4] = {71, 72, 73, 74};
    int64_t cell = -1;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *a = NULL;

    options.chunk = (const int64_t[]){2, 2};
    options.access = access;
    faulty_os_start();
    OK(xta_array_create(path, XTA_I64, 2, (const int64_t[]){2, 2}, &options, &a, &err));
    faulty_os_fail_at(n, 28, false);
    xta_status status = xta_array_append(a, &(xta_growth){0, XTA_BACK, 2}, NULL, cells, NULL, &err);
    bool happened = faulty_os_happened();
    faulty_os_fail_at(0, 0, false);
    if (status != XTA_OK) {
        grow(a, 1, 2);
        for (int64_t k = 0; k < 4; k++) {
            OK(xta_array_get(a, (const int64_t[]){k / 2, 2 + k % 2}, &cell, &err));
            assert_int_equal(cell, 0);
        }
    }
    OK(xta_array_close(a, &err));
    faulty_os_stop();
    OK(xta_array_delete(path, &err));
    return happened;
}

static void append_that_fails_leaves_no_cells(void **state)
{
    (void)state;
    for (xta_access access = XTA_ACCESS_MAPPED; access <= XTA_ACCESS_CACHED; access++) {
        uint64_t n = 1;
        while (fail_an_append(access, n)) {
            n++;
        }
        assert_true(n > 3);
    }
}

/* ---- close reports lost cells ---- */

static void close_says_what_was_lost(void **state)
{
    (void)state;
    make_line(64);
    xta_array *a = open_cached(true);
    put(a, 0, 1);
    put(a, 1, 1);
    put(a, 63, 1);
    xta__break(a);
    assert_int_equal(xta_array_close(a, &err), XTA_ESTATE);
    assert_non_null(strstr(err.text, "3 cells"));
    assert_non_null(strstr(err.text, "2 chunks"));
    assert_non_null(strstr(err.text, "a.xta"));

    // Cells written back before are not lost.
    a = open_cached(true);
    put(a, 0, 1);
    OK(xta_array_sync(a, &err));
    xta__break(a);
    OK(xta_array_close(a, &err));
    expect_on_disk(0, 1);

    // The disk refuses the cells.
    faulty_os_start();
    a = open_cached(true);
    put(a, 5, 1);
    faulty_os_fail_at(1, 28, false);
    assert_int_equal(xta_array_close(a, &err), XTA_ENOSPC);
    assert_int_equal(err.os_errno, 28);
    assert_non_null(strstr(err.text, "1 cell"));
}

/* ---- a disk that is full for a while ---- */

static ssize_t write_nothing(int fd, const void *bytes, size_t n, off_t offset)
{
    (void)fd;
    (void)bytes;
    (void)n;
    (void)offset;
    errno = ENOSPC;
    return -1;
}

/* A cache full of cells that cannot be written prevents further writes, but not reads; the cells
 * are written when that is possible again. */
static void reads_go_on_while_the_disk_is_full(void **state)
{
    enum { N = 64 };
    const int64_t length = N, chunk = 1;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta__os_calls full = *xta__os();
    xta_array *a = NULL;
    int64_t cell = 7;

    (void)state;
    options.chunk = &chunk;
    options.access = XTA_ACCESS_CACHED;
    options.cache_bytes = 1; // four chunks
    OK(xta_array_create(path, XTA_I64, 1, &length, &options, &a, &err));
    for (int64_t k = 0; k < N; k++) {
        put(a, k, 100 + k);
    }
    OK(xta_array_sync(a, &err));
    for (int64_t k = 0; k < 4; k++) {
        put(a, k, 200 + k);
    }
    full.write_at = write_nothing;
    xta__os_replace(&full);
    for (int round = 0; round < 3; round++) {
        for (int64_t k = 0; k < N; k++) {
            assert_int_equal(get(a, k), (k < 4 ? 200 : 100) + k);
        }
    }
    uint64_t n_chunks = 0;
    assert_int_equal(a->chunk_store->ops->unwritten(a->chunk_store, &n_chunks), 4);
    assert_int_equal(xta_array_sync(a, &err), XTA_ENOSPC);
    xta__os_replace(NULL);
    OK(xta_array_put(a, &(int64_t){9}, &cell, &err));
    OK(xta_array_close(a, &err));
    expect_on_disk(3, 203);
    expect_on_disk(9, 7);
}

/* ---- a file that was shortened ---- */

static void truncated_file_is_corrupt(void **state)
{
    char data[TEST_PATH_BYTES + 8], text[64];
    xta_array_info info;
    int64_t cell = 0, cells[4];
    (void)state;

    make_line(64);
    snprintf(data, sizeof data, "%s.xta", path);
    xta_array *a = open_cached(true);
    for (int64_t k = 0; k < 64; k++) {
        put(a, k, 10 + k);
    }
    OK(xta_array_inquire(a, &info, &err));
    OK(xta_array_close(a, &err));
    // The last byte of cell 33, which begins its chunk at half of the cells.
    xta_location where;
    a = open_cached(true);
    OK(xta_array_locate(a, &(int64_t){33}, &where, &err));
    uint64_t end = where.offset + 7;
    assert_int_equal(truncate(data, (off_t)end), 0);
    assert_int_equal(get(a, 31), 41);
    snprintf(text, sizeof text, "offset %llu", (unsigned long long)end);
    assert_int_equal(xta_array_get(a, &(int64_t){32}, &cell, &err), XTA_ECORRUPT);
    assert_non_null(strstr(err.text, text));
    assert_non_null(strstr(err.text, "a.xta"));
    assert_int_equal(xta_array_get(a, &(int64_t){60}, &cell, &err), XTA_ECORRUPT);
    assert_int_equal(xta_array_put(a, &(int64_t){60}, &cell, &err), XTA_ECORRUPT);
    xta_box box = {.ndim = 1, .lo = {30}, .hi = {34}};
    assert_int_equal(xta_array_read(a, &box, NULL, cells, &err), XTA_ECORRUPT);
    OK(xta_array_close(a, &err));
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    options.access = XTA_ACCESS_CACHED;
    assert_int_equal(xta_array_open(path, &options, &a, &err), XTA_ECORRUPT);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        CASE(shrink_keeps_nothing_back),
        CASE(old_cells_stay_away),
        CASE(old_cells_stay_away_in_every_order),
        CASE(eviction_is_no_exception),
        CASE(two_compactions_hide_a_shrink),
        CASE(refresh_ignores_pins),
        CASE(a_step_brings_cells_with_the_bounds),
        CASE(append_that_fails_leaves_no_cells),
        CASE(close_says_what_was_lost),
        CASE(reads_go_on_while_the_disk_is_full),
        CASE(truncated_file_is_corrupt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
