/* Regular coordinates become a list: a member of the dimension's name.
 *
 * The array is made first, while the journal names it as unfinished, so that nobody lists it. One
 * change then makes it a member and takes the coordinates and the attributes from the dimension. So
 * a kill leaves the dimension as it was, or with its list.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/edit/list_coordinates.h"

#include <stdlib.h>
#include <string.h>

#include "dataset/change.h"
#include "dataset/dimensions.h"
#include "dataset/listing.h"
#include "dataset/members.h"
#include "dataset/migration/migrate.h"

/* The values of all cells, and the attributes of the dimension. */
static xta_status fill(xta_dataset *set, const xta_dimension *d, xta_array *list, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box box = xta_array_bounds(list);
    void *values = xta__calloc((size_t)(d->hi - d->lo), xta_type_bytes(d->regular.type));

    if (values == NULL) {
        return xta__dataset_no_memory(set, err);
    }
    xta_regular_values(&d->regular, d->lo, d->hi, values);
    XTA_TRY(xta_array_write(list, &box, NULL, values, err));
    for (size_t k = 0; k < set->entries.n; k++) {
        const xta__entry *e = set->entries.items[k];
        if (e->kind == XTA__ENTRY_ATTRIBUTE && strcmp(e->owner, d->name) == 0) {
            XTA_TRY(xta_attribute_set(list, XTA_ON_ARRAY, &e->attribute, err));
        }
    }
    XTA_TRY(xta_array_sync(list, err));

done:
    free(values);
    return status;
}

/* Member instead of coordinates, in one step. */
static xta_status exchange(xta_dataset *set, const xta_dimension *d, xta_error *err)
{
    xta__bytes change = {0};
    xta_dimension bare = *d;

    bare.coordinates = 0;
    xta__change_start(&change);
    xta__change_put_member(&change, d->name, false);
    xta__change_put_dimension(&change, &bare);
    for (size_t k = 0; k < set->entries.n; k++) {
        const xta__entry *e = set->entries.items[k];
        if (e->kind == XTA__ENTRY_ATTRIBUTE && strcmp(e->owner, d->name) == 0) {
            xta__change_remove(&change, XTA__ENTRY_ATTRIBUTE, e->owner, e->name);
        }
    }
    return xta__dataset_commit(set, &change, err);
}

static xta_status make_list(xta_dataset *set, const xta_dimension *d, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_array *list = NULL;
    const char *const dimensions[] = {d->name};
    xta_error ignored = {0};
    xta__new_member *w = xta__calloc(1, sizeof *w);

    if (w == NULL) {
        return xta__dataset_no_memory(set, err);
    }
    *w = (xta__new_member){.name = d->name,
                           .type = d->regular.type,
                           .ndim = 1,
                           .dimensions = dimensions,
                           .options = XTA_CREATE_OPTIONS_INIT,
                           .bounds = {.ndim = 1, .lo = {d->lo}, .hi = {d->hi}}};
    if (xta__entries_find(&set->entries, XTA__ENTRY_MEMBER, "", d->name) != NULL) {
        // The lock is held, so whoever began this has been killed.
        XTA_TRY(xta__dataset_drop_member(set, d->name, err));
    }
    XTA_TRY(xta__dataset_mark_member(set, d->name, true, err));
    status = xta__dataset_create_member(set, w, &list, err);
    if (status == XTA_OK) {
        status = fill(set, d, list, err);
    }
    if (status == XTA_OK) {
        status = exchange(set, d, err);
    }
    if (status != XTA_OK) {
        xta_array_close(list, NULL);
        (void)!xta__dataset_drop_member(set, d->name, &ignored);
        goto done;
    }
    status = xta_array_close(list, err);
    if (status == XTA_OK) {
        status = xta__dataset_list(set, err);
    }

done:
    free(w);
    return status;
}

xta_status xta__dataset_list_regular(xta_dataset *set, const char *dimension, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_dimension *found = NULL;
    xta_dimension d;
    char *name = NULL;

    XTA_TRY(xta__dataset_find_dimension(set, dimension, &found, err));
    if (found->coordinates == XTA_COORDINATES_LISTED) {
        goto done;
    }
    if (found->coordinates != XTA_COORDINATES_REGULAR) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: dimension %s has no coordinates", set->path,
                          dimension));
    }
    if (found->hi <= found->lo) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0,
                          "%s: dimension %s has no cells, so there is no coordinate to list",
                          set->path, dimension));
    }
    XTA_TRY(xta__dataset_check_name(set, "member", dimension, err));
    // The entry that owns the name is replaced meanwhile.
    d = *found;
    d.name = name = xta__strdup(found->name);
    if (name == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    XTA_TRY(make_list(set, &d, err));

done:
    free(name);
    return status;
}

xta_status xta_dataset_list_coordinates(xta_dataset *set, const char *dimension, xta_error *err)
{
    xta_status status = xta__dataset_change_migrated(set, err);

    if (status == XTA_OK) {
        status = xta__dataset_list_regular(set, dimension, err);
        xta__dataset_change_end(set);
    }
    return status;
}
