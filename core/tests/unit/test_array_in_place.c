/* Stores through a mapping: where they are prepared, what space they need, and that other handles
 * do not free it meanwhile.
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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <linux/magic.h>

#include <cmocka.h>

#include "array/array.h"
#include "support/folder.h"
#include "support/must.h"
#include "util/os.h"

#define MIB ((int64_t)1 << 20)

static char path[TEST_PATH_BYTES];
static xta_error err;
static xta__os_calls replaced;

/* As if all pages were large, also on a system that has none. */
static uint64_t count_none(void)
{
    return 1;
}

/* Stores are plain ones, also on XFS; checked ones are in test_array_checked.c. */
static int say_not_shared(int fd)
{
    (void)fd;
    return 0;
}

static int set_up(void **state)
{
    static xta__os_calls plain;

    (void)state;
    test_folder_join(&test_group_folder, "a", path);
    plain = *xta__os();
    plain.shares_blocks = say_not_shared;
    plain.faults = count_none;
    xta__os_replace(&plain);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    xta__os_replace(NULL);
    test_pair_remove(path);
    return 0;
}

static xta_array *make(xta_type type, int ndim, const int64_t lengths[], const int64_t chunk[],
                       xta_order order)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    options.chunk = chunk;
    options.order = order;
    options.access = XTA_ACCESS_MAPPED;
    test_must(xta_array_create(path, type, ndim, lengths, &options, &array, &err), &err);
    return array;
}

static xta_array *open_again(void)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    options.writable = true;
    options.access = XTA_ACCESS_MAPPED;
    test_must(xta_array_open(path, &options, &array, &err), &err);
    return array;
}

static int64_t bytes_on_disk(void)
{
    char name[TEST_PATH_BYTES + 8];
    struct stat facts;

    snprintf(name, sizeof name, "%s.xta", path);
    assert_int_equal(stat(name, &facts), 0);
    return (int64_t)facts.st_blocks * 512;
}

static bool is_ready(xta_array *array, uint64_t address, size_t offset)
{
    xta__range_facts facts;

    array->chunk_store->ops->facts(array->chunk_store, address, offset, 8, &facts);
    return facts.ready;
}

/* Cells whose values follow from their coordinates. */
static void write_numbers(xta_array *array, const xta_box *box)
{
    uint64_t n = 0;

    assert_int_equal(xta_box_cells(box, &n), XTA_OK);
    int64_t *cells = calloc((size_t)n, sizeof cells[0]), *at = cells;
    for (int64_t i = box->lo[0]; i < box->hi[0]; i++) {
        for (int64_t j = box->lo[1]; j < box->hi[1]; j++) {
            *at++ = 1000000 * i + j + 1;
        }
    }
    test_must(xta_array_write(array, box, NULL, cells, &err), &err);
    memset(cells, 0, (size_t)n * sizeof cells[0]);
    test_must(xta_array_read(array, box, NULL, cells, &err), &err);
    at = cells;
    for (int64_t i = box->lo[0]; i < box->hi[0]; i++) {
        for (int64_t j = box->lo[1]; j < box->hi[1]; j++) {
            assert_int_equal(*at++, 1000000 * i + j + 1);
        }
    }
    free(cells);
}

/* ---- when ---- */

static void test_calls_first(void **state)
{
    // One chunk of 16 MiB, all of it a hole.
    const int64_t lengths[2] = {1024, 2048};
    xta_array *array = make(XTA_I64, 2, lengths, lengths, XTA_ROW);

    (void)state;
    for (int64_t k = 0; k < 250; k++) {
        // A different page each time, all in the first 2 MiB.
        const int64_t at[2] = {k % 125, k < 125 ? 0 : 1024}, value = k + 1;
        test_must(xta_array_put(array, at, &value, &err), &err);
        assert_int_equal(is_ready(array, 0, 0), k >= 192);
        assert_false(is_ready(array, 0, 4 * (size_t)MIB));
    }
    for (int64_t k = 0; k < 250; k++) {
        const int64_t at[2] = {k % 125, k < 125 ? 0 : 1024};
        int64_t value = 0;
        test_must(xta_array_get(array, at, &value, &err), &err);
        assert_int_equal(value, k + 1);
    }
    test_must(xta_array_sync(array, &err), &err);
    assert_false(is_ready(array, 0, 0));
    test_must(xta_array_close(array, &err), &err);
}

static void test_again_and_again(void **state)
{
    const int64_t lengths[2] = {1024, 2048}, at[2] = {5, 7};
    xta_box all = {.ndim = 2, .hi = {1024, 2048}};
    xta_array *array = make(XTA_I64, 2, lengths, lengths, XTA_ROW);

    (void)state;
    write_numbers(array, &all);
    test_must(xta_array_sync(array, &err), &err);
    for (int64_t k = 0; k < 6; k++) {
        test_must(xta_array_put(array, at, &k, &err), &err);
        // The first call records the page, two more find it written.
        assert_int_equal(is_ready(array, 0, 0), k >= 3);
    }
    test_must(xta_array_close(array, &err), &err);
}

static unsigned n_calls; /* that write into the data file */

static ssize_t count_calls(int fd, const void *bytes, size_t n, off_t offset)
{
    n_calls += n >= 4096;
    return pwrite(fd, bytes, n, offset);
}

/* Rows of 32 KiB that are appended to chunks of 64 of them. */
static void append_rows(xta_array *array, int n)
{
    const xta_growth growth = {0, XTA_BACK, 1};
    int64_t cells[4096];

    for (int k = 0; k < n; k++) {
        xta_box bounds = xta_array_bounds(array);
        for (int64_t j = 0; j < 4096; j++) {
            cells[j] = 1000000 * bounds.hi[0] + j + 1;
        }
        test_must(xta_array_append(array, &growth, NULL, cells, NULL, &err), &err);
    }
}

/* The first row of a new chunk is stored in place, and so are the next ones; after a sync they are
 * written by calls, so that no more than the chunk is sent. */
static void test_appended_rows(void **state)
{
    const int64_t lengths[2] = {64, 4096}, chunk[2] = {64, 4096};
    xta_array *array = make(XTA_I64, 2, lengths, chunk, XTA_ROW);

    (void)state;
    replaced = *xta__os();
    replaced.write_at = count_calls;
    xta__os_replace(&replaced);
    n_calls = 0;
    append_rows(array, 20);
    assert_int_equal(n_calls, 0);
    assert_true(bytes_on_disk() <= 6 * MIB);
    test_must(xta_array_sync(array, &err), &err);
    append_rows(array, 20);
    assert_int_equal(n_calls, 20);
    append_rows(array, 24 + 3);
    assert_int_equal(n_calls, 44);
    test_must(xta_array_close(array, &err), &err);
    xta__os_replace(NULL);
    array = open_again();
    for (int64_t i = 64; i < 64 + 67; i++) {
        for (int64_t j = 0; j < 4096; j += 511) {
            int64_t value = 0;
            test_must(xta_array_get(array, (int64_t[]){i, j}, &value, &err), &err);
            assert_int_equal(value, 1000000 * i + j + 1);
        }
    }
    test_must(xta_array_close(array, &err), &err);
}

/* Enough puts that the 2 MiB around a cell of a 1-d array are prepared. */
static void make_ready(xta_array *array, int64_t cell)
{
    for (int64_t k = 0; k < 200; k++) {
        test_must(xta_array_put(array, &cell, &k, &err), &err);
    }
}

/* A window of the mapping need not end at a multiple of 2 MiB of the file: the state of such a unit
 * holds in both windows. */
static void test_windows_that_share_a_unit(void **state)
{
    // Slots of 64 KiB that begin at byte 4096: the second window begins 4096 bytes into a unit.
    enum { CHUNK = 8192, N = 1100, SECOND = 1024 };
    const int64_t lengths[1] = {(int64_t)N * CHUNK}, chunk[1] = {CHUNK}, zero = 0;
    const int64_t last = (int64_t)SECOND * CHUNK - 1;
    const xta_box before = {.ndim = 1, .lo = {(SECOND - 1) * CHUNK}, .hi = {SECOND * CHUNK}};
    const xta_box behind = {.ndim = 1, .lo = {SECOND * CHUNK}, .hi = {(SECOND + 1) * CHUNK}};
    xta_array *array = make(XTA_I64, 1, lengths, chunk, XTA_ROW);

    (void)state;
    assert_int_equal(xta__window_first(array->chunk_store->windows, 1), SECOND);
    make_ready(array, last);
    make_ready(array, last + 1);
    assert_true(is_ready(array, SECOND - 1, CHUNK * 8 - 8));
    assert_true(is_ready(array, SECOND, 0));
    test_must(xta_array_fill(array, &behind, &zero, &err), &err);
    assert_false(is_ready(array, SECOND, 0));
    assert_false(is_ready(array, SECOND - 1, CHUNK * 8 - 8));

    make_ready(array, last);
    make_ready(array, last + 1);
    test_must(xta_array_fill(array, &before, &zero, &err), &err);
    assert_false(is_ready(array, SECOND - 1, CHUNK * 8 - 8));
    assert_false(is_ready(array, SECOND, 0));
    test_must(xta_array_close(array, &err), &err);
}

static int n_writes;

static ssize_t count_writes(int fd, const void *bytes, size_t n, off_t offset)
{
    n_writes++;
    return pwrite(fd, bytes, n, offset);
}

/* Slots whose length is not a multiple of the cell's: a cell that extends into the next 2 MiB is
 * not stored in place just because the first ones are prepared. */
static void test_a_cell_in_two_units(void **state)
{
    enum { CHUNK = 125, N = 4000 };
    const int64_t lengths[1] = {(int64_t)N * CHUNK}, chunk[1] = {CHUNK}, value = 7;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta__os_calls calls = *xta__os();
    xta_array *array = NULL;
    int n_found = 0;

    (void)state;
    options.chunk = chunk;
    options.access = XTA_ACCESS_MAPPED;
    options.alignment_bytes = 1004;
    test_must(xta_array_create(path, XTA_I64, 1, lengths, &options, &array, &err), &err);
    calls.write_at = count_writes;
    for (int64_t cell = 0; cell < lengths[0] && n_found == 0; cell++) {
        int64_t place = (int64_t)array->state.constants.data_offset +
                        cell / CHUNK * (int64_t)array->chunk_store->slot_bytes + cell % CHUNK * 8;
        if (place % (2 * MIB) != 2 * MIB - 4) {
            continue;
        }
        n_found++;
        make_ready(array, cell - 1);
        assert_false(is_ready(array, (uint64_t)(cell / CHUNK), (size_t)(cell % CHUNK * 8)));
        xta__os_replace(&calls);
        n_writes = 0;
        test_must(xta_array_put(array, &cell, &value, &err), &err);
        xta__os_replace(NULL);
        assert_int_equal(n_writes, 1);
    }
    assert_int_equal(n_found, 1);
    test_must(xta_array_close(array, &err), &err);
}

/* ---- a system that does not populate ---- */

static int refuse_to_populate(void *address, size_t n_bytes)
{
    (void)address;
    (void)n_bytes;
    errno = EINVAL;
    return -1;
}

static void test_without_populate(void **state)
{
    const int64_t lengths[2] = {600, 700}, chunk[2] = {128, 256};
    xta__os_calls calls = *xta__os();
    const xta_box boxes[] = {{.ndim = 2, .lo = {3, 5}, .hi = {500, 690}},
                             {.ndim = 2, .lo = {3, 5}, .hi = {5, 7}},
                             {.ndim = 2, .lo = {10, 0}, .hi = {90, 3}}};

    (void)state;
    calls.populate = refuse_to_populate;
    xta__os_replace(&calls);
    for (int order = XTA_ROW; order <= XTA_HILBERT; order++) {
        xta_array *array = make(XTA_I64, 2, lengths, chunk, (xta_order)order);
        for (int round = 0; round < 3; round++) {
            for (size_t k = 0; k < sizeof boxes / sizeof boxes[0]; k++) {
                write_numbers(array, &boxes[k]);
            }
        }
        for (int64_t k = 0; k < 300; k++) {
            const int64_t at[2] = {k, 2 * k};
            int64_t value = 0;
            test_must(xta_array_put(array, at, &k, &err), &err);
            test_must(xta_array_get(array, at, &value, &err), &err);
            assert_int_equal(value, k);
        }
        for (uint64_t q = 0; q < 15; q++) {
            assert_false(is_ready(array, q, 0));
        }
        test_must(xta_array_close(array, &err), &err);
        test_pair_remove(path);
    }
}

/* ---- a copy-on-write file system ---- */

static uint32_t say_btrfs(int fd)
{
    (void)fd;
    return BTRFS_SUPER_MAGIC;
}

static void test_copies_on_write(void **state)
{
    const int64_t lengths[2] = {600, 700}, chunk[2] = {128, 256};
    const xta_box part = {.ndim = 2, .lo = {3, 5}, .hi = {500, 690}};
    xta__os_calls calls = *xta__os();

    (void)state;
    calls.file_system = say_btrfs;
    xta__os_replace(&calls);
    xta_array *array = make(XTA_I64, 2, lengths, chunk, XTA_ROW);
    for (int round = 0; round < 2; round++) {
        write_numbers(array, &part);
        for (int64_t k = 0; k < 300; k++) {
            test_must(xta_array_put(array, (const int64_t[2]){5, 7}, &k, &err), &err);
        }
        assert_false(is_ready(array, 0, 0));
    }
    test_must(xta_array_close(array, &err), &err);
}

/* ---- whole chunks ---- */

static _Atomic uint64_t n_written;

static ssize_t count_write(int fd, const void *bytes, size_t n, off_t offset)
{
    n_written += n;
    return pwrite(fd, bytes, n, offset);
}

static int say_not_resident(void *page, bool *is)
{
    (void)page;
    *is = false;
    return 0;
}

/* As if each prepared unit had pages of 4 KiB. */
static uint64_t count_small_pages(void)
{
    static uint64_t n;

    return n += 512;
}

/* How many bytes are written by calls for whole chunks, 8 of 2 MiB in two rows. */
static int64_t written_by_calls(xta_array *array)
{
    const xta_box all = {.ndim = 2, .hi = {1024, 2048}};

    n_written = 0;
    write_numbers(array, &all);
    return (int64_t)n_written;
}

static xta_array *make_whole_chunks(void)
{
    const int64_t lengths[2] = {1024, 2048}, chunk[2] = {512, 512};

    replaced = *xta__os();
    replaced.write_at = count_write;
    xta__os_replace(&replaced);
    return make(XTA_I64, 2, lengths, chunk, XTA_ROW);
}

/* New slots are written by calls; cells are gathered into pages that are in memory, after a sync
 * and through another handle too, but never into pages that must first be read. */
static void test_whole_chunks(void **state)
{
    xta_array *array = make_whole_chunks();

    (void)state;
    assert_true(written_by_calls(array) >= 16 * MIB);
    assert_int_equal(written_by_calls(array), 0);
    assert_int_equal(written_by_calls(array), 0);
    test_must(xta_array_sync(array, &err), &err);
    assert_int_equal(written_by_calls(array), 0);
    test_must(xta_array_close(array, &err), &err);
    array = open_again();
    assert_int_equal(written_by_calls(array), 0);
    replaced.resident = say_not_resident;
    xta__os_replace(&replaced);
    assert_int_equal(written_by_calls(array), 16 * MIB);
    test_must(xta_array_close(array, &err), &err);
}

/* Units in small pages cost more to prepare than calls do: a few are tried, then no more. */
static void test_whole_chunks_in_small_pages(void **state)
{
    xta_array *array = make_whole_chunks();

    (void)state;
    (void)written_by_calls(array);
    replaced.faults = count_small_pages;
    xta__os_replace(&replaced);
    assert_int_equal(written_by_calls(array), 0);
    assert_int_equal(written_by_calls(array), 16 * MIB);
    test_must(xta_array_close(array, &err), &err);
}

/* If pages cannot be prepared, cells are written by calls. */
static void test_whole_chunks_without_populate(void **state)
{
    xta_array *array = make_whole_chunks();

    (void)state;
    (void)written_by_calls(array);
    replaced.populate = refuse_to_populate;
    xta__os_replace(&replaced);
    assert_int_equal(written_by_calls(array), 16 * MIB);
    test_must(xta_array_close(array, &err), &err);
}

/* ---- space ---- */

static void test_scattered_cells(void **state)
{
    enum { N = 391 };
    const int64_t lengths[1] = {(int64_t)N * MIB / 8}, chunk[1] = {MIB / 8};
    xta_array *array = make(XTA_I64, 1, lengths, chunk, XTA_ROW);

    (void)state;
    for (int64_t k = 0; k < N; k++) {
        const int64_t at = k * MIB / 8 + k % 1000;
        test_must(xta_array_put(array, &at, &k, &err), &err);
    }
    test_must(xta_array_sync(array, &err), &err);
    assert_in_range(bytes_on_disk(), N * 1024, N * 16384);
    test_must(xta_array_close(array, &err), &err);
}

/* Distant cells in a large chunk allocate their pages, not everything in between. */
static void test_scattered_rows(void **state)
{
    enum { ROWS = 100 };
    const int64_t lengths[2] = {ROWS, 2 * MIB / 8}, seven = 7;
    const xta_box columns[] = {{.ndim = 2, .lo = {0, 5}, .hi = {ROWS, 6}},
                               {.ndim = 2, .lo = {0, 90000}, .hi = {ROWS, 90001}}};
    xta_array *array = make(XTA_I64, 2, lengths, lengths, XTA_ROW);

    (void)state;
    write_numbers(array, &columns[0]);
    test_must(xta_array_sync(array, &err), &err);
    assert_in_range(bytes_on_disk(), ROWS * 1024, ROWS * 16384);
    test_must(xta_array_fill(array, &columns[1], &seven, &err), &err);
    test_must(xta_array_sync(array, &err), &err);
    assert_in_range(bytes_on_disk(), ROWS * 2048, ROWS * 32768);
    test_must(xta_array_close(array, &err), &err);
}

static void test_some_cells_along_a_curve(void **state)
{
    const int64_t lengths[2] = {2048, 2048}, seven = 7;
    const xta_box boxes[] = {{.ndim = 2, .lo = {0, 0}, .hi = {10, 10}},
                             {.ndim = 2, .lo = {1019, 1019}, .hi = {1029, 1029}}};
    xta_array *array = make(XTA_I64, 2, lengths, lengths, XTA_HILBERT);

    (void)state;
    write_numbers(array, &boxes[0]);
    write_numbers(array, &boxes[1]);
    test_must(xta_array_sync(array, &err), &err);
    assert_in_range(bytes_on_disk(), 1024, 100 * 16384);
    for (size_t k = 0; k < 2; k++) {
        test_must(xta_array_fill(array, &boxes[k], &seven, &err), &err);
    }
    test_must(xta_array_sync(array, &err), &err);
    assert_in_range(bytes_on_disk(), 1024, 100 * 32768);
    test_must(xta_array_close(array, &err), &err);
}

static void test_the_end(void **state)
{
    const int64_t lengths[2] = {80, 90}, chunk[2] = {80, 90};
    const xta_box part = {.ndim = 2, .lo = {1, 1}, .hi = {79, 89}};
    xta_array *array = make(XTA_I64, 2, lengths, chunk, XTA_ROW);

    (void)state;
    // 78 rows: the last 2 MiB of the file are reserved, and freed at the end.
    write_numbers(array, &part);
    assert_true(is_ready(array, 0, 0));
    assert_true(bytes_on_disk() >= 2 * MIB);
    test_must(xta_array_close(array, &err), &err);
    assert_true(bytes_on_disk() < 200000);
}

/* Chunks discarded by one handle keep their space as long as another one stores in place
 * [F-116]. */
static void test_others_keep_it(void **state)
{
    const int64_t lengths[2] = {1024, 1024}, chunk[2] = {256, 256}, zero = 0;
    const xta_box all = {.ndim = 2, .hi = {1024, 1024}};
    const xta_box part = {.ndim = 2, .lo = {1, 1}, .hi = {1023, 1023}};
    xta_array *a = make(XTA_I64, 2, lengths, chunk, XTA_ROW), *b = open_again();
    int64_t cell = 1;

    (void)state;
    write_numbers(a, &part);
    assert_true(is_ready(a, 5, 0));
    test_must(xta_array_sync(a, &err), &err);
    int64_t before = bytes_on_disk();
    test_must(xta_array_fill(b, &all, &zero, &err), &err);
    assert_true(bytes_on_disk() >= before);
    test_must(xta_array_get(a, (const int64_t[2]){500, 500}, &cell, &err), &err);
    assert_int_equal(cell, 0);
    write_numbers(a, &part);
    test_must(xta_array_close(a, &err), &err);
    test_must(xta_array_fill(b, &all, &zero, &err), &err);
    assert_true(bytes_on_disk() < MIB);
    // And it may be stored into again.
    write_numbers(b, &part);
    test_must(xta_array_fill(b, &all, &zero, &err), &err);
    assert_false(is_ready(b, 5, 0));
    assert_true(bytes_on_disk() < 3 * MIB);
    write_numbers(b, &all);
    test_must(xta_array_close(b, &err), &err);
}

static xta_array *growing;
static pthread_t grower;
static atomic_bool armed, has_grown;

static void *grow_far(void *user)
{
    const xta_growth growth = {0, XTA_BACK, 80 * 200};
    xta_error own;

    (void)user;
    has_grown = xta_array_extend(growing, &growth, 1, NULL, &own) == XTA_OK;
    return NULL;
}

/* Another handle makes the file longer while this one is about to set its length [F-117]. */
static int truncate_beside_growth(int fd, off_t length)
{
    if (atomic_exchange(&armed, false) && pthread_create(&grower, NULL, grow_far, NULL) == 0) {
        for (int k = 0; k < 100 && !has_grown; k++) {
            nanosleep(&(struct timespec){0, 3000000}, NULL);
        }
    }
    return ftruncate(fd, length);
}

static void test_the_end_beside_growth(void **state)
{
    const int64_t lengths[2] = {80, 90}, chunk[2] = {80, 90};
    const xta_box part = {.ndim = 2, .lo = {1, 1}, .hi = {79, 89}};
    xta_array *array = make(XTA_I64, 2, lengths, chunk, XTA_ROW);
    xta__os_calls calls = *xta__os();
    struct stat facts;
    char name[TEST_PATH_BYTES + 8];

    (void)state;
    growing = open_again();
    write_numbers(array, &part);
    calls.truncate = truncate_beside_growth;
    has_grown = false;
    armed = true;
    xta__os_replace(&calls);
    test_must(xta_array_close(array, &err), &err);
    assert_false(armed);
    pthread_join(grower, NULL);
    xta__os_replace(NULL);
    assert_true(has_grown);
    snprintf(name, sizeof name, "%s.xta", path);
    assert_int_equal(stat(name, &facts), 0);
    assert_true(facts.st_size >= (off_t)(201 * growing->chunk_store->slot_bytes));
    test_must(xta_array_close(growing, &err), &err);
}

/* ---- rows ---- */

/* With a step the strides of axes can be equal, or swap their order. */
static void test_steps_in_columns(void **state)
{
    enum { ROWS = 8, COLUMNS = 4096 };
    const int64_t lengths[2] = {ROWS, COLUMNS}, step[2] = {8, 1};
    const xta_box all = {.ndim = 2, .hi = {ROWS, COLUMNS}};
    static uint8_t row[COLUMNS], cells[ROWS][COLUMNS];
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    xta_array *array = make(XTA_U8, 2, lengths, lengths, XTA_COLUMN);

    (void)state;
    memset(row, 7, sizeof row);
    options.step = step;
    test_must(xta_array_write(array, &all, &options, row, &err), &err);
    test_must(xta_array_read(array, &all, NULL, cells, &err), &err);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            assert_int_equal(cells[i][j], i == 0 ? 7 : 0);
        }
    }
    test_must(xta_array_close(array, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_calls_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_again_and_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_appended_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_windows_that_share_a_unit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_cell_in_two_units, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_populate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_copies_on_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_whole_chunks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_whole_chunks_in_small_pages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_whole_chunks_without_populate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scattered_cells, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scattered_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_some_cells_along_a_curve, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_others_keep_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_end_beside_growth, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_steps_in_columns, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
