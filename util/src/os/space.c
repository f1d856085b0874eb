/* The disk space of files: reserving, freeing and querying it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/os.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>

#include "util/errors.h"

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

/* Zeros with a call that keeps the blocks allocated throughout. Only ext4 does, which converts them
 * to unwritten ones; XFS frees them and then allocates others, which may no longer be available. */
static bool zero_range(const xta__file *file, uint64_t offset, uint64_t bytes)
{
    const int mode = FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE;

    return xta__os()->file_system(file->fd) == EXT4_SUPER_MAGIC &&
           xta__os()->allocate(file->fd, mode, (off_t)(file->origin + offset), (off_t)bytes) == 0;
}

xta_status xta__file_zero(const xta__file *file, uint64_t offset, uint64_t bytes, xta_error *err)
{
    uint64_t end = offset + bytes, begin = offset, stop = 0, length = 0;
    xta_status status = xta__file_sizes(file, &length, NULL, err);

    end = end < length ? end : length;
    while (status == XTA_OK && begin < end) {
        status = xta__file_next_data(file, begin, end, &begin, &stop, err);
        if (status != XTA_OK || begin >= end) {
            break;
        }
        if (!zero_range(file, begin, stop - begin)) {
            status = xta__file_write_zeros(file, begin, stop - begin, err);
        }
        begin = stop;
    }
    return status;
}

/* Evaluate the extents that the file system lists from byte `begin` on: *missing grows by what they
 * do not cover up to *until. */
static xta__file_space extents_from(int fd, uint64_t begin, uint64_t end, uint64_t *until,
                                    uint64_t *missing)
{
    enum { N = 32 };
    uint64_t space[(sizeof(struct fiemap) + N * sizeof(struct fiemap_extent)) / sizeof(uint64_t)] =
        {0};
    struct fiemap *map = (struct fiemap *)space;
    const uint32_t not_own =
        FIEMAP_EXTENT_SHARED | FIEMAP_EXTENT_ENCODED | FIEMAP_EXTENT_NOT_ALIGNED;

    map->fm_start = begin;
    map->fm_length = end - begin;
    map->fm_extent_count = N;
    *until = begin;
    if (ioctl(fd, FS_IOC_FIEMAP, map) != 0) {
        return XTA__SPACE_UNKNOWN;
    }
    for (uint32_t k = 0; k < map->fm_mapped_extents && k < N; k++) {
        const struct fiemap_extent *extent = &map->fm_extents[k];
        if ((extent->fe_flags & not_own) != 0) {
            return XTA__SPACE_SHARED;
        }
        uint64_t first = extent->fe_logical < end ? extent->fe_logical : end;
        *missing += first > *until ? first - *until : 0;
        *until = extent->fe_logical + extent->fe_length;
    }
    if (map->fm_mapped_extents < N || *until <= begin) {
        *missing += *until < end ? end - *until : 0;
        *until = end;
    }
    return XTA__SPACE_OWN;
}

xta__file_space xta__file_space_of(const xta__file *file, uint64_t offset, uint64_t bytes,
                                   uint64_t *missing)
{
    uint64_t begin = file->origin + offset, end = begin + bytes;
    xta__file_space space = XTA__SPACE_OWN;

    *missing = 0;
    while (space == XTA__SPACE_OWN && begin < end) {
        space = extents_from(file->fd, begin, end, &begin, missing);
    }
    if (space == XTA__SPACE_UNKNOWN) {
        *missing = bytes;
    }
    return space == XTA__SPACE_OWN && *missing > 0 ? XTA__SPACE_HOLES : space;
}

bool xta__file_may_share_blocks(const xta__file *file)
{
    return xta__os()->shares_blocks(file->fd) != 0;
}

uint64_t xta__file_free_bytes(const xta__file *file)
{
    struct statvfs facts;

    return fstatvfs(file->fd, &facts) == 0 ? (uint64_t)facts.f_bavail * facts.f_frsize : 0;
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
