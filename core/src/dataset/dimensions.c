/* Dimensions: axes of members that have the same name, and what was set about them.
 *
 * Their bounds are not kept anywhere: they are those of the members, which grow in one step. So two
 * members can disagree only if one of them was grown by itself, and then nothing is guessed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/dimensions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dataset/listing.h"
#include "util/text.h"
#include "util/vector.h"

int xta__dataset_axis_of(xta_array *array, const char *dimension)
{
    for (int axis = 0; axis < xta_array_ndim(array); axis++) {
        if (strcmp(xta_axis_name(array, axis), dimension) == 0) {
            return axis;
        }
    }
    return -1;
}

static xta_dimension *find(const xta_dataset *set, const char *name)
{
    for (size_t k = 0; k < set->n_dimensions; k++) {
        if (strcmp(set->dimensions[k].name, name) == 0) {
            return &set->dimensions[k];
        }
    }
    return NULL;
}

const xta_dimension *xta__dataset_known_dimension(const xta_dataset *set, const char *name)
{
    return find(set, name);
}

static xta_status add(xta_dataset *set, const xta_dimension *dimension, xta_error *err)
{
    if (!XTA__RESERVE(set->dimensions, set->dimensions_capacity, set->n_dimensions + 1)) {
        return xta__dataset_no_memory(set, err);
    }
    set->dimensions[set->n_dimensions++] = *dimension;
    return XTA_OK;
}

/* The member that gave a dimension its bounds, for a message. */
static const char *first_with(xta_dataset *set, const char *dimension)
{
    for (size_t k = 0; k < set->n_members; k++) {
        if (xta__dataset_axis_of(set->members[k].array, dimension) >= 0) {
            return set->members[k].name;
        }
    }
    return "";
}

static xta_status disagree(xta_dataset *set, const xta_dimension *d, const char *member, int64_t lo,
                           int64_t hi, xta_error *err)
{
    return xta__fail(err, XTA_EBOX, 0,
                     "%s: dimension %s is [%" PRId64 ", %" PRId64 ") in %s and [%" PRId64
                     ", %" PRId64 ") in %s; extend or shrink one of them, or rename its axis",
                     set->path, d->name, d->lo, d->hi, first_with(set, d->name), lo, hi, member);
}

static xta_status add_axis(xta_dataset *set, const xta__member *member, int axis, xta_error *err)
{
    const char *name = xta_axis_name(member->array, axis);
    xta_box bounds = xta_array_bounds(member->array);
    int64_t lo = bounds.lo[axis], hi = bounds.hi[axis];

    if (name[0] == '\0') {
        return XTA_OK;
    }
    xta_dimension *d = find(set, name);
    if (d == NULL) {
        const xta_dimension fresh = {.name = name, .lo = lo, .hi = hi, .n_members = 1};
        return add(set, &fresh, err);
    }
    if (d->n_members++ == 0) {
        d->lo = lo;
        d->hi = hi;
    } else if (d->lo != lo || d->hi != hi) {
        return disagree(set, d, member->name, lo, hi, err);
    }
    return XTA_OK;
}

/* A member with the one axis of its own name lists the coordinates of that dimension. */
static void note_listed(xta_dataset *set, const xta__member *member)
{
    xta_dimension *d = find(set, member->name);

    if (d != NULL && xta_array_ndim(member->array) == 1 &&
        strcmp(xta_axis_name(member->array, 0), member->name) == 0) {
        d->coordinates = XTA_COORDINATES_LISTED;
    }
}

xta_status xta__dataset_know_dimensions(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;

    set->n_dimensions = 0;
    for (size_t k = 0; k < set->entries.n; k++) {
        if (set->entries.items[k]->kind == XTA__ENTRY_DIMENSION) {
            XTA_TRY(add(set, &set->entries.items[k]->dimension, err));
        }
    }
    for (size_t k = 0; k < set->n_members; k++) {
        XTA_TRY(xta__dataset_open_member(set, &set->members[k], err));
        for (int axis = 0; axis < xta_array_ndim(set->members[k].array); axis++) {
            XTA_TRY(add_axis(set, &set->members[k], axis, err));
        }
    }
    for (size_t k = 0; k < set->n_members; k++) {
        note_listed(set, &set->members[k]);
    }

done:
    return status;
}

xta_status xta__dataset_find_dimension(xta_dataset *set, const char *name,
                                       const xta_dimension **dimension, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__text names = {0};

    *dimension = NULL;
    XTA_TRY(xta__dataset_know_dimensions(set, err));
    *dimension = find(set, name);
    if (*dimension == NULL) {
        for (size_t k = 0; k < set->n_dimensions; k++) {
            xta__text_printf(&names, "%s%s", k > 0 ? ", " : "", set->dimensions[k].name);
        }
        char *list = xta__text_detach(&names);
        status = xta__fail(err, XTA_ENOENT, 0, "%s: no dimension %s; there are: %.300s", set->path,
                           name, list != NULL ? list : "");
        free(list);
    }

done:
    xta__text_clear(&names);
    return status;
}

xta_status xta_dataset_dimension_count(xta_dataset *set, size_t *count, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    pthread_mutex_lock(&set->lock);
    XTA_TRY(xta__dataset_begin(set, err));
    XTA_TRY(xta__dataset_know_dimensions(set, err));
    *count = set->n_dimensions;

done:
    pthread_mutex_unlock(&set->lock);
    return status;
}

xta_status xta_dataset_dimension_at(xta_dataset *set, size_t k, xta_dimension *dimension,
                                    xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    pthread_mutex_lock(&set->lock);
    XTA_TRY(xta__dataset_begin(set, err));
    XTA_TRY(xta__dataset_know_dimensions(set, err));
    if (k >= set->n_dimensions) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: dimension %zu: there are %zu", set->path, k,
                          set->n_dimensions));
    }
    *dimension = set->dimensions[k];

done:
    pthread_mutex_unlock(&set->lock);
    return status;
}

xta_status xta_dataset_dimension(xta_dataset *set, const char *name, xta_dimension *dimension,
                                 xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_dimension *found = NULL;

    xta__clear(err);
    pthread_mutex_lock(&set->lock);
    XTA_TRY(xta__dataset_begin(set, err));
    XTA_TRY(xta__dataset_find_dimension(set, name, &found, err));
    *dimension = *found;

done:
    pthread_mutex_unlock(&set->lock);
    return status;
}
