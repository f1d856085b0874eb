/* The cells to which coordinates belong.
 *
 * Naive: compare each value with each coordinate. Since both are in order, one search places the
 * first value, and the others follow it; regular coordinates need one division.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "placement/place.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "dataset/dimensions.h"
#include "dataset/listing.h"

/* ---- what a dimension has ---- */

/* A text attribute of the dimension; "" if there is none. */
static const char *text_of(const xta_dataset *set, const xta__dimension_axis *d, const char *name)
{
    xta_attribute a;

    if (d->list == NULL) {
        const xta__entry *e =
            xta__entries_find(&set->entries, XTA__ENTRY_ATTRIBUTE, d->dimension.name, name);
        return e != NULL && e->attribute.type == XTA_TEXT ? e->attribute.values : "";
    }
    if (xta_attribute_get(d->list, XTA_ON_ARRAY, name, &a, NULL) == XTA_OK && a.type == XTA_TEXT) {
        return a.values;
    }
    return strcmp(name, "units") == 0 ? xta_axis_unit(d->list, 0) : "";
}

/* The list: the dimension's own, or another member. NULL: it has none. */
static xta_status find_list(xta_dataset *set, const xta_dimension *d, const char *name,
                            xta_array **list, xta_error *err)
{
    const char *own = d->coordinates == XTA_COORDINATES_LISTED ? d->name : NULL;
    const xta__member *member = name != NULL || own != NULL
                                    ? xta__dataset_find_member(set, name != NULL ? name : own)
                                    : NULL;

    *list = member != NULL ? member->array : NULL;
    if (name != NULL && (*list == NULL || xta_array_ndim(*list) != 1 ||
                         xta__dataset_axis_of(*list, d->name) != 0)) {
        return xta__fail(err, XTA_ENOENT, 0,
                         "%s: no member %s(%s) lists coordinates of this dimension", set->path,
                         name, d->name);
    }
    return XTA_OK;
}

xta_status xta__find_dimension_axis(xta_dataset *set, const char *name, const char *member,
                                    xta__dimension_axis *out, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_dimension *found = NULL;

    XTA_TRY(xta__dataset_find_dimension(set, name, &found, err));
    *out = (xta__dimension_axis){.dimension = *found};
    XTA_TRY(find_list(set, found, member, &out->list, err));
    if (out->list == NULL && found->coordinates != XTA_COORDINATES_REGULAR) {
        XTA_TRY(
            xta__fail(err, XTA_ENOENT, 0, "%s: dimension %s has no coordinates", set->path, name));
    }
    xta_type type = out->list != NULL ? xta_array_type(out->list) : found->regular.type;
    out->what = (xta__values_wanted){
        .path = set->path,
        .dimension = found->name,
        .type = type,
        .cell_bytes = out->list != NULL ? xta_array_cell_bytes(out->list) : xta_type_bytes(type),
        .unit = text_of(set, out, "units"),
        .calendar = text_of(set, out, "calendar"),
    };

done:
    return status;
}

/* The coordinates of all cells. */
static xta_status read_all(const xta__dimension_axis *d, xta__values *out, xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t n = d->dimension.hi - d->dimension.lo;
    xta_box box = {.ndim = 1, .lo = {d->dimension.lo}, .hi = {d->dimension.hi}};
    void *cells = xta__calloc((size_t)n + 1, d->what.cell_bytes);

    if (cells == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: dimension %s: no memory for its coordinates",
                         d->what.path, d->what.dimension);
    }
    if (d->list == NULL) {
        xta_regular_values(&d->dimension.regular, box.lo[0], box.hi[0], cells);
    } else if (n > 0) {
        status = xta_array_read(d->list, &box, NULL, cells, err);
    }
    if (status != XTA_OK) {
        free(cells);
        return status;
    }
    return xta__values_own(&d->what, cells, n, out, err);
}

/* ---- regular coordinates ---- */

/* Whether the cell has exactly this coordinate. */
static bool is_at(const xta_regular *r, const xta__values *v, int64_t k, int64_t cell)
{
    if (xta_regular_check(r, cell, cell + 1, NULL) != XTA_OK) {
        return false;
    }
    xta_coordinate there = xta_regular_at(r, cell);
    xta_coordinate wanted = v->numbers[k];
    // -0 is not 0: its bits would come back as others.
    return v->whole ? there.i == wanted.i
                    : there.f == wanted.f && signbit(there.f) == signbit(wanted.f);
}

/* The cell with the coordinate of value k. False: there is none. */
static bool find_regular(const xta_regular *r, const xta__values *v, int64_t k, int64_t *cell)
{
    int64_t near = 0, way = 0;

    if (v->whole) {
        if (__builtin_sub_overflow(v->numbers[k].i, r->origin.i, &way) || way % r->step.i != 0) {
            return false;
        }
        *cell = way / r->step.i;
        return *cell > -XTA__COORD_LIMIT && *cell < XTA__COORD_LIMIT && is_at(r, v, k, *cell);
    }
    double c = nearbyint((v->numbers[k].f - r->origin.f) / r->step.f);
    if (!(fabs(c) < 0.5 * (double)XTA__COORD_LIMIT)) {
        return false;
    }
    near = (int64_t)c;
    for (int64_t d = -1; d <= 1; d++) {
        if (is_at(r, v, k, near + d)) {
            *cell = near + d;
            return true;
        }
    }
    return false;
}

static bool place_regular(const xta__dimension_axis *d, const xta__values *v, xta_cell_range *out)
{
    const xta_regular *r = &d->dimension.regular;
    int64_t first = 0;

    if (!find_regular(r, v, 0, &first)) {
        return false;
    }
    for (int64_t k = 1; k < v->n; k++) {
        if (!is_at(r, v, k, first + k)) {
            return false;
        }
    }
    *out = (xta_cell_range){.lo = first, .hi = first + v->n, .regular = true};
    return true;
}

/* ---- listed coordinates ---- */

/* 1: strictly ascending, -1: strictly descending, 0: fewer than two. False: neither. */
static bool find_direction(const xta__values *v, int *direction, int64_t *wrong)
{
    *direction = v->n < 2 ? 0 : xta__values_compare(v, 1, v, 0);
    for (int64_t k = 1; k < v->n; k++) {
        if (xta__values_compare(v, k, v, k - 1) != *direction || *direction == 0) {
            *wrong = k;
            return false;
        }
    }
    return true;
}

static const char *direction_name(int direction)
{
    return direction > 0 ? "ascending" : "descending";
}

static xta_status check_order(const xta__dimension_axis *d, const xta__values *v,
                              const xta__values *there, int *direction, xta_error *err)
{
    char a[XTA__VALUE_TEXT_BYTES], b[XTA__VALUE_TEXT_BYTES];
    int have = 0, come = 0;
    int64_t k = 0;

    if (!find_direction(v, &come, &k)) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: dimension %s: coordinates are to be strictly ascending or "
                         "descending; number %" PRId64 " is %s after %s",
                         d->what.path, d->what.dimension, k, xta__value_text(v, k, a),
                         xta__value_text(v, k - 1, b));
    }
    if (!find_direction(there, &have, &k)) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: dimension %s: its coordinates are in no order (%s after %s), so none "
                         "can be placed",
                         d->what.path, d->what.dimension, xta__value_text(there, k, a),
                         xta__value_text(there, k - 1, b));
    }
    if (have * come < 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: dimension %s: the new coordinates are %s, those of the dimension %s; "
                         "reverse them",
                         d->what.path, d->what.dimension, direction_name(come),
                         direction_name(have));
    }
    *direction = have != 0 ? have : come != 0 ? come : 1;
    return XTA_OK;
}

/* The first of n values that is not before value k of `v`, in the direction. */
static int64_t search(const xta__values *there, const xta__values *v, int64_t k, int direction)
{
    int64_t lo = 0, hi = there->n;

    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if (direction * xta__values_compare(there, mid, v, k) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* Value k belongs beside other coordinates than it would have. */
static xta_status misfit(const xta__dimension_axis *d, const xta__values *v, int64_t k,
                         const xta__values *there, int64_t at, xta_error *err)
{
    char a[XTA__VALUE_TEXT_BYTES], b[XTA__VALUE_TEXT_BYTES];
    int64_t cell = d->dimension.lo + at;

    if (at >= there->n) {
        return xta__fail(err, XTA_EBOX, 0, "%s: dimension %s: %s is out of order", d->what.path,
                         d->what.dimension, xta__value_text(v, k, a));
    }
    return xta__fail(err, XTA_EBOX, 0,
                     "%s: dimension %s: coordinate %" PRId64 " is %s, but cell %" PRId64
                     " has %s: new coordinates go on behind the last or before the first cell, or "
                     "are equal to those that are there; nothing can be put between cells",
                     d->what.path, d->what.dimension, k, xta__value_text(v, k, a), cell,
                     xta__value_text(there, at, b));
}

/* Values that overlap with those that are there: value k at cell `first` + k of `there`. */
static xta_status place_over(const xta__dimension_axis *d, const xta__values *v,
                             const xta__values *there, int64_t first, xta_cell_range *out,
                             xta_error *err)
{
    for (int64_t k = first < 0 ? -first : 0; k < v->n && first + k < there->n; k++) {
        if (xta__values_compare(v, k, there, first + k) != 0) {
            return misfit(d, v, k, there, first + k, err);
        }
    }
    int64_t lo = d->dimension.lo + first;
    *out = (xta_cell_range){.lo = lo, .hi = lo + v->n};
    return XTA_OK;
}

static xta_status place_numbers(const xta__dimension_axis *d, const xta__values *v,
                                const xta__values *there, xta_cell_range *out, xta_error *err)
{
    int direction = 1;
    xta_status status = check_order(d, v, there, &direction, err);

    if (status != XTA_OK) {
        return status;
    }
    if (there->n == 0) {
        return place_over(d, v, there, 0, out, err);
    }
    int64_t first = search(there, v, 0, direction);
    if (first > 0 || xta__values_compare(v, 0, there, 0) == 0) {
        return place_over(d, v, there, first, out, err);
    }
    // The first value lies before all others: how many of them do?
    return place_over(d, v, there, -search(v, there, 0, direction), out, err);
}

/* Names have no order: they are there, one after the other, or they are new. */
static xta_status place_names(const xta__dimension_axis *d, const xta__values *v,
                              const xta__values *there, xta_cell_range *out, xta_error *err)
{
    char a[XTA__VALUE_TEXT_BYTES];
    int64_t first = 0;

    while (first < there->n && xta__values_compare(v, 0, there, first) != 0) {
        first++;
    }
    for (int64_t k = 0; k < v->n; k++) {
        for (int64_t j = 0; j < there->n; j++) {
            if (j != first + k && xta__values_compare(v, k, there, j) == 0) {
                return xta__fail(err, XTA_EBOX, 0,
                                 "%s: dimension %s: the name %s is that of cell %" PRId64
                                 ", and would be that of cell %" PRId64 ", too",
                                 d->what.path, d->what.dimension, xta__value_text(v, k, a),
                                 d->dimension.lo + j, d->dimension.lo + first + k);
            }
        }
    }
    return place_over(d, v, there, first, out, err);
}

xta_status xta__place(const xta__dimension_axis *d, const xta__values *v, bool next,
                      xta_cell_range *out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__values there = {0};

    if (d->list == NULL && !next && place_regular(d, v, out)) {
        return XTA_OK;
    }
    XTA_TRY(read_all(d, &there, err));
    XTA_TRY(v->numbers == NULL ? place_names(d, v, &there, out, err)
                               : place_numbers(d, v, &there, out, err));

done:
    xta__values_clear(&there);
    return status;
}

xta_status xta_dataset_place(xta_dataset *set, const char *dimension,
                             const xta_new_coordinates *coordinates, xta_cell_range *placement,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    xta__dimension_axis d;
    xta__values values = {0};

    xta__clear(err);
    pthread_mutex_lock(&set->lock);
    XTA_TRY(xta__dataset_begin(set, err));
    XTA_TRY(xta__find_dimension_axis(set, dimension, coordinates->member, &d, err));
    XTA_TRY(xta__values_convert(coordinates, &d.what, &values, err));
    XTA_TRY(xta__place(&d, &values, false, placement, err));

done:
    pthread_mutex_unlock(&set->lock);
    xta__values_clear(&values);
    return status;
}
