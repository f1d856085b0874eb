/* Coordinates in an import: no cell may get a coordinate that is not its own.
 *
 * For cells that the array already has, file and array must agree. If the array has coordinates,
 * new cells need some too, which must continue the array's in the same direction and without a gap.
 * An array without coordinates gets none, since those of its other cells are unknown. An array
 * without cells accepts any.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "description/import_coordinates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "description/coordinates.h"
#include "description/copy_attributes.h"
#include "description/description.h"
#include "description/placement.h"
#include "description/spread_attributes.h"
#include "util/try.h"

#define COMPANION "variable/"

/* One axis of the array, with its coordinates in the file and in the array. */
typedef struct axis_pair {
    xta_array *array;
    const char *source;
    const char *name; /* name of the axis */
    int axis;
    int64_t lo; /* the cells of the array to which the source's cells go */
    int64_t hi;
    const bridge_attribute *ours;
    const bridge_attribute *theirs;
    int64_t have_lo; /* cells of the array that have coordinates */
    int64_t have_hi;
    /* another variable of the source with coordinates of this axis; NULL: none */
    const bridge_attribute *other;
} axis_pair;

static xta_status only_one(const axis_pair *p, bool array_has, xta_error *err)
{
    return xta_error_set(
        err, XTA_EBOX, 0,
        "%s: axis %d (%s) has %s, in array %s it has %s; give %s the missing ones, "
        "or import without coordinates (--no-coordinates)",
        p->source, p->axis, p->name, array_has ? "no coordinates" : "coordinates",
        xta_array_path(p->array), array_has ? "some" : "none",
        array_has ? "the file" : "the array");
}

static xta_status check_list(const axis_pair *p, xta_error *err)
{
    size_t n = xta__coordinates_count(p->theirs);
    for (size_t k = 0; k < n; k++) {
        if (xta__coordinates_is_nan(p->theirs, k)) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: coordinate %zu of axis %d (%s) is NaN, which is no place; "
                                 "mend the file, or import without coordinates "
                                 "(--no-coordinates)",
                                 p->source, k, p->axis, p->name);
        }
    }
    if ((p->theirs->type == XTA_TEXT) != (p->ours->type == XTA_TEXT)) {
        return xta_error_set(err, XTA_ETYPE, 0,
                             "%s: coordinates of axis %d (%s) are %s, those of array %s are %s",
                             p->source, p->axis, p->name, xta_type_name(p->theirs->type),
                             xta_array_path(p->array), xta_type_name(p->ours->type));
    }
    return XTA_OK;
}

/* For cells that the array already has, both sides must have the same coordinates. */
static xta_status check_common(const axis_pair *p, xta_error *err)
{
    char one[80];
    char other[80];
    int64_t lo = p->lo > p->have_lo ? p->lo : p->have_lo;
    int64_t hi = p->hi < p->have_hi ? p->hi : p->have_hi;
    for (int64_t cell = lo; cell < hi; cell++) {
        size_t here = (size_t)(cell - p->ours->lo[0]);
        size_t there = (size_t)(cell - p->lo);
        size_t n = (size_t)(hi - cell);
        size_t k = xta__coordinates_differ(p->ours, here, p->theirs, there, n);
        if (k == n) {
            return XTA_OK;
        }
        cell += (int64_t)k;
        // else there is a gap, which is now filled
        if (!xta__coordinates_is_nan(p->ours, here + k)) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: coordinate %zu of axis %d (%s) is %s, but %s in array %s; "
                                 "the file is of other places or times, or belongs elsewhere in "
                                 "the array (--at)",
                                 p->source, there + k, p->axis, p->name,
                                 xta__coordinates_text(p->theirs, there + k, one),
                                 xta__coordinates_text(p->ours, here + k, other),
                                 xta_array_path(p->array));
        }
    }
    return XTA_OK;
}

static xta_status check_gap(const axis_pair *p, xta_error *err)
{
    if (p->lo <= p->have_hi && p->hi >= p->have_lo) {
        return XTA_OK;
    }
    long long lo = (long long)(p->lo > p->have_hi ? p->have_hi : p->hi);
    long long hi = (long long)(p->lo > p->have_hi ? p->lo : p->have_lo);
    return xta_error_set(err, XTA_EBOX, 0,
                         "%s: cells %lld:%lld of axis %d (%s) of array %s would have no "
                         "coordinates; give them some with xta attr, or import what is missing "
                         "first, or import without coordinates (--no-coordinates)",
                         p->source, lo, hi, p->axis, p->name, xta_array_path(p->array));
}

static double number_at(const bridge_attribute *a, int64_t k)
{
    return xta__attribute_number(a, (size_t)k, NAN);
}

static xta_status out_of_order(const axis_pair *p, int64_t item, bool back, int64_t edge,
                               xta_error *err)
{
    char one[80];
    char other[80];
    return xta_error_set(err, XTA_EBOX, 0,
                         "%s: coordinate %lld of axis %d (%s) is %s, which does not %s %s, the %s "
                         "of array %s; bring the files in the order of their coordinates",
                         p->source, (long long)item, p->axis, p->name,
                         xta__coordinates_text(p->theirs, (size_t)item, one),
                         back ? "follow" : "come before",
                         xta__coordinates_text(p->ours, (size_t)edge, other),
                         back ? "last" : "first", xta_array_path(p->array));
}

/* The new coordinates at one side, items [from, to) of the source's: strictly monotonic, and
 * continuing the array's. */
static xta_status check_side(const axis_pair *p, int64_t from, int64_t to, bool back, int direction,
                             xta_error *err)
{
    char text[80];
    size_t at = 0;
    if (from >= to || p->ours->type == XTA_TEXT || p->ours->type == XTA_BYTES) {
        return XTA_OK;
    }
    int theirs = xta__coordinates_direction(p->theirs, (size_t)from, (size_t)to, direction, &at);
    if (to - from > 1 && (theirs == 0 || (direction != 0 && theirs != direction))) {
        at = theirs == 0 ? at : (size_t)from + 1;
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: coordinate %zu of axis %d (%s) is %s and breaks the %s order of "
                             "array %s; sort the file, or import without coordinates "
                             "(--no-coordinates)",
                             p->source, at, p->axis, p->name,
                             xta__coordinates_text(p->theirs, at, text),
                             direction > 0   ? "ascending"
                             : direction < 0 ? "descending"
                                             : "strict",
                             xta_array_path(p->array));
    }
    int64_t item = back ? from : to - 1;
    int64_t edge = (back ? p->have_hi - 1 : p->have_lo) - p->ours->lo[0];
    double step = number_at(p->theirs, item) - number_at(p->ours, edge);
    step = back ? step : -step;
    bool good = theirs == 0 ? step != 0 : step * theirs > 0;
    return good ? XTA_OK : out_of_order(p, item, back, edge, err);
}

static xta_status check_new(const axis_pair *p, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t at = 0;
    size_t from = (size_t)(p->have_lo - p->ours->lo[0]);
    size_t to = (size_t)(p->have_hi - p->ours->lo[0]);
    int direction = xta__coordinates_direction(p->ours, from, to, 0, &at);
    if (to - from > 1 && direction == 0) {
        return XTA_OK; // the array's own coordinates have no order that could be kept
    }
    int64_t back = p->have_hi > p->lo ? p->have_hi - p->lo : 0;
    int64_t front = p->have_lo < p->hi ? p->have_lo - p->lo : p->hi - p->lo;
    XTA_TRY(check_side(p, back, p->hi - p->lo, true, direction, err));
    XTA_TRY(check_side(p, 0, front, false, direction, err));
done:
    return status;
}

/* Values of another type must keep their meaning when converted to the array's type. */
static xta_status check_type(const axis_pair *p, xta_error *err)
{
    xta_status status = XTA_OK;
    char text[80];
    const bridge_attribute *a = p->theirs;
    bridge_attribute ours = *a;
    if (a->type == p->ours->type || a->type == XTA_TEXT || a->type == XTA_BYTES) {
        return XTA_OK;
    }
    ours.type = p->ours->type;
    ours.cell_bytes = p->ours->cell_bytes;
    ours.values = malloc(a->count * ours.cell_bytes + 1);
    if (ours.values == NULL) {
        return xta__bridge_no_memory(p->source, err);
    }
    size_t bad = a->count;
    if (xta_type_convert(a->type, a->values, ours.type, ours.values, a->count, NULL) != XTA_OK) {
        bad = 0;
    }
    for (size_t k = 0; k < a->count && bad == a->count; k++) {
        double value = number_at(a, (int64_t)k);
        double step = fabs(value - number_at(a, k > 0 ? (int64_t)k - 1 : (int64_t)k + 1));
        step = isfinite(step) ? step : fabs(value);
        bad = fabs(value - number_at(&ours, (int64_t)k)) > 1e-6 * step ? k : bad;
    }
    if (bad < a->count) {
        status = xta_error_set(err, XTA_ETYPE, 0,
                               "%s: coordinates of axis %d (%s) are %s, those of array %s %s, "
                               "which cannot hold number %zu, %s; set the array's with xta attr as "
                               "%s first",
                               p->source, p->axis, p->name, xta_type_name(a->type),
                               xta_array_path(p->array), xta_type_name(ours.type), bad,
                               xta__coordinates_text(a, bad, text), xta_type_name(a->type));
    }
    free(ours.values);
    return status;
}

/* Find the cells that have coordinates; items beyond the bounds have no meaning. */
static void split_covered(axis_pair *p, const xta_box *bounds)
{
    int64_t lo = p->ours->lo[0];
    int64_t hi = p->ours->hi[0];
    p->have_lo = lo > bounds->lo[p->axis] ? lo : bounds->lo[p->axis];
    p->have_hi = hi < bounds->hi[p->axis] ? hi : bounds->hi[p->axis];
}

/* Whether the array's coordinates are themselves in order. */
static bool is_ordered(const axis_pair *p)
{
    size_t at = 0;
    size_t from = (size_t)(p->have_lo - p->ours->lo[0]);
    size_t to = (size_t)(p->have_hi - p->ours->lo[0]);
    return to - from < 2 || xta__coordinates_direction(p->ours, from, to, 1, &at) != 0;
}

/* Some models write the same number as the coordinate of every step, and the time in another
 * variable. So the order of an axis may come from another variable along it, and must do so if its
 * own numbers have no order. */
static xta_status check_order(const axis_pair *axis, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description kept;
    bridge_attribute *ours = NULL;
    axis_pair p = *axis;
    xta_box bounds = xta_array_bounds(axis->array);
    xta__description_init(&kept);
    if (axis->other != NULL) {
        XTA_TRY(xta__copy_attribute_from(axis->array, XTA_ON_ARRAY, axis->other->name, &kept, &ours,
                                         err));
    }
    p.theirs = axis->other;
    p.ours = ours;
    if (ours != NULL && ours->ndim == 1) {
        split_covered(&p, &bounds);
        p.name = axis->other->name + strlen(COMPANION);
    }
    bool other = ours != NULL && ours->ndim == 1 && p.have_lo < p.have_hi && is_ordered(&p) &&
                 check_gap(&p, NULL) == XTA_OK;
    if (!other) {
        status = check_new(axis, err);
    } else if (!is_ordered(axis)) {
        status = check_new(&p, err);
    } else if (check_new(&p, NULL) != XTA_OK) {
        status = check_new(axis, err);
    }
done:
    xta__description_clear(&kept);
    return status;
}

/* Check the coordinates of one axis; `theirs` is NULL if the source has none. */
static xta_status agree_on_axis(axis_pair *p, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description kept;
    bridge_attribute *ours = NULL;
    xta_box bounds = xta_array_bounds(p->array);
    xta__description_init(&kept);
    XTA_TRY(xta__copy_attribute_from(p->array, p->axis, BRIDGE_VALUES, &kept, &ours, err));
    p->ours = ours;
    if (ours != NULL && ours->ndim == 0) {
        status = xta_error_set(err, XTA_EBOX, 0,
                               "%s: axis %d (%s) of array %s has a list of %zu coordinates, which "
                               "is not its length; set it anew or remove it with xta attr",
                               p->source, p->axis, p->name, xta_array_path(p->array),
                               xta__coordinates_count(ours));
        goto done;
    }
    if (ours != NULL) {
        split_covered(p, &bounds);
    }
    bool have = ours != NULL && p->have_lo < p->have_hi;
    if (!have || p->theirs == NULL) {
        bool array_cells = bounds.lo[p->axis] < bounds.hi[p->axis] && !xta_box_empty(&bounds);
        bool one = have || (p->theirs != NULL && array_cells);
        status = one ? only_one(p, have, err) : XTA_OK;
        goto done;
    }
    XTA_TRY(check_list(p, err));
    XTA_TRY(check_type(p, err));
    XTA_TRY(check_common(p, err));
    XTA_TRY(check_gap(p, err));
    XTA_TRY(check_order(p, err));
done:
    xta__description_clear(&kept);
    return status;
}

/* On an axis that the source lacks, it covers one cell, by which the axis may grow. */
static xta_status agree_on_missing(xta_array *array, int axis, int64_t at, const char *source,
                                   xta_error *err)
{
    xta_attribute ours;
    xta_box bounds = xta_array_bounds(array);
    bool inside = at >= bounds.lo[axis] && at < bounds.hi[axis];
    axis_pair p = {
        .array = array, .source = source, .name = xta_axis_name(array, axis), .axis = axis};
    p.lo = at;
    p.hi = at + 1;
    if (inside || xta_attribute_get(array, axis, BRIDGE_VALUES, &ours, NULL) != XTA_OK) {
        return XTA_OK;
    }
    return agree_on_axis(&p, err);
}

/* ---- coordinates of more than one axis, and bounds of cells ---- */

static bool is_companion(const bridge_attribute *a)
{
    size_t n = strlen(COMPANION);
    return a->axis < 0 && a->ndim > 0 && strncmp(a->name, COMPANION, n) == 0 &&
           strchr(a->name + n, '/') == NULL;
}

/* Cut the items of a box into an attribute of their own; the caller frees its values. */
static bridge_attribute cut_items(const bridge_attribute *a, const int64_t lo[], const int64_t hi[])
{
    bridge_attribute part = *a;
    part.values = xta__spread_cut(a, NULL, lo, hi, &part.count);
    return part;
}

/* If both sides have the variable, its items must be equal for the cells that both cover. */
static xta_status compare_companion(xta_array *array, const bridge_attribute *ours,
                                    const bridge_attribute *theirs, const char *source,
                                    xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box bounds = xta_array_bounds(array);
    int64_t lo[BRIDGE_SPREAD_NDIM];
    int64_t hi[BRIDGE_SPREAD_NDIM];
    char one[80];
    char other[80];
    for (int d = 0; d < ours->ndim && ours->ndim == theirs->ndim; d++) {
        int axis = ours->along[d];
        lo[d] = ours->lo[d] > theirs->lo[d] ? ours->lo[d] : theirs->lo[d];
        hi[d] = ours->hi[d] < theirs->hi[d] ? ours->hi[d] : theirs->hi[d];
        lo[d] = axis >= 0 && lo[d] < bounds.lo[axis] ? bounds.lo[axis] : lo[d];
        hi[d] = axis >= 0 && hi[d] > bounds.hi[axis] ? bounds.hi[axis] : hi[d];
    }
    if (ours->ndim != theirs->ndim || xta__spread_items(ours->ndim, lo, hi) == 0) {
        return XTA_OK; // nothing in common; different axes are refused when they are merged
    }
    bridge_attribute a = cut_items(ours, lo, hi);
    bridge_attribute b = cut_items(theirs, lo, hi);
    if (a.values == NULL || b.values == NULL) {
        status = xta__bridge_no_memory(source, err);
        goto done;
    }
    size_t n = xta__coordinates_count(&a);
    size_t k = xta__coordinates_differ(&a, 0, &b, 0, n);
    if (k < n) {
        status = xta_error_set(err, XTA_EBOX, 0,
                               "%s: item %zu of %s is %s, but %s on the same cells of array %s; "
                               "the file is of other places or times",
                               source, k, theirs->name + strlen(COMPANION),
                               xta__coordinates_text(&b, k, one),
                               xta__coordinates_text(&a, k, other), xta_array_path(array));
    }
done:
    free(a.values);
    free(b.values);
    return status;
}

static bool leaves(const bridge_attribute *a, const xta_box *bounds)
{
    bool outside = false;
    for (int d = 0; d < a->ndim; d++) {
        int axis = a->along[d];
        outside =
            outside || (axis >= 0 && (a->lo[d] < bounds->lo[axis] || a->hi[d] > bounds->hi[axis]));
    }
    return outside;
}

static xta_status agree_on_companion(xta_array *array, const bridge_attribute *theirs,
                                     const int axes[], const int64_t at[], const char *source,
                                     xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description kept;
    bridge_attribute *ours = NULL;
    bridge_attribute moved = *theirs;
    xta_box bounds = xta_array_bounds(array);
    xta__description_init(&kept);
    for (int d = 0; d < moved.ndim; d++) {
        if (moved.along[d] >= 0) {
            moved.along[d] = axes[moved.along[d]];
            moved.lo[d] += at[moved.along[d]];
            moved.hi[d] += at[moved.along[d]];
        }
    }
    XTA_TRY(xta__copy_attribute_from(array, XTA_ON_ARRAY, theirs->name, &kept, &ours, err));
    if (ours != NULL && ours->ndim > 0) {
        status = compare_companion(array, ours, &moved, source, err);
    } else if (!xta_box_empty(&bounds) && leaves(&moved, &bounds)) {
        status = xta_error_set(err, XTA_EBOX, 0,
                               "%s: has %s for its cells, array %s has none for those that are "
                               "there; import without coordinates (--no-coordinates)",
                               source, theirs->name + strlen(COMPANION), xta_array_path(array));
    }
done:
    xta__description_clear(&kept);
    return status;
}

/* A variable of the array with items along a growing axis that the source lacks. */
static xta_status check_lacking(xta_array *array, const bridge_description *what,
                                const bridge_attribute *ours, const int axes[], const int64_t at[],
                                const char *source, xta_error *err)
{
    xta_box bounds = xta_array_bounds(array);
    bool grows = false;
    for (int k = 0; k < what->ndim; k++) {
        int64_t lo = at[axes[k]];
        bool leaves_axis = lo < bounds.lo[axes[k]] || lo + what->bounds[k] > bounds.hi[axes[k]];
        for (int d = 0; d < ours->ndim; d++) {
            grows = grows || (leaves_axis && ours->along[d] == axes[k]);
        }
    }
    if (!grows || xta__description_find(what, XTA_ON_ARRAY, ours->name) != NULL) {
        return XTA_OK;
    }
    return xta_error_set(err, XTA_EBOX, 0,
                         "%s: has no %s, which array %s has for each of its cells; import without "
                         "coordinates (--no-coordinates)",
                         source, ours->name + strlen(COMPANION), xta_array_path(array));
}

static xta_status agree_on_companions(xta_array *array, const bridge_description *what,
                                      const int axes[], const int64_t at[], const char *source,
                                      xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description kept;
    xta_attribute found;
    xta__description_init(&kept);
    for (size_t k = 0; k < what->n_attributes; k++) {
        if (is_companion(&what->attributes[k])) {
            XTA_TRY(agree_on_companion(array, &what->attributes[k], axes, at, source, err));
        }
    }
    for (size_t k = 0; k < xta_attribute_count(array, XTA_ON_ARRAY); k++) {
        bridge_attribute *ours = NULL;
        if (xta_attribute_at(array, XTA_ON_ARRAY, k, &found, NULL) != XTA_OK ||
            strncmp(found.name, COMPANION, strlen(COMPANION)) != 0 ||
            strchr(found.name + strlen(COMPANION), '/') != NULL) {
            continue;
        }
        XTA_TRY(xta__copy_attribute_from(array, XTA_ON_ARRAY, found.name, &kept, &ours, err));
        if (ours != NULL) {
            XTA_TRY(check_lacking(array, what, ours, axes, at, source, err));
        }
    }
done:
    xta__description_clear(&kept);
    return status;
}

/* ---- all of them ---- */

/* Whether a text names a variable, in the way CF's `coordinates` does. */
static bool text_names(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = text; at != NULL && (at = strstr(at, name)) != NULL; at += n) {
        bool begins = at == text || at[-1] == ' ';
        if (begins && (at[n] == ' ' || at[n] == '\0')) {
            return true;
        }
    }
    return false;
}

/* The first other numeric variable along this axis of the source that `coordinates` names; NULL:
 * none. */
static const bridge_attribute *other_along(const bridge_description *what, int along)
{
    const char *listed = xta__description_text(what, XTA_ON_ARRAY, "coordinates");
    for (size_t k = 0; k < what->n_attributes; k++) {
        const bridge_attribute *a = &what->attributes[k];
        if (is_companion(a) && a->ndim == 1 && a->along[0] == along && a->type != XTA_TEXT &&
            text_names(listed, a->name + strlen(COMPANION))) {
            return a;
        }
    }
    return NULL;
}

xta_status xta__coordinates_check(xta_array *array, const bridge_description *what,
                                  const int axes[], const int64_t at[], const char *source,
                                  xta_error *err)
{
    xta_status status = XTA_OK;
    bool has[XTA_MAX_NDIM] = {false};
    for (int k = 0; k < what->ndim; k++) {
        const bridge_attribute *theirs = xta__description_find(what, k, BRIDGE_VALUES);
        int64_t lo = at[axes[k]];
        axis_pair p = {.array = array, .source = source, .axis = axes[k]};
        p.name = xta_axis_name(array, axes[k]);
        p.lo = lo;
        p.hi = lo + what->bounds[k];
        p.other = other_along(what, k);
        p.theirs = theirs != NULL && theirs->ndim == 1 ? theirs : NULL;
        has[axes[k]] = true;
        XTA_TRY(agree_on_axis(&p, err));
    }
    for (int axis = 0; axis < xta_array_ndim(array); axis++) {
        if (!has[axis]) {
            XTA_TRY(agree_on_missing(array, axis, at[axis], source, err));
        }
    }
    XTA_TRY(agree_on_companions(array, what, axes, at, source, err));
    XTA_TRY(xta__placement_check(array, what, axes, at, source, err));
done:
    return status;
}
