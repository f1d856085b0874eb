/* Names of status values, and filling in errors for callers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <stdarg.h>

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

xta_status xta_error_set(xta_error *err, xta_status status, int os_errno, const char *format, ...)
{
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        xta__write_error(err, status, os_errno, format, arguments);
        va_end(arguments);
    }
    return status;
}
