/* The exit of a function that fails. (For the text of the error see test_base_status.)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/try.h"

static int n_calls;

static xta_status call(xta_status status)
{
    n_calls++;
    return status;
}

static xta_status three_calls(xta_status second, bool *cleaned)
{
    xta_status status = XTA_OK;

    XTA_TRY(call(XTA_OK));
    XTA_TRY(call(second));
    XTA_TRY(call(XTA_OK));

done:
    *cleaned = true;
    return status;
}

static void the_first_failure_ends_it(void **state)
{
    bool cleaned = false;

    (void)state;
    assert_int_equal(three_calls(XTA_OK, &cleaned), XTA_OK);
    assert_int_equal(n_calls, 3);
    assert_true(cleaned);
    n_calls = 0;
    cleaned = false;
    assert_int_equal(three_calls(XTA_EBUSY, &cleaned), XTA_EBUSY);
    assert_int_equal(n_calls, 2);
    assert_true(cleaned);
}

static void write_error(xta_error *err, const char *format, ...) XTA_PRINTF(2, 3);

static void write_error(xta_error *err, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    xta__write_error(err, XTA_EIO, 5, format, values);
    va_end(values);
}

static void an_error_is_overwritten_if_asked(void **state)
{
    xta_error err = {0};

    (void)state;
    xta__fail(&err, XTA_EARG, 0, "first");
    write_error(&err, "second\n%d", 2);
    assert_int_equal(err.status, XTA_EIO);
    assert_int_equal(err.os_errno, 5);
    assert_string_equal(err.text, "second?2");
}

/* C0, DEL and C1 could be commands to a terminal, C1 also as a byte that is not UTF-8. */
static void an_error_holds_no_commands_to_a_terminal(void **state)
{
    xta_error err = {0};

    (void)state;
    xta__fail(&err, XTA_EARG, 0,
              "a\x1b[2Jb\x7f"
              "c\xc2\x9b"
              "d\x9b"
              "e");
    assert_string_equal(err.text, "a?[2Jb?c??d?e");
    xta__clear(&err);
    xta__fail(&err, XTA_EARG, 0, "\xc3\x9b \xc2\xb5 \xe2\x80\x9b \xe9");
    assert_string_equal(err.text, "\xc3\x9b \xc2\xb5 \xe2\x80\x9b \xe9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_failure_ends_it),
        cmocka_unit_test(an_error_is_overwritten_if_asked),
        cmocka_unit_test(an_error_holds_no_commands_to_a_terminal),
    };
    return cmocka_run_group_tests_name("util_try", tests, NULL, NULL);
}
