/* Renaming an array: decision 37 has the steps.
 *
 *   1. new.xta becomes a second name of old.xta
 *   2. old.xmd is renamed to new.xmd, unless something has that name: the array is renamed
 *   3. old.xta, now the second name, is removed
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/admin/rename.h"

#include <stdlib.h>
#include <string.h>

#include "array/change/replace.h"
#include "array/handle/announced_growth.h"
#include "array/handle/change_lock.h"
#include "array/handle/finish_replacement.h"
#include "array/handle/paths.h"
#include "array/io/cell.h"
#include "array/state/open_array.h"
#include "util/os.h"
#include "util/text.h"

#define SUFFIX_BYTES 4 /* ".xmd" */

/* The files of the array under its new name, beside the old ones. */
typedef struct new_pair {
    char *base, *journal, *data;
} new_pair;

static void new_pair_clear(new_pair *pair)
{
    free(pair->base);
    free(pair->journal);
    free(pair->data);
}

static xta_status check_name(const char *name, xta_error *err)
{
    static const char *const suffixes[] = {".xmd", ".xta", ".pma", ".pta"};

    if (name[0] == '\0' || strchr(name, '/') != NULL || strcmp(name, ".") == 0 ||
        strcmp(name, "..") == 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "\"%s\" is no name of an array; give one without a slash: an array is "
                         "renamed in its folder",
                         name);
    }
    for (size_t k = 0; k < sizeof suffixes / sizeof suffixes[0]; k++) {
        if (xta__ends_with(name, suffixes[k])) {
            return xta__fail(err, XTA_EARG, 0, "\"%s\" is the name of a file; leave out %s", name,
                             suffixes[k]);
        }
    }
    return XTA_OK;
}

static xta_status name_files(const xta__pair *old, const char *name, new_pair *pair, xta_error *err)
{
    const char *slash = strrchr(old->journal_path, '/');
    int n = slash != NULL ? (int)(slash - old->journal_path) + 1 : 0;

    pair->base = xta__string("%.*s%s", n, old->journal_path, name);
    pair->journal = xta__string("%s%s", pair->base != NULL ? pair->base : "",
                                old->journal_path + strlen(old->journal_path) - SUFFIX_BYTES);
    pair->data = xta__string("%s%s", pair->base != NULL ? pair->base : "",
                             old->data_path + strlen(old->data_path) - SUFFIX_BYTES);
    return pair->base != NULL && pair->journal != NULL && pair->data != NULL
               ? XTA_OK
               : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its new name", old->base);
}

/* Nothing may have the new name but the data file, from a rename that was interrupted. */
static xta_status check_free(const xta__pair *old, const new_pair *pair, xta_error *err)
{
    static const char *const suffixes[] = {".xmd", ".xta", ".pma", ".pta"};
    xta_status status = XTA_OK;

    for (size_t k = 0; status == XTA_OK && k < sizeof suffixes / sizeof suffixes[0]; k++) {
        char *path = xta__string("%s%s", pair->base, suffixes[k]);
        if (path == NULL) {
            return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its new name", old->base);
        }
        if (xta__path_is_taken(path) && !xta__path_same_file(path, old->data_path)) {
            status =
                xta__fail(err, XTA_EEXIST, 0, "%s: this file exists; choose another name", path);
        }
        free(path);
    }
    return status;
}

static xta_status refuse_links(const xta__pair *old, xta_error *err)
{
    const char *path = xta__path_is_link(old->journal_path) ? old->journal_path
                       : xta__path_is_link(old->data_path)  ? old->data_path
                                                            : NULL;

    if (path != NULL || xta__pair_is_split(old->journal_path, old->data_path)) {
        return xta__fail(err, XTA_EACCESS, 0,
                         "%s: is a link to %s; rename the array where it is, or the links",
                         path != NULL ? path : old->journal_path, old->journal_file);
    }
    return XTA_OK;
}

/* Whether something depends on the name of a locked array. */
static xta_status refuse_dependence(xta_array *array, xta_error *err)
{
    xta__bytes *commits = NULL;
    size_t n = 0;
    char *sibling = xta__sibling_path(array->journal_file);
    xta_status status = XTA_OK;

    if (sibling == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to rename it", array->path));
    }
    if (array->state.works.n > 0) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: unfinished work fills this array; end it or undo it first",
                          array->path));
    }
    if (xta__path_is_taken(sibling)) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: is left of a repartition of this array; repeat that first",
                          sibling));
    }
    XTA_TRY(xta__group_unsettled(array, &commits, &n, err));
    if (n > 0) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: a growth together with other arrays was cut off by a kill, and they "
                          "may still have to look here; open each of them for a change first",
                          array->path));
    }

done:
    for (size_t k = 0; k < n; k++) {
        xta__bytes_clear(&commits[k]);
    }
    free(commits);
    free(sibling);
    return status;
}

/* The steps. The array is locked. */
static xta_status rename_files(const xta__pair *old, const new_pair *pair, xta_error *err)
{
    xta_status status = XTA_OK;
    bool linked = false, renamed = false;

    if (!xta__path_same_file(old->data_path, pair->data)) {
        XTA_TRY(xta__path_link(old->data_path, pair->data, err));
    }
    linked = true;
    XTA_TRY(xta__path_sync_folder(pair->data, err));
    XTA_TRY(xta__path_rename(old->journal_path, pair->journal, false, err));
    renamed = true;
    XTA_TRY(xta__path_sync_folder(pair->journal, err));
    // After a power loss this name may be back: then the same call removes it again.
    XTA_TRY(xta__path_remove(old->data_path, err));

done:
    if (status != XTA_OK && linked && !renamed) {
        (void)!xta__path_remove(pair->data, NULL);
    }
    return status;
}

/* The array has its new name already; a rename was interrupted before step 3. */
static bool is_interrupted(const xta__pair *old, const new_pair *pair)
{
    return !xta__path_is_taken(old->journal_path) && xta__path_exists(pair->journal) &&
           xta__path_same_file(old->data_path, pair->data);
}

static xta_status rename_locked(const char *path, const xta__pair *old, const new_pair *pair,
                                xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_status status = XTA_OK;

    options.writable = true;
    XTA_TRY(xta_array_open(path, &options, &array, err));
    XTA_TRY(xta__change_begin(array, err));
    status = refuse_dependence(array, err);
    if (status == XTA_OK) {
        xta__remove_leftovers(array->journal_file);
        status = check_free(old, pair, err);
    }
    if (status == XTA_OK) {
        status = rename_files(old, pair, err);
    }
    xta__change_end(array);

done:
    if (array != NULL) {
        // The path of this handle names nothing any more, and nothing is left to sync.
        xta__break(array);
        (void)xta_array_close(array, NULL);
    }
    return status;
}

xta_status xta_array_rename(const char *path, const char *name, xta_error *err)
{
    xta__pair old = {0};
    new_pair pair = {0};
    xta_status status = XTA_OK;

    xta__clear(err);
    XTA_TRY(check_name(name, err));
    XTA_TRY(xta__pair_find(path, &old, err));
    XTA_TRY(name_files(&old, name, &pair, err));
    if (is_interrupted(&old, &pair)) {
        status = xta__path_remove(old.data_path, err);
        goto done;
    }
    XTA_TRY(refuse_links(&old, err));
    XTA_TRY(check_free(&old, &pair, err));
    status = rename_locked(path, &old, &pair, err);

done:
    new_pair_clear(&pair);
    xta__pair_clear(&old);
    return status;
}
