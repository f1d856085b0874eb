/* Files: opening, reading, writing, syncing, and their properties.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/os.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "util/checked.h"
#include "util/crc32c.h"
#include "util/errors.h"
#include "util/files.h"

static uint64_t length_limit(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
               ? UINT64_MAX
               : (uint64_t)limit.rlim_cur;
}

bool xta__file_length_is_allowed(uint64_t bytes)
{
    return bytes <= length_limit();
}

xta_status xta__file_open_at(xta__path path, xta__file_mode mode, xta__file *file, xta_error *err)
{
    bool create = mode == XTA__FILE_CREATE_NEW || mode == XTA__FILE_CREATE_PRIVATE;
    bool no_link = mode == XTA__FILE_READ_NO_LINK || mode == XTA__FILE_WRITE_NO_LINK;
    bool reads = mode == XTA__FILE_READ || mode == XTA__FILE_READ_NO_LINK;
    int flags = O_CLOEXEC | (reads ? O_RDONLY : O_RDWR) | (create ? O_CREAT | O_EXCL : 0) |
                (no_link ? O_NOFOLLOW : 0);
    struct stat facts;

    file->fd = -1;
    file->origin = 0;
    file->lost = 0;
    file->limit = length_limit();
    file->path = xta__strdup(path.name);
    file->at = path.at != path.name ? xta__strdup(path.at) : NULL;
    if (file->path == NULL || (file->at == NULL && path.at != path.name)) {
        xta__file_close(file);
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to open the file", path.name);
    }
    // Without O_NONBLOCK, opening a pipe in the file's place would hang.
    file->fd = xta__os()->open(path.at, flags | O_NONBLOCK,
                               mode == XTA__FILE_CREATE_PRIVATE ? 0600 : 0666);
    if (file->fd < 0) {
        int number = errno;
        xta__file_close(file);
        return xta__fail_errno(path.name, create ? "create" : "open", number, err);
    }
    if (fstat(file->fd, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        xta__file_close(file);
        return xta__fail(err, XTA_EFORMAT, 0, "%s: not a regular file", path.name);
    }
    return XTA_OK;
}

xta_status xta__file_open(const char *path, xta__file_mode mode, xta__file *file, xta_error *err)
{
    return xta__file_open_at((xta__path){path, path}, mode, file, err);
}

void xta__file_close(xta__file *file)
{
    if (file->path != NULL && file->fd >= 0) {
        xta__os()->close(file->fd);
    }
    free(file->path);
    free(file->at);
    file->path = file->at = NULL;
    file->fd = -1;
    file->origin = 0;
}

void xta__file_disown(xta__file *file)
{
    if (file->path != NULL && file->fd >= 0) {
        xta__os()->close(file->fd);
    }
    file->fd = -1;
}

xta_status xta__file_read_at(const xta__file *file, uint64_t offset, void *bytes, size_t n,
                             size_t *got, xta_error *err)
{
    size_t done = 0;

    while (done < n) {
        ssize_t k = xta__os()->read_at(file->fd, (char *)bytes + done, n - done,
                                       (off_t)(file->origin + offset + done));
        if (k < 0 && errno == EINTR) {
            continue;
        }
        if (k < 0) {
            return xta__fail_errno(file->path, "read", errno, err);
        }
        if (k == 0) {
            break;
        }
        done += (size_t)k;
    }
    *got = done;
    return XTA_OK;
}

size_t xta__file_read_now(const xta__file *file, uint64_t offset, void *bytes, size_t n,
                          bool *known)
{
    ssize_t k = xta__os()->read_now(file->fd, bytes, n, (off_t)(file->origin + offset));

    *known = k >= 0 || errno == EAGAIN;
    return k > 0 ? (size_t)k : 0;
}

xta_status xta__file_write_at(const xta__file *file, uint64_t offset, const void *bytes, size_t n,
                              xta_error *err)
{
    size_t done = 0;

    if (file->origin + offset + n > file->limit) {
        return xta__fail_errno(file->path, "write", EFBIG, err);
    }
    while (done < n) {
        ssize_t k = xta__os()->write_at(file->fd, (const char *)bytes + done, n - done,
                                        (off_t)(file->origin + offset + done));
        if (k < 0 && errno == EINTR) {
            continue;
        }
        if (k <= 0) {
            return xta__fail_errno(file->path, "write", k < 0 ? errno : ENOSPC, err);
        }
        done += (size_t)k;
    }
    return XTA_OK;
}

xta_status xta__file_sync(xta__file *file, xta_error *err)
{
    char words[128];
    int number = __atomic_load_n(&file->lost, __ATOMIC_ACQUIRE);

    if (number != 0) {
        return xta__fail(err, xta__status_of_errno(number), number,
                         "%s: cannot make durable: an earlier attempt failed (%s), and what was "
                         "written before it may be lost; open it again and write that once more",
                         file->path, strerror_r(number, words, sizeof words));
    }
    do {
        number = xta__os()->sync(file->fd) == 0 ? 0 : errno;
    } while (number == EINTR);
    if (number != 0) {
        __atomic_store_n(&file->lost, number, __ATOMIC_RELEASE);
        return xta__fail_errno(file->path, "make durable", number, err);
    }
    return XTA_OK;
}

xta_status xta__file_truncate(const xta__file *file, uint64_t bytes, xta_error *err)
{
    if (!xta__file_length_is_allowed(file->origin + bytes)) {
        return xta__fail_errno(file->path, "set the length of", EFBIG, err);
    }
    if (xta__os()->truncate(file->fd, (off_t)(file->origin + bytes)) != 0) {
        return xta__fail_errno(file->path, "set the length of", errno, err);
    }
    return XTA_OK;
}

xta_status xta__file_sizes(const xta__file *file, uint64_t *apparent, uint64_t *real,
                           xta_error *err)
{
    struct stat facts;

    if (fstat(file->fd, &facts) != 0) {
        return xta__fail_errno(file->path, "look at", errno, err);
    }
    uint64_t size = (uint64_t)facts.st_size;
    *apparent = size > file->origin ? size - file->origin : 0;
    if (real != NULL) {
        *real = (uint64_t)facts.st_blocks * 512;
    }
    return XTA_OK;
}

bool xta__file_shows_residency(const xta__file *file)
{
    struct stat facts;

    return (fcntl(file->fd, F_GETFL) & O_ACCMODE) != O_RDONLY ||
           (fstat(file->fd, &facts) == 0 && (facts.st_uid == geteuid() || geteuid() == 0));
}

static int open_exact(const xta__file *file)
{
    const char *at = file->at != NULL ? file->at : file->path;
    struct stat facts, own;
    int fd = xta__os()->open(at, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);

    // The path may name another file by now.
    if (fd >= 0 &&
        (fstat(fd, &facts) != 0 || fstat(file->fd, &own) != 0 || facts.st_dev != own.st_dev ||
         facts.st_ino != own.st_ino || posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM) != 0)) {
        xta__os()->close(fd);
        fd = -1;
    }
    return fd;
}

static void close_exact(int fd)
{
    if (fd >= 0) {
        xta__os()->close(fd);
    }
}

xta__file xta__file_exact(const xta__file *file, _Atomic int *fd)
{
    xta__file exact = *file;
    int now = atomic_load_explicit(fd, memory_order_acquire);

    if (now == XTA__EXACT_UNKNOWN) {
        int opened = open_exact(file);
        if (atomic_compare_exchange_strong(fd, &now, opened)) {
            now = opened;
        } else {
            close_exact(opened); // another thread was first
        }
    }
    exact.fd = now >= 0 ? now : file->fd;
    return exact;
}

void xta__file_exact_end(_Atomic int *fd)
{
    close_exact(atomic_exchange(fd, -1));
}

xta_status xta__file_names(const xta__file *file, uint64_t *n, xta_error *err)
{
    struct stat facts;

    if (fstat(file->fd, &facts) != 0) {
        return xta__fail_errno(file->path, "look at", errno, err);
    }
    *n = facts.st_nlink;
    return XTA_OK;
}

xta_status xta__file_keep_access(const xta__file *file, const xta__file *like, xta_error *err)
{
    char words[128];
    int number = xta__os()->keep_access(file->fd, like->fd);

    if (number == EPERM) {
        return xta__fail(err, XTA_EACCESS, number,
                         "%s: a file in its place could not keep owner, group and mode; let its "
                         "owner or root do it",
                         like->path);
    }
    return number == 0 ? XTA_OK
                       : xta__fail(err, xta__status_of_errno(number), number,
                                   "%s: cannot give its owner, mode and attributes to the file "
                                   "that will replace it: %s%s",
                                   like->path, strerror_r(number, words, sizeof words),
                                   xta__remedy_of_errno(number));
}

xta_status xta__file_changed_at(const xta__file *file, uint64_t *stamp, xta_error *err)
{
    struct stat facts;

    if (fstat(file->fd, &facts) != 0) {
        return xta__fail_errno(file->path, "look at", errno, err);
    }
    *stamp = (uint64_t)facts.st_mtim.tv_sec * 1000000000u + (uint64_t)facts.st_mtim.tv_nsec;
    return XTA_OK;
}

void xta__host_name(char *name, size_t capacity)
{
    if (gethostname(name, capacity) != 0) {
        name[0] = '\0';
    }
    name[capacity - 1] = '\0';
}

uint64_t xta__process_number(void)
{
    return (uint64_t)getpid();
}

int64_t xta__now(void)
{
    return (int64_t)time(NULL);
}

xta_status xta__file_revalidate(const xta__file *file, bool *replaced, xta_error *err)
{
    struct stat own, at_path;
    // By opening: a client may answer stat from cached attributes of the name.
    int fd = xta__os()->open(file->at != NULL ? file->at : file->path,
                             O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);

    *replaced = false;
    if (fd < 0 && errno != ENOENT) {
        return xta__fail_errno(file->path, "open", errno, err);
    }
    if (fd >= 0) {
        *replaced = fstat(fd, &at_path) == 0 && fstat(file->fd, &own) == 0 &&
                    (own.st_dev != at_path.st_dev || own.st_ino != at_path.st_ino);
        xta__os()->close(fd);
    }
    // A file that was replaced may no longer exist on the server.
    if (!*replaced && xta__os()->revalidate(file->fd) != 0) {
        return xta__fail_errno(file->path, "look at", errno, err);
    }
    return XTA_OK;
}

bool xta__file_is_at_path(const xta__file *file)
{
    struct stat open_file, at_path;

    return fstat(file->fd, &open_file) == 0 &&
           stat(file->at != NULL ? file->at : file->path, &at_path) == 0 &&
           open_file.st_dev == at_path.st_dev && open_file.st_ino == at_path.st_ino;
}

void xta__pause_ms(unsigned ms)
{
    struct timespec rest = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
        // Interrupted by a signal: wait for the rest of the time.
    }
}

uint32_t xta__boot(void)
{
    return xta__os()->boot();
}
