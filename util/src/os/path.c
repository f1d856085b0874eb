/* Paths and folders.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/os.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/checked.h"
#include "util/errors.h"
#include "util/files.h"
#include "util/replace.h"
#include "util/vector.h"

static xta_status fail_path(const char *path, const char *what, int number, xta_error *err)
{
    char words[128];

    return xta__fail(err, xta__status_of_errno(number), number,
                     "%s: cannot %s: %s; check path and permissions", path, what,
                     strerror_r(number, words, sizeof words));
}

bool xta__path_exists(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0;
}

bool xta__path_is_taken(const char *path)
{
    struct stat facts;

    return lstat(path, &facts) == 0;
}

bool xta__path_is_missing(const char *path)
{
    struct stat facts;

    return lstat(path, &facts) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

bool xta__path_is_link(const char *path)
{
    struct stat facts;

    return lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode);
}

bool xta__path_is_folder(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

xta_status xta__path_resolve(const char *path, char **real, xta_error *err)
{
    int number = xta__target_path(path, real);

    return number == 0        ? XTA_OK
           : number == ENOMEM ? xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", path)
                              : fail_path(path, "follow the links of", number, err);
}

xta_status xta__path_remove(const char *path, xta_error *err)
{
    return xta__os()->unlink(path) == 0 ? XTA_OK : fail_path(path, "remove", errno, err);
}

xta_status xta__path_make_folder(const char *path, bool *made, xta_error *err)
{
    *made = xta__os()->make_folder(path, 0777) == 0;
    if (*made || (errno == EEXIST && xta__path_is_folder(path))) {
        return XTA_OK;
    }
    return fail_path(path, "make the folder", errno, err);
}

xta_status xta__path_remove_folder(const char *path, xta_error *err)
{
    return xta__os()->remove_folder(path) == 0 ? XTA_OK : fail_path(path, "remove", errno, err);
}

xta_status xta__path_link(const char *from, const char *to, xta_error *err)
{
    if (xta__os()->link(from, to) == 0) {
        return XTA_OK;
    }
    int number = errno;
    if (number == EPERM || number == EOPNOTSUPP || number == ENOSYS || number == EMLINK) {
        return xta__fail(err, XTA_EUNSUPPORTED, number,
                         "%s: cannot get a second name for a moment: %s; make a copy instead", from,
                         strerror(number));
    }
    return fail_path(to, "make", number, err);
}

bool xta__path_same_file(const char *a, const char *b)
{
    struct stat facts_a, facts_b;

    return lstat(a, &facts_a) == 0 && lstat(b, &facts_b) == 0 && facts_a.st_dev == facts_b.st_dev &&
           facts_a.st_ino == facts_b.st_ino;
}

xta_status xta__path_rename(const char *from, const char *to, bool replace, xta_error *err)
{
    return xta__os()->rename(from, to, replace) == 0 ? XTA_OK
                                                     : fail_path(to, "put in place", errno, err);
}

xta_status xta__path_relative(const char *from, const char *to, char **out, xta_error *err)
{
    xta_status status = XTA_OK;
    char *a = NULL, *b = NULL;
    size_t common = 0, ups = 0;

    *out = NULL;
    if (!xta__path_exists(from) || !xta__path_exists(to)) {
        XTA_TRY(fail_path(xta__path_exists(from) ? to : from, "find", ENOENT, err));
    }
    XTA_TRY(xta__path_resolve(from, &a, err));
    XTA_TRY(xta__path_resolve(to, &b, err));
    for (size_t k = 0; a[k] != '\0' && a[k] == b[k]; k++) {
        if (a[k] == '/') {
            common = k + 1;
        }
    }
    for (const char *rest = a + common; (rest = strchr(rest, '/')) != NULL; rest++) {
        ups++;
    }
    char *path = malloc(3 * ups + strlen(b + common) + 1);
    if (path == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a path", from));
    }
    for (size_t k = 0; k < ups; k++) {
        memcpy(path + 3 * k, "../", 3);
    }
    strcpy(path + 3 * ups, b + common);
    *out = path;

done:
    free(a);
    free(b);
    return status;
}

xta_status xta__path_sync_folder(const char *path, xta_error *err)
{
    int number = xta__sync_folder_of(path);

    return number == 0        ? XTA_OK
           : number == ENOMEM ? xta__fail(err, XTA_ENOMEM, 0, "%s: no memory", path)
                              : fail_path(path, "make its folder durable", number, err);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const xta__folder_entry *)a)->name, ((const xta__folder_entry *)b)->name);
}

static xta_status add_name(DIR *dir, const struct dirent *entry, xta__folder_entry **names,
                           size_t *n, size_t *capacity)
{
    struct stat facts;

    if (!XTA__RESERVE(*names, *capacity, *n + 1)) {
        return XTA_ENOMEM;
    }
    char *copy = xta__strdup(entry->d_name);
    if (copy == NULL) {
        return XTA_ENOMEM;
    }
    bool folder = fstatat(dirfd(dir), entry->d_name, &facts, 0) == 0 && S_ISDIR(facts.st_mode);
    (*names)[(*n)++] = (xta__folder_entry){.name = copy, .folder = folder};
    return XTA_OK;
}

xta_status xta__folder_list(const char *folder, xta__folder_entry **names, size_t *n,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    size_t capacity = 0;
    const struct dirent *entry;

    *names = NULL;
    *n = 0;
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        return fail_path(folder, "list the folder", errno, err);
    }
    while (status == XTA_OK && (entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            status = add_name(dir, entry, names, n, &capacity);
        }
    }
    closedir(dir);
    if (status != XTA_OK) {
        xta__folder_entries_free(*names, *n);
        *names = NULL;
        *n = 0;
        return xta__fail(err, status, 0, "%s: no memory to list the folder", folder);
    }
    if (*n > 0) {
        qsort(*names, *n, sizeof(xta__folder_entry), compare_names);
    }
    return XTA_OK;
}

void xta__folder_entries_free(xta__folder_entry *names, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        free(names[k].name);
    }
    free(names);
}

xta_status xta__random_uuid(uint8_t uuid[16], xta_error *err)
{
    if (getrandom(uuid, 16, 0) != 16) {
        return xta__fail(err, XTA_EIO, errno, "the system gives no random bytes for a uuid");
    }
    uuid[6] = (uint8_t)((uuid[6] & 0x0f) | 0x40);
    uuid[8] = (uint8_t)((uuid[8] & 0x3f) | 0x80);
    return XTA_OK;
}
