/* Names, units and texts are UTF-8 without control characters: other text is refused by every call
 * that sets one, and the message names the byte and a remedy. Files that already have such text
 * open as before.
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

typedef struct sample {
    const char *text;
    size_t bad; /* the first byte that is refused */
    bool control;
} sample;

/* Latin-1, a cut character, a long form of '/', a surrogate, beyond U+10FFFF, a lone continuation;
 * control characters. */
static const sample bad[] = {
    {"caf\xe9", 3, false},          {"abc\xe2\x82", 3, false},
    {"\xc0\xaf", 0, false},         {"a\xed\xa0\x80", 1, false},
    {"\xf4\x90\x80\x80", 0, false}, {"\xe2\x82\xac\x80", 3, false},
    {"a\x1b[2J", 1, true},          {"x\x7f", 1, true},
};
static const char *const good[] = {"", "plain", "caf\xc3\xa9", "\xe2\x82\xac",
                                   "\xf0\x9f\x8c\x8d z"};

enum { N_BAD = sizeof bad / sizeof bad[0], N_GOOD = sizeof good / sizeof good[0] };

static xta_error err;
static test_folder folder;

static void refused(xta_status status, const sample *s)
{
    char where[40];

    snprintf(where, sizeof where, "byte %zu (0x%02x)", s->bad, (unsigned char)s->text[s->bad]);
    assert_int_equal(status, XTA_EARG);
    assert_non_null(strstr(err.text, where));
    assert_non_null(strstr(err.text, s->control ? "take it out" : "convert the text"));
    // The message itself has no such bytes.
    assert_null(strchr(err.text, '\x1b'));
    assert_null(strstr(err.text, s->text));
}

static xta_array *make(const char *path)
{
    const int64_t bounds[1] = {3};
    xta_array *array = NULL;

    test_must(xta_array_create(path, XTA_U8, 1, bounds, NULL, &array, &err), &err);
    return array;
}

static void test_refused(void **state)
{
    char path[TEST_PATH_BYTES];
    xta_array *array = make(test_folder_join(&folder, "refused", path)), *other = NULL;
    const int64_t bounds[1] = {3};
    uint64_t end = 0;
    (void)state;

    test_must(xta_attribute_set_text(array, 0, "list", "a\n", &err), &err);
    end = array->journal.end;
    for (size_t k = 0; k < N_BAD; k++) {
        const char *text = bad[k].text, *names[1] = {text};
        xta_create_options how = XTA_CREATE_OPTIONS_INIT;
        xta_attribute more = {"list", XTA_TEXT, 1, strlen(text), text};
        how.names = names;
        refused(xta_attribute_set_text(array, XTA_ON_ARRAY, "title", text, &err), &bad[k]);
        assert_non_null(strstr(err.text, "title"));
        refused(xta_attribute_set_text(array, XTA_ON_ARRAY, text, "x", &err), &bad[k]);
        refused(xta_attribute_set_f64(array, 0, text, 1, &err), &bad[k]);
        refused(xta_attribute_extend(array, 0, XTA_BACK, &more, &err), &bad[k]);
        refused(xta_axis_set_name(array, 0, text, &err), &bad[k]);
        refused(xta_axis_set_unit(array, 0, text, &err), &bad[k]);
        refused(xta_array_add_axis(array, 0, text, &err), &bad[k]);
        test_folder_join(&folder, "new", path);
        refused(xta_array_create(path, XTA_U8, 1, bounds, &how, &other, &err), &bad[k]);
        assert_int_equal(xta_array_open(path, NULL, &other, &err), XTA_ENOENT);
        refused(xta_array_new(XTA_U8, 1, bounds, &how, &other, &err), &bad[k]);
    }
    assert_int_equal(array->journal.end, end);
    test_must(xta_array_close(array, &err), &err);
}

static void test_taken(void **state)
{
    char path[TEST_PATH_BYTES];
    xta_array *array = make(test_folder_join(&folder, "taken", path));
    xta_attribute found;
    (void)state;

    for (size_t k = 0; k < N_GOOD; k++) {
        test_must(xta_attribute_set_text(array, XTA_ON_ARRAY, "title", good[k], &err), &err);
        test_must(xta_attribute_get(array, XTA_ON_ARRAY, "title", &found, &err), &err);
        assert_string_equal(found.values, good[k]);
        test_must(xta_axis_set_name(array, 0, good[k], &err), &err);
        test_must(xta_axis_set_unit(array, 0, good[k], &err), &err);
        assert_string_equal(xta_axis_unit(array, 0), good[k]);
    }
    test_must(xta_attribute_set_text(array, 0, "lines", "a\tb\r\nc\n", &err), &err);
    // Names have no lines.
    const sample tab = {"a\tb", 1, true};
    refused(xta_axis_set_name(array, 0, tab.text, &err), &tab);
    test_must(xta_array_close(array, &err), &err);
}

/* As releases before 0.2 wrote them. */
static void test_old_files(void **state)
{
    char path[TEST_PATH_BYTES];
    xta_array *array = make(test_folder_join(&folder, "old", path));
    xta_attribute found;
    xta__bytes payload = {0};
    xta__attribute_record name = {.axis = 0, .name = "caf\xe9"};
    xta__attribute_record text = {.axis = -1,
                                  .type = XTA_TEXT,
                                  .cell_bytes = 1,
                                  .count = 3,
                                  .values = (const uint8_t *)"\xe9\x1bz",
                                  .value_bytes = 3,
                                  .name = "\xff title"};
    (void)state;

    xta__encode_attribute(&name, &payload);
    test_must(xta__journal_append(&array->journal, XTA__RECORD_AXIS_NAME, &payload, &err), &err);
    xta__bytes_clear(&payload);
    payload = (xta__bytes){0};
    xta__encode_attribute(&text, &payload);
    test_must(xta__journal_append(&array->journal, XTA__RECORD_ATTRIBUTE, &payload, &err), &err);
    xta__bytes_clear(&payload);
    test_must(xta_array_close(array, &err), &err);
    xta_open_options how = XTA_OPEN_OPTIONS_INIT;
    how.writable = true;
    test_must(xta_array_open(path, &how, &array, &err), &err);
    assert_string_equal(xta_axis_name(array, 0), name.name);
    test_must(xta_attribute_get(array, XTA_ON_ARRAY, text.name, &found, &err), &err);
    assert_memory_equal(found.values, text.values, 3);
    // It can be removed.
    test_must(xta_attribute_remove(array, XTA_ON_ARRAY, text.name, &err), &err);
    test_must(xta_axis_set_name(array, 0, "caf\xc3\xa9", &err), &err);
    test_must(xta_array_close(array, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_taken),
        cmocka_unit_test(test_old_files),
    };

    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
