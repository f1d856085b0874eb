/* Errors of commands, and suggestions for misspelt names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/errors.h"

#include <stdarg.h>
#include <string.h>

#include "util/try.h"

xta_status cli_usage(cli_error *err, const char *format, ...)
{
    va_list arguments;

    err->usage = true;
    va_start(arguments, format);
    xta__write_error(&err->error, XTA_EARG, 0, format, arguments);
    va_end(arguments);
    return XTA_EARG;
}

xta_status cli_fail(cli_error *err, xta_status status, int os_errno, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    xta__write_error(&err->error, status, os_errno, format, arguments);
    va_end(arguments);
    return status;
}

/* Number of edits (letters inserted, deleted or replaced) from one word to another; words are cut
 * to 31 letters, which is longer than any name here. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[32];
    size_t n_a = strlen(a) < 31 ? strlen(a) : 31;
    size_t n_b = strlen(b) < 31 ? strlen(b) : 31;

    for (size_t j = 0; j <= n_b; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= n_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            best = row[j] + 1 < best ? row[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[n_b];
}

const char *cli_nearest(const char *text, const char *const names[], size_t n_names)
{
    const char *nearest = NULL;
    size_t least = 1 + strlen(text) / 3;

    for (size_t k = 0; k < n_names; k++) {
        size_t distance = edit_distance(text, names[k]);
        if (distance <= least && (nearest == NULL || distance < least)) {
            nearest = names[k];
            least = distance;
        }
    }
    return nearest;
}
