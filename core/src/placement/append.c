/* Data sets grow with cells and coordinates.
 *
 * The walk: the lock of the set is taken, so that no member is added meanwhile; the coordinates are
 * converted and placed; then all members that have the dimension grow by one call of
 * xta_arrays_append, the list of coordinates with its values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "placement/append.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dataset/change.h"
#include "dataset/dimensions.h"
#include "dataset/edit/list_coordinates.h"
#include "dataset/listing.h"
#include "dataset/migration/migrate.h"
#include "placement/place.h"

static xta_status check_slab(xta_dataset *set, const xta_dataset_slab *slab, xta_error *err)
{
    if (slab->dimension == NULL || slab->by < 1 || slab->by >= XTA__COORD_LIMIT ||
        (unsigned)slab->side > XTA_FRONT) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: append of %" PRId64 " cells: give a dimension, 1 or more cells, and "
                         "back or front",
                         set->path, slab->by);
    }
    if (slab->coordinates != NULL && slab->coordinates->n != slab->by) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: dimension %s: %" PRId64 " coordinates for %" PRId64 " cells",
                         set->path, slab->dimension, slab->coordinates->n, slab->by);
    }
    for (size_t k = 0; k < slab->n_cells; k++) {
        for (size_t j = 0; j < k; j++) {
            if (strcmp(slab->cells[j].member, slab->cells[k].member) == 0) {
                return xta__fail(err, XTA_EARG, 0, "%s: cells of member %s are given twice",
                                 set->path, slab->cells[k].member);
            }
        }
    }
    return XTA_OK;
}

/* Whether the cells are those that an append on this side makes. */
static bool is_beside(const xta_dimension *d, const xta_dataset_slab *slab, const xta_cell_range *p)
{
    return slab->side == XTA_BACK ? p->lo == d->hi : p->hi == d->lo;
}

/* New names, and a value beside a single other one, have no order that tells their side. */
static bool on_any_side(const xta_dimension *d, const xta__values *values, const xta_cell_range *p)
{
    bool outside = p->lo >= d->hi || p->hi <= d->lo;

    return outside && (values->numbers == NULL || (values->n == 1 && d->hi - d->lo <= 1));
}

static xta_status not_beside(const xta__dimension_axis *d, const xta_dataset_slab *slab,
                             const xta__values *values, const xta_cell_range *p, xta_error *err)
{
    char a[XTA__VALUE_TEXT_BYTES], b[XTA__VALUE_TEXT_BYTES];
    const xta_dimension *is = &d->dimension;
    bool over = p->lo < is->hi && p->hi > is->lo;

    return xta__fail(err, XTA_EBOX, 0,
                     "%s: dimension %s: the coordinates %s to %s belong to the cells %" PRId64
                     " to %" PRId64 ", %s; an append at the %s begins at cell %" PRId64,
                     d->what.path, d->what.dimension, xta__value_text(values, 0, a),
                     xta__value_text(values, values->n - 1, b), p->lo, p->hi - 1,
                     over ? "some of which are there" : "on the other side",
                     slab->side == XTA_BACK ? "back" : "front",
                     slab->side == XTA_BACK ? is->hi : is->lo - slab->by);
}

/* The coordinates of the new cells, in the type of their list; no cells if they are regular. */
static xta_status place_slab(xta_dataset *set, const xta_dataset_slab *slab, xta__values *values,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    xta__dimension_axis d;
    xta_cell_range p;

    XTA_TRY(xta__find_dimension_axis(set, slab->dimension, slab->coordinates->member, &d, err));
    XTA_TRY(xta__values_convert(slab->coordinates, &d.what, values, err));
    XTA_TRY(xta__place(&d, values, false, &p, err));
    if (p.regular && !is_beside(&d.dimension, slab, &p)) {
        // With a gap; an append leaves none.
        XTA_TRY(xta__place(&d, values, true, &p, err));
    }
    if (!is_beside(&d.dimension, slab, &p) && !on_any_side(&d.dimension, values, &p)) {
        XTA_TRY(not_beside(&d, slab, values, &p, err));
    }
    // Those of the dimension itself go on by themselves only if it is them that were placed.
    if (d.dimension.coordinates == XTA_COORDINATES_REGULAR && !p.regular) {
        XTA_TRY(xta__dataset_list_regular(set, slab->dimension, err));
    }

done:
    return status;
}

/* Without coordinates: those that the dimension has must go on by themselves. */
static xta_status check_bare(xta_dataset *set, const xta_dimension *d, const xta_dataset_slab *slab,
                             xta_error *err)
{
    bool front = slab->side == XTA_FRONT;
    xta_error why = {0};

    if (d->coordinates == XTA_COORDINATES_LISTED) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: dimension %s has listed coordinates: give those of the new cells",
                         set->path, d->name);
    }
    if (d->coordinates != XTA_COORDINATES_REGULAR) {
        return XTA_OK;
    }
    xta_status status = xta_regular_check(&d->regular, front ? d->lo - slab->by : d->lo,
                                          front ? d->hi : d->hi + slab->by, &why);
    return status == XTA_OK
               ? XTA_OK
               : xta__fail(err, status, 0, "%s: dimension %s: %s", set->path, d->name, why.text);
}

static const xta_member_cells *cells_of(const xta_dataset_slab *slab, const char *member)
{
    for (size_t k = 0; k < slab->n_cells; k++) {
        if (strcmp(slab->cells[k].member, member) == 0) {
            return &slab->cells[k];
        }
    }
    return NULL;
}

/* Every member that gets cells is there, and grows. */
static xta_status check_cells(xta_dataset *set, const xta_dataset_slab *slab, const char *list,
                              xta_error *err)
{
    for (size_t k = 0; k < slab->n_cells; k++) {
        const char *name = slab->cells[k].member;
        const xta__member *member = xta__dataset_find_member(set, name);
        if (member == NULL && strcmp(name, slab->dimension) == 0 && list != NULL) {
            continue; // its regular coordinates become a list
        }
        if (member == NULL) {
            return xta__fail(err, XTA_ENOENT, 0, "%s: no member %s, which is to get cells",
                             set->path, name);
        }
        if (xta__dataset_axis_of(member->array, slab->dimension) < 0) {
            return xta__fail(err, XTA_EARG, 0,
                             "%s: member %s does not have the dimension %s, along which it is to "
                             "get cells",
                             set->path, name, slab->dimension);
        }
        if (list != NULL && strcmp(name, list) == 0) {
            return xta__fail(err, XTA_EARG, 0,
                             "%s: member %s lists the coordinates of the dimension: give them as "
                             "coordinates, not as cells",
                             set->path, name);
        }
    }
    return XTA_OK;
}

/* The member that gets the coordinates; NULL: none, they are regular. */
static const char *list_of(const xta_dataset_slab *slab, const xta_dimension *d)
{
    if (slab->coordinates != NULL && slab->coordinates->member != NULL) {
        return slab->coordinates->member;
    }
    return d->coordinates == XTA_COORDINATES_LISTED ? slab->dimension : NULL;
}

static xta_status grow(xta_dataset *set, const xta_dataset_slab *slab, const char *list,
                       const xta__values *values, xta_error *err)
{
    xta_status status = XTA_OK;
    int n = 0;
    xta_growth *growths = xta__calloc(set->n_members + 1, sizeof growths[0]);
    xta_append_member *members = xta__calloc(set->n_members + 1, sizeof members[0]);

    if (growths == NULL || members == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    for (size_t k = 0; k < set->n_members; k++) {
        xta_array *array = set->members[k].array;
        int axis = xta__dataset_axis_of(array, slab->dimension);
        if (axis < 0) {
            continue;
        }
        const xta_member_cells *cells = cells_of(slab, set->members[k].name);
        growths[n] = (xta_growth){axis, slab->side, slab->by};
        members[n] = (xta_append_member){.array = array, .growths = &growths[n], .n_growths = 1};
        if (list != NULL && strcmp(set->members[k].name, list) == 0) {
            members[n].cells = values->cells;
        } else if (cells != NULL) {
            members[n].options = cells->options;
            members[n].cells = cells->cells;
            members[n].fn = cells->fn;
            members[n].user = cells->user;
        }
        n++;
    }
    XTA_TRY(xta_arrays_append(members, n, NULL, err));

done:
    free(growths);
    free(members);
    return status;
}

/* A dimension without members has its bounds in the journal. */
static xta_status grow_free(xta_dataset *set, const xta_dimension *d, const xta_dataset_slab *slab,
                            xta_error *err)
{
    xta__bytes change = {0};
    xta_dimension grown = *d;

    grown.lo -= slab->side == XTA_FRONT ? slab->by : 0;
    grown.hi += slab->side == XTA_BACK ? slab->by : 0;
    xta__change_start(&change);
    xta__change_put_dimension(&change, &grown);
    return xta__dataset_commit(set, &change, err);
}

/* The bounds that the caller could know of each member that brings cells in memory, in the order of
 * `cells`; of 0 axes if it has not been opened, or brings none. The caller frees them. */
static xta_status note_bounds(xta_dataset *set, const xta_dataset_slab *slab, xta_box **out,
                              xta_error *err)
{
    xta_box *seen = xta__calloc(slab->n_cells + 1, sizeof seen[0]);

    *out = seen;
    if (seen == NULL) {
        return xta__dataset_no_memory(set, err);
    }
    pthread_mutex_lock(&set->lock);
    for (size_t k = 0; k < slab->n_cells; k++) {
        const xta__member *member = xta__dataset_find_member(set, slab->cells[k].member);
        if (member != NULL && member->array != NULL && slab->cells[k].cells != NULL) {
            seen[k] = xta_array_bounds(member->array);
        }
    }
    pthread_mutex_unlock(&set->lock);
    return XTA_OK;
}

/* A block in memory has the shape that its member had for the caller: were it read for other
 * bounds, cells would go astray, or beyond its end. */
static xta_status check_bounds(xta_dataset *set, const xta_dataset_slab *slab, const xta_box *seen,
                               xta_error *err)
{
    for (size_t k = 0; k < slab->n_cells; k++) {
        const char *name = slab->cells[k].member;
        xta_array *array = xta__dataset_find_member(set, name)->array;
        xta_box now = xta_array_bounds(array), same = seen[k];
        int axis = xta__dataset_axis_of(array, slab->dimension);
        if (seen[k].ndim == 0) {
            continue;
        }
        same.lo[axis] = now.lo[axis];
        same.hi[axis] = now.hi[axis];
        if (!xta_box_equal(&same, &now)) {
            return xta__fail(err, XTA_EBOX, 0,
                             "%s: another process has changed other dimensions of member %s "
                             "meanwhile; refresh, and append a slab of the new shape",
                             set->path, name);
        }
    }
    return XTA_OK;
}

static xta_status append_slab(xta_dataset *set, const xta_dataset_slab *slab, const xta_box *seen,
                              int64_t *lo, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_dimension *d = NULL;
    xta__values values = {0};

    XTA_TRY(xta__dataset_refresh_members(set, err));
    XTA_TRY(xta__dataset_find_dimension(set, slab->dimension, &d, err));
    // Before a dimension gets a list.
    XTA_TRY(check_cells(set, slab, list_of(slab, d), err));
    XTA_TRY(check_bounds(set, slab, seen, err));
    bool by_other = slab->coordinates != NULL && slab->coordinates->member != NULL;
    if (by_other && d->coordinates != 0 && cells_of(slab, slab->dimension) == NULL) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: dimension %s has coordinates of its own: give those of the new "
                          "cells, too, as cells of %s",
                          set->path, slab->dimension, slab->dimension));
    }
    if (slab->coordinates == NULL) {
        XTA_TRY(check_bare(set, d, slab, err));
    } else {
        XTA_TRY(place_slab(set, slab, &values, err));
        XTA_TRY(xta__dataset_find_dimension(set, slab->dimension, &d, err));
    }
    int64_t first = slab->side == XTA_BACK ? d->hi : d->lo - slab->by;
    if (d->n_members == 0) {
        XTA_TRY(grow_free(set, d, slab, err));
    } else {
        XTA_TRY(grow(set, slab, values.n > 0 ? list_of(slab, d) : NULL, &values, err));
    }
    if (lo != NULL) {
        *lo = first;
    }

done:
    xta__values_clear(&values);
    return status;
}

xta_status xta_dataset_append(xta_dataset *set, const xta_dataset_slab *slab, int64_t *lo,
                              xta_error *err)
{
    xta_box *seen = NULL;
    xta_status status = check_slab(set, slab, err);

    status = status == XTA_OK ? note_bounds(set, slab, &seen, err) : status;
    status = status == XTA_OK ? xta__dataset_change_migrated(set, err) : status;
    if (status == XTA_OK) {
        status = append_slab(set, slab, seen, lo, err);
        xta__dataset_change_end(set);
    }
    free(seen);
    return status;
}
