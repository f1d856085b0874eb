/* The text of errors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/try.h"

#include <stdio.h>

void xta__clear(xta_error *err)
{
    if (err != NULL) {
        err->status = XTA_OK;
        err->os_errno = 0;
        err->text[0] = '\0';
    }
}

void xta__write_error(xta_error *err, xta_status status, int os_errno, const char *format,
                      va_list arguments)
{
    err->status = status;
    err->os_errno = os_errno;
    vsnprintf(err->text, sizeof err->text, format, arguments);
    for (char *c = err->text; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            *c = '?';
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
