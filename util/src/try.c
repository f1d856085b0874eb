/* The text of errors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/try.h"

#include <stdio.h>
#include <string.h>

#include "util/text.h"

void xta__clear(xta_error *err)
{
    if (err != NULL) {
        err->status = XTA_OK;
        err->os_errno = 0;
        err->text[0] = '\0';
    }
}

/* Whether a terminal may take the character at `at`, of `length` bytes, for a command: C0, DEL, and
 * C1, also as a byte that is not UTF-8 (length 0). */
static bool is_command(const unsigned char *at, size_t length)
{
    return at[0] < 0x20 || at[0] == 0x7f || (length == 0 && at[0] < 0xa0) ||
           (length == 2 && at[0] == 0xc2 && at[1] < 0xa0);
}

void xta__write_error(xta_error *err, xta_status status, int os_errno, const char *format,
                      va_list arguments)
{
    err->status = status;
    err->os_errno = os_errno;
    vsnprintf(err->text, sizeof err->text, format, arguments);
    size_t n = strlen(err->text), step;
    for (size_t k = 0; k < n; k += step) {
        const unsigned char *at = (const unsigned char *)err->text + k;
        size_t length = xta__utf8_length(at, n - k);
        step = length > 0 ? length : 1;
        if (is_command(at, length)) {
            memset(err->text + k, '?', step);
        }
    }
}

xta_status xta__fail(xta_error *err, xta_status status, int os_errno, const char *format, ...)
{
    if (err != NULL && err->status == XTA_OK) {
        va_list arguments;
        va_start(arguments, format);
        xta__write_error(err, status, os_errno, format, arguments);
        va_end(arguments);
    }
    return status;
}
