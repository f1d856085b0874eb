/* The disk space of files: reserve it, give it back, ask for it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "os/calls.h"
#include "os/os.h"

xta_status xta__file_reserve(const xta__file *file, uint64_t offset, uint64_t bytes, bool *done,
                             xta_error *err)
{
    int result;

    do {
        result = xta__os()->allocate(file->fd, FALLOC_FL_KEEP_SIZE, (off_t)(file->origin + offset),
                                     (off_t)bytes);
    } while (result != 0 && errno == EINTR);
    *done = result == 0;
    if (result != 0 && errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) {
        return xta__fail_errno(file->path, "reserve space in", errno, err);
    }
    return XTA_OK;
}

xta_status xta__file_write_zeros(const xta__file *file, uint64_t offset, uint64_t bytes,
                                 xta_error *err)
{
    static const uint8_t zeros[65536];
    xta_status status = XTA_OK;

    while (bytes > 0 && status == XTA_OK) {
        size_t n = bytes < sizeof zeros ? (size_t)bytes : sizeof zeros;
        status = xta__file_write_at(file, offset, zeros, n, err);
        offset += n;
        bytes -= n;
    }
    return status;
}

xta_status xta__file_punch(const xta__file *file, uint64_t offset, uint64_t bytes, xta_error *err)
{
    if (bytes == 0) {
        return XTA_OK;
    }
    if (xta__os()->allocate(file->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                            (off_t)(file->origin + offset), (off_t)bytes) == 0) {
        return XTA_OK;
    }
    if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) {
        return xta__fail_errno(file->path, "give back space of", errno, err);
    }
    return xta__file_write_zeros(file, offset, bytes, err);
}

xta_status xta__file_next_data(const xta__file *file, uint64_t offset, uint64_t limit,
                               uint64_t *begin, uint64_t *end, xta_error *err)
{
    *begin = *end = limit;
    if (offset >= limit) {
        return XTA_OK;
    }
    off_t origin = (off_t)file->origin;
    off_t data = lseek(file->fd, origin + (off_t)offset, SEEK_DATA);
    if (data < 0) {
        // ENXIO: only a hole follows. File systems without holes answer EINVAL: all is data.
        if (errno == EINVAL) {
            *begin = offset;
            return XTA_OK;
        }
        return errno == ENXIO ? XTA_OK
                              : xta__fail_errno(file->path, "look for data in", errno, err);
    }
    if ((uint64_t)(data - origin) >= limit) {
        return XTA_OK;
    }
    off_t hole = lseek(file->fd, data, SEEK_HOLE);
    *begin = (uint64_t)(data - origin);
    *end = hole < 0 || (uint64_t)(hole - origin) > limit ? limit : (uint64_t)(hole - origin);
    return XTA_OK;
}
