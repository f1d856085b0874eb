/* For tests that cannot run because data or a tool is missing: they print that, and the program
 * ends with the code that ctest counts as skipped.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_SKIP_H
#define XTA_TESTS_SKIP_H

#include <xta/status.h>

/* The exit code that ctest counts as skipped (SKIP_RETURN_CODE in tests/CMakeLists.txt). */
enum { TEST_SKIPPED = 77 };

/* Print `SKIPPED: `, what is left out and why, and remember it. The other cases of the program go
 * on. */
void test_skip(const char *format, ...) XTA_PRINTF(1, 2);

/* What main returns: the number of failures if there are any, else TEST_SKIPPED if anything was
 * skipped, else 0. */
int test_end(int n_failures);

#endif
