/* The coordinates of the first cell of a foreign dataset.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "description/origin.h"

#include <stdio.h>
#include <string.h>

#include "description/description.h"
#include "util/text.h"
#include "util/try.h"

#define COMPANION  "variable/"
#define NAME_BYTES 300

/* Origins further from 0 than the array is long are refused: nothing that was written has them. */
#define MOST_GAP ((int64_t)1 << 24)

/* ---- reading ---- */

static xta_status read_list(bridge_description *what, int64_t origin[], const char *label,
                            xta_error *err)
{
    const bridge_attribute *a = xta__description_find(what, XTA_ON_ARRAY, BRIDGE_ORIGIN);
    if (a == NULL) {
        return XTA_OK;
    }
    bool good = a->count == (size_t)what->ndim && a->type != XTA_TEXT && a->type != XTA_BYTES &&
                xta_type_convert(a->type, a->values, XTA_I64, origin, a->count, NULL) == XTA_OK;
    if (!good) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: its attribute %s is not one whole number for each of its %d "
                             "axes; correct or delete it",
                             label, BRIDGE_ORIGIN, what->ndim);
    }
    xta__description_remove(what, XTA_ON_ARRAY, BRIDGE_ORIGIN);
    return XTA_OK;
}

static xta_status read_keywords(bridge_description *what, int64_t origin[], const char *label,
                                xta_error *err)
{
    char key[24];
    for (int axis = 0; axis < what->ndim; axis++) {
        snprintf(key, sizeof key, "%s%d", BRIDGE_ORIGIN_KEYWORD, what->ndim - axis);
        const bridge_attribute *a = xta__description_find(what, XTA_ON_ARRAY, key);
        if (a != NULL && a->type != XTA_I64) {
            return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                 "%s: its keyword %s is not a whole number; correct or delete it",
                                 label, key);
        }
        if (a != NULL) {
            origin[axis] = *(const int64_t *)a->values;
            xta__description_remove(what, XTA_ON_ARRAY, key);
        }
    }
    return XTA_OK;
}

static bool is_companion(const bridge_attribute *a)
{
    return a->axis == XTA_ON_ARRAY && strncmp(a->name, COMPANION, strlen(COMPANION)) == 0;
}

/* Those of coordinates and other variables: they follow from the dataset's. */
static void remove_others(bridge_description *what)
{
    for (size_t k = what->n_attributes; k-- > 0;) {
        const bridge_attribute *a = &what->attributes[k];
        bool other = a->axis >= 0 ? strcmp(a->name, BRIDGE_ORIGIN) == 0
                                  : is_companion(a) && xta__ends_with(a->name, "/" BRIDGE_ORIGIN);
        if (other) {
            xta__description_remove(what, a->axis, a->name);
        }
    }
}

xta_status xta__origin_read(bridge_description *what, bridge_origin_kind kind, int64_t origin[],
                            const char *label, xta_error *err)
{
    memset(origin, 0, (size_t)what->ndim * sizeof origin[0]);
    if (kind == BRIDGE_ORIGIN_NONE) {
        return XTA_OK;
    }
    if (kind == BRIDGE_ORIGIN_IN_HEADER) {
        return read_keywords(what, origin, label, err);
    }
    if (kind == BRIDGE_ORIGIN_LISTS) {
        remove_others(what);
    }
    return read_list(what, origin, label, err);
}

/* ---- writing ---- */

static bool put_keywords(bridge_description *what)
{
    char key[24];
    bool good = true;
    for (int axis = 0; axis < what->ndim && good; axis++) {
        snprintf(key, sizeof key, "%s%d", BRIDGE_ORIGIN_KEYWORD, what->ndim - axis);
        xta__description_remove(what, XTA_ON_ARRAY, key);
        if (what->lo[axis] != 0) {
            good =
                xta__description_add(what, XTA_ON_ARRAY, key, XTA_I64, 1, &what->lo[axis]) != NULL;
        }
    }
    return good;
}

/* Coordinates, and other variables that lie along axes: one list for the k-th attribute, if it is
 * one of these and does not begin at 0. */
static bool put_other(bridge_description *what, size_t k)
{
    char key[NAME_BYTES];
    int64_t origin[BRIDGE_SPREAD_NDIM] = {0};
    const bridge_attribute *a = &what->attributes[k];
    bool values = a->axis >= 0 && strcmp(a->name, "values") == 0;
    bool moved = false;
    if (a->ndim == 0 || (!values && !is_companion(a))) {
        return true;
    }
    for (int d = 0; d < a->ndim; d++) {
        origin[d] = a->along[d] >= 0 ? what->lo[a->along[d]] : 0;
        moved = moved || origin[d] != 0;
    }
    snprintf(key, sizeof key, "%s%s" BRIDGE_ORIGIN, values ? "" : a->name, values ? "" : "/");
    return !moved ||
           xta__description_add(what, a->axis, key, XTA_I64, (size_t)a->ndim, origin) != NULL;
}

/* Whether the file has to say where the box begins: coordinates of an axis say it better. */
static bool is_needed(const bridge_description *what)
{
    for (int axis = 0; axis < what->ndim; axis++) {
        if (what->lo[axis] != 0 && xta__description_find(what, axis, "values") == NULL) {
            return true;
        }
    }
    return false;
}

xta_status xta__origin_put(bridge_description *what, bridge_origin_kind kind, const char *label,
                           xta_error *err)
{
    const bool needed = is_needed(what);
    bool good = true;
    if (kind == BRIDGE_ORIGIN_NONE) {
        return XTA_OK;
    }
    if (kind == BRIDGE_ORIGIN_IN_HEADER) {
        return put_keywords(what) ? XTA_OK : xta__bridge_no_memory(label, err);
    }
    xta__description_remove(what, XTA_ON_ARRAY, BRIDGE_ORIGIN);
    const size_t n = what->n_attributes;
    if (needed) {
        good = xta__description_add(what, XTA_ON_ARRAY, BRIDGE_ORIGIN, XTA_I64, (size_t)what->ndim,
                                    what->lo) != NULL;
    }
    for (size_t k = 0; k < n && needed && good && kind == BRIDGE_ORIGIN_LISTS; k++) {
        good = put_other(what, k);
    }
    return good ? XTA_OK : xta__bridge_no_memory(label, err);
}

/* ---- placing ---- */

xta_status xta__origin_check(const bridge_description *what, const int64_t origin[],
                             const char *label, xta_error *err)
{
    for (int axis = 0; axis < what->ndim; axis++) {
        bool near = origin[axis] <= MOST_GAP && origin[axis] >= -what->bounds[axis] - MOST_GAP;
        if (!near) {
            return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                 "%s: says by %s that its first cell on axis %d has coordinate "
                                 "%lld; correct or delete that attribute",
                                 label, BRIDGE_ORIGIN, axis, (long long)origin[axis]);
        }
    }
    return XTA_OK;
}

void xta__origin_first_bounds(int ndim, const int64_t hi[], int64_t bounds[])
{
    for (int axis = 0; axis < ndim; axis++) {
        bounds[axis] = hi[axis] > 0 ? hi[axis] : 0;
    }
}

xta_status xta__origin_move_bounds(xta_array *array, const int64_t lo[], const int64_t hi[],
                                   xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box now = xta_array_bounds(array);
    xta_growth grow[2 * XTA_MAX_NDIM];
    xta_growth shrink[2 * XTA_MAX_NDIM];
    int n_grow = 0;
    int n_shrink = 0;
    for (int axis = 0; axis < now.ndim; axis++) {
        if (lo[axis] < now.lo[axis]) {
            grow[n_grow++] = (xta_growth){axis, XTA_FRONT, now.lo[axis] - lo[axis]};
        } else if (lo[axis] > now.lo[axis]) {
            shrink[n_shrink++] = (xta_growth){axis, XTA_FRONT, lo[axis] - now.lo[axis]};
        }
        if (hi[axis] > now.hi[axis]) {
            grow[n_grow++] = (xta_growth){axis, XTA_BACK, hi[axis] - now.hi[axis]};
        } else if (hi[axis] < now.hi[axis]) {
            shrink[n_shrink++] = (xta_growth){axis, XTA_BACK, now.hi[axis] - hi[axis]};
        }
    }
    if (n_grow > 0) {
        XTA_TRY(xta_array_extend(array, grow, n_grow, NULL, err));
    }
    if (n_shrink > 0) {
        XTA_TRY(xta_array_shrink(array, shrink, n_shrink, NULL, err));
    }
done:
    return status;
}
