/* Files mapped into memory, and memory by whole pages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "os/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/magic.h>

#include "util/os.h"

void *xta__posix_map(int fd, off_t offset, size_t bytes, bool writable)
{
    int access = PROT_READ | (writable ? PROT_WRITE : 0);
    uint8_t *address = mmap(NULL, bytes, access, MAP_SHARED, fd, offset);
    size_t huge = (size_t)XTA__HUGE_BYTES;

    if (address == MAP_FAILED || bytes < huge ||
        ((uintptr_t)address - (uintptr_t)offset) % huge == 0) {
        return address == MAP_FAILED ? NULL : address;
    }
    // Take addresses for one huge page more, and of them those that fit.
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

int xta__linux_populate(void *address, size_t bytes)
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

uint64_t xta__linux_faults(void)
{
#ifdef RUSAGE_THREAD
    struct rusage usage;

    if (getrusage(RUSAGE_THREAD, &usage) == 0) {
        return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
    }
#endif
    return 0;
}

ssize_t xta__linux_store(const struct iovec *to, size_t n_to, const struct iovec *from,
                         size_t n_from)
{
    return process_vm_readv(getpid(), to, n_to, from, n_from, 0);
}

int xta__linux_resident(void *page, bool *is)
{
    unsigned char bits = 0;
    int result = mincore(page, 1, &bits);

    *is = (bits & 1) != 0;
    return result;
}

int xta__linux_fetch(void *address, size_t bytes)
{
#ifdef MADV_POPULATE_READ
    if (madvise(address, bytes, MADV_POPULATE_READ) == 0 || errno != EINVAL) {
        return 0;
    }
#endif
    // Before Linux 5.14 pages can be asked for, but not waited for.
    return madvise(address, bytes, MADV_WILLNEED);
}

bool xta__file_mapping_is_safe(const xta__file *file, bool writable)
{
    // Copy-on-write file systems may need new space for every store, network ones may lose the
    // reservation.
    static const uint32_t good[] = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, F2FS_SUPER_MAGIC,
                                    OVERLAYFS_SUPER_MAGIC};
    uint32_t type = xta__os()->file_system(file->fd);

    if (!writable) {
        return type != 0 && type != TMPFS_MAGIC && type != RAMFS_MAGIC;
    }
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        if (type == good[k]) {
            return true;
        }
    }
    return false;
}

bool xta__file_rewrites_in_place(const xta__file *file)
{
    return xta__os()->file_system(file->fd) == TMPFS_MAGIC || xta__file_mapping_is_safe(file, true);
}

void *xta__file_map(const xta__file *file, uint64_t offset, uint64_t bytes, bool writable)
{
    // A page may be longer than the 4 KiB that an origin is a multiple of.
    uint64_t begin = file->origin + offset, before = begin % xta__page_bytes();
    uint8_t *pages =
        xta__os()->map(file->fd, (off_t)(begin - before), (size_t)(bytes + before), writable);

    return pages != NULL ? pages + before : NULL;
}

void xta__file_unmap(void *address, uint64_t bytes)
{
    if (address != NULL) {
        uintptr_t before = (uintptr_t)address % xta__page_bytes();
        munmap((uint8_t *)address - before, (size_t)bytes + before);
    }
}

bool xta__map_by_huge_pages(void *address, uint64_t bytes)
{
    size_t page = xta__page_bytes();
    uintptr_t begin = (uintptr_t)address & ~(uintptr_t)(page - 1);
    size_t n = (size_t)((uintptr_t)address - begin + bytes);

    return madvise((void *)begin, n, MADV_HUGEPAGE) == 0 &&
           madvise((void *)begin, n, MADV_RANDOM) == 0;
}

bool xta__map_populate(void *address, size_t bytes)
{
    size_t page = xta__page_bytes();
    uintptr_t begin = (uintptr_t)address & ~(uintptr_t)(page - 1);
    size_t n = (size_t)((uintptr_t)address - begin + bytes);
    int result;

    do {
        result = xta__os()->populate((void *)begin, n);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

bool xta__map_store(const xta__store stores[], size_t n, bool *can)
{
    struct iovec to[XTA__MOST_STORES], from[XTA__MOST_STORES];
    size_t n_from = 0;
    ssize_t bytes = 0;

    for (size_t k = 0; k < n; k++) {
        const xta__store *store = &stores[k];
        struct iovec *last = &from[n_from > 0 ? n_from - 1 : 0];
        to[k] = (struct iovec){store->to, store->n};
        if (n_from > 0 && (uint8_t *)last->iov_base + last->iov_len == store->from) {
            last->iov_len += store->n;
        } else {
            from[n_from++] = (struct iovec){(void *)(uintptr_t)store->from, store->n};
        }
        bytes += (ssize_t)store->n;
    }
    ssize_t stored = xta__os()->store(to, n, from, n_from);
    *can = stored >= 0 || (errno != ENOSYS && errno != EPERM);
    return stored == bytes;
}

uint64_t xta__thread_faults(void)
{
    return xta__os()->faults();
}

bool xta__map_is_cold(const xta__file *file, uint64_t offset, const void *address)
{
    uintptr_t page = (uintptr_t)address & ~(uintptr_t)(xta__page_bytes() - 1);
    bool is = true, known = true;
    char byte;

    if (xta__os()->resident((void *)page, &is) != 0) {
        return false;
    }
    if (!is || xta__file_shows_residency(file)) {
        return !is;
    }
    // mincore reports every page of such a file as present.
    return xta__file_read_now(file, offset, &byte, 1, &known) == 0 && known;
}

void xta__map_fetch(const void *address, size_t bytes)
{
    size_t page = xta__page_bytes();
    uintptr_t begin = (uintptr_t)address & ~(uintptr_t)(page - 1);

    (void)!xta__os()->fetch((void *)begin, (uintptr_t)address - begin + bytes);
}

void *xta__memory_of_huge_pages(size_t bytes)
{
    const size_t huge = (size_t)XTA__HUGE_BYTES;

    if (bytes > SIZE_MAX - huge) {
        return NULL;
    }
    size_t whole = (bytes + huge - 1) / huge * huge;
    bool fits = bytes > 0 && whole - bytes <= bytes / 8;
    void *memory = fits ? aligned_alloc(huge, whole) : malloc(bytes);

    if (memory != NULL && fits) {
        // A hint: where it is refused the pages are small.
        (void)!madvise(memory, whole, MADV_HUGEPAGE);
    }
    return memory;
}

void *xta__memory_reserve(uint64_t bytes)
{
    void *address = bytes <= SIZE_MAX / 2 ? mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                          : MAP_FAILED;

    return address == MAP_FAILED ? NULL : address;
}

void xta__memory_drop(void *address, uint64_t bytes)
{
    munmap(address, (size_t)bytes);
}

void xta__file_will_need(const void *address, size_t bytes)
{
    size_t page = xta__page_bytes();
    uintptr_t begin = (uintptr_t)address & ~(uintptr_t)(page - 1);
    unsigned char resident = 0;

    // One look at the first page is much cheaper than a walk over all that are there already.
    if (mincore((void *)begin, page, &resident) == 0 && (resident & 1) != 0) {
        return;
    }
    madvise((void *)begin, (uintptr_t)address - begin + bytes, MADV_WILLNEED);
}

size_t xta__page_bytes(void)
{
    long bytes = sysconf(_SC_PAGESIZE);

    return bytes > 0 ? (size_t)bytes : 4096;
}
