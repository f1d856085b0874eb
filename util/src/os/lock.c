/* Locks of files and of single bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/os.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#include "util/errors.h"

/* flock belongs to the open file description, so it excludes other handles of this process as well
 * as other processes, and costs half as much as a range lock. */
xta_status xta__file_lock(const xta__file *file, xta_error *err)
{
    while (xta__os()->lock(file->fd, LOCK_EX) != 0) {
        if (errno != EINTR) {
            return xta__fail_errno(file->path, "lock", errno, err);
        }
    }
    return XTA_OK;
}

xta_status xta__file_try_lock(const xta__file *file, bool shared, bool *got, xta_error *err)
{
    int result;

    do {
        result = xta__os()->lock(file->fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    *got = result == 0;
    return result == 0 || errno == EWOULDBLOCK ? XTA_OK
                                               : xta__fail_errno(file->path, "lock", errno, err);
}

void xta__file_unlock(const xta__file *file)
{
    xta__os()->lock(file->fd, LOCK_UN);
}

xta_status xta__file_lock_byte(const xta__file *file, uint64_t at, bool shared, xta_error *err)
{
    struct flock byte = {.l_type = shared ? F_RDLCK : F_WRLCK,
                         .l_whence = SEEK_SET,
                         .l_start = (off_t)at,
                         .l_len = 1};

    while (xta__os()->lock_range(file->fd, F_OFD_SETLKW, &byte) != 0) {
        if (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) {
            return XTA_OK;
        }
        if (errno != EINTR) {
            return xta__fail_errno(file->path, "lock", errno, err);
        }
    }
    return XTA_OK;
}

xta_status xta__file_share_byte(const xta__file *file, uint64_t at, bool *locked, xta_error *err)
{
    struct flock byte = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = (off_t)at, .l_len = 1};
    int result;

    do {
        result = xta__os()->lock_range(file->fd, F_OFD_SETLKW, &byte);
    } while (result != 0 && errno == EINTR);
    *locked = result == 0;
    return result == 0 || errno == EINVAL || errno == ENOLCK || errno == ENOSYS ||
                   errno == EOPNOTSUPP
               ? XTA_OK
               : xta__fail_errno(file->path, "lock", errno, err);
}

void xta__file_unlock_byte(const xta__file *file, uint64_t at)
{
    struct flock byte = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = (off_t)at, .l_len = 1};

    xta__os()->lock_range(file->fd, F_OFD_SETLK, &byte);
}

static xta_status fail_byte_lock(const xta__file *file, int number, xta_error *err)
{
    if (number == EINVAL || number == ENOLCK || number == ENOSYS || number == EOPNOTSUPP) {
        return xta__fail(err, XTA_EUNSUPPORTED, number,
                         "%s: this file system has no locks on parts of files, so that work which "
                         "was cut off could not be told from work that goes on; work in a folder "
                         "of another file system, then copy",
                         file->path);
    }
    return xta__fail_errno(file->path, "lock a byte of", number, err);
}

static struct flock byte_range(uint64_t byte)
{
    return (struct flock){
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)byte, .l_len = 1};
}

xta_status xta__file_try_lock_byte(const xta__file *file, uint64_t byte, bool *got, xta_error *err)
{
    struct flock range = byte_range(byte);

    *got = xta__os()->lock_range(file->fd, F_OFD_SETLK, &range) == 0;
    return *got || errno == EAGAIN || errno == EACCES ? XTA_OK : fail_byte_lock(file, errno, err);
}

xta_status xta__file_byte_is_locked(const xta__file *file, uint64_t byte, bool *locked,
                                    xta_error *err)
{
    struct flock range = byte_range(byte);

    *locked = false;
    if (xta__os()->lock_range(file->fd, F_OFD_GETLK, &range) != 0) {
        return fail_byte_lock(file, errno, err);
    }
    *locked = range.l_type != F_UNLCK;
    return XTA_OK;
}
