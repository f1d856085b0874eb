/* Conversion of units, with UDUNITS and without it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <xta/units.h>

#include "support/must.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static xta_error err;

static void equal_texts(void **state)
{
    double numbers[] = {1, 2, 3};

    (void)state;
    test_must(xta_units_convert("no unit at all", " no unit at all ", numbers, numbers, 3, &err),
              &err);
    assert_true(numbers[0] == 1 && numbers[2] == 3);
    assert_true(xta_units_same("furlongs/fortnight", "furlongs/fortnight"));
    assert_true(xta_units_same("", " "));
}

static void times(void **state)
{
    double numbers[] = {36, -1.5}, days[2];

    (void)state;
    test_must(xta_units_convert("hours", "days", numbers, days, 2, &err), &err);
    assert_true(days[0] == 1.5 && days[1] == -0.0625);
    test_must(xta_units_convert("min", "s", numbers, days, 2, &err), &err);
    assert_true(days[0] == 2160 && days[1] == -90);
    assert_true(xta_units_same("h", "hours"));
    assert_false(xta_units_same("hours", "days"));
}

static void with_udunits(void **state)
{
    static const struct {
        const char *from, *to;
        double number, converted;
    } known[] = {{"hPa", "Pa", 850, 85000}, {"millibar", "hPa", 850, 850},
                 {"degC", "K", 0, 273.15},  {"um", "nm", 0.5, 500},
                 {"km", "m", 2, 2000},      {"degrees_north", "degree", 7, 7},
                 {"1e-3", "1", 35, 0.035},  {"\302\265m", "m", 1e6, 1}};
    static const struct {
        const char *from, *to, *text;
        xta_status status;
    } bad[] = {{"hPa", "m", "\"hPa\" cannot be converted to \"m\"", XTA_EARG},
               {"wibbles", "m", "\"wibbles\" is no unit", XTA_EARG},
               {"m", "((", "\"((\" is no unit", XTA_EARG}};
    double out = 5;

    (void)state;
    if (!xta_units_known()) {
        assert_int_equal(xta_units_convert("hPa", "Pa", &out, &out, 1, &err), XTA_EUNSUPPORTED);
        assert_non_null(strstr(err.text, "UDUNITS"));
        assert_true(out == 5);
        assert_false(xta_units_same("degrees_north", "degree"));
        return;
    }
    for (size_t k = 0; k < COUNT(known); k++) {
        test_must(xta_units_convert(known[k].from, known[k].to, &known[k].number, &out, 1, &err),
                  &err);
        double error = out - known[k].converted;
        assert_true(error <= 1e-12 && error >= -1e-12);
    }
    out = 5;
    for (size_t k = 0; k < COUNT(bad); k++) {
        assert_int_equal(xta_units_convert(bad[k].from, bad[k].to, &out, &out, 1, &err),
                         bad[k].status);
        assert_non_null(strstr(err.text, bad[k].text));
        assert_true(out == 5);
    }
    assert_true(xta_units_same("degrees_north", "degrees"));
    assert_true(xta_units_same("1", ""));
    assert_false(xta_units_same("degC", "K"));
    assert_false(xta_units_same("m", "wibbles"));
}

static void long_text(void **state)
{
    char text[5000];
    double out = 5;

    (void)state;
    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    xta_status status = xta_units_convert(text, "m", &out, &out, 1, &err);
    assert_int_equal(status, xta_units_known() ? XTA_EARG : XTA_EUNSUPPORTED);
    assert_true(out == 5);
}

static void *convert_often(void *failed)
{
    for (int k = 0; k < 200; k++) {
        double out = k % 2 == 0 ? 2 : 3;
        const char *from = k % 2 == 0 ? "weeks" : "hours", *to = k % 2 == 0 ? "days" : "minutes";
        xta_status status = xta_units_convert(from, to, &out, &out, 1, NULL);
        *(int *)failed |= status != XTA_OK || out != (k % 2 == 0 ? 14 : 180);
    }
    return NULL;
}

static void threads(void **state)
{
    pthread_t thread[4];
    int failed[4] = {0};

    (void)state;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(pthread_create(&thread[k], NULL, convert_often, &failed[k]), 0);
    }
    for (int k = 0; k < 4; k++) {
        pthread_join(thread[k], NULL);
        assert_int_equal(failed[k], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_texts), cmocka_unit_test(times),
                                       cmocka_unit_test(with_udunits), cmocka_unit_test(long_text),
                                       cmocka_unit_test(threads)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
