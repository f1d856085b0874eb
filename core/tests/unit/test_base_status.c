/* Statuses and errors: names, the text that is written once, and what never reaches a terminal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "base/base.h"

/* The numbers are part of the ABI. */
static void names(void **state)
{
    (void)state;
    assert_string_equal(xta_status_name(XTA_OK), "XTA_OK");
    assert_string_equal(xta_status_name((xta_status)2), "XTA_EBOX");
    assert_string_equal(xta_status_name((xta_status)8), "XTA_ENOSPC");
    assert_string_equal(xta_status_name((xta_status)13), "XTA_ECORRUPT");
    assert_string_equal(xta_status_name((xta_status)17), "XTA_ECANCELLED");
    assert_string_equal(xta_status_name((xta_status)18), "XTA_ETIMEDOUT");
    assert_string_equal(xta_status_name((xta_status)19), "XTA_EBUSY");
    assert_string_equal(xta_status_name((xta_status)20), "XTA_EUNFINISHED");
    for (int status = 0; status <= 20; status++) {
        assert_int_equal(strncmp(xta_status_name((xta_status)status), "XTA_", 4), 0);
    }
    assert_string_equal(xta_status_name((xta_status)21), "unknown status");
    assert_string_equal(xta_status_name((xta_status)-1), "unknown status");
    assert_true(strlen(xta_version()) > 0);
}

static void the_first_text_stays(void **state)
{
    xta_error err = {0};

    (void)state;
    assert_int_equal(xta__fail(&err, XTA_EIO, 5, "%s is %d", "axis", 3), XTA_EIO);
    assert_int_equal(err.status, XTA_EIO);
    assert_int_equal(err.os_errno, 5);
    assert_string_equal(err.text, "axis is 3");
    assert_int_equal(xta__fail(&err, XTA_EBOX, 0, "later"), XTA_EBOX);
    assert_int_equal(err.status, XTA_EIO);
    assert_string_equal(err.text, "axis is 3");
    xta__clear(&err);
    assert_int_equal(err.status, XTA_OK);
    assert_int_equal(err.os_errno, 0);
    assert_string_equal(err.text, "");
    assert_int_equal(xta__fail(NULL, XTA_EBOX, 0, "nobody asks"), XTA_EBOX);
    xta__clear(NULL);
}

static void setting_overwrites(void **state)
{
    xta_error err = {0};

    (void)state;
    assert_int_equal(xta_error_set(&err, XTA_EIO, 5, "first"), XTA_EIO);
    assert_int_equal(xta_error_set(&err, XTA_EARG, 0, "second %s", "text"), XTA_EARG);
    assert_int_equal(err.status, XTA_EARG);
    assert_string_equal(err.text, "second text");
    assert_int_equal(xta_error_set(NULL, XTA_EARG, 0, "nobody asks"), XTA_EARG);
}

static void one_printable_line(void **state)
{
    char name[2 * XTA_ERROR_TEXT_BYTES];
    xta_error err = {0};

    (void)state;
    xta__fail(&err, XTA_EARG, 0, "name \"%s\"", "a\nb\033[2J\x7f");
    assert_string_equal(err.text, "name \"a?b?[2J?\"");
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    xta_error_set(&err, XTA_EARG, 0, "%s", name);
    assert_int_equal(strlen(err.text), XTA_ERROR_TEXT_BYTES - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(the_first_text_stays),
        cmocka_unit_test(setting_overwrites),
        cmocka_unit_test(one_printable_line),
    };
    return cmocka_run_group_tests_name("base_status", tests, NULL, NULL);
}
