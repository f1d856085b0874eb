/* The cells of each dimension that an export selects.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/ranges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "common/local_path.h"
#include "description/format.h"
#include "util/checked.h"
#include "util/text.h"
#include "util/try.h"
#include "util/vector.h"

static const set_range *find(const set_ranges *ranges, const xta_dataset *set,
                             const char *dimension)
{
    for (size_t k = 0; k < ranges->n; k++) {
        const set_range *r = &ranges->list[k];
        if (r->set == set && strcmp(r->dimension, dimension) == 0) {
            return r;
        }
    }
    return NULL;
}

static xta_status add(set_ranges *ranges, xta_dataset *set, const char *dimension, int64_t lo,
                      int64_t hi, xta_error *err)
{
    if (!XTA__RESERVE(ranges->list, ranges->capacity, ranges->n + 1)) {
        return xta__bridge_no_memory(dimension, err);
    }
    set_range *r = &ranges->list[ranges->n++];
    *r = (set_range){.set = set, .lo = lo, .hi = hi};
    snprintf(r->dimension, sizeof r->dimension, "%s", dimension);
    return XTA_OK;
}

/* Whether a group takes the selection of the data set around it. */
static const set_range *inherited(const set_ranges *ranges, xta_dataset *set, xta_dataset *around,
                                  const char *dimension)
{
    xta_dimension own, outer;

    if (around == NULL || xta_dataset_dimension(set, dimension, &own, NULL) != XTA_OK ||
        own.coordinates != 0 || xta_dataset_dimension(around, dimension, &outer, NULL) != XTA_OK ||
        own.lo != outer.lo || own.hi != outer.hi) {
        return NULL;
    }
    return find(ranges, around, dimension);
}

static xta_status select_axis(set_ranges *ranges, xta_dataset *set, xta_array *array, int axis,
                              const char *entry, xta_error *err)
{
    const char *dimension = xta_axis_name(array, axis);
    xta_selection s;
    xta_status status = xta_box_select(array, entry, &s, err);

    if (status != XTA_OK) {
        return status;
    }
    if (!xta_selection_is_box(&s, axis)) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "%s: axis %s: a list or a step, and a whole data set is exported "
                               "with cells that follow each other; give a range A:B, or export one "
                               "member",
                               xta_array_path(array), dimension);
    } else {
        status = add(ranges, set, dimension, s.box.lo[axis], s.box.hi[axis], err);
    }
    xta_selection_clear(&s);
    return status;
}

/* One entry of the selection, for the first member that has its axis. */
static xta_status add_entry(set_ranges *ranges, xta_dataset *set, xta_dataset *around, int number,
                            const char *name, const char *entry, xta_error *err)
{
    for (size_t k = 0; k < xta_dataset_member_count(set); k++) {
        xta_array *array = NULL;
        int axis = -1;
        xta_status status = xta_dataset_member(set, xta_dataset_member_name(set, k), &array, err);
        if (status != XTA_OK) {
            return status;
        }
        for (int a = 0; a < xta_array_ndim(array); a++) {
            axis = strcmp(xta_axis_name(array, a), name) == 0 ? a : axis;
        }
        if (axis < 0) {
            continue;
        }
        ranges->found |= (uint64_t)1 << number;
        const set_range *outer = inherited(ranges, set, around, name);
        return outer != NULL ? add(ranges, set, name, outer->lo, outer->hi, err)
                             : select_axis(ranges, set, array, axis, entry, err);
    }
    return XTA_OK;
}

xta_status xta__set_ranges_add(set_ranges *ranges, xta_dataset *set, xta_dataset *around,
                               const char *text, xta_error *err)
{
    char name[XTA_SELECTION_AXIS_BYTES];
    char *entry = NULL;
    size_t n = 0;
    xta_status status = XTA_OK;

    for (int number = 0; text != NULL; number++) {
        const char *next = NULL;
        XTA_TRY(xta_selection_entry(text, name, &n, &next, err));
        if (number == 64) {
            XTA_TRY(
                xta_error_set(err, XTA_EARG, 0, "%.64s...: more axes than can be selected", text));
        }
        entry = xta__string("%.*s", (int)n, text);
        if (entry == NULL) {
            XTA_TRY(xta__bridge_no_memory(xta_dataset_path(set), err));
        }
        if (find(ranges, set, name) != NULL) {
            XTA_TRY(xta_error_set(err, XTA_EARG, 0, "axis %s is selected twice", name));
        }
        XTA_TRY(add_entry(ranges, set, around, number, name, entry, err));
        free(entry);
        entry = NULL;
        text = next;
    }
done:
    free(entry);
    return status;
}

xta_status xta__set_ranges_check(const set_ranges *ranges, const char *path, const char *text,
                                 xta_error *err)
{
    char name[XTA_SELECTION_AXIS_BYTES];
    size_t n = 0;

    for (int number = 0; text != NULL; number++) {
        xta_status status = xta_selection_entry(text, name, &n, &text, err);
        if (status != XTA_OK) {
            return status;
        }
        if ((ranges->found & ((uint64_t)1 << number)) == 0) {
            return xta_error_set(err, XTA_ENOENT, 0,
                                 "%s: no member has an axis %s, which is selected; xta info shows "
                                 "the dimensions",
                                 path, name);
        }
    }
    return XTA_OK;
}

void xta__set_ranges_narrow(const set_ranges *ranges, const xta_dataset *set, const char *dimension,
                            int64_t *lo, int64_t *hi)
{
    const set_range *r = find(ranges, set, dimension);

    if (r != NULL) {
        *lo = r->lo;
        *hi = r->hi;
    }
}

void xta__set_ranges_clear(set_ranges *ranges)
{
    free(ranges->list);
    *ranges = (set_ranges){0};
}
