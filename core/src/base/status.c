/* Status names and the text of errors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *xta_status_name(xta_status status)
{
    static const char *const names[] = {
        "XTA_OK",           "XTA_EARG",     "XTA_EBOX",       "XTA_ETYPE",     "XTA_ERANGE",
        "XTA_EOVERFLOW",    "XTA_ENOMEM",   "XTA_EIO",        "XTA_ENOSPC",    "XTA_ENOENT",
        "XTA_EEXIST",       "XTA_EACCESS",  "XTA_EFORMAT",    "XTA_ECORRUPT",  "XTA_ESTATE",
        "XTA_EUNSUPPORTED", "XTA_EFOREIGN", "XTA_ECANCELLED", "XTA_ETIMEDOUT", "XTA_EBUSY",
        "XTA_EUNFINISHED"};

    if ((unsigned)status >= sizeof names / sizeof names[0]) {
        return "unknown status";
    }
    return names[status];
}

const char *xta_version(void)
{
    return XTA_VERSION_TEXT;
}

void xta__clear(xta_error *err)
{
    if (err != NULL) {
        err->status = XTA_OK;
        err->os_errno = 0;
        err->text[0] = '\0';
    }
}

/* One line: whatever a file or a caller put into a name, no control character reaches a
 * terminal. */
static void write_text(xta_error *err, xta_status status, int os_errno, const char *format,
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
        write_text(err, status, os_errno, format, arguments);
        va_end(arguments);
    }
    return status;
}

xta_status xta_error_set(xta_error *err, xta_status status, int os_errno, const char *format, ...)
{
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        write_text(err, status, os_errno, format, arguments);
        va_end(arguments);
    }
    return status;
}
