/* Arrays and data sets by name, and their snapshots.
 *
 * Handles of a snapshot are its own, so the number of snapshots that stay open is limited: the one
 * that was used longest ago is closed. A pin opens it again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "serve/shelf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/errors.h"
#include "util/files.h"
#include "util/text.h"
#include "util/try.h"

static xta_status no_memory(const source *from, xta_error *err)
{
    return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory to serve it", from->path);
}

/* ---- files ---- */

static bool lies_in(const char *path, const char *folder)
{
    size_t n = strlen(folder);

    return strncmp(path, folder, n) == 0 && (path[n] == '/' || folder[n - 1] == '/');
}

/* The real path of one file of a pair. */
static xta_status real_file(const source *from, xta_array *array, const char *const suffixes[2],
                            char **real, xta_error *err)
{
    const char *path = xta_array_path(array);
    struct stat st;
    int number = 0;

    *real = NULL;
    for (int k = 0; k < 2; k++) {
        char *file = xta__string("%s%s", path, suffixes[k]);
        if (file == NULL) {
            return no_memory(from, err);
        }
        bool there = stat(file, &st) == 0 && S_ISREG(st.st_mode);
        number = there ? xta__real_path(file, real) : 0;
        free(file);
        if (there) {
            break;
        }
    }
    if (*real == NULL) {
        return xta_error_set(err, number != 0 ? xta__status_of_errno(number) : XTA_ENOENT, number,
                             "%s: its file %s cannot be found", path, suffixes[0]);
    }
    if (from->root != NULL && !lies_in(*real, from->root)) {
        xta_status status = xta_error_set(err, XTA_EACCESS, 0,
                                          "%s: its file is %s, outside the folder %s that is "
                                          "served; serve that array itself",
                                          path, *real, from->root);
        free(*real);
        *real = NULL;
        return status;
    }
    return XTA_OK;
}

xta_status xta__source_data_file(const source *from, xta_array *array, char **path, xta_error *err)
{
    static const char *const suffixes[2] = {".xta", ".pta"};

    return real_file(from, array, suffixes, path, err);
}

/* Whether all files of a snapshot lie in the folder. */
static xta_status check_files(const source *from, const xta_zarr_view *view, xta_error *err)
{
    static const char *const journals[2] = {".xmd", ".pma"};
    const xta_zarr *zarr = xta_zarr_view_hierarchy(view);
    const xta_zarr_node *node = NULL;
    xta_status status = XTA_OK;
    char *real = NULL;

    for (size_t k = 0; (node = xta_zarr_node_at(zarr, k)) != NULL; k++) {
        if (node->array == NULL) {
            continue;
        }
        XTA_TRY(real_file(from, node->array, journals, &real, err));
        free(real);
        real = NULL;
        XTA_TRY(xta__source_data_file(from, node->array, &real, err));
        free(real);
        real = NULL;
    }

done:
    return status;
}

/* ---- snapshots ---- */

static void snapshot_free(snapshot *s)
{
    if (s != NULL) {
        xta_zarr_view_close(s->view);
        free(s->pin);
        free(s);
    }
}

/* Wrap a view, which becomes the snapshot's also on failure. */
static xta_status new_snapshot(const source *from, xta_zarr_view *view, snapshot **out,
                               xta_error *err)
{
    snapshot *s = calloc(1, sizeof *s);

    *out = NULL;
    if (s == NULL) {
        xta_zarr_view_close(view);
        return no_memory(from, err);
    }
    s->view = view;
    xta_status status = check_files(from, view, err);
    if (status != XTA_OK) {
        snapshot_free(s);
        return status;
    }
    *out = s;
    return XTA_OK;
}

static xta_status open_snapshot(const source *from, const char *pin, snapshot **out, xta_error *err)
{
    xta_zarr_view *view = NULL;
    xta_status status = xta_zarr_view_open(from->path, pin, &view, err);

    return status == XTA_OK ? new_snapshot(from, view, out, err) : status;
}

/* Under the lock. No longer listed; closed if nobody uses it. */
static void forget(source *from, int k)
{
    snapshot *s = from->listed[k];

    from->listed[k] = from->listed[--from->n_listed];
    free(s->pin);
    s->pin = NULL;
    if (s->n_users == 0) {
        snapshot_free(s);
    }
}

static int find_listed(const source *from, const char *pin)
{
    for (int k = 0; k < from->n_listed; k++) {
        if (strcmp(from->listed[k]->pin, pin) == 0) {
            return k;
        }
    }
    return -1;
}

/* Under the lock. List a snapshot, which must not be listed; without memory it stays unlisted. */
static void list_snapshot(source *from, snapshot *s, const char *pin)
{
    int oldest = 0;

    s->pin = xta__string("%s", pin);
    if (s->pin == NULL) {
        return;
    }
    for (int k = 1; k < from->n_listed; k++) {
        oldest = from->listed[k]->used < from->listed[oldest]->used ? k : oldest;
    }
    if (from->n_listed == MOST_SNAPSHOTS) {
        forget(from, oldest);
    }
    from->listed[from->n_listed++] = s;
}

static snapshot *use(source *from, snapshot *s)
{
    s->n_users++;
    s->used = ++from->clock;
    return s;
}

/* Under the lock. */
static void release(snapshot *s)
{
    if (--s->n_users == 0 && s->pin == NULL) {
        snapshot_free(s);
    }
}

void xta__source_release(source *from, snapshot *used)
{
    if (used != NULL) {
        pthread_mutex_lock(&from->lock);
        release(used);
        pthread_mutex_unlock(&from->lock);
    }
}

/* Under the lock. The cells under the keys of the first snapshot, as they are now. If arrays or
 * axes have come or gone, keys would change: the address keeps what it has. */
static xta_status follow_growth(source *from, xta_error *err)
{
    xta_zarr_view *view = NULL;
    snapshot *s = NULL;
    xta_error local = {0};
    xta_status status = xta_zarr_view_open_from(from->path, from->first->view, &view, &local);

    if (status == XTA_ESTATE) {
        from->follow = false;
        return XTA_OK;
    }
    if (status != XTA_OK) {
        return xta_error_set(err, status, local.os_errno, "%s", local.text);
    }
    XTA_TRY(new_snapshot(from, view, &s, err));
    release(from->plain);
    from->plain = use(from, s);

done:
    return status;
}

xta_status xta__source_get_plain(source *from, bool refresh, snapshot **out, xta_error *err)
{
    xta_status status = XTA_OK;

    pthread_mutex_lock(&from->lock);
    if (from->follow && refresh) {
        status = follow_growth(from, err);
    }
    *out = status == XTA_OK ? use(from, from->plain) : NULL;
    pthread_mutex_unlock(&from->lock);
    return status;
}

xta_status xta__source_get_newest(source *from, snapshot **out, xta_error *err)
{
    snapshot *s = NULL;
    xta_status status = open_snapshot(from, NULL, &s, err);

    *out = NULL;
    if (status != XTA_OK) {
        return status;
    }
    pthread_mutex_lock(&from->lock);
    int k = find_listed(from, xta_zarr_view_pin(s->view));
    if (k >= 0) {
        forget(from, k); // its attributes may be older
    }
    list_snapshot(from, s, xta_zarr_view_pin(s->view));
    *out = use(from, s);
    pthread_mutex_unlock(&from->lock);
    return XTA_OK;
}

xta_status xta__source_get_pinned(source *from, const char *pin, snapshot **out, xta_error *err)
{
    xta_status status = XTA_OK;
    snapshot *s = NULL;

    *out = NULL;
    pthread_mutex_lock(&from->lock);
    int k = find_listed(from, pin);
    if (k >= 0) {
        s = from->listed[k];
    } else {
        XTA_TRY(open_snapshot(from, pin, &s, err));
        list_snapshot(from, s, pin);
    }
    *out = use(from, s);

done:
    pthread_mutex_unlock(&from->lock);
    return status;
}

/* ---- sources ---- */

/* The last component of a path, which names the source; trailing slashes are cut off. */
static xta_status name_source(source *from, xta_error *err)
{
    size_t n = strlen(from->path);
    char *real = NULL;

    while (n > 1 && from->path[n - 1] == '/') {
        from->path[--n] = '\0';
    }
    const char *slash = strrchr(from->path, '/');
    from->name = xta__string("%s", slash != NULL ? slash + 1 : from->path);
    if (from->name == NULL) {
        return no_memory(from, err);
    }
    for (int k = 0; k < 2; k++) {
        char *suffix = n > 4 ? strrchr(from->name, '.') : NULL;
        if (suffix != NULL && strcmp(suffix, k == 0 ? ".xmd" : ".xta") == 0) {
            *suffix = '\0';
        }
    }
    if (from->name[0] == '\0' || strcmp(from->name, ".") == 0 || strcmp(from->name, "..") == 0 ||
        strpbrk(from->name, "@\\") != NULL ||
        xta__clean_bytes(from->name, strlen(from->name), false) < strlen(from->name)) {
        free(real);
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: its last component is no name for an address; give the path by a "
                             "name without @ and control characters, such as that of a link to it",
                             from->path);
    }
    return XTA_OK;
}

xta_status xta__source_open(const char *path, bool follow, source **out, xta_error *err)
{
    xta_status status = XTA_OK;
    struct stat st;
    source *from = calloc(1, sizeof *from);

    *out = NULL;
    if (from == NULL || (from->path = xta__string("%s", path)) == NULL) {
        free(from);
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory to serve it", path);
    }
    pthread_mutex_init(&from->lock, NULL);
    from->follow = follow;
    XTA_TRY(name_source(from, err));
    char *journal = xta__string("%s.xmd", from->path);
    bool array = journal != NULL && stat(journal, &st) == 0;
    free(journal);
    if (!array && stat(from->path, &st) == 0 && S_ISDIR(st.st_mode) &&
        xta__real_path(from->path, &from->root) != 0) {
        XTA_TRY(no_memory(from, err));
    }
    XTA_TRY(open_snapshot(from, NULL, &from->first, err));
    use(from, from->first);
    from->plain = use(from, from->first);
    *out = from;
    from = NULL;

done:
    xta__source_close(from);
    return status;
}

void xta__source_close(source *from)
{
    if (from == NULL) {
        return;
    }
    while (from->n_listed > 0) {
        forget(from, 0);
    }
    if (from->plain != NULL) {
        release(from->plain);
    }
    if (from->first != NULL) {
        release(from->first);
    }
    pthread_mutex_destroy(&from->lock);
    free(from->root);
    free(from->name);
    free(from->path);
    free(from);
}
