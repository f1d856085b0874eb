/* A process that is killed before the n-th call that changes a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_ENDING_OS_H
#define XTA_TESTS_ENDING_OS_H

#include <stdbool.h>
#include <stdint.h>

#include "support/report.h"

/* Run `call` in a child that is killed before call number n (1: the first) of the system that
 * changes a file, a name or a folder, or syncs a file; with `names` only those count that change
 * a name. Whether it came to that; if not, `call` must have succeeded. */
bool ending_os_run(const test_story *story, xta_status (*call)(void *user, xta_error *err),
                   void *user, uint64_t n, bool names);

#endif
