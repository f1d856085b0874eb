/* Files that are replaced as a whole.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "state/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/errors.h"
#include "util/files.h"
#include "util/replace.h"

xta_status xta__file_error(const char *path, const char *what, int os_errno, xta_error *err)
{
    return xta_error_set(err, xta__status_of_errno(os_errno), os_errno, "%s: %s: %s", path, what,
                         strerror(os_errno));
}

char *xta__file_path(const char *folder, const char *name)
{
    size_t capacity = strlen(folder) + strlen(name) + 2;
    char *path = malloc(capacity);

    if (path != NULL) {
        snprintf(path, capacity, "%s/%s", folder, name);
    }
    return path;
}

/* Write the new bytes durably under the name `temporary`. Messages name `path`, which the file will
 * replace. */
static xta_status write_file(const char *temporary, const char *path, const void *bytes, size_t n,
                             xta_error *err)
{
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, xta__partial_mode(path));

    if (fd < 0) {
        return xta__file_error(path, "cannot be made", errno, err);
    }
    int number = xta__write_bytes(fd, 0, bytes, n);
    if (number == 0 && fsync(fd) != 0) {
        number = errno;
    }
    if (close(fd) != 0 && number == 0) {
        number = errno;
    }
    return number == 0 ? XTA_OK : xta__file_error(path, "cannot be written", number, err);
}

xta_status xta__file_rename(const char *folder, const char *from, const char *to, xta_error *err)
{
    char *old = xta__file_path(folder, from), *path = xta__file_path(folder, to);
    xta_status status = XTA_OK;
    int number = 0;

    if (old == NULL || path == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "%s/%s: no memory for a name", folder, to);
    } else if ((number = xta__replace_file(old, path)) != 0) {
        status = xta__file_error(path, "cannot be replaced", number, err);
        unlink(old);
    } else {
        number = xta__sync_folder_of(path);
        status =
            number == 0 ? XTA_OK : xta__file_error(folder, "cannot be made durable", number, err);
    }
    free(old);
    free(path);
    return status;
}

xta_status xta__file_write(const char *folder, const char *temporary, const char *name,
                           const void *bytes, size_t n, xta_error *err)
{
    char *first = xta__file_path(folder, temporary), *path = xta__file_path(folder, name);
    xta_status status;

    if (first == NULL || path == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "%s/%s: no memory for a name", folder, name);
    } else {
        status = write_file(first, path, bytes, n, err);
    }
    if (status != XTA_OK && first != NULL) {
        unlink(first);
    }
    free(first);
    free(path);
    return status;
}

xta_status xta__file_replace(const char *folder, const char *name, const void *bytes, size_t n,
                             xta_error *err)
{
    char *path = xta__file_path(folder, name), *real = NULL;
    int number = path != NULL ? xta__target_path(path, &real) : ENOMEM;
    char *slash = number == 0 ? strrchr(real, '/') : NULL;
    size_t capacity = strlen(name) + (real != NULL ? strlen(real) : 0) + sizeof ".new";
    char *temporary = malloc(capacity);
    xta_status status = XTA_OK;

    // A link is followed: the new file is created beside the real one and replaces that.
    if (number != 0 || temporary == NULL) {
        status = xta__file_error(path != NULL ? path : name, "cannot be replaced",
                                 number != 0 ? number : ENOMEM, err);
    } else {
        const char *at = slash != NULL ? slash + 1 : name;
        if (slash != NULL) {
            *slash = '\0';
        }
        const char *in = slash == NULL ? folder : slash == real ? "/" : real;
        snprintf(temporary, capacity, "%s.new", at);
        status = xta__file_write(in, temporary, at, bytes, n, err);
        status = status == XTA_OK ? xta__file_rename(in, temporary, at, err) : status;
    }
    free(temporary);
    free(real);
    free(path);
    return status;
}
