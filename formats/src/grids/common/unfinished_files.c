/* Names of unfinished and finished files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "grids/common/unfinished_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "description/description.h"
#include "util/errors.h"
#include "util/replace.h"

xta_status xta__blocks_io_error(const char *path, const char *doing, int code, xta_error *err)
{
    return xta_error_set(err, xta__status_of_errno(code), code, "%s: cannot %s: %s", path, doing,
                         strerror(code));
}

char *xta__unfinished_path(const char *path)
{
    size_t n = strlen(path);
    char *unfinished = malloc(n + sizeof UNFINISHED_SUFFIX);
    if (unfinished != NULL) {
        memcpy(unfinished, path, n);
        memcpy(unfinished + n, UNFINISHED_SUFFIX, sizeof UNFINISHED_SUFFIX);
    }
    return unfinished;
}

xta_status xta__unfinished_may_begin(const char *path, const char *unfinished, bool resume,
                                     xta_error *err)
{
    struct stat facts;
    if (lstat(path, &facts) == 0) {
        return xta_error_set(err, XTA_EEXIST, 0,
                             "%s: is there already; remove it or choose another target", path);
    }
    bool begun = lstat(unfinished, &facts) == 0;
    if (begun && !resume) {
        return xta_error_set(err, XTA_EEXIST, 0,
                             "%s: an unfinished target is there; resume it, or remove it",
                             unfinished);
    }
    if (!begun && resume) {
        return xta_error_set(err, XTA_ENOENT, 0, "%s: there is no unfinished target to resume",
                             unfinished);
    }
    return XTA_OK;
}

xta_status xta__unfinished_finish(const char *unfinished, const char *path, xta_error *err)
{
    struct stat facts;
    /* Another process may have created the file meanwhile: it is not replaced. */
    if (lstat(path, &facts) == 0) {
        return xta_error_set(err, XTA_EEXIST, 0,
                             "%s: was made by another process meanwhile; the finished target is %s",
                             path, unfinished);
    }
    if (rename(unfinished, path) != 0) {
        return xta__blocks_io_error(path, "give the finished file its name", errno, err);
    }
    int code = xta__sync_folder_of(path);
    return code == 0        ? XTA_OK
           : code == ENOMEM ? xta__bridge_no_memory(path, err)
                            : xta__blocks_io_error(path, "make its folder durable", code, err);
}

xta_status xta__file_bytes(const char *path, uint64_t *bytes, xta_error *err)
{
    struct stat facts;
    if (stat(path, &facts) != 0) {
        return xta__blocks_io_error(path, "open it", errno, err);
    }
    if (!S_ISREG(facts.st_mode)) {
        return xta_error_set(err, XTA_EFORMAT, 0, "%s: is not a regular file", path);
    }
    *bytes = (uint64_t)facts.st_size;
    return XTA_OK;
}
