/* Journals with records around and beyond the window that a reader has of the file (4 KiB, then
 * 64 KiB): attributes of all such lengths, and records of a later version whose flags allow
 * skipping them. A record's head must be read from memory that is still valid after its payload has
 * made the window move. Shows F-101 of docs/FORMAT.md for long records.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/xta.h>

#include "array/array.h"
#include "support/folder.h"
#include "support/must.h"
#include "util/crc32c.h"

enum { LATER_TYPE = 99, MOST_BYTES = 300000 };

static const size_t lengths[] = {1,     4000,  4071,  4072,  4073,  4096,  65487,     65488,
                                 65489, 65512, 65535, 65536, 65537, 70000, MOST_BYTES};
enum { N_LENGTHS = sizeof lengths / sizeof lengths[0] };

static xta_error err;
static test_folder folder;

static uint8_t byte_of(size_t which, size_t k)
{
    return (uint8_t)(31 * which + 7 * k + (k >> 8));
}

static void set_one(xta_array *array, size_t which)
{
    char name[20];
    uint8_t *bytes = malloc(MOST_BYTES);
    xta_attribute a = {name, XTA_U8, 1, lengths[which], bytes};

    assert_non_null(bytes);
    for (size_t k = 0; k < a.count; k++) {
        bytes[k] = byte_of(which, k);
    }
    snprintf(name, sizeof name, "a%zu", which);
    test_must(xta_attribute_set(array, XTA_ON_ARRAY, &a, &err), &err);
    free(bytes);
}

static void expect_one(xta_array *array, size_t which)
{
    char name[20];
    xta_attribute found;

    snprintf(name, sizeof name, "a%zu", which);
    test_must(xta_attribute_get(array, XTA_ON_ARRAY, name, &found, &err), &err);
    assert_int_equal(found.count, lengths[which]);
    for (size_t k = 0; k < found.count; k++) {
        assert_int_equal(((const uint8_t *)found.values)[k], byte_of(which, k));
    }
}

static xta_array *make(const char *path)
{
    const int64_t bounds[1] = {3};
    xta_array *array = NULL;

    test_must(xta_array_create(path, XTA_U8, 1, bounds, NULL, &array, &err), &err);
    return array;
}

/* Each length is followed by each other length, so that heads and payloads lie at all positions of
 * a window. */
static void test_attributes(void **state)
{
    char path[TEST_PATH_BYTES];
    xta_array *array = make(test_folder_join(&folder, "attributes", path));
    xta_open_options how = XTA_OPEN_OPTIONS_INIT;
    (void)state;

    for (size_t first = 0; first < N_LENGTHS; first++) {
        for (size_t second = 0; second < N_LENGTHS; second++) {
            set_one(array, first);
            set_one(array, second);
        }
    }
    test_must(xta_array_close(array, &err), &err);
    for (int pass = 0; pass < 3; pass++) {
        how.writable = pass == 1;
        how.at_step = pass == 2; // from the first record on
        how.step = 0;
        test_must(xta_array_open(path, &how, &array, &err), &err);
        for (size_t k = 0; k < N_LENGTHS; k++) {
            expect_one(array, k);
        }
        test_must(xta_array_close(array, &err), &err);
    }
    test_must(xta_check(path, NULL, NULL, &err), &err);
}

/* A record of a later version at the end of the journal. Its payload resembles the other flags. */
static void add_later(const char *path, size_t n, bool may_be_skipped)
{
    char file[TEST_PATH_BYTES + 8];
    xta_array *array = NULL;
    xta_open_options how = XTA_OPEN_OPTIONS_INIT;
    xta__bytes payload = {.bytes = calloc(n, 1), .n = n, .capacity = n};
    size_t n_bytes = 0;

    assert_non_null(payload.bytes);
    memset(payload.bytes, may_be_skipped ? 0 : 0xff, n);
    how.writable = true;
    test_must(xta_array_open(path, &how, &array, &err), &err);
    uint64_t at = array->journal.end;
    test_must(xta__journal_append(&array->journal, LATER_TYPE, &payload, &err), &err);
    xta__break(array); // or it would write a checkpoint, which would hide the record
    test_must(xta_array_close(array, &err), &err);
    xta__bytes_clear(&payload);

    snprintf(file, sizeof file, "%s.xmd", path);
    uint8_t *all = test_file_read(file, &n_bytes);
    assert_true(all != NULL && at + XTA__RECORD_HEAD_BYTES + n <= n_bytes);
    uint8_t *head = all + at;
    size_t behind = (size_t)((n + 7) & ~(size_t)7);
    head[6] = may_be_skipped ? 1 : 0;
    uint32_t crc = xta__crc32c(0, head, XTA__RECORD_HEAD_BYTES - 4);
    crc = xta__crc32c(crc, head + XTA__RECORD_HEAD_BYTES, behind);
    for (int k = 0; k < 4; k++) {
        head[XTA__RECORD_HEAD_BYTES - 4 + k] = (uint8_t)(crc >> (8 * k));
    }
    test_file_write(file, all, n_bytes);
    free(all);
}

static void test_later_records(void **state)
{
    char path[TEST_PATH_BYTES];
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    (void)state;

    writable.writable = true;
    for (size_t k = 0; k < N_LENGTHS * N_LENGTHS * 2; k++) {
        size_t before = k % N_LENGTHS, later = k / N_LENGTHS % N_LENGTHS;
        bool may = k / N_LENGTHS / N_LENGTHS > 0;
        array = make(test_folder_join(&folder, "later", path));
        set_one(array, before);
        test_must(xta_array_close(array, &err), &err);
        add_later(path, lengths[later], may);
        xta_status status = xta_array_open(path, NULL, &array, &err);
        assert_int_equal(status, may ? XTA_OK : XTA_EFORMAT);
        if (may) {
            expect_one(array, before);
            test_must(xta_array_close(array, &err), &err);
        }
        assert_int_equal(xta_array_open(path, &writable, &array, &err), XTA_EFORMAT);
        assert_non_null(strstr(err.text, "type 99"));
        test_must(xta_array_delete(path, &err), &err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_later_records),
    };

    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
