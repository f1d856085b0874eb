/* Whether the cells of a source have the same meaning as those of an array: the same units,
 * packing, no-data value, classes. If not, an import is refused before anything has changed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "description/check_meaning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/copy_attributes.h"
#include "description/description.h"
#include "description/spread_attributes.h"
#include "util/try.h"

/* Read an attribute that may be absent. */
static bool find_attribute(xta_array *array, int axis, const char *name, xta_attribute *a)
{
    return xta_attribute_get(array, axis, name, a, NULL) == XTA_OK;
}

static bool same_values(const xta_attribute *a, const bridge_attribute *b)
{
    if (a->type == XTA_TEXT || b->type == XTA_TEXT) {
        return a->type == b->type && a->count == b->count &&
               memcmp(a->values, b->values, a->count) == 0;
    }
    bridge_attribute view = {.type = a->type, .cell_bytes = a->cell_bytes, .count = a->count};
    view.values = (void *)(uintptr_t)a->values;
    if (view.count != b->count) {
        return false;
    }
    for (size_t k = 0; k < view.count; k++) {
        double one = xta__attribute_number(&view, k, 0);
        double other = xta__attribute_number(b, k, 0);
        if (one != other && !(one != one && other != other)) {
            return false;
        }
    }
    return true;
}

/* Compare one attribute that gives the cells their meaning. With `must`, an attribute that the
 * array lacks is a difference too, because the array already has cells. */
static xta_status agree_on(xta_array *array, int axis, const bridge_description *what, int from,
                           const char *name, bool must, const char *source, xta_error *err)
{
    xta_attribute ours;
    const bridge_attribute *theirs = xta__description_find(what, from, name);
    bool have = find_attribute(array, axis, name, &ours);
    if ((theirs != NULL && theirs->ndim > 0) || (theirs == NULL && (!have || !must)) ||
        (theirs != NULL && !have && !must)) {
        return XTA_OK;
    }
    if (have && theirs != NULL && same_values(&ours, theirs)) {
        return XTA_OK;
    }
    const char *where = axis >= 0 ? xta_axis_name(array, axis) : "";
    char difference[200] = "is in only one of file and array";
    if (have && theirs != NULL && ours.type == XTA_TEXT && theirs->type == XTA_TEXT) {
        snprintf(difference, sizeof difference, "is \"%.80s\", but \"%.80s\" in the array",
                 (const char *)theirs->values, (const char *)ours.values);
    } else if (have && theirs != NULL) {
        snprintf(difference, sizeof difference, "differs from the array's");
    }
    return xta_error_set(err, XTA_ETYPE, 0,
                         "%s: attribute %s%s%s %s, so its cells mean something else than those of "
                         "array %s; bring both to the same %s first",
                         source, where, where[0] != '\0' ? ":" : "", name, difference,
                         xta_array_path(array), name);
}

/* Compare an attribute that has an item for each cell: where both sides have an item, they must be
 * equal. */
static xta_status agree_on_items(xta_array *array, const bridge_attribute *theirs, int axis,
                                 int64_t at, const char *source, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description kept;
    bridge_attribute *ours = NULL;
    void *one = NULL;
    void *other = NULL;
    size_t n_one = 0;
    size_t n_other = 0;
    xta__description_init(&kept);
    XTA_TRY(xta__copy_attribute_from(array, axis, theirs->name, &kept, &ours, err));
    if (ours == NULL || ours->ndim != 1 || ours->type != theirs->type) {
        goto done;
    }
    bridge_attribute view = *theirs;
    view.lo[0] += at;
    view.hi[0] += at;
    int64_t lo = view.lo[0] > ours->lo[0] ? view.lo[0] : ours->lo[0];
    int64_t hi = view.hi[0] < ours->hi[0] ? view.hi[0] : ours->hi[0];
    if (lo >= hi) {
        goto done;
    }
    one = xta__spread_cut(ours, NULL, &lo, &hi, &n_one);
    other = xta__spread_cut(&view, NULL, &lo, &hi, &n_other);
    if (one == NULL || other == NULL) {
        status = xta__bridge_no_memory(source, err);
    } else if (n_one != n_other || memcmp(one, other, n_one * ours->cell_bytes) != 0) {
        status = xta_error_set(err, XTA_ETYPE, 0,
                               "%s: %s along axis %d differs from that of array %s, so its cells "
                               "mean something else; bring both to the same first",
                               source, theirs->name, axis, xta_array_path(array));
    }
done:
    free(one);
    free(other);
    xta__description_clear(&kept);
    return status;
}

static bool is_standard(const char *calendar)
{
    return calendar == NULL || strcmp(calendar, "standard") == 0 ||
           strcmp(calendar, "gregorian") == 0;
}

/* CF's standard calendar has two names, and is the default if no calendar is named. */
static xta_status agree_on_calendar(xta_array *array, int axis, const bridge_description *what,
                                    int from, bool must, const char *source, xta_error *err)
{
    xta_attribute ours = {.type = XTA_TEXT, .values = NULL};
    bool have = find_attribute(array, axis, "calendar", &ours);
    if (have && ours.type != XTA_TEXT) {
        return XTA_OK;
    }
    if (is_standard(have ? ours.values : NULL) &&
        is_standard(xta__description_text(what, from, "calendar"))) {
        return XTA_OK;
    }
    return agree_on(array, axis, what, from, "calendar", must, source, err);
}

xta_status xta__check_meaning(xta_array *array, const bridge_description *what, const int axes[],
                              const int64_t at[], const char *source, xta_error *err)
{
    static const char *const items[] = {"gdal/scale", "gdal/offset", "gdal/band_nodata", NULL};
    static const char *const packing[] = {"scale_factor", "add_offset", NULL};
    static const char *const meaning[] = {"units",
                                          "_FillValue",
                                          "nodata",
                                          "BUNIT",
                                          "BSCALE",
                                          "BZERO",
                                          "BLANK",
                                          "npy/descr",
                                          "nifti/scl_slope",
                                          "nifti/scl_inter",
                                          "reflectance_scale_factor",
                                          "class_colours",
                                          "class_names",
                                          NULL};
    xta_status status = XTA_OK;
    xta_box bounds = xta_array_bounds(array);
    bool cells = !xta_box_empty(&bounds);

    for (int k = 0; packing[k] != NULL; k++) {
        XTA_TRY(agree_on(array, XTA_ON_ARRAY, what, XTA_ON_ARRAY, packing[k], cells, source, err));
    }
    for (int k = 0; meaning[k] != NULL; k++) {
        XTA_TRY(agree_on(array, XTA_ON_ARRAY, what, XTA_ON_ARRAY, meaning[k], false, source, err));
    }
    for (int k = 0; items[k] != NULL; k++) {
        for (int axis = 0; axis < what->ndim; axis++) {
            const bridge_attribute *a = xta__description_find(what, axis, items[k]);
            if (a != NULL && a->ndim == 1) {
                XTA_TRY(agree_on_items(array, a, axes[axis], at[axes[axis]], source, err));
            }
        }
    }
    for (int axis = 0; axis < what->ndim; axis++) {
        /* Numbers without a unit do not match numbers with one. */
        xta_attribute values;
        bool both = find_attribute(array, axes[axis], "values", &values) &&
                    xta__description_find(what, axis, "values") != NULL;
        XTA_TRY(agree_on(array, axes[axis], what, axis, "units", both, source, err));
        XTA_TRY(agree_on_calendar(array, axes[axis], what, axis, both, source, err));
    }
done:
    return status;
}
