/* For tests with cmocka: a call that has to succeed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_MUST_H
#define XTA_TESTS_MUST_H

#include <xta/status.h>

/* Prints why the call failed. Include cmocka.h first. */
static inline void test_must(xta_status status, const xta_error *err)
{
    if (status != XTA_OK) {
        print_error("%s\n", err->text);
    }
    assert_int_equal(status, XTA_OK);
}

#endif
