/* Files that replace others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/checked.h"
#include "util/files.h"
#include "util/os.h"

enum { MOST_ATTEMPTS = 1000, MOST_SUFFIX = 48 };

/* ---- steps ---- */

unsigned xta__partial_mode(const char *path)
{
    return access(path, F_OK) == 0 ? 0600 : 0666;
}

int xta__partial_path(const char *path, const char *suffix, char **part)
{
    char *target = NULL;
    int number = xta__target_path(path, &target);

    *part = NULL;
    if (number == 0) {
        size_t capacity = strlen(target) + strlen(suffix) + 1;
        *part = malloc(capacity);
        number = *part != NULL ? 0 : ENOMEM;
        if (number == 0) {
            snprintf(*part, capacity, "%s%s", target, suffix);
        }
    }
    free(target);
    return number;
}

int xta__write_bytes(int fd, uint64_t offset, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n > 0) {
        ssize_t wrote = xta__os()->write_at(fd, at, n, (off_t)offset);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return wrote < 0 ? errno : ENOSPC;
        }
        at += wrote;
        n -= (size_t)wrote;
        offset += (uint64_t)wrote;
    }
    return 0;
}

int xta__put_in_place(const char *part, const char *path)
{
    int like = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);

    if (like < 0 && errno == EACCES) {
        like = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    }
    int number = like < 0 && errno != ENOENT ? errno : 0;

    if (like >= 0) {
        int fd = open(part, O_RDONLY | O_CLOEXEC);
        number = fd < 0 ? errno : xta__os()->keep_access(fd, like);
        if (fd >= 0) {
            close(fd);
        }
        close(like);
    }
    if (number == 0 && xta__os()->rename(part, path, true) != 0) {
        number = errno;
    }
    return number;
}

int xta__replace_file(const char *part, const char *path)
{
    char *real = NULL;
    int number = xta__real_path(path, &real);

    if (number == 0) {
        number = xta__put_in_place(part, real);
    }
    free(real);
    return number;
}

int xta__sync_folder_of(const char *path)
{
    char *folder = xta__strdup(path);
    int number = 0;

    if (folder == NULL) {
        return ENOMEM;
    }
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    int fd = xta__os()->open(slash != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd < 0 || (xta__os()->sync(fd) != 0 && errno != EINVAL)) {
        number = errno;
    }
    if (fd >= 0) {
        xta__os()->close(fd);
    }
    free(folder);
    return number;
}

/* ---- a whole file ---- */

static void clear_file(xta__new_file *file)
{
    free(file->path);
    free(file->part);
    *file = (xta__new_file){.fd = -1};
}

/* The pid distinguishes two processes that write the same file at the same time; threads of one
 * process try the next name. */
static int create_part(xta__new_file *file)
{
    size_t capacity = strlen(file->path) + MOST_SUFFIX;

    file->part = malloc(capacity);
    if (file->part == NULL) {
        return ENOMEM;
    }
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        snprintf(file->part, capacity, "%s.%ld-%d.part", file->path, (long)getpid(), attempt);
        file->fd = xta__os()->open(file->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                                   xta__partial_mode(file->path));
        if (file->fd >= 0) {
            return 0;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return errno;
}

int xta__new_file_create(xta__new_file *file, const char *path)
{
    *file = (xta__new_file){.fd = -1};
    int number = xta__target_path(path, &file->path);

    if (number == 0) {
        number = create_part(file);
    }
    if (number != 0) {
        clear_file(file);
    }
    return number;
}

int xta__new_file_write(xta__new_file *file, const void *bytes, size_t n)
{
    int number = xta__write_bytes(file->fd, file->n_bytes, bytes, n);

    file->n_bytes += number == 0 ? n : 0;
    return number;
}

int xta__new_file_commit(xta__new_file *file, bool durable)
{
    int number = 0;

    if (durable) {
        // The bytes of a closed file can no longer be synced.
        number = file->fd < 0 ? EINVAL : xta__os()->sync(file->fd) != 0 ? errno : 0;
    }
    if (file->fd >= 0 && xta__os()->close(file->fd) != 0 && number == 0) {
        number = errno;
    }
    file->fd = -1;
    if (number == 0) {
        number = xta__put_in_place(file->part, file->path);
    }
    if (number != 0) {
        xta__new_file_discard(file);
        return number;
    }
    number = durable ? xta__sync_folder_of(file->path) : 0;
    clear_file(file);
    return number;
}

void xta__new_file_discard(xta__new_file *file)
{
    if (file->part == NULL) {
        return;
    }
    if (file->fd >= 0) {
        xta__os()->close(file->fd);
    }
    xta__os()->unlink(file->part);
    clear_file(file);
}

int xta__replace_bytes(const char *path, const void *bytes, size_t n, bool durable)
{
    xta__new_file file;
    int number = xta__new_file_create(&file, path);

    if (number != 0) {
        return number;
    }
    number = xta__new_file_write(&file, bytes, n);
    if (number != 0) {
        xta__new_file_discard(&file);
        return number;
    }
    return xta__new_file_commit(&file, durable);
}
