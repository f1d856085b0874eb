/* Attributes copied between a description and an array.
 *
 * On an array, a spread attribute NAME is kept as two attributes: NAME has its items, and NAME//box
 * the box that they cover: lo and hi of each of its axes. A third, NAME//dimensions, lists the
 * dimensions, one name on each line, unless the attribute is simply spread along the axis that it
 * belongs to. Extending a spread attribute takes two journal records, and a reader may read between
 * them. So NAME//box is set first, to the old box followed by the new one, and the box in force is
 * the last one whose number of items is that of NAME. Both are set before the array itself grows,
 * so a cell always has its item; items beyond the bounds have no meaning.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "description/copy_attributes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/placement.h"
#include "description/spread_attributes.h"
#include "util/text.h"
#include "util/try.h"

#define BOX        "//box"
#define DIMENSIONS "//dimensions"
#define NAME_BYTES 300

/* Read an attribute that may be absent. */
static bool find_attribute(xta_array *array, int axis, const char *name, xta_attribute *a)
{
    return xta_attribute_get(array, axis, name, a, NULL) == XTA_OK;
}

static const char *joined_name(const char *name, const char *ending, char text[NAME_BYTES])
{
    snprintf(text, NAME_BYTES, "%s%s", name, ending);
    return text;
}

/* Whether an attribute states the placement of another one. An attribute whose whole name is
 * "//box" is an ordinary one. */
static bool is_placement(const char *name)
{
    return (xta__ends_with(name, BOX) && strlen(name) > strlen(BOX)) ||
           (xta__ends_with(name, DIMENSIONS) && strlen(name) > strlen(DIMENSIONS));
}

static int axis_called(xta_array *array, const char *name, size_t length)
{
    for (int axis = 0; axis < xta_array_ndim(array); axis++) {
        const char *other = xta_axis_name(array, axis);
        if (strlen(other) == length && length > 0 && memcmp(other, name, length) == 0) {
            return axis;
        }
    }
    return -1;
}

static size_t n_items(const bridge_attribute *a)
{
    return a->type == XTA_TEXT ? xta__text_n_lines(a->values, a->count) : a->count;
}

/* Read the axes of a spread attribute: the axis it belongs to, or those that NAME//dimensions
 * lists. */
static bool read_dimensions(xta_array *array, bridge_attribute *a)
{
    char key[NAME_BYTES];
    xta_attribute found;
    if (!find_attribute(array, a->axis, joined_name(a->name, DIMENSIONS, key), &found)) {
        a->ndim = a->axis >= 0 ? 1 : 0;
        a->along[0] = a->axis;
        return true;
    }
    if (found.type != XTA_TEXT) {
        return true;
    }
    size_t n = xta__text_n_lines(found.values, found.count);
    for (size_t d = 0; d < n && d < BRIDGE_SPREAD_NDIM; d++) {
        size_t length;
        const char *line = xta__text_line(found.values, d, &length);
        a->along[d] = axis_called(array, line, length);
        a->own[d] = calloc(length + 1, 1);
        if (a->own[d] == NULL) {
            return false;
        }
        memcpy(a->own[d], line, length);
        a->ndim = (int)d + 1;
    }
    return true;
}

/* Set the last box in the list that has as many items as the attribute; if there is none, the
 * attribute is not spread. */
static void read_box(bridge_attribute *a, const xta_attribute *list)
{
    size_t length = 2 * (size_t)a->ndim;
    const int64_t *numbers = list->values;
    size_t n_boxes = a->ndim > 0 && list->type == XTA_I64 ? list->count / length : 0;
    for (size_t k = n_boxes; k-- > 0;) {
        for (int d = 0; d < a->ndim; d++) {
            memcpy(&a->lo[d], numbers + k * length + 2 * (size_t)d, sizeof a->lo[d]);
            memcpy(&a->hi[d], numbers + k * length + 2 * (size_t)d + 1, sizeof a->hi[d]);
        }
        if (xta__spread_items(a->ndim, a->lo, a->hi) == n_items(a)) {
            return;
        }
    }
    a->ndim = 0;
}

/* Names of axis attributes that are lists with an item for each cell. */
static bool is_list(const char *name)
{
    static const char *const names[] = {"values",     "wavelength",  "wavelengths",
                                        "fwhm",       "bbl",         "gdal/description",
                                        "gdal/unit",  "gdal/color",  "gdal/band_nodata",
                                        "gdal/scale", "gdal/offset", NULL};
    for (int k = 0; names[k] != NULL; k++) {
        if (strcmp(names[k], name) == 0) {
            return true;
        }
    }
    return false;
}

/* End the last line of a list with a newline, which a list that was set by hand lacks. */
static bool end_last_line(bridge_attribute *a)
{
    const char *text = a->values;
    if (a->count == 0 || text[a->count - 1] == '\n') {
        return true;
    }
    char *longer = realloc(a->values, a->count + 2);
    if (longer == NULL) {
        return false;
    }
    longer[a->count++] = '\n';
    longer[a->count] = '\0';
    a->values = longer;
    return true;
}

/* Make `a`, whose values have been read, a spread attribute if it is one on the array. */
static bool read_spread(xta_array *array, bridge_attribute *a)
{
    char key[NAME_BYTES];
    xta_attribute list;
    if (find_attribute(array, a->axis, joined_name(a->name, BOX, key), &list)) {
        if (!read_dimensions(array, a)) {
            return false;
        }
        read_box(a, &list);
    }
    if (a->ndim > 0 || a->axis < 0 || !is_list(a->name)) {
        return true;
    }
    // set by hand, or by a program that does not write boxes
    xta_box bounds = xta_array_bounds(array);
    int64_t length = bounds.hi[a->axis] - bounds.lo[a->axis];
    if (a->type == XTA_TEXT && n_items(a) + 1 == (uint64_t)length && !end_last_line(a)) {
        return false;
    }
    if (length > 0 && n_items(a) == (uint64_t)length) {
        xta__attribute_spread(a, a->axis, bounds.lo[a->axis], length);
    }
    return true;
}

static bool collect_attributes(xta_array *array, int axis, bridge_description *what)
{
    xta_attribute found;
    for (size_t k = 0; k < xta_attribute_count(array, axis); k++) {
        if (xta_attribute_at(array, axis, k, &found, NULL) != XTA_OK) {
            break; // another process has removed one meanwhile
        }
        if (is_placement(found.name)) {
            continue;
        }
        size_t count = found.count * (found.type == XTA_BYTES ? found.cell_bytes : 1);
        bridge_attribute *a =
            xta__description_add(what, axis, found.name, found.type, count, found.values);
        if (a == NULL) {
            return false;
        }
        if (found.type == XTA_BYTES) {
            a->cell_bytes = found.cell_bytes;
            a->count = found.count;
        }
        if (!read_spread(array, a)) {
            return false;
        }
    }
    return true;
}

/* Copy a text. An empty text gives NULL, which is not a failure. */
static bool copy_unless_empty(const char *text, char **out)
{
    *out = text[0] != '\0' ? xta__bridge_copy(text) : NULL;
    return text[0] == '\0' || *out != NULL;
}

xta_status xta__copy_attributes_from(xta_array *array, bridge_description *what, xta_error *err)
{
    bool good = collect_attributes(array, XTA_ON_ARRAY, what);
    for (int axis = 0; good && axis < what->ndim; axis++) {
        good = copy_unless_empty(xta_axis_name(array, axis), &what->name[axis]) &&
               copy_unless_empty(xta_axis_unit(array, axis), &what->unit[axis]) &&
               collect_attributes(array, axis, what);
    }
    what->fill = malloc(what->cell_bytes);
    if (!good || what->fill == NULL) {
        return xta__bridge_no_memory(xta_array_path(array), err);
    }
    memcpy(what->fill, xta_array_fill_value(array), what->cell_bytes);
    return XTA_OK;
}

static xta_status set_attribute(xta_array *array, int axis, const char *name, xta_type type,
                                size_t cell_bytes, size_t count, const void *values, xta_error *err)
{
    xta_attribute a = {name, type, cell_bytes, count, values};
    return xta_attribute_set(array, axis, &a, err);
}

/* A source's georeference applies to its first cell; an array's, to the cell at 0. */
static xta_status set_geotransform(xta_array *array, const bridge_attribute *a,
                                   const bridge_description *what, const int axes[],
                                   const int64_t at[], xta_error *err)
{
    double g[6];
    memcpy(g, a->values, sizeof g);
    double y = (double)at[axes[what->ndim - 2]];
    double x = (double)at[axes[what->ndim - 1]];
    g[0] -= x * g[1] + y * g[2];
    g[3] -= x * g[4] + y * g[5];
    return set_attribute(array, XTA_ON_ARRAY, a->name, XTA_F64, sizeof g[0], 6, g, err);
}

/* The spread attribute as it will be on the array: same values, with axes and box converted. */
static bridge_attribute moved_spread(const bridge_attribute *a, const int axes[],
                                     const int64_t at[])
{
    bridge_attribute to = *a;
    to.axis = a->axis >= 0 ? axes[a->axis] : XTA_ON_ARRAY;
    for (int d = 0; d < a->ndim; d++) {
        if (a->along[d] >= 0) {
            to.along[d] = axes[a->along[d]];
            to.lo[d] += at[to.along[d]];
            to.hi[d] += at[to.along[d]];
        }
    }
    return to;
}

static xta_status set_box(xta_array *array, const bridge_attribute *old, const bridge_attribute *a,
                          xta_error *err)
{
    int64_t list[4 * BRIDGE_SPREAD_NDIM];
    size_t n = 0;
    char key[NAME_BYTES];
    for (int d = 0; old != NULL && d < old->ndim; d++) {
        list[n++] = old->lo[d];
        list[n++] = old->hi[d];
    }
    for (int d = 0; d < a->ndim; d++) {
        list[n++] = a->lo[d];
        list[n++] = a->hi[d];
    }
    return set_attribute(array, a->axis, joined_name(a->name, BOX, key), XTA_I64, sizeof list[0], n,
                         list, err);
}

static xta_status set_dimensions(xta_array *array, const bridge_attribute *a, xta_error *err)
{
    char key[NAME_BYTES];
    char text[BRIDGE_SPREAD_NDIM * NAME_BYTES];
    size_t n = 0;
    if (a->ndim == 1 && a->along[0] == a->axis) {
        return XTA_OK;
    }
    for (int d = 0; d < a->ndim; d++) {
        const char *name = a->along[d] >= 0 ? xta_axis_name(array, a->along[d]) : a->own[d];
        n += (size_t)snprintf(text + n, sizeof text - n, "%.255s\n", name);
    }
    return set_attribute(array, a->axis, joined_name(a->name, DIMENSIONS, key), XTA_TEXT, 1, n,
                         text, err);
}

/* Convert the values of `a` to the type the array already has for them. */
static xta_status in_type_of(const bridge_attribute *old, const bridge_attribute *a, void **values,
                             xta_error *err)
{
    *values = NULL;
    if (old->type == a->type && old->cell_bytes == a->cell_bytes) {
        return XTA_OK;
    }
    *values = malloc(a->count * old->cell_bytes + 1);
    if (*values == NULL) {
        return xta__bridge_no_memory(a->name, err);
    }
    if (old->type == XTA_TEXT || a->type == XTA_TEXT || old->cell_bytes == 0 ||
        xta_type_convert(a->type, a->values, old->type, *values, a->count, NULL) != XTA_OK) {
        return xta_error_set(err, XTA_ETYPE, 0,
                             "attribute %s: the array has it as %s, which cannot hold the "
                             "source's values of type %s",
                             a->name, xta_type_name(old->type), xta_type_name(a->type));
    }
    return XTA_OK;
}

/* The smallest box around both; an error if axes of their own differ. */
static xta_status hull_of(const bridge_attribute *old, const bridge_attribute *a,
                          bridge_attribute *hull, xta_error *err)
{
    bool alike = old->ndim == a->ndim;
    for (int d = 0; alike && d < a->ndim; d++) {
        alike = old->along[d] == a->along[d] &&
                (a->along[d] >= 0 || (old->lo[d] == a->lo[d] && old->hi[d] == a->hi[d]));
        hull->lo[d] = old->lo[d] < a->lo[d] ? old->lo[d] : a->lo[d];
        hull->hi[d] = old->hi[d] > a->hi[d] ? old->hi[d] : a->hi[d];
    }
    return alike ? XTA_OK
                 : xta_error_set(err, XTA_EBOX, 0,
                                 "attribute %s has other axes in the source than in the array",
                                 a->name);
}

/* The box of `a` without the items beyond the bounds, which have no meaning. */
static bridge_attribute within_bounds(xta_array *array, const bridge_attribute *a)
{
    bridge_attribute inner = *a;
    xta_box bounds = xta_array_bounds(array);
    for (int d = 0; d < a->ndim; d++) {
        int axis = a->along[d];
        if (axis >= 0) {
            inner.lo[d] = a->lo[d] > bounds.lo[axis] ? a->lo[d] : bounds.lo[axis];
            inner.hi[d] = a->hi[d] < bounds.hi[axis] ? a->hi[d] : bounds.hi[axis];
        }
    }
    return inner;
}

/* Replace NaN by the numbers of the other list. */
static void fill_gaps(xta_type type, void *values, const void *others, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (type == XTA_F64 && isnan(((double *)values)[k])) {
            ((double *)values)[k] = ((const double *)others)[k];
        } else if (type == XTA_F32 && isnan(((float *)values)[k])) {
            ((float *)values)[k] = ((const float *)others)[k];
        }
    }
}

/* The items of the hull: the array's where it has any (in `inner`), else the source's. */
static void *merged_values(const bridge_attribute *old, const bridge_attribute *inner,
                           const bridge_attribute *theirs, const bridge_attribute *hull,
                           size_t *count)
{
    size_t n = 0;
    void *values = NULL;
    void *others = NULL;
    bridge_attribute own = *inner;
    bool some = xta__spread_items(inner->ndim, inner->lo, inner->hi) > 0;
    if (some) { // only items within the bounds
        own.values = xta__spread_cut(old, NULL, inner->lo, inner->hi, &own.count);
        if (own.values == NULL) {
            return NULL;
        }
    }
    values = xta__spread_cut(theirs, some ? &own : NULL, hull->lo, hull->hi, count);
    if (values != NULL && (own.type == XTA_F32 || own.type == XTA_F64)) {
        others = xta__spread_cut(theirs, NULL, hull->lo, hull->hi, &n);
        if (others != NULL) {
            fill_gaps(own.type, values, others, *count);
        } else {
            free(values);
            values = NULL;
        }
    }
    free(others);
    if (some) {
        free(own.values);
    }
    return values;
}

/* Whether an attribute on the array has this many values, or bytes of text. */
static bool has_count(xta_array *array, const bridge_attribute *a, size_t count)
{
    xta_attribute found;

    return find_attribute(array, a->axis, a->name, &found) && found.count == count;
}

/* Replace the values of `old`. If the new values are the old ones with others before or after them,
 * as after growth along the slowest axis, only the others are written to the journal, so that it
 * grows in proportion to the array. */
static xta_status set_values(xta_array *array, const bridge_attribute *old, size_t count,
                             const void *values, xta_error *err)
{
    size_t cell_bytes = old->type == XTA_TEXT ? 1 : old->cell_bytes;
    size_t old_bytes = old->count * cell_bytes;
    size_t more = count > old->count ? count - old->count : 0;
    const char *bytes = values;
    bool behind = more > 0 && memcmp(bytes, old->values, old_bytes) == 0;
    bool before =
        more > 0 && !behind && memcmp(bytes + more * cell_bytes, old->values, old_bytes) == 0;

    // Where this file has added the last newline of a list, the array's text lacks it.
    if ((behind || before) && has_count(array, old, old->count)) {
        xta_attribute others = {old->name, old->type, cell_bytes, more,
                                behind ? bytes + old_bytes : bytes};
        xta_status status =
            xta_attribute_extend(array, old->axis, behind ? XTA_BACK : XTA_FRONT, &others, err);
        // If another process extended it at the same moment, no box fits its values.
        if (status != XTA_OK || has_count(array, old, count)) {
            return status;
        }
    }
    return set_attribute(array, old->axis, old->name, old->type, old->cell_bytes, count, values,
                         err);
}

/* Merge items: those that the array has are kept, and only cells without an item get one. */
static xta_status merge_spread(xta_array *array, const bridge_attribute *old, bridge_attribute *a,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_attribute inner = within_bounds(array, old);
    bridge_attribute hull = *a;
    bridge_attribute theirs = *a;
    void *converted = NULL;
    void *values = NULL;
    size_t count = 0;

    for (int d = 0; d < inner.ndim; d++) {
        if (xta__spread_items(inner.ndim, inner.lo, inner.hi) == 0 && inner.along[d] >= 0) {
            inner.lo[d] = a->lo[d];
            inner.hi[d] = a->lo[d];
        }
    }
    XTA_TRY(hull_of(&inner, a, &hull, err));
    XTA_TRY(in_type_of(old, a, &converted, err));
    theirs.values = converted != NULL ? converted : a->values;
    theirs.cell_bytes = old->cell_bytes;
    theirs.type = old->type;
    values = merged_values(old, &inner, &theirs, &hull, &count);
    if (values == NULL) {
        status = xta__bridge_no_memory(a->name, err);
        goto done;
    }
    bool same_box = memcmp(hull.lo, old->lo, sizeof hull.lo) == 0 &&
                    memcmp(hull.hi, old->hi, sizeof hull.hi) == 0;
    if (same_box && count == old->count &&
        memcmp(values, old->values, count * (old->type == XTA_TEXT ? 1 : old->cell_bytes)) == 0) {
        goto done; // nothing new: no journal record
    }
    if (!same_box) {
        XTA_TRY(set_box(array, old, &hull, err));
    }
    XTA_TRY(set_values(array, old, count, values, err));
done:
    free(converted);
    free(values);
    return status;
}

xta_status xta__copy_attribute_from(xta_array *array, int axis, const char *name,
                                    bridge_description *into, bridge_attribute **out,
                                    xta_error *err)
{
    xta_attribute found;
    *out = NULL;
    if (!find_attribute(array, axis, name, &found)) {
        return XTA_OK;
    }
    size_t count = found.count * (found.type == XTA_BYTES ? found.cell_bytes : 1);
    bridge_attribute *a = xta__description_add(into, axis, name, found.type, count, found.values);
    if (a == NULL) {
        return xta__bridge_no_memory(name, err);
    }
    a->cell_bytes = found.cell_bytes;
    a->count = found.count;
    if (!read_spread(array, a)) {
        return xta__bridge_no_memory(name, err);
    }
    *out = a;
    return XTA_OK;
}

static xta_status copy_spread_to(xta_array *array, bridge_attribute *a, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description kept;
    bridge_attribute *old = NULL;
    xta__description_init(&kept);
    XTA_TRY(xta__copy_attribute_from(array, a->axis, a->name, &kept, &old, err));
    if (old != NULL && old->ndim > 0) {
        status = merge_spread(array, old, a, err);
        goto done;
    }
    if (old == NULL) {
        XTA_TRY(set_dimensions(array, a, err));
        XTA_TRY(set_box(array, NULL, a, err));
        XTA_TRY(set_attribute(array, a->axis, a->name, a->type, a->cell_bytes, a->count, a->values,
                              err));
    }
done:
    xta__description_clear(&kept);
    return status;
}

/* A source's reference pixel is counted from its first cell; an array's, from the cell at 0. */
static xta_status set_pixel(xta_array *array, const bridge_attribute *a,
                            const bridge_description *what, const int axes[], const int64_t at[],
                            xta_error *err)
{
    int n = xta__placement_pixel_axis(a->name);
    double value = xta__attribute_number(a, 0, 0) + (double)at[axes[what->ndim - n]];
    return set_attribute(array, XTA_ON_ARRAY, a->name, XTA_F64, sizeof value, 1, &value, err);
}

static bool is_pixel(const bridge_attribute *a, const bridge_description *what, const int axes[],
                     const int64_t at[])
{
    int n = a->axis == XTA_ON_ARRAY && a->count == 1 && a->type != XTA_TEXT
                ? xta__placement_pixel_axis(a->name)
                : 0;
    return n > 0 && n <= what->ndim && at[axes[what->ndim - n]] != 0 &&
           xta__description_find(what, XTA_ON_ARRAY, BRIDGE_FITS_HEADER) != NULL;
}

static xta_status copy_one_to(xta_array *array, const bridge_attribute *a,
                              const bridge_description *what, const int axes[], const int64_t at[],
                              xta_error *err)
{
    xta_attribute found;
    if (a->ndim > 0) {
        bridge_attribute to = moved_spread(a, axes, at);
        return copy_spread_to(array, &to, err);
    }
    int axis = a->axis >= 0 ? axes[a->axis] : XTA_ON_ARRAY;
    if (find_attribute(array, axis, a->name, &found)) {
        return XTA_OK;
    }
    if (strcmp(a->name, BRIDGE_GEOTRANSFORM) == 0 && a->type == XTA_F64 && a->count == 6 &&
        what->ndim >= 2) {
        return set_geotransform(array, a, what, axes, at, err);
    }
    if (is_pixel(a, what, axes, at)) {
        return set_pixel(array, a, what, axes, at, err);
    }
    return set_attribute(array, axis, a->name, a->type, a->cell_bytes, a->count, a->values, err);
}

xta_status xta__copy_attributes_to(xta_array *array, const bridge_description *what,
                                   const int axes[], const int64_t at[], xta_error *err)
{
    xta_status status = XTA_OK;
    for (int k = 0; k < what->ndim; k++) {
        int axis = axes[k];
        const char *name = what->name[k];
        if (name != NULL && xta_axis_name(array, axis)[0] == '\0' &&
            axis_called(array, name, strlen(name)) < 0) {
            XTA_TRY(xta_axis_set_name(array, axis, name, err));
        }
        if (what->unit[k] != NULL && xta_axis_unit(array, axis)[0] == '\0') {
            XTA_TRY(xta_axis_set_unit(array, axis, what->unit[k], err));
        }
    }
    for (size_t k = 0; k < what->n_attributes; k++) {
        XTA_TRY(copy_one_to(array, &what->attributes[k], what, axes, at, err));
    }
done:
    return status;
}
