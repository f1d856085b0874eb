/* Members: added, opened and removed.
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

#include <xta/options.h>

#include "array/admin/create_like.h"
#include "array/state/names.h"
#include "dataset/change.h"
#include "dataset/dimensions.h"
#include "dataset/listing.h"
#include "geometry/grid/chunk_shape.h"
#include "geometry/order/order.h"
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

static xta_status no_member(xta_dataset *set, const char *name, xta_error *err)
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
        XTA_TRY(no_member(set, name, err));
    }
    XTA_TRY(xta__dataset_open_member(set, member, err));
    *array = member->array;

done:
    pthread_mutex_unlock(&set->lock);
    return status;
}

/* ---- adding ---- */

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

static xta_status find_bounds(xta_dataset *set, xta__new_member *w, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_dimension *d = NULL;
    int64_t known[XTA_MAX_NDIM];

    if (w->ndim < 1 || w->ndim > XTA_MAX_NDIM) {
        return xta__fail(err, XTA_EARG, 0, "%s: member %s: %d dimensions; give 1 to %d", set->path,
                         w->name, w->ndim, XTA_MAX_NDIM);
    }
    w->bounds.ndim = w->ndim;
    for (int axis = 0; axis < w->ndim; axis++) {
        const char *name = w->dimensions[axis];
        w->bounds.lo[axis] = 0;
        w->bounds.hi[axis] = known[axis] = 1;
        if (name == NULL) {
            continue;
        }
        for (int other = 0; other < axis; other++) {
            if (w->dimensions[other] != NULL && strcmp(name, w->dimensions[other]) == 0) {
                XTA_TRY(xta__fail(err, XTA_EARG, 0, "%s: member %s: dimension %s is given twice",
                                  set->path, w->name, name));
            }
        }
        XTA_TRY(xta__dataset_find_dimension(set, name, &d, err));
        w->bounds.lo[axis] = d->lo;
        w->bounds.hi[axis] = d->hi;
        known[axis] = d->hi - d->lo;
    }
    size_t cell_bytes = w->type == XTA_BYTES ? w->options.cell_bytes : xta_type_bytes(w->type);
    // Of impossible types and orders xta_array_create says what is wrong with them.
    if (w->options.chunk == NULL && cell_bytes > 0) {
        status = xta__chunk_shape(cell_bytes, w->ndim, known, w->options.chunk_bytes,
                                  xta__order_needs_powers_of_two(w->options.order), w->chunk);
        w->options.chunk = status == XTA_OK ? w->chunk : NULL;
        status = XTA_OK;
    }

done:
    return status;
}

static xta_status check_free(xta_dataset *set, const xta__new_member *w, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_dimension *d = NULL;

    XTA_TRY(xta__dataset_check_name(set, "member", w->name, err));
    if (xta__dataset_find_member(set, w->name) != NULL) {
        XTA_TRY(xta__fail(err, XTA_EEXIST, 0, "%s: there is a member %s", set->path, w->name));
    }
    if (xta__dataset_find_dimension(set, w->name, &d, NULL) == XTA_OK &&
        d->coordinates == XTA_COORDINATES_REGULAR) {
        XTA_TRY(xta__fail(err, XTA_EEXIST, 0,
                          "%s: dimension %s has regular coordinates; set it without them before "
                          "adding a member that lists some",
                          set->path, w->name));
    }

done:
    return status;
}

xta_status xta__dataset_mark_member(xta_dataset *set, const char *name, bool unfinished,
                                    xta_error *err)
{
    xta__bytes change = {0};
    xta_status status = XTA_OK;

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

static xta_status add_wanted(xta_dataset *set, xta__new_member *w, xta_array **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_array *array = NULL;
    const xta__entry *left = NULL;

    XTA_TRY(check_free(set, w, err));
    XTA_TRY(find_bounds(set, w, err));
    left = xta__entries_find(&set->entries, XTA__ENTRY_MEMBER, "", w->name);
    if (left != NULL) {
        // The lock is held, so whoever began this has been killed.
        XTA_TRY(xta__dataset_drop_member(set, w->name, err));
    }
    XTA_TRY(xta__dataset_mark_member(set, w->name, true, err));
    status = xta__dataset_create_member(set, w, &array, err);
    if (status == XTA_OK) {
        status = xta__dataset_mark_member(set, w->name, false, err);
    }
    if (status == XTA_OK) {
        status = xta__dataset_list(set, err);
    }
    xta__member *member = status == XTA_OK ? xta__dataset_find_member(set, w->name) : NULL;
    if (member == NULL) {
        xta_error ignored = {0};
        if (status == XTA_OK) {
            status = xta__fail(err, XTA_ESTATE, 0, "%s: another program has removed %s", set->path,
                               w->name);
        }
        xta_array_close(array, NULL);
        (void)!xta__dataset_drop_member(set, w->name, &ignored);
        goto done;
    }
    member->array = array;
    if (out != NULL) {
        *out = array;
    }

done:
    return status;
}

xta_status xta_dataset_add_member(xta_dataset *set, const char *name, xta_type type, int ndim,
                                  const char *const dimensions[], const xta_create_options *options,
                                  xta_array **out, xta_error *err)
{
    xta__new_member *w = NULL;
    xta_status status = xta__dataset_change_begin(set, err);

    if (out != NULL) {
        *out = NULL;
    }
    if (status != XTA_OK) {
        return status;
    }
    w = xta__calloc(1, sizeof *w);
    if (w == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    *w = (xta__new_member){.name = name, .type = type, .ndim = ndim, .dimensions = dimensions};
    w->options = (xta_create_options)XTA_CREATE_OPTIONS_INIT;
    XTA_TRY(xta_options_read(&w->options, sizeof w->options, options, "xta_create_options", err));
    XTA_TRY(add_wanted(set, w, out, err));

done:
    free(w);
    xta__dataset_change_end(set);
    return status;
}

/* ---- removing ---- */

/* Keep the bounds of dimensions that only this member has. */
static void keep_dimensions(xta_dataset *set, const xta__member *member, xta__bytes *change)
{
    for (size_t k = 0; k < set->n_dimensions; k++) {
        xta_dimension d = set->dimensions[k];
        if (d.n_members == 1 && xta__dataset_axis_of(member->array, d.name) >= 0) {
            d.coordinates = d.coordinates == XTA_COORDINATES_LISTED ? 0 : d.coordinates;
            xta__change_put_dimension(change, &d);
        }
    }
}

xta_status xta_dataset_remove_member(xta_dataset *set, const char *name, xta_error *err)
{
    xta__bytes change = {0};
    xta_status status = xta__dataset_change_begin(set, err);

    if (status != XTA_OK) {
        return status;
    }
    xta__member *member = xta__dataset_find_member(set, name);
    if (member == NULL) {
        XTA_TRY(no_member(set, name, err));
    }
    XTA_TRY(xta__dataset_know_dimensions(set, err));
    xta__change_start(&change);
    keep_dimensions(set, member, &change);
    xta__change_put_member(&change, member->name, true);
    XTA_TRY(xta__dataset_commit(set, &change, err));
    XTA_TRY(xta__journal_sync(&set->journal, err));
    xta_array *array = member->array;
    member->array = NULL;
    XTA_TRY(xta_array_close(array, err));
    XTA_TRY(xta__dataset_drop_member(set, name, err));
    XTA_TRY(xta__dataset_list(set, err));

done:
    xta__bytes_clear(&change);
    xta__dataset_change_end(set);
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
