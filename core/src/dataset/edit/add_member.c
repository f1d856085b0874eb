/* Members: added and removed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/edit/add_member.h"

#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "dataset/change.h"
#include "dataset/dimensions.h"
#include "dataset/listing.h"
#include "dataset/members.h"
#include "dataset/migration/migrate.h"
#include "geometry/grid/chunk_shape.h"
#include "geometry/order/order.h"
#include "store/journal/journal.h"

/* ---- adding ---- */

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
    xta_status status = xta__dataset_change_migrated(set, err);

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
        XTA_TRY(xta__dataset_no_member(set, name, err));
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
