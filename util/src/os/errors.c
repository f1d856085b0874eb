/* System errors as a status and a text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/errors.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

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

static xta_status too_many_files(const char *path, const char *what, xta_error *err)
{
    struct rlimit limit = {0};

    (void)getrlimit(RLIMIT_NOFILE, &limit);
    return xta__fail(err, XTA_EIO, EMFILE,
                     "%s: cannot %s: this process may have %llu files open, and each array needs "
                     "two; raise the limit (ulimit -n)",
                     path, what, (unsigned long long)limit.rlim_cur);
}

xta_status xta__fail_errno(const char *path, const char *what, int number, xta_error *err)
{
    char words[128];

    if (number == EMFILE) {
        return too_many_files(path, what, err);
    }
    return xta__fail(err, xta__status_of_errno(number), number, "%s: cannot %s: %s%s", path, what,
                     strerror_r(number, words, sizeof words), xta__remedy_of_errno(number));
}
