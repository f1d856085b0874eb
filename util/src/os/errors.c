/* System errors as a status and a text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/errors.h"

#include <errno.h>
#include <string.h>

xta_status xta__status_of_errno(int number)
{
    switch (number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return XTA_ENOSPC;
    case ENOENT:
    case ENOTDIR:
        return XTA_ENOENT;
    case EEXIST:
        return XTA_EEXIST;
    case EACCES:
    case EPERM:
    case EROFS:
    case ETXTBSY:
        return XTA_EACCESS;
    case ENOMEM:
        return XTA_ENOMEM;
    default:
        return XTA_EIO;
    }
}

const char *xta__remedy_of_errno(int number)
{
    if (number == EFBIG) {
        return "; a limit on the length of files is reached, of the process (ulimit -f) or of the "
               "file system: raise it, or use a smaller array";
    }
    switch (xta__status_of_errno(number)) {
    case XTA_ENOSPC:
        return "; free some space or raise the quota";
    case XTA_EACCESS:
        return "; check the permissions of the file and its folder";
    case XTA_ENOENT:
        return "; check the path";
    default:
        return "";
    }
}

xta_status xta__fail_errno(const char *path, const char *what, int number, xta_error *err)
{
    char words[128];

    return xta__fail(err, xta__status_of_errno(number), number, "%s: cannot %s: %s%s", path, what,
                     strerror_r(number, words, sizeof words), xta__remedy_of_errno(number));
}
