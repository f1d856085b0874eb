/* See skip.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/skip.h"

#include <stdarg.h>
#include <stdio.h>

static int n_skipped;

void test_skip(const char *format, ...)
{
    va_list words;

    fputs("SKIPPED: ", stdout);
    va_start(words, format);
    vprintf(format, words);
    va_end(words);
    putchar('\n');
    n_skipped++;
}

int test_end(int n_failures)
{
    return n_failures != 0 ? n_failures : n_skipped > 0 ? TEST_SKIPPED : 0;
}
