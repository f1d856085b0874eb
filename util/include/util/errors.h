/* System errors as a status and a text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_ERRORS_H
#define XTA_UTIL_ERRORS_H

#include "util/try.h"

/* The error for a system call that failed with errno `number`: "PATH: cannot WHAT: ...". */
xta_status xta__fail_errno(const char *path, const char *what, int number, xta_error *err);

/* The status that represents a system error in every product; XTA_EIO if no other fits. */
xta_status xta__status_of_errno(int number);

/* What to do about a system error, to end a message with. */
const char *xta__remedy_of_errno(int number);

#endif
