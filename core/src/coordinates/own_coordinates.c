/* The coordinates that an axis of an array has of its own: computed from an attribute of three
 * numbers, or listed in the attribute `values`.
 *
 * The list covers the box in `values//box`. While an array and its list grow there are two boxes,
 * the old and the new one; in force is the last one that has as many items as the list. A list
 * without a box was set by hand and covers the bounds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "coordinates/own_coordinates.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <xta/attribute.h>

#include "array/state/open_array.h"
#include "base/base.h"
#include "coordinates/axis_regular.h"

const char *xta__axis_text(xta_array *array, int axis, char text[XTA__AXIS_TEXT_BYTES])
{
    const char *name = xta_axis_name(array, axis);

    if (name[0] != '\0') {
        snprintf(text, XTA__AXIS_TEXT_BYTES, "%s", name);
    } else {
        snprintf(text, XTA__AXIS_TEXT_BYTES, "axis %d", axis);
    }
    return text;
}

static bool find_attribute(xta_array *array, int axis, const char *name, xta_attribute *a)
{
    return xta_attribute_get(array, axis, name, a, NULL) == XTA_OK;
}

/* A text attribute of an axis; "" if there is none. */
static const char *text_of(xta_array *array, int axis, const char *name)
{
    xta_attribute a;

    return find_attribute(array, axis, name, &a) && a.type == XTA_TEXT ? a.values : "";
}

xta__coordinates_about xta__axis_about(xta_array *array, int axis)
{
    xta_box bounds = xta_array_bounds(array);
    const char *unit = xta_axis_unit(array, axis);

    return (xta__coordinates_about){
        .lo = bounds.lo[axis],
        .hi = bounds.hi[axis],
        .unit = unit[0] != '\0' ? unit : text_of(array, axis, "units"),
        .calendar = text_of(array, axis, "calendar"),
    };
}

static size_t count_lines(const char *text, size_t n)
{
    size_t lines = n > 0 && text[n - 1] != '\n';

    for (size_t k = 0; k < n; k++) {
        lines += text[k] == '\n';
    }
    return lines;
}

/* The cells that a list of `n` items covers. */
static xta_status find_cells(xta_array *array, int axis, size_t n, int64_t *lo, int64_t *hi,
                             xta_error *err)
{
    xta_box bounds = xta_array_bounds(array);
    xta_attribute list;
    char text[XTA__AXIS_TEXT_BYTES];

    *lo = bounds.lo[axis];
    *hi = bounds.hi[axis];
    if (!find_attribute(array, axis, XTA__VALUES_BOX, &list)) {
        if ((uint64_t)(*hi - *lo) == n) {
            return XTA_OK;
        }
        return xta__fail(err, XTA_EBOX, 0,
                         "%s: %s: its list of coordinates has %zu items for %" PRId64
                         " cells, and no attribute %s says for which",
                         xta__array_name(array), xta__axis_text(array, axis, text), n, *hi - *lo,
                         XTA__VALUES_BOX);
    }
    for (size_t k = list.type == XTA_I64 ? list.count / 2 : 0; k-- > 0;) {
        int64_t box[2];
        memcpy(box, (const char *)list.values + k * sizeof box, sizeof box);
        if (box[1] >= box[0] && (uint64_t)box[1] - (uint64_t)box[0] == n) {
            *lo = box[0];
            *hi = box[1];
            return XTA_OK;
        }
    }
    return xta__fail(err, XTA_EBOX, 0,
                     "%s: %s: its list of coordinates has %zu items, and the attribute %s has no "
                     "box of as many cells",
                     xta__array_name(array), xta__axis_text(array, axis, text), n, XTA__VALUES_BOX);
}

/* The items of the cells within the bounds: names are lines, so those before are skipped. */
static const char *skip_lines(const char *text, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

xta_status xta__axis_check_cover(xta_array *array, int axis, int64_t lo, int64_t hi, xta_error *err)
{
    xta_box bounds = xta_array_bounds(array);
    int64_t from = bounds.lo[axis], to = bounds.hi[axis];
    char text[XTA__AXIS_TEXT_BYTES];

    if (from >= to || (lo <= from && hi >= to)) {
        return XTA_OK;
    }
    bool below = lo > from;
    int64_t first = below || hi < from ? from : hi;
    int64_t last = below && lo < to ? lo - 1 : to - 1;
    return xta__fail(err, XTA_EBOX, 0,
                     "%s: %s: cells %" PRId64 " to %" PRId64
                     " have no coordinate; its list covers %" PRId64 " to %" PRId64,
                     xta__array_name(array), xta__axis_text(array, axis, text), first, last, lo,
                     hi - 1);
}

xta_status xta__axis_list(xta_array *array, int axis, xta_attribute *list, xta_error *err)
{
    xta_box bounds = xta_array_bounds(array);
    bool names = list->type == XTA_TEXT;
    size_t n = names ? count_lines(list->values, list->count) : list->count;
    const char *items = list->values;
    int64_t lo = 0, hi = 0, from = bounds.lo[axis], to = bounds.hi[axis];
    xta_status status = XTA_OK;

    XTA_TRY(find_cells(array, axis, n, &lo, &hi, err));
    XTA_TRY(xta__axis_check_cover(array, axis, lo, hi, err));
    int64_t before = from < to ? from - lo : 0;
    if (names) {
        list->values = skip_lines(items, before);
        list->count -= (size_t)((const char *)list->values - items);
    } else {
        list->values = items + (size_t)before * list->cell_bytes;
        list->count = (size_t)(to - from);
    }
done:
    return status;
}

static xta_status read_list(xta_array *array, int axis, xta_attribute *list, xta_coordinates **out,
                            xta_error *err)
{
    xta__coordinates_about about = xta__axis_about(array, axis);
    xta_status status = xta__axis_list(array, axis, list, err);

    if (status != XTA_OK) {
        return status;
    }
    return list->type == XTA_TEXT
               ? xta__coordinates_names(&about, list->values, list->count, 0, out, err)
               : xta__coordinates_numbers(&about, list->type, list->values, out, err);
}

bool xta__axis_values(xta_array *array, int axis, xta_attribute *values)
{
    xta_attribute several;

    return find_attribute(array, axis, XTA__VALUES, values) &&
           !find_attribute(array, axis, XTA__VALUES_DIMENSIONS, &several);
}

xta_status xta__own_coordinates(xta_array *array, int axis, xta_coordinates **out, xta_error *err)
{
    xta_regular regular;
    xta_attribute values;
    char text[XTA__AXIS_TEXT_BYTES];

    xta__clear(err);
    *out = NULL;
    xta_status status = xta_axis_regular(array, axis, &regular, err);
    if (status == XTA_OK) {
        xta__coordinates_about about = xta__axis_about(array, axis);
        return xta__coordinates_regular(&about, &regular, out, err);
    }
    if (status != XTA_ENOENT) {
        return status;
    }
    xta__clear(err);
    if (xta__axis_values(array, axis, &values)) {
        return read_list(array, axis, &values, out, err);
    }
    return xta__fail(err, XTA_ENOENT, 0, "%s: %s has no coordinates", xta__array_name(array),
                     xta__axis_text(array, axis, text));
}
