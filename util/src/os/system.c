/* The system calls, as one table that tests can replace.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/fs.h>

#include "util/crc32c.h"
#include "util/files.h"

static int posix_open(const char *path, int flags, unsigned mode)
{
    return open(path, flags, mode);
}

static int posix_rename(const char *from, const char *to, bool replace)
{
    if (replace) {
        return rename(from, to);
    }
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return -1;
    }
    // Not every file system has the atomic form; a hard link refuses an existing name as well.
    return link(from, to) == 0 ? unlink(from) : -1;
}

static uint32_t linux_boot(void)
{
    char id[64];
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, id, sizeof id) : -1;

    if (fd >= 0) {
        close(fd);
    }
    return n > 0 ? xta__crc32c(0, id, (size_t)n) | 1 : 0;
}

/* Read the whole table, which the kernel generates while it is read. */
static char *linux_mounts(void)
{
    int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    size_t capacity = 0, n = 0;
    char *text = NULL;
    ssize_t got = fd >= 0 ? 1 : -1;

    while (got > 0) {
        if (capacity - n < 4096) {
            capacity = 2 * capacity + 16384;
            char *longer = realloc(text, capacity);
            if (longer == NULL) {
                got = -1;
                break;
            }
            text = longer;
        }
        got = read(fd, text + n, capacity - n - 1);
        n += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0) {
        close(fd);
    }
    if (got < 0) {
        free(text);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

static int posix_lock_range(int fd, int command, struct flock *range)
{
    return fcntl(fd, command, range);
}

static ssize_t linux_read_now(int fd, void *bytes, size_t n, off_t offset)
{
    struct iovec memory = {.iov_base = bytes, .iov_len = n};

    return preadv2(fd, &memory, 1, offset, RWF_NOWAIT);
}

static uint32_t linux_file_system(int fd)
{
    struct statfs facts;

    return fstatfs(fd, &facts) == 0 ? (uint32_t)facts.f_type : 0;
}

static int linux_revalidate(int fd)
{
    struct statx facts;

    return statx(fd, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_SIZE | STATX_MTIME, &facts);
}

static void *posix_map(int fd, off_t offset, size_t bytes, bool writable)
{
    int access = PROT_READ | (writable ? PROT_WRITE : 0);
    uint8_t *address = mmap(NULL, bytes, access, MAP_SHARED, fd, offset);
    size_t huge = (size_t)XTA__HUGE_BYTES;

    if (address == MAP_FAILED || bytes < huge ||
        ((uintptr_t)address - (uintptr_t)offset) % huge == 0) {
        return address == MAP_FAILED ? NULL : address;
    }
    // Reserve addresses for one more huge page, and use the aligned ones among them.
    uint8_t *space =
        mmap(NULL, bytes + huge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) {
        return address;
    }
    size_t before = (size_t)(((uintptr_t)offset - (uintptr_t)space) % huge);
    uint8_t *fitting = mmap(space + before, bytes, access, MAP_SHARED | MAP_FIXED, fd, offset);
    if (fitting == MAP_FAILED) {
        munmap(space, bytes + huge);
        return address;
    }
    size_t end = (before + bytes + (size_t)getpagesize() - 1) & ~((size_t)getpagesize() - 1);
    if (before > 0) {
        munmap(space, before);
    }
    if (end < bytes + huge) {
        munmap(space + end, bytes + huge - end);
    }
    munmap(address, bytes);
    return fitting;
}

static int linux_populate(void *address, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    return madvise(address, bytes, MADV_POPULATE_WRITE);
#else
    (void)address;
    (void)bytes;
    errno = EINVAL;
    return -1;
#endif
}

static uint64_t linux_faults(void)
{
#ifdef RUSAGE_THREAD
    struct rusage usage;

    if (getrusage(RUSAGE_THREAD, &usage) == 0) {
        return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
    }
#endif
    return 0;
}

static ssize_t linux_store(const struct iovec *to, size_t n_to, const struct iovec *from,
                           size_t n_from)
{
    return process_vm_readv(getpid(), to, n_to, from, n_from, 0);
}

static int linux_resident(void *page, bool *is)
{
    unsigned char bits = 0;
    int result = mincore(page, 1, &bits);

    *is = (bits & 1) != 0;
    return result;
}

static int linux_fetch(void *address, size_t bytes)
{
#ifdef MADV_POPULATE_READ
    if (madvise(address, bytes, MADV_POPULATE_READ) == 0 || errno != EINVAL) {
        return 0;
    }
#endif
    // Before Linux 5.14, pages can be requested but not waited for.
    return madvise(address, bytes, MADV_WILLNEED);
}

static int linux_shares_blocks(int fd)
{
    // A file cannot be cloned over itself, so nothing is done; but whether it could be said at all
    // differs.
    struct file_clone_range range = {.src_fd = fd, .src_length = 4096};

    return ioctl(fd, FICLONERANGE, &range) == 0 || (errno != EOPNOTSUPP && errno != ENOTTY);
}

static const xta__os_calls posix_calls = {
    .open = posix_open,
    .close = close,
    .read_at = pread,
    .write_at = pwrite,
    .sync = fdatasync,
    .truncate = ftruncate,
    .allocate = fallocate,
    .rename = posix_rename,
    .unlink = unlink,
    .link = link,
    .make_folder = mkdir,
    .remove_folder = rmdir,
    .keep_access = xta__keep_access,
    .map = posix_map,
    .boot = linux_boot,
    .populate = linux_populate,
    .faults = linux_faults,
    .store = linux_store,
    .shares_blocks = linux_shares_blocks,
    .read_now = linux_read_now,
    .resident = linux_resident,
    .fetch = linux_fetch,
    .lock = flock,
    .lock_range = posix_lock_range,
    .file_system = linux_file_system,
    .mounts = linux_mounts,
    .revalidate = linux_revalidate,
};

_Atomic(const xta__os_calls *) xta__calls_in_use = &posix_calls;

void xta__os_replace(const xta__os_calls *calls)
{
    atomic_store(&xta__calls_in_use, calls != NULL ? calls : &posix_calls);
}
