/* What is UTF-8, what is a control character, and growing texts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "util/text.h"

static size_t length_of(const char *text)
{
    return xta__utf8_length((const unsigned char *)text, strlen(text));
}

static void characters(void **state)
{
    static const char *const refused[] = {"\x80",
                                          "\xc0\xaf",
                                          "\xc1\xbf",
                                          "\xc3",
                                          "\xc3(",
                                          "\xe0\x9f\xbf",
                                          "\xed\xa0\x80",
                                          "\xe2\x82",
                                          "\xf0\x8f\xbf\xbf",
                                          "\xf4\x90\x80\x80",
                                          "\xf5\x80\x80\x80",
                                          "\xff"};

    (void)state;
    assert_int_equal(length_of("a"), 1);
    assert_int_equal(length_of("\xc2\x80"), 2);
    assert_int_equal(length_of("\xe0\xa0\x80"), 3);
    assert_int_equal(length_of("\xed\x9f\xbf"), 3);
    assert_int_equal(length_of("\xf0\x90\x80\x80"), 4);
    assert_int_equal(length_of("\xf4\x8f\xbf\xbf"), 4);
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
        assert_int_equal(length_of(refused[k]), 0);
    }
}

static void clean_beginnings(void **state)
{
    (void)state;
    assert_int_equal(xta__clean_bytes("abc", 3, false), 3);
    assert_int_equal(xta__clean_bytes("a\nb", 3, false), 1);
    assert_int_equal(xta__clean_bytes("a\nb\033", 4, true), 3);
    assert_int_equal(xta__clean_bytes("a\xc3\xa4\xc3", 4, false), 3);
    assert_int_equal(xta__clean_bytes("", 0, false), 0);
    assert_true(xta__is_control(0x7f, true));
    assert_true(xta__is_control('\t', false));
    assert_false(xta__is_control('\t', true));
    assert_false(xta__is_control(' ', false));
}

static void endings(void **state)
{
    (void)state;
    assert_true(xta__ends_with("a.xmd", ".xmd"));
    assert_true(xta__ends_with(".xmd", ".xmd"));
    assert_true(xta__ends_with("a", ""));
    assert_true(xta__ends_with("", ""));
    assert_false(xta__ends_with("xmd", ".xmd"));
    assert_false(xta__ends_with("", ".xmd"));
    assert_false(xta__ends_with("a.XMD", ".xmd"));
    assert_false(xta__ends_with("a.xmd.lock", ".xmd"));
}

static void texts_grow(void **state)
{
    xta__text text = {0};
    char wide[3000];

    (void)state;
    for (int k = 0; k < 1000; k++) {
        xta__text_printf(&text, "%03d,", k);
    }
    assert_int_equal(text.n, 4000);
    xta__text_add_string(&text, "end");
    xta__text_add(&text, "\0", 1);
    xta__text_printf(&text, "%s", "");
    memset(wide, 'x', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    xta__text_printf(&text, "%s!", wide);
    assert_false(text.failed);
    assert_int_equal(text.n, 4004 + sizeof wide);
    char *whole = xta__text_detach(&text);
    assert_non_null(whole);
    assert_memory_equal(whole, "000,001,", 8);
    assert_memory_equal(whole + 3996, "999,end", 8);
    assert_memory_equal(whole + 4004 + sizeof wide - 2, "x!", 3);
    assert_int_equal(text.n, 0);
    assert_null(text.bytes);
    free(whole);

    whole = xta__string("%s/%d", "folder", 7);
    assert_string_equal(whole, "folder/7");
    free(whole);
    whole = xta__text_detach(&text);
    assert_string_equal(whole, "");
    free(whole);
    xta__text_clear(&text);
}

/* Whatever fails, the text so far stays, nothing more is added, and nothing leaks. */
static void without_memory(void **state)
{
    bool happened = true;
    int64_t before = failing_alloc_live();

    (void)state;
    for (uint64_t n = 1; happened; n++) {
        xta__text text = {0};
        failing_alloc_at(n, false);
        failing_alloc_arm(true);
        for (int k = 0; k < 100; k++) {
            xta__text_printf(&text, "%d ", k);
            xta__text_add_string(&text, "and ");
        }
        bool failed = text.failed;
        char *whole = xta__text_detach(&text);
        failing_alloc_arm(false);
        happened = failing_alloc_happened();
        assert_true(happened || !failed);
        assert_int_equal(whole == NULL, happened);
        free(whole);
        failing_alloc_at(0, false);
    }
    assert_int_equal(failing_alloc_live(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters), cmocka_unit_test(clean_beginnings), cmocka_unit_test(endings),
        cmocka_unit_test(texts_grow), cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests_name("util_text", tests, NULL, NULL);
}
