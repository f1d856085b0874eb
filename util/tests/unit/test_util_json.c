/* Strings and numbers of JSON: characters of all kinds, and numbers that read back to the last bit
 * with no digit too many.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util/json.h"

static void assert_string(const char *string, const char *wanted)
{
    xta__text out = {NULL, 0, 0, false};

    xta__json_add_string(&out, string);
    char *text = xta__text_detach(&out);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    free(text);
}

static void strings(void **state)
{
    (void)state;
    assert_string(NULL, "null");
    assert_string("", "\"\"");
    assert_string("a/b 'c'", "\"a/b 'c'\"");
    assert_string("\"\\", "\"\\\"\\\\\"");
    assert_string("\n\t\001\037\177", "\"\\u000a\\u0009\\u0001\\u001f\\u007f\"");
    assert_string("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
                  "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
    // Latin-1, a surrogate, and a character that is cut.
    assert_string("\xe4 x", "\"\\ufffd x\"");
    assert_string("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
    assert_string("a\xf0\x9f", "\"a\\ufffd\\ufffd\"");
}

static void zero_bytes(void **state)
{
    char out[XTA__JSON_CHARACTER_BYTES];
    size_t n = 0;

    (void)state;
    assert_int_equal(xta__json_character("\0b", 2, out, &n), 1);
    assert_int_equal(n, 6);
    assert_memory_equal(out, "\\u0000", 6);
}

static void assert_real(double value, const char *wanted)
{
    char text[XTA__JSON_REAL_BYTES];

    assert_int_equal(xta__json_real(value, text), strlen(wanted));
    assert_string_equal(text, wanted);
}

static void numbers(void **state)
{
    (void)state;
    assert_real(0, "0");
    assert_real(-0.0, "-0");
    assert_real(0.1, "0.1");
    assert_real(0.1 + 0.2, "0.30000000000000004");
    assert_real(1.0 / 3, "0.3333333333333333");
    assert_real(-12345678, "-12345678");
    assert_real(999999999999999, "999999999999999");
    assert_real(1e15, "1e+15");
    assert_real(9007199254740993.0, "9007199254740992");
    assert_real(5e-324, "5e-324");
    assert_real(DBL_MAX, "1.7976931348623157e+308");
    assert_real(-DBL_MIN, "-2.2250738585072014e-308");
    assert_real(NAN, "null");
    assert_real(INFINITY, "null");
    assert_real(-INFINITY, "null");
}

/* Any bits: the text reads back as the same double, and with one digit less it does not. */
static void random_numbers(void **state)
{
    uint64_t bits = 0x9e3779b97f4a7c15;

    (void)state;
    for (int k = 0; k < 100000; k++) {
        char text[XTA__JSON_REAL_BYTES], shorter[64];
        double value, back;
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        assert_true(xta__json_real(value, text) < sizeof text);
        back = strtod(text, NULL);
        assert_memory_equal(&back, &value, sizeof value);
        int digits = 0;
        for (const char *at = text + strspn(text, "-0."); *at != '\0' && *at != 'e'; at++) {
            digits += *at >= '0' && *at <= '9';
        }
        snprintf(shorter, sizeof shorter, "%.*e", digits > 1 ? digits - 2 : 0, value);
        assert_true(digits < 16 || strtod(shorter, NULL) != value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings),
        cmocka_unit_test(zero_bytes),
        cmocka_unit_test(numbers),
        cmocka_unit_test(random_numbers),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
