/* System errors as statuses: every product uses this mapping.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/errors.h"

static void each_error_has_its_status(void **state)
{
    static const struct {
        int number;
        xta_status status;
    } expected[] = {
        {ENOSPC, XTA_ENOSPC},  {EDQUOT, XTA_ENOSPC},   {EFBIG, XTA_ENOSPC},   {ENOENT, XTA_ENOENT},
        {ENOTDIR, XTA_ENOENT}, {EEXIST, XTA_EEXIST},   {EACCES, XTA_EACCESS}, {EPERM, XTA_EACCESS},
        {EROFS, XTA_EACCESS},  {ETXTBSY, XTA_EACCESS}, {ENOMEM, XTA_ENOMEM},  {EIO, XTA_EIO},
        {EISDIR, XTA_EIO},     {EPIPE, XTA_EIO},
    };

    (void)state;
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        assert_int_equal(xta__status_of_errno(expected[k].number), expected[k].status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_error_has_its_status),
    };
    return cmocka_run_group_tests_name("util_errors", tests, NULL, NULL);
}
