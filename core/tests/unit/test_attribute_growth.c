/* Values added before and after those of an attribute: the result, the cost in the journal, and
 * what is refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/xta.h>

#include "support/folder.h"

static xta_error err;

static void must(xta_status status)
{
    if (status != XTA_OK) {
        print_error("%s\n", err.text);
    }
    assert_int_equal(status, XTA_OK);
}

static xta_array *make(const char *path)
{
    const int64_t bounds[1] = {3};
    double at[] = {0, 1, 2};
    xta_attribute values = {.name = "values", .type = XTA_F64, .count = 3, .values = at};
    xta_array *array = NULL;

    must(xta_array_create(path, XTA_U8, 1, bounds, NULL, &array, &err));
    must(xta_attribute_set(array, 0, &values, &err));
    return array;
}

static void put(xta_array *array, xta_side side, double value)
{
    xta_attribute one = {.name = "values", .type = XTA_F64, .count = 1, .values = &value};

    must(xta_attribute_extend(array, 0, side, &one, &err));
}

static void expect(xta_array *array, double first, size_t n)
{
    xta_attribute found;

    must(xta_attribute_get(array, 0, "values", &found, &err));
    assert_int_equal(found.count, n);
    for (size_t k = 0; k < n; k++) {
        assert_true(((const double *)found.values)[k] == first + (double)k);
    }
}

static uint64_t journal_bytes(xta_array *array)
{
    xta_array_info info;

    must(xta_array_inquire(array, &info, &err));
    return info.journal_bytes;
}

static void both_sides(void **state)
{
    char path[TEST_PATH_BYTES];
    test_folder folder;
    xta_array *array, *reader = NULL;
    bool changed = false;
    uint64_t bytes[3] = {0};

    (void)state;
    test_folder_make_fast(&folder);
    array = make(test_folder_join(&folder, "a", path));
    must(xta_array_open(path, NULL, &reader, &err));
    bytes[0] = journal_bytes(array);
    for (int k = 0; k < 400; k++) {
        put(array, k % 2 == 0 ? XTA_BACK : XTA_FRONT, k % 2 == 0 ? 3 + k / 2 : -1 - k / 2);
        bytes[1] = k == 199 ? journal_bytes(array) : bytes[1];
    }
    bytes[2] = journal_bytes(array);
    expect(array, -200, 403);
    // As much for the second half as for the first: linear.
    assert_int_equal(bytes[2] - bytes[1], bytes[1] - bytes[0]);
    assert_true(bytes[2] - bytes[0] <= 400 * 80);
    expect(reader, 0, 3);
    must(xta_array_refresh(reader, &changed, &err));
    expect(reader, -200, 403);
    must(xta_array_close(reader, &err));
    must(xta_array_close(array, &err));
    must(xta_compact(path, NULL, NULL, &err));
    must(xta_array_open(path, NULL, &reader, &err));
    expect(reader, -200, 403);
    must(xta_array_close(reader, &err));
    test_folder_remove(&folder);
}

static void text_ends_with_zero(void **state)
{
    char path[TEST_PATH_BYTES];
    test_folder folder;
    xta_attribute word = {.name = "title", .type = XTA_TEXT, .count = 3, .values = "abc"}, found;

    (void)state;
    test_folder_make_fast(&folder);
    xta_array *array = make(test_folder_join(&folder, "a", path));
    must(xta_attribute_set(array, XTA_ON_ARRAY, &word, &err));
    for (int k = 0; k < 5; k++) {
        must(xta_attribute_extend(array, XTA_ON_ARRAY, (xta_side)(k % 2), &word, &err));
        must(xta_attribute_get(array, XTA_ON_ARRAY, "title", &found, &err));
        assert_int_equal(strlen(found.values), 3 * (size_t)(k + 2));
    }
    must(xta_array_close(array, &err));
    test_folder_remove(&folder);
}

static void refused(void **state)
{
    char path[TEST_PATH_BYTES];
    test_folder folder;
    double value = 9;
    xta_attribute one = {.name = "values", .type = XTA_F64, .count = 1, .values = &value};
    xta_array *reader = NULL;

    (void)state;
    test_folder_make_fast(&folder);
    xta_array *array = make(test_folder_join(&folder, "a", path));
    uint64_t before = journal_bytes(array);
    one.name = "none";
    assert_int_equal(xta_attribute_extend(array, 0, XTA_BACK, &one, &err), XTA_ENOENT);
    assert_non_null(strstr(err.text, "none"));
    one.name = "values";
    one.type = XTA_F32;
    assert_int_equal(xta_attribute_extend(array, 0, XTA_BACK, &one, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "f32"));
    one.type = XTA_F64;
    assert_int_equal(xta_attribute_extend(array, 1, XTA_BACK, &one, &err), XTA_EARG);
    assert_int_equal(xta_attribute_extend(array, 0, (xta_side)7, &one, &err), XTA_EARG);
    // Together more than 64 MiB.
    one.count = ((size_t)64 << 20) / sizeof value - 2;
    double *many = calloc(one.count, sizeof *many);
    assert_non_null(many);
    one.values = many;
    assert_int_equal(xta_attribute_extend(array, 0, XTA_BACK, &one, &err), XTA_EARG);
    free(many);
    one.count = 1;
    one.values = &value;
    must(xta_array_open(path, NULL, &reader, &err));
    assert_int_equal(xta_attribute_extend(reader, 0, XTA_BACK, &one, &err), XTA_EACCESS);
    must(xta_array_close(reader, &err));
    expect(array, 0, 3);
    assert_int_equal(journal_bytes(array), before);
    must(xta_array_close(array, &err));
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides),
        cmocka_unit_test(text_ends_with_zero),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
