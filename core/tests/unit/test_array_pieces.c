/* Whole chunks are written in pieces of 2 MiB aligned to 2 MiB of the file, from memory that stays
 * with the handle; bytes between a chunk and the next slot are 0 whatever that memory held.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <cmocka.h>

#include "array/io/box/staging.h"
#include "support/folder.h"
#include "support/must.h"
#include "util/os.h"

enum { MOST_WRITES = 64, MIB = 1 << 20 };

static char path[TEST_PATH_BYTES];
static xta_error err;

/* ---- the calls that write ---- */

static const xta__os_calls *real;
static struct {
    off_t offset;
    size_t n;
} writes[MOST_WRITES];
static int n_writes;

static ssize_t note_write(int fd, const void *bytes, size_t n, off_t offset)
{
    assert_true(n_writes < MOST_WRITES);
    writes[n_writes].offset = offset;
    writes[n_writes++].n = n;
    return real->write_at(fd, bytes, n, offset);
}

/* No page is in memory, so nothing is stored in place. */
static int never_resident(void *page, bool *is)
{
    (void)page;
    *is = false;
    return 0;
}

/* Write `cells` into the whole array and record the calls. */
static void write_all(xta_array *array, const void *cells)
{
    xta__os_calls noting;
    xta_box all = xta_array_bounds(array);

    real = xta__os();
    noting = *real;
    noting.write_at = note_write;
    noting.resident = never_resident;
    n_writes = 0;
    xta__os_replace(&noting);
    xta_status status = xta_array_write(array, &all, NULL, cells, &err);
    xta__os_replace(NULL);
    test_must(status, &err);
}

/* ---- cells ---- */

static uint8_t *make_cells(size_t bytes, unsigned seed)
{
    uint8_t *cells = malloc(bytes);
    uint64_t state = seed;

    assert_non_null(cells);
    for (size_t k = 0; k < bytes; k++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        cells[k] = (uint8_t)(state >> 56 | 1);
    }
    return cells;
}

static void check_cells(xta_array *array, const uint8_t *cells, size_t bytes)
{
    xta_box all = xta_array_bounds(array);
    uint8_t *back = malloc(bytes);

    assert_non_null(back);
    test_must(xta_array_read(array, &all, NULL, back, &err), &err);
    assert_memory_equal(back, cells, bytes);
    free(back);
}

static xta_array *make(xta_type type, const int64_t bounds[], const int64_t chunk[],
                       xta_order order, uint64_t alignment)
{
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    how.chunk = chunk;
    how.order = order;
    how.alignment_bytes = alignment;
    how.access = XTA_ACCESS_MAPPED;
    test_folder_join(&test_group_folder, "a", path);
    test_must(xta_array_create(path, type, 2, bounds, &how, &array, &err), &err);
    return array;
}

static void remove_array(xta_array *array)
{
    test_must(xta_array_close(array, &err), &err);
    test_must(xta_array_delete(path, &err), &err);
}

static void pieces_of_two_mebibytes(void **state)
{
    // Chunks of 2 and of 6 MiB, beside each other, so that their rows lie apart in memory.
    static const int64_t bounds[2][2] = {{2048, 2048}, {1536, 2048}};
    static const int64_t chunks[2][2] = {{1024, 512}, {1536, 1024}};
    (void)state;

    for (int k = 0; k < 2; k++) {
        size_t bytes = (size_t)(bounds[k][0] * bounds[k][1]) * 4;
        uint8_t *cells = make_cells(bytes, (unsigned)k);
        xta_array *array = make(XTA_I32, bounds[k], chunks[k], XTA_ROW, 0);
        for (int round = 0; round < 2; round++) {
            uint8_t *kept = array->staging;
            write_all(array, cells);
            assert_int_equal(n_writes, bytes / (2 * MIB));
            for (int i = 0; i < n_writes; i++) {
                assert_int_equal(writes[i].n, 2 * MIB);
                assert_int_equal(writes[i].offset % (2 * MIB), 0);
            }
            assert_non_null(array->staging);
            assert_true(round == 0 ? kept == NULL : kept == array->staging);
        }
        check_cells(array, cells, bytes);
        remove_array(array);
        free(cells);
    }
}

/* Large chunks first, whose cells stay in the memory; then chunks that are smaller than their
 * slots. */
static void nothing_of_others_between_chunks(void **state)
{
    static const xta_order orders[] = {XTA_ROW, XTA_COLUMN, XTA_MORTON, XTA_HILBERT};
    (void)state;

    for (int k = 0; k < 4; k++) {
        const int64_t bounds[2] = {512, 512}, chunk[2] = {256, 256};
        size_t bytes = 512UL * 512UL;
        uint8_t *cells = make_cells(bytes, 7);
        xta_array_info info;
        xta_array *array = make(XTA_U8, bounds, chunk, orders[k], 100000);
        array->staging = malloc(XTA__STAGING_BYTES);
        assert_non_null(array->staging);
        memset(array->staging, 0xee, XTA__STAGING_BYTES);
        write_all(array, cells);
        check_cells(array, cells, bytes);
        test_must(xta_array_sync(array, &err), &err);
        test_must(xta_array_inquire(array, &info, &err), &err);
        assert_true(info.slot_bytes > info.chunk_bytes);
        size_t n = 0;
        char data[TEST_PATH_BYTES];
        test_folder_join(&test_group_folder, "a.xta", data);
        uint8_t *file = test_file_read(data, &n);
        assert_non_null(file);
        assert_true(n >= info.data_offset + 4 * info.slot_bytes);
        for (uint64_t q = 0; q < 4; q++) {
            const uint8_t *slot = file + info.data_offset + q * info.slot_bytes;
            for (uint64_t i = info.chunk_bytes; i < info.slot_bytes; i++) {
                assert_int_equal(slot[i], 0);
            }
        }
        free(file);
        remove_array(array);
        free(cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_two_mebibytes),
        cmocka_unit_test(nothing_of_others_between_chunks),
    };
    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
