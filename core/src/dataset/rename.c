/* Members, groups and dimensions get other names.
 *
 * Files and `dataset.xmd` cannot change in one step, so the journal names both for a while:
 *
 *   1. the new name is put behind the old one
 *   2. the files are renamed; of a dimension, the axis of each member
 *   3. attributes that name it get the new name
 *   4. the old name is removed
 *
 * After a kill in between the set lists what is there, in its place, and the same call does the
 * rest.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/rename.h"

#include <stdlib.h>
#include <string.h>

#include <xta/copy.h>

#include "coordinates/references.h"
#include "dataset/change.h"
#include "dataset/dimensions.h"
#include "dataset/listing.h"
#include "dataset/members.h"
#include "store/journal/journal.h"
#include "util/os.h"

static bool names(const xta_dataset *set, xta__entry_kind kind, const char *name)
{
    return xta__entries_find(&set->entries, kind, "", name) != NULL;
}

static void put(xta__bytes *change, const xta__entry *entry, const char *name)
{
    xta_dimension d = entry->dimension;

    d.name = name;
    if (entry->kind == XTA__ENTRY_MEMBER) {
        xta__change_put_member(change, name, entry->unfinished);
    } else if (entry->kind == XTA__ENTRY_GROUP) {
        xta__change_put_group(change, name);
    } else if (entry->kind == XTA__ENTRY_DIMENSION) {
        xta__change_put_dimension(change, &d);
    }
}

/* Step 1: the entries of this kind behind the old one are put again, behind the new one. */
static void put_behind(const xta_dataset *set, xta__entry_kind kind, const char *name,
                       const char *new_name, xta__bytes *change)
{
    bool behind = false;

    for (size_t k = 0; k < set->entries.n; k++) {
        const xta__entry *e = set->entries.items[k];
        if (e->kind != kind) {
            continue;
        }
        if (behind) {
            xta__change_remove(change, kind, "", e->name);
            put(change, e, e->name);
        } else if (strcmp(e->name, name) == 0) {
            behind = true;
            put(change, e, new_name);
        }
    }
}

static xta_status name_both(xta_dataset *set, xta__entry_kind kind, const char *name,
                            const char *new_name, xta_error *err)
{
    xta__bytes change = {0};
    xta_status status = XTA_OK;

    if (!names(set, kind, name) || names(set, kind, new_name)) {
        return XTA_OK;
    }
    xta__change_start(&change);
    put_behind(set, kind, name, new_name, &change);
    XTA_TRY(xta__dataset_commit(set, &change, err));
    XTA_TRY(xta__journal_sync(&set->journal, err));

done:
    return status;
}

static xta_status remove_old(xta_dataset *set, xta__entry_kind kind, const char *name,
                             xta_error *err)
{
    xta__bytes change = {0};
    xta_status status = XTA_OK;

    if (names(set, kind, name)) {
        xta__change_start(&change);
        xta__change_remove(&change, kind, "", name);
        status = xta__dataset_commit(set, &change, err);
    }
    return status == XTA_OK ? xta__dataset_list(set, err) : status;
}

static bool has_group(const xta_dataset *set, const char *name)
{
    size_t k = 0;

    while (k < set->n_groups && strcmp(set->groups[k], name) != 0) {
        k++;
    }
    return k < set->n_groups;
}

/* ---- attributes that name it ---- */

typedef struct renaming {
    unsigned what; // has another name: of references.h
    const char *name, *new_name;
} renaming;

/* Of an array, or of one of its axes. */
static xta_status rename_in_attributes(xta_array *array, int axis, const renaming *r, bool *changed,
                                       xta_error *err)
{
    xta_status status = XTA_OK;

    for (size_t k = 0; k < xta_attribute_count(array, axis); k++) {
        xta_attribute a;
        char *text = NULL;
        XTA_TRY(xta_attribute_at(array, axis, k, &a, err));
        if (a.type != XTA_TEXT) {
            continue;
        }
        XTA_TRY(xta__reference_rename(a.name, a.values, r->what, r->name, r->new_name, &text, err));
        if (text != NULL) {
            a.values = text;
            a.count = strlen(text);
            status = xta_attribute_set(array, axis, &a, err);
            free(text);
            XTA_TRY(status);
            *changed = true;
        }
    }

done:
    return status;
}

/* A member that was closed is closed again: a set may have more than files can be open. */
static xta_status rename_in_member(xta_dataset *set, xta__member *member, const renaming *r,
                                   xta_error *err)
{
    bool was_open = member->array != NULL, changed = false;
    xta_status status = xta__dataset_open_member(set, member, err);

    if (status != XTA_OK) {
        return status;
    }
    for (int axis = XTA_ON_ARRAY; status == XTA_OK && axis < xta_array_ndim(member->array);
         axis++) {
        status = rename_in_attributes(member->array, axis, r, &changed, err);
    }
    if (status == XTA_OK && changed) {
        status = xta_array_sync(member->array, err);
    }
    if (!was_open) {
        xta_array *array = member->array;
        member->array = NULL;
        xta_status closed = xta_array_close(array, status == XTA_OK ? err : NULL);
        status = status == XTA_OK ? closed : status;
    }
    return status;
}

/* Attributes of the set and of its dimensions are entries of the journal. */
static xta_status rename_in_entries(xta_dataset *set, const renaming *r, xta_error *err)
{
    xta__bytes change = {0};
    bool any = false;
    xta_status status = XTA_OK;

    xta__change_start(&change);
    for (size_t k = 0; k < set->entries.n; k++) {
        const xta__entry *e = set->entries.items[k];
        char *text = NULL;
        if (e->kind != XTA__ENTRY_ATTRIBUTE || e->attribute.type != XTA_TEXT) {
            continue;
        }
        XTA_TRY(xta__reference_rename(e->name, e->attribute.values, r->what, r->name, r->new_name,
                                      &text, err));
        if (text != NULL) {
            xta_attribute a = e->attribute;
            a.values = text;
            a.count = strlen(text);
            xta__change_put_attribute(&change, e->owner, &a);
            free(text);
            any = true;
        }
    }
    if (any) {
        return xta__dataset_commit(set, &change, err);
    }

done:
    xta__bytes_clear(&change);
    return status;
}

static xta_status rename_references(xta_dataset *set, const renaming *r, xta_error *err)
{
    xta_status status = XTA_OK;

    if (r->what == 0) {
        return XTA_OK;
    }
    XTA_TRY(xta__dataset_list(set, err));
    for (size_t k = 0; k < set->n_members; k++) {
        XTA_TRY(rename_in_member(set, &set->members[k], r, err));
    }
    status = rename_in_entries(set, r, err);

done:
    return status;
}

/* ---- members ---- */

static xta_status rename_files(xta_dataset *set, const char *name, const char *new_name,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    xta__member *member = xta__dataset_find_member(set, name);
    char *path = xta__dataset_path_of(set, name);

    if (path == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    if (member != NULL) {
        xta_array *array = member->array;
        member->array = NULL;
        XTA_TRY(xta_array_close(array, err));
    }
    XTA_TRY(xta_array_rename(path, new_name, err));

done:
    free(path);
    return status;
}

/* The lock is held. */
static xta_status rename_member(xta_dataset *set, const char *name, const char *new_name,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    char *data = xta__dataset_file(set, name, ".xta");
    bool there = xta__dataset_find_member(set, name) != NULL;
    bool there_new = xta__dataset_find_member(set, new_name) != NULL;

    XTA_TRY(xta__dataset_check_name(set, "member", new_name, err));
    if ((there && there_new) || has_group(set, new_name)) {
        XTA_TRY(xta__fail(err, XTA_EEXIST, 0, "%s: there is a %s %s; choose another name",
                          set->path, there_new ? "member" : "group", new_name));
    }
    // A call that was cut off has renamed the files, but for the old name of the data.
    bool left = data != NULL && xta__path_is_taken(data);
    bool completes = !there && there_new && (left || names(set, XTA__ENTRY_MEMBER, name));
    if (!there && !completes) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: no member %s", set->path, name));
    }
    XTA_TRY(name_both(set, XTA__ENTRY_MEMBER, name, new_name, err));
    if (there || left) {
        XTA_TRY(rename_files(set, name, new_name, err));
    }
    XTA_TRY(rename_references(set, &(renaming){XTA__REFERS_TO_VARIABLE, name, new_name}, err));
    XTA_TRY(remove_old(set, XTA__ENTRY_MEMBER, name, err));

done:
    free(data);
    return status;
}

xta_status xta_dataset_rename_member(xta_dataset *set, const char *name, const char *new_name,
                                     xta_error *err)
{
    const xta_dimension *d = NULL;
    xta_status status = xta__dataset_change_begin(set, err);

    if (status != XTA_OK) {
        return status;
    }
    if (xta__dataset_find_dimension(set, name, &d, NULL) == XTA_OK &&
        d->coordinates == XTA_COORDINATES_LISTED) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: the member %s lists the coordinates of the dimension of its name; "
                          "rename the dimension",
                          set->path, name));
    }
    XTA_TRY(rename_member(set, name, new_name, err));

done:
    xta__dataset_change_end(set);
    return status;
}

/* ---- groups ---- */

xta_status xta_dataset_rename_group(xta_dataset *set, const char *name, const char *new_name,
                                    xta_error *err)
{
    char *old_path = NULL, *new_path = NULL;
    xta_status status = xta__dataset_change_begin(set, err);

    if (status != XTA_OK) {
        return status;
    }
    bool there = has_group(set, name);
    XTA_TRY(xta__dataset_check_name(set, "group", new_name, err));
    if (!there && !(has_group(set, new_name) && names(set, XTA__ENTRY_GROUP, name))) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: no group %s", set->path, name));
    }
    old_path = xta__dataset_file(set, name, "");
    new_path = xta__dataset_file(set, new_name, "");
    if (old_path == NULL || new_path == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    if ((there && xta__path_is_taken(new_path)) ||
        xta__dataset_find_member(set, new_name) != NULL) {
        XTA_TRY(xta__fail(err, XTA_EEXIST, 0, "%s: there is a %s; choose another name", set->path,
                          new_name));
    }
    XTA_TRY(name_both(set, XTA__ENTRY_GROUP, name, new_name, err));
    if (there) {
        XTA_TRY(xta__path_rename(old_path, new_path, false, err));
        XTA_TRY(xta__path_sync_folder(new_path, err));
    }
    XTA_TRY(remove_old(set, XTA__ENTRY_GROUP, name, err));

done:
    free(old_path);
    free(new_path);
    xta__dataset_change_end(set);
    return status;
}

/* ---- dimensions ---- */

/* Steps 1 and 3: attributes and notes of sources come with the name. */
static xta_status copy_described(xta_dataset *set, const char *name, const char *new_name,
                                 xta_error *err)
{
    xta__bytes change = {0};
    const xta__sources *sources = &set->entries.sources;

    xta__change_start(&change);
    if (!names(set, XTA__ENTRY_DIMENSION, new_name)) {
        put_behind(set, XTA__ENTRY_DIMENSION, name, new_name, &change);
    }
    xta__change_remove(&change, XTA__ENTRY_SOURCES, "", new_name);
    for (size_t k = 0; k < set->entries.n; k++) {
        const xta__entry *e = set->entries.items[k];
        if (e->kind == XTA__ENTRY_ATTRIBUTE && strcmp(e->owner, name) == 0) {
            xta__change_put_attribute(&change, new_name, &e->attribute);
        }
    }
    for (size_t k = 0; k < sources->n; k++) {
        xta_dataset_source note = *xta__sources_at(sources, k);
        if (strcmp(note.dimension, name) == 0) {
            note.dimension = new_name;
            xta__change_add_source(&change, &note);
        }
    }
    xta_status status = xta__dataset_commit(set, &change, err);
    return status == XTA_OK ? xta__journal_sync(&set->journal, err) : status;
}

static xta_status remove_described(xta_dataset *set, const char *name, xta_error *err)
{
    xta__bytes change = {0};

    xta__change_start(&change);
    xta__change_remove_dimension(&change, &set->entries, name);
    return xta__dataset_commit(set, &change, err);
}

static xta_status rename_axes(xta_dataset *set, const char *name, const char *new_name,
                              xta_error *err)
{
    xta_status status = XTA_OK;

    for (size_t k = 0; k < set->n_members; k++) {
        XTA_TRY(xta__dataset_open_member(set, &set->members[k], err));
        xta_array *array = set->members[k].array;
        int axis = xta__dataset_axis_of(array, name);
        if (axis >= 0) {
            XTA_TRY(xta_axis_set_name(array, axis, new_name, err));
            XTA_TRY(xta_array_sync(array, err));
        }
    }

done:
    return status;
}

/* Whether a dimension of the new name can only be what a call that was cut off has made. */
static bool is_begun(const xta_dataset *set, const char *name, const char *new_name)
{
    const xta__entry *old = xta__entries_find(&set->entries, XTA__ENTRY_DIMENSION, "", name);
    const xta__entry *new = xta__entries_find(&set->entries, XTA__ENTRY_DIMENSION, "", new_name);

    if (old == NULL || new == NULL) {
        return old == new;
    }
    const xta_regular *a = &old->dimension.regular, *b = &new->dimension.regular;
    return old->dimension.coordinates == new->dimension.coordinates &&
           old->dimension.unlimited == new->dimension.unlimited && a->type == b->type &&
           a->origin.i == b->origin.i && a->step.i == b->step.i;
}

static xta_status check_new_dimension(xta_dataset *set, const char *name, const char *new_name,
                                      xta_error *err)
{
    const xta_dimension *old = NULL, *other = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(xta__dataset_check_name(set, "member", new_name, err));
    XTA_TRY(xta__dataset_find_dimension(set, name, &old, err));
    const xta_dimension d = *old;
    for (size_t k = 0; k < set->n_members; k++) {
        xta_array *array = set->members[k].array;
        if (xta__dataset_axis_of(array, name) >= 0 && xta__dataset_axis_of(array, new_name) >= 0) {
            XTA_TRY(xta__fail(err, XTA_EEXIST, 0, "%s: member %s has a dimension %s, too",
                              set->path, set->members[k].name, new_name));
        }
    }
    bool taken = xta__dataset_find_dimension(set, new_name, &other, NULL) == XTA_OK;
    bool differs = taken && d.n_members > 0 && (other->lo != d.lo || other->hi != d.hi);
    if ((taken && (differs || !is_begun(set, name, new_name))) ||
        (d.coordinates == XTA_COORDINATES_LISTED &&
         xta__dataset_find_member(set, new_name) != NULL)) {
        XTA_TRY(xta__fail(err, XTA_EEXIST, 0, "%s: there is a %s; choose another name", set->path,
                          new_name));
    }

done:
    return status;
}

/* Whether there is a member that lists the coordinates, whose axis has been renamed; or what a call
 * that was cut off has left of it. */
static bool is_list(xta_dataset *set, const char *name, const char *new_name)
{
    const xta__member *old = xta__dataset_find_member(set, name);
    const xta__member *list = old != NULL ? old : xta__dataset_find_member(set, new_name);
    char *data = xta__dataset_file(set, name, ".xta");
    bool left = old != NULL || names(set, XTA__ENTRY_MEMBER, name) ||
                (data != NULL && xta__path_is_taken(data));

    free(data);
    return list != NULL && left && xta_array_ndim(list->array) == 1 &&
           xta__dataset_axis_of(list->array, new_name) == 0;
}

xta_status xta_dataset_rename_dimension(xta_dataset *set, const char *name, const char *new_name,
                                        xta_error *err)
{
    xta_status status = xta__dataset_change_begin(set, err);

    if (status != XTA_OK) {
        return status;
    }
    if (strcmp(name, new_name) == 0) {
        goto done;
    }
    XTA_TRY(check_new_dimension(set, name, new_name, err));
    XTA_TRY(copy_described(set, name, new_name, err));
    XTA_TRY(rename_axes(set, name, new_name, err));
    if (is_list(set, name, new_name)) {
        XTA_TRY(rename_member(set, name, new_name, err));
    }
    // Regular coordinates are a variable of files that name it.
    bool is_variable = xta__dataset_find_member(set, name) == NULL;
    unsigned what = XTA__REFERS_TO_DIMENSION | (is_variable ? XTA__REFERS_TO_VARIABLE : 0);
    XTA_TRY(rename_references(set, &(renaming){what, name, new_name}, err));
    XTA_TRY(remove_described(set, name, err));

done:
    xta__dataset_change_end(set);
    return status;
}
