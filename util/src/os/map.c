/* Files mapped into memory, and memory in whole pages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/magic.h>

#define FEW_PAGES  16
#define CACHE_LINE 64
#define LONG_BYTES ((size_t)64 << 10)

bool xta__file_mapping_is_safe(const xta__file *file, bool writable)
{
    // Copy-on-write file systems may need new space for every store; network file systems may lose
    // the reservation.
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
    // A page may be longer than 4 KiB, of which an origin is a multiple.
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

    if (bytes < LONG_BYTES) {
        return malloc(bytes); // which is faster than posix_memalign
    }
    if (bytes > SIZE_MAX - huge) {
        return NULL;
    }
    size_t whole = (bytes + huge - 1) / huge * huge;
    bool fits = whole - bytes <= bytes / 8;
    void *memory = NULL;

    if (posix_memalign(&memory, fits ? huge : CACHE_LINE, fits ? whole : bytes) != 0) {
        return NULL;
    }
    if (fits) {
        // A hint: if it is refused the pages are small.
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

void xta__memory_zero(void *address, uint64_t bytes)
{
    const uintptr_t page = xta__page_bytes();
    uintptr_t begin = (uintptr_t)address, end = begin + (uintptr_t)bytes;
    uintptr_t first = (begin + page - 1) & ~(page - 1), last = end & ~(page - 1);

    // Below this the call costs more than the stores.
    if (last < first + FEW_PAGES * page ||
        madvise((void *)first, (size_t)(last - first), MADV_DONTNEED) != 0) {
        memset(address, 0, (size_t)bytes);
        return;
    }
    memset(address, 0, (size_t)(first - begin));
    memset((void *)last, 0, (size_t)(end - last));
}

void xta__file_will_need(const void *address, size_t bytes)
{
    size_t page = xta__page_bytes();
    uintptr_t begin = (uintptr_t)address & ~(uintptr_t)(page - 1);
    unsigned char resident = 0;

    // Testing the first page is much cheaper than going through all pages that already exist.
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
