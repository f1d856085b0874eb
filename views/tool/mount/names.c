/* What the names in a folder of the mount stand for.
 *
 * An array NAME gives NAME.npy, NAME.raw with NAME.json, and NAME.nc; a folder with a dataset.xmd
 * gives dataset.nc in it, and FOLDER.nc beside it unless an array has that name.
 *
 * A mount in the folder that it shows, or a link to it, is no folder: it would show itself without
 * end, and each level would keep a thread that waits for the next one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "mount/names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <xta/dataset.h>

#include "util/text.h"
#include "util/vector.h"

#define SET_NAME "dataset" /* no array has it: its journal would be that of the data set */

static const struct {
    const char *suffix;
    xta_flat_kind kind;
} views[] = {
    {".npy", XTA_FLAT_NPY},
    {".raw", XTA_FLAT_RAW},
    {".json", XTA_FLAT_JSON},
    {".nc", XTA_FLAT_NETCDF},
};

#define N_VIEWS (sizeof views / sizeof views[0])

static const char *const pairs[][2] = {{".xmd", ".xta"}, {".pma", ".pta"}};

/* ---- files ---- */

static bool later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

/* Query path + suffix; 0 or an errno. */
static int stat_file(const char *path, const char *suffix, struct stat *out)
{
    char *file = xta__string("%s%s", path, suffix);
    int code = file == NULL ? ENOMEM : stat(file, out) == 0 ? 0 : errno;

    free(file);
    return code;
}

/* Query the journal of an array, with the time of its last change or that of its cells. */
static int stat_array(const char *path, struct stat *out)
{
    struct stat data;
    int code = ENOENT;

    for (size_t k = 0; code == ENOENT && k < 2; k++) {
        code = stat_file(path, pairs[k][0], out);
        if (code == 0 && stat_file(path, pairs[k][1], &data) == 0 &&
            later(&data.st_mtim, &out->st_mtim)) {
            out->st_mtim = data.st_mtim;
        }
    }
    return code == 0 && !S_ISREG(out->st_mode) ? ENOENT : code;
}

static bool has_suffix(const char *name, const char *suffix)
{
    return strlen(name) > strlen(suffix) && xta__ends_with(name, suffix);
}

/* Query the journal of a data set, with the last time that one of its files has changed. */
static int stat_set(const char *path, struct stat *out)
{
    struct stat file;
    int code = stat_file(path, "/" SET_NAME ".xmd", out);
    DIR *folder = code == 0 ? opendir(path) : NULL;

    for (struct dirent *e = NULL; folder != NULL && (e = readdir(folder)) != NULL;) {
        char *one = has_suffix(e->d_name, ".xmd") || has_suffix(e->d_name, ".xta")
                        ? xta__string("%s/%s", path, e->d_name)
                        : NULL;
        if (one != NULL && stat(one, &file) == 0 && later(&file.st_mtim, &out->st_mtim)) {
            out->st_mtim = file.st_mtim;
        }
        free(one);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return code;
}

/* Of the mount; zeros before it is there. */
static struct {
    unsigned major, minor;
} own_device;

/* The device of what is at `path`, without a request to this process, which is serving one. */
static bool device_of(const char *path, unsigned *major, unsigned *minor)
{
    struct statx found;

    if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE, &found) != 0) {
        return false;
    }
    *major = found.stx_dev_major;
    *minor = found.stx_dev_minor;
    return true;
}

void mount_names_hide(const char *mountpoint)
{
    device_of(mountpoint, &own_device.major, &own_device.minor);
}

static bool is_own_mount(const char *path)
{
    unsigned major = 0, minor = 0;

    return (own_device.major != 0 || own_device.minor != 0) && device_of(path, &major, &minor) &&
           major == own_device.major && minor == own_device.minor;
}

static int stat_folder(const char *path, struct stat *out)
{
    int code = is_own_mount(path) ? ENOENT : stat_file(path, "", out);

    return code == 0 && !S_ISDIR(out->st_mode) ? ENOENT : code;
}

int mount_source_stat(mount_source *source)
{
    switch (source->kind) {
    case MOUNT_ARRAY:
        return stat_array(source->path, &source->files);
    case MOUNT_SET:
        return stat_set(source->path, &source->files);
    default:
        return stat_folder(source->path, &source->files);
    }
}

void mount_source_clear(mount_source *source)
{
    free(source->path);
    source->path = NULL;
}

/* ---- one name ---- */

/* Whether path is what `kind` says; it is owned by `out` then, and freed otherwise. */
static int try_source(char *path, mount_kind kind, xta_flat_kind flat, mount_source *out)
{
    mount_source found = {.kind = kind, .flat = flat, .path = path};
    int code = path == NULL ? ENOMEM : mount_source_stat(&found);

    if (code != 0) {
        free(path);
        found = (mount_source){.kind = MOUNT_NOTHING};
    }
    *out = found;
    return code;
}

static int find_view(const char *folder, const char *name, size_t view, mount_source *out)
{
    int length = (int)(strlen(name) - strlen(views[view].suffix));
    int code = ENOENT;

    if (strncmp(name, SET_NAME ".", strlen(SET_NAME) + 1) == 0 && length == (int)strlen(SET_NAME)) {
        return views[view].kind == XTA_FLAT_NETCDF
                   ? try_source(xta__string("%s", folder), MOUNT_SET, XTA_FLAT_NETCDF, out)
                   : ENOENT;
    }
    code = try_source(xta__string("%s/%.*s", folder, length, name), MOUNT_ARRAY, views[view].kind,
                      out);
    if (code == ENOENT && views[view].kind == XTA_FLAT_NETCDF) {
        code = try_source(xta__string("%s/%.*s", folder, length, name), MOUNT_SET, XTA_FLAT_NETCDF,
                          out);
    }
    return code;
}

int mount_source_find(const char *folder, const char *name, mount_source *out)
{
    int code = ENOENT;

    for (size_t k = 0; code == ENOENT && k < N_VIEWS; k++) {
        if (has_suffix(name, views[k].suffix)) {
            code = find_view(folder, name, k, out);
        }
    }
    return code == ENOENT
               ? try_source(xta__string("%s/%s", folder, name), MOUNT_FOLDER, XTA_FLAT_RAW, out)
               : code;
}

/* ---- all names ---- */

void mount_names_clear(mount_names *names)
{
    for (size_t k = 0; k < names->n; k++) {
        free(names->items[k].name);
    }
    free(names->items);
    *names = (mount_names){0};
}

/* Add a name, which is the list's then. */
static int add_name(mount_names *names, char *name, bool folder)
{
    if (name == NULL || !XTA__RESERVE(names->items, names->capacity, names->n + 1)) {
        free(name);
        return ENOMEM;
    }
    names->items[names->n++] = (mount_name){name, folder};
    return 0;
}

static int add_array(mount_names *names, const char *journal, size_t suffix_bytes)
{
    int length = (int)(strlen(journal) - suffix_bytes), code = 0;

    for (size_t k = 0; code == 0 && k < N_VIEWS; k++) {
        code = add_name(names, xta__string("%.*s%s", length, journal, views[k].suffix), false);
    }
    return code;
}

static int add_folder(mount_names *names, const char *folder, const char *name)
{
    struct stat files;
    char *path = xta__string("%s/%s", folder, name);
    int code = path == NULL ? ENOMEM : stat_folder(path, &files);

    if (code == 0) {
        code = add_name(names, xta__string("%s", name), true);
        if (code == 0 && xta_dataset_exists(path) && stat_array(path, &files) != 0) {
            code = add_name(names, xta__string("%s.nc", name), false);
        }
    } else if (code != ENOMEM) {
        code = 0; // no folder, or one that has gone
    }
    free(path);
    return code;
}

static int add_entry(mount_names *names, const char *folder, const char *name)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        return 0;
    }
    if (strcmp(name, SET_NAME ".xmd") == 0) {
        return add_name(names, xta__string(SET_NAME ".nc"), false);
    }
    for (size_t k = 0; k < 2; k++) {
        if (has_suffix(name, pairs[k][0])) {
            return add_array(names, name, strlen(pairs[k][0]));
        }
    }
    return add_folder(names, folder, name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const mount_name *)a)->name, ((const mount_name *)b)->name);
}

/* An array may have pairs of both kinds, and a folder may be called as a view is. */
static void remove_doubles(mount_names *names)
{
    size_t kept = 0;

    if (names->n > 1) {
        qsort(names->items, names->n, sizeof names->items[0], by_name);
    }
    for (size_t k = 0; k < names->n; k++) {
        if (kept > 0 && strcmp(names->items[kept - 1].name, names->items[k].name) == 0) {
            names->items[kept - 1].folder &= names->items[k].folder;
            free(names->items[k].name);
        } else {
            names->items[kept++] = names->items[k];
        }
    }
    names->n = kept;
}

int mount_names_list(const char *folder, mount_names *names)
{
    DIR *entries = opendir(folder);
    int code = entries != NULL ? 0 : errno;

    *names = (mount_names){0};
    for (struct dirent *e = NULL; code == 0 && (e = readdir(entries)) != NULL;) {
        code = add_entry(names, folder, e->d_name);
    }
    if (entries != NULL) {
        closedir(entries);
    }
    remove_doubles(names);
    return code;
}
