/* Data sets are created, opened, refreshed, synced and closed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/lifetime.h"

#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "array/handle/choose_lock.h"
#include "dataset/change.h"
#include "dataset/listing.h"
#include "store/journal/journal.h"
#include "util/os.h"
#include "util/text.h"

bool xta_dataset_exists(const char *path)
{
    char *journal = xta__string("%s/%s", path, XTA__DATASET_JOURNAL);
    bool exists = journal != NULL && xta__path_exists(journal);

    free(journal);
    return exists;
}

static void free_dataset(xta_dataset *set)
{
    if (set->has_journal) {
        xta__journal_close(&set->journal);
    }
    xta__entries_clear(&set->entries);
    for (size_t k = 0; k < set->n_members; k++) {
        free(set->members[k].name);
    }
    for (size_t k = 0; k < set->n_groups; k++) {
        free(set->groups[k]);
    }
    free(set->members);
    free(set->groups);
    free(set->retired);
    free(set->dimensions);
    free(set->path);
    free(set->folder);
    free(set->journal_path);
    free(set->journal_file);
    pthread_mutex_destroy(&set->lock);
    free(set);
}

/* A handle without its journal. The folder exists. */
static xta_status make_handle(const char *path, const xta_dataset_options *options,
                              xta_dataset **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dataset *set = xta__calloc(1, sizeof *set);

    if (set == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the data set", path);
    }
    pthread_mutex_init(&set->lock, NULL);
    set->options = (xta_dataset_options)XTA_DATASET_OPTIONS_INIT;
    XTA_TRY(
        xta_options_read(&set->options, sizeof set->options, options, "xta_dataset_options", err));
    XTA_TRY(xta__path_resolve(path, &set->folder, err));
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    set->path = xta__string("%.*s", (int)n, path);
    set->journal_path = set->path != NULL ? xta__dataset_path_of(set, XTA__DATASET_JOURNAL) : NULL;
    set->journal_file = xta__dataset_file(set, XTA__DATASET_JOURNAL, "");
    if (set->path == NULL || set->journal_path == NULL || set->journal_file == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the data set", path));
    }
    XTA_TRY(xta__choose_lock(set->path, set->options.lock, &set->locking, err));
    *out = set;
    set = NULL;

done:
    if (set != NULL) {
        free_dataset(set);
    }
    return status;
}

xta_status xta_dataset_open(const char *path, const xta_dataset_options *options, xta_dataset **out,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dataset *set = NULL;

    xta__clear(err);
    *out = NULL;
    if (!xta__path_is_folder(path)) {
        return xta__fail(err, XTA_ENOENT, 0, "%s: no such folder; a data set is a folder of arrays",
                         path);
    }
    XTA_TRY(make_handle(path, options, &set, err));
    XTA_TRY(xta__dataset_open_journal(set, err));
    XTA_TRY(xta__dataset_list(set, err));
    *out = set;
    set = NULL;

done:
    if (set != NULL) {
        free_dataset(set);
    }
    return status;
}

xta_status xta_dataset_create(const char *path, const xta_dataset_options *options,
                              xta_dataset **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dataset_options o = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;
    bool made = false;

    xta__clear(err);
    *out = NULL;
    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_dataset_options", err));
    o.writable = true;
    XTA_TRY(xta__path_make_folder(path, &made, err));
    if (xta_dataset_exists(path)) {
        XTA_TRY(xta__fail(err, XTA_EEXIST, 0, "%s: there is a data set; open it, or remove %s/%s",
                          path, path, XTA__DATASET_JOURNAL));
    }
    XTA_TRY(xta_dataset_open(path, &o, &set, err));
    // The first change makes the journal.
    XTA_TRY(xta__dataset_change_begin(set, err));
    xta__dataset_change_end(set);
    if (made) {
        XTA_TRY(xta__path_sync_folder(set->folder, err));
    }
    *out = set;
    set = NULL;

done:
    if (set != NULL) {
        free_dataset(set);
    }
    if (status != XTA_OK && made) {
        // An empty folder is all that can be there.
        xta_error ignored = {0};
        (void)!xta__path_remove_folder(path, &ignored);
    }
    return status;
}

/* Every array that was opened through the data set. */
static xta_array *opened(xta_dataset *set, size_t k)
{
    return k < set->n_members ? set->members[k].array : set->retired[k - set->n_members];
}

xta_status xta_dataset_refresh(xta_dataset *set, bool *changed, xta_error *err)
{
    xta_status status = XTA_OK;
    bool any = false, one = false;

    xta__clear(err);
    pthread_mutex_lock(&set->lock);
    XTA_TRY(xta__dataset_begin(set, err));
    XTA_TRY(xta__dataset_catch_up(set, &any, err));
    size_t n_before = set->n_members;
    XTA_TRY(xta__dataset_list(set, err));
    any = any || set->n_members != n_before;
    for (size_t k = 0; k < set->n_members; k++) {
        if (set->members[k].array != NULL) {
            XTA_TRY(xta_array_refresh(set->members[k].array, &one, err));
            any = any || one;
        }
    }

done:
    pthread_mutex_unlock(&set->lock);
    if (changed != NULL) {
        *changed = any;
    }
    return status;
}

static xta_status sync_journal(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;
    bool news = false;

    if (!set->options.writable || !set->has_journal || !set->unsynced) {
        return XTA_OK;
    }
    XTA_TRY(
        xta__journal_lock(&set->journal, (xta__path){"", ""}, XTA__LOCK_PATIENCE_MS, &news, err));
    if (!set->journal.moved) {
        status = xta__journal_sync(&set->journal, err);
    }
    set->unsynced = status != XTA_OK;
    xta__journal_unlock(&set->journal);

done:
    return status;
}

xta_status xta_dataset_sync(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    pthread_mutex_lock(&set->lock);
    XTA_TRY(xta__dataset_begin(set, err));
    for (size_t k = 0; k < set->n_members + set->n_retired; k++) {
        if (opened(set, k) != NULL) {
            XTA_TRY(xta_array_sync(opened(set, k), err));
        }
    }
    XTA_TRY(sync_journal(set, err));

done:
    pthread_mutex_unlock(&set->lock);
    return status;
}

xta_status xta_dataset_close(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_error first = {0};

    xta__clear(err);
    if (set == NULL) {
        return XTA_OK;
    }
    for (size_t k = 0; k < set->n_members + set->n_retired; k++) {
        xta_error one = {0};
        xta_status closed = opened(set, k) != NULL ? xta_array_close(opened(set, k), &one) : XTA_OK;
        if (closed != XTA_OK && status == XTA_OK) {
            status = closed;
            first = one;
        }
    }
    if (status == XTA_OK && !set->broken) {
        status = sync_journal(set, &first);
    }
    free_dataset(set);
    if (status != XTA_OK) {
        return xta__fail(err, status, first.os_errno, "%s", first.text);
    }
    return XTA_OK;
}

const char *xta_dataset_path(const xta_dataset *set)
{
    return set->path;
}
