/* Members and groups: opened, and the steps of adding and removing one.
 *
 * Adding one takes several steps, since an array begins at cell 0 and the dimension may not. So the
 * journal first names it as unfinished, durably; such a member is not listed, and the next one of
 * this name removes what a killed process has left. The last step makes it a member. Removing goes
 * the same way back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/members.h"

#include <stdlib.h>
#include <string.h>

#include "array/admin/create_like.h"
#include "array/state/names.h"
#include "dataset/change.h"
#include "dataset/listing.h"
#include "store/journal/journal.h"
#include "util/os.h"
#include "util/text.h"

size_t xta_dataset_member_count(xta_dataset *set)
{
    pthread_mutex_lock(&set->lock);
    size_t n = set->n_members;
    pthread_mutex_unlock(&set->lock);
    return n;
}

const char *xta_dataset_member_name(xta_dataset *set, size_t k)
{
    pthread_mutex_lock(&set->lock);
    const char *name = k < set->n_members ? set->members[k].name : NULL;
    pthread_mutex_unlock(&set->lock);
    return name;
}

xta_status xta__dataset_no_member(xta_dataset *set, const char *name, xta_error *err)
{
    xta__text names = {0};

    for (size_t k = 0; k < set->n_members; k++) {
        xta__text_printf(&names, "%s%s", k > 0 ? ", " : "", set->members[k].name);
    }
    char *list = xta__text_detach(&names);
    xta_status status = xta__fail(err, XTA_ENOENT, 0, "%s: no member %s; there are: %.300s",
                                  set->path, name, list != NULL ? list : "");
    free(list);
    return status;
}

xta_status xta_dataset_member(xta_dataset *set, const char *name, xta_array **array, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    *array = NULL;
    pthread_mutex_lock(&set->lock);
    XTA_TRY(xta__dataset_begin(set, err));
    xta__member *member = xta__dataset_find_member(set, name);
    if (member == NULL) {
        XTA_TRY(xta__dataset_no_member(set, name, err));
    }
    XTA_TRY(xta__dataset_open_member(set, member, err));
    *array = member->array;

done:
    pthread_mutex_unlock(&set->lock);
    return status;
}

/* ---- steps of adding one ---- */

xta_status xta__dataset_check_name(xta_dataset *set, const char *what, const char *name,
                                   xta_error *err)
{
    xta_status status = xta__check_name(set->path, what, name, 1, err);

    if (status != XTA_OK) {
        return status;
    }
    if (strchr(name, '/') != NULL || name[0] == '.' || strcmp(name, XTA__DATASET_NAME) == 0 ||
        xta__ends_with(name, ".xmd") || xta__ends_with(name, ".xta")) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: a %s cannot be called %s; give a name without '/', not '%s', not "
                         "beginning with '.', and without suffix",
                         set->path, what, name, XTA__DATASET_NAME);
    }
    return XTA_OK;
}

/* A file with data but no journal is of somebody else, unless the journal of the set names it. */
static xta_status check_no_data(xta_dataset *set, const char *name, xta_error *err)
{
    char *data = xta__dataset_file(set, name, ".xta");
    char *journal = xta__dataset_file(set, name, ".xmd");
    xta_status status = XTA_OK;

    if (data == NULL || journal == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    if (xta__path_is_taken(data) && !xta__path_is_taken(journal)) {
        XTA_TRY(xta__fail(err, XTA_EEXIST, 0,
                          "%s/%s.xta: a file with data but no journal is in the way; remove it or "
                          "choose another name",
                          set->path, name));
    }

done:
    free(data);
    free(journal);
    return status;
}

/* What a killed process has made, or left, of the data of a member without a journal. */
static xta_status remove_data(xta_dataset *set, const char *name, xta_error *err)
{
    char *data = xta__dataset_file(set, name, ".xta");
    xta_status status = XTA_OK;

    if (data == NULL) {
        return xta__dataset_no_memory(set, err);
    }
    if (xta__path_is_taken(data)) {
        status = xta__path_remove(data, err);
    }
    free(data);
    return status;
}

xta_status xta__dataset_mark_member(xta_dataset *set, const char *name, bool unfinished,
                                    xta_error *err)
{
    xta__bytes change = {0};
    xta_status status = XTA_OK;

    if (unfinished) {
        XTA_TRY(check_no_data(set, name, err));
    }
    xta__change_start(&change);
    xta__change_put_member(&change, name, unfinished);
    XTA_TRY(xta__dataset_commit(set, &change, err));
    XTA_TRY(xta__journal_sync(&set->journal, err));

done:
    return status;
}

xta_status xta__dataset_drop_member(xta_dataset *set, const char *name, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__bytes change = {0};
    char *path = xta__dataset_path_of(set, name);
    xta_error why = {0};

    if (path == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    status = xta_array_delete(path, &why);
    if (status != XTA_OK && status != XTA_ENOENT) {
        XTA_TRY(xta__fail(err, status, why.os_errno, "%s", why.text));
    }
    XTA_TRY(remove_data(set, name, err));
    xta__change_start(&change);
    xta__change_remove(&change, XTA__ENTRY_MEMBER, "", name);
    XTA_TRY(xta__dataset_commit(set, &change, err));

done:
    free(path);
    return status;
}

xta_status xta__dataset_create_member(xta_dataset *set, const xta__new_member *w, xta_array **out,
                                      xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t first[XTA_MAX_NDIM];
    xta_create_options o = w->options;
    xta_array *array = NULL;
    char *path = xta__dataset_path_of(set, w->name);

    if (path == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    for (int axis = 0; axis < w->ndim; axis++) {
        first[axis] = w->bounds.hi[axis] > 0 ? w->bounds.hi[axis] : 0;
    }
    o.names = w->dimensions;
    o.access = set->options.access;
    o.cache_bytes = set->options.cache_bytes;
    o.lock = set->options.lock;
    XTA_TRY(xta_array_create(path, w->type, w->ndim, first, &o, &array, err));
    XTA_TRY(xta__fit_bounds(array, &w->bounds, err));
    XTA_TRY(xta_array_sync(array, err));
    *out = array;
    array = NULL;

done:
    if (array != NULL) {
        xta_array_close(array, NULL);
    }
    free(path);
    return status;
}

/* ---- groups ---- */

size_t xta_dataset_group_count(xta_dataset *set)
{
    pthread_mutex_lock(&set->lock);
    size_t n = set->n_groups;
    pthread_mutex_unlock(&set->lock);
    return n;
}

const char *xta_dataset_group_name(xta_dataset *set, size_t k)
{
    pthread_mutex_lock(&set->lock);
    const char *name = k < set->n_groups ? set->groups[k] : NULL;
    pthread_mutex_unlock(&set->lock);
    return name;
}

static xta_status create_group(xta_dataset *set, const char *name, const char *path,
                               xta_dataset **out, xta_error *err)
{
    xta__bytes change = {0};
    xta_status status = xta__dataset_change_begin(set, err);

    if (status != XTA_OK) {
        return status;
    }
    XTA_TRY(xta__dataset_check_name(set, "group", name, err));
    XTA_TRY(xta_dataset_create(path, &set->options, out, err));
    xta__change_start(&change);
    xta__change_put_group(&change, name);
    XTA_TRY(xta__dataset_commit(set, &change, err));
    XTA_TRY(xta__dataset_list(set, err));

done:
    if (status != XTA_OK && *out != NULL) {
        xta_dataset_close(*out, NULL);
        *out = NULL;
    }
    xta__dataset_change_end(set);
    return status;
}

xta_status xta_dataset_group(xta_dataset *set, const char *name, bool create, xta_dataset **out,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    char *path = NULL;

    xta__clear(err);
    *out = NULL;
    pthread_mutex_lock(&set->lock);
    size_t k = 0;
    while (k < set->n_groups && strcmp(set->groups[k], name) != 0) {
        k++;
    }
    bool exists = k < set->n_groups;
    pthread_mutex_unlock(&set->lock);
    path = xta__dataset_path_of(set, name);
    if (path == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    if (exists) {
        XTA_TRY(xta_dataset_open(path, &set->options, out, err));
    } else if (create) {
        XTA_TRY(create_group(set, name, path, out, err));
    } else {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: no group %s", set->path, name));
    }

done:
    free(path);
    return status;
}
