/* Paths with their links followed, and access rights of files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum {
    MOST_LINKS = 40, /* as in the kernel */
    MOST_VALUE = 65536
};

/* ---- paths ---- */

/* "folder/name", where `folder` is the first `n` bytes of `path`; with `n` 0, "name". */
static char *in_folder(const char *path, size_t n, const char *name)
{
    size_t capacity = n + strlen(name) + 2;
    char *whole = malloc(capacity);

    if (whole != NULL) {
        const char *slash = n > 0 && path[n - 1] != '/' ? "/" : "";
        snprintf(whole, capacity, "%.*s%s%s", (int)n, path, slash, name);
    }
    return whole;
}

/* The number of bytes of `path` that name its folder, including the last slash. */
static size_t folder_bytes(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* The target of the link `path`, relative to the same folder as `path`; NULL with errno EINVAL if
 * it is not a link. */
static char *link_target(const char *path)
{
    char target[PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target - 1);

    if (n < 0) {
        return NULL;
    }
    if ((size_t)n == sizeof target - 1) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    target[n] = '\0';
    return in_folder(path, target[0] == '/' ? 0 : folder_bytes(path), target);
}

static bool same_file(const char *a, const char *b)
{
    struct stat one, other;

    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* `path` as an absolute path, without following links. */
static char *absolute(const char *path)
{
    char here[PATH_MAX];

    if (path[0] == '/') {
        return strdup(path);
    }
    return getcwd(here, sizeof here) != NULL ? in_folder(here, strlen(here), path) : NULL;
}

/* Like an allocating realpath(), but all memory comes from our allocator. Some links of /proc lead
 * where no path does, such as into a file system that was unmounted under a running process; a path
 * through them is returned unchanged. */
static char *real_path_of(const char *path)
{
    char real[PATH_MAX];
    struct stat facts;
    bool found = realpath(path, real) != NULL;
    int number = errno;

    if (found && (strcmp(path, real) == 0 || same_file(path, real))) {
        return strdup(real);
    }
    if (stat(path, &facts) == 0) {
        return absolute(path);
    }
    errno = number;
    return NULL;
}

/* A name that does not exist, in a folder that does. */
static char *new_name(const char *path)
{
    size_t n = folder_bytes(path);
    char *folder = n > 0 ? in_folder(path, n, "") : strdup(".");
    char *real = folder != NULL ? real_path_of(folder) : NULL;
    char *whole = NULL;

    if (real != NULL && path[n] == '\0') {
        errno = ENOENT;
    } else if (real != NULL) {
        whole = in_folder(real, strlen(real), path + n);
    }
    free(real);
    free(folder);
    return whole;
}

int xta__real_path(const char *path, char **real)
{
    char *at = strdup(path);

    *real = NULL;
    errno = ENOMEM;
    for (int links = 0; at != NULL && links < MOST_LINKS; links++) {
        *real = real_path_of(at);
        if (*real != NULL || errno != ENOENT) {
            break;
        }
        // It does not exist, or is a dangling link.
        char *next = link_target(at);
        if (next == NULL && (errno == ENOENT || errno == EINVAL)) {
            *real = new_name(at);
            break;
        }
        free(at);
        at = next;
        errno = at != NULL ? ELOOP : errno;
    }
    int number = errno;
    free(at);
    return *real != NULL ? 0 : number;
}

int xta__target_path(const char *path, char **target)
{
    int number = xta__real_path(path, target);

    if (number == ENOENT || number == ENOTDIR || number == EACCES) {
        *target = strdup(path);
        number = *target != NULL ? 0 : ENOMEM;
    }
    return number;
}

/* ---- access ---- */

static bool is_kept(const char *name)
{
    return strncmp(name, "user.", 5) == 0 || strcmp(name, "system.posix_acl_access") == 0;
}

static int copy_attribute(int fd, int like, const char *name, void *value)
{
    ssize_t n = fgetxattr(like, name, value, MOST_VALUE);

    if (n < 0) {
        return errno == ENODATA ? 0 : errno;
    }
    return fsetxattr(fd, name, value, (size_t)n, 0) == 0 ? 0 : errno;
}

/* Access control lists, and attributes that users attached to the file. Labels of security modules
 * are left to the system. */
static int copy_attributes(int fd, int like)
{
    ssize_t n = flistxattr(like, NULL, 0);
    int number = 0;

    if (n <= 0) {
        return n == 0 || errno == ENOTSUP ? 0 : errno;
    }
    char *names = malloc((size_t)n), *value = malloc(MOST_VALUE);
    ssize_t got = names != NULL && value != NULL ? flistxattr(like, names, (size_t)n) : -1;
    if (got < 0) {
        number = names != NULL && value != NULL ? errno : ENOMEM;
    }
    for (ssize_t at = 0; at < got && number == 0; at += (ssize_t)strlen(names + at) + 1) {
        number = is_kept(names + at) ? copy_attribute(fd, like, names + at, value) : 0;
    }
    free(names);
    free(value);
    return number;
}

int xta__keep_access(int fd, int like)
{
    struct stat old, new;

    if (fstat(like, &old) != 0 || fstat(fd, &new) != 0) {
        return errno;
    }
    // The owner first: changing it clears bits of the mode.
    if ((old.st_uid != new.st_uid || old.st_gid != new.st_gid) &&
        fchown(fd, old.st_uid, old.st_gid) != 0) {
        return errno;
    }
    int number = copy_attributes(fd, like);
    if (number == 0 && fchmod(fd, old.st_mode & 07777) != 0) {
        number = errno;
    }
    return number;
}
