/* Coordinates that an export writes. None are made up for cells without coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "description/export_coordinates.h"

#include <stdlib.h>
#include <string.h>

#include <xta/coordinates.h>
#include <xta/type.h>

#include "description/coordinates.h"
#include "description/description.h"
#include "util/try.h"

#define COMPANION "variable/" /* variable/NAME: an additional variable, such as NetCDF files have */

/* Whether an attribute is in the list of names, or is an additional variable that belongs to
 * coordinate values. */
static bool is_coordinate(const bridge_attribute *a, const char *const names[])
{
    size_t n = strlen(COMPANION);
    bool values = false;
    for (int k = 0; names[k] != NULL; k++) {
        if (a->axis >= 0 && strcmp(a->name, names[k]) == 0) {
            return true;
        }
        values = values || strcmp(names[k], BRIDGE_VALUES) == 0;
    }
    return values && a->axis < 0 && strncmp(a->name, COMPANION, n) == 0 &&
           strchr(a->name + n, '/') == NULL;
}

static const char *name_of(const bridge_description *what, int axis)
{
    return what->name[axis] != NULL ? what->name[axis] : "";
}

/* Refuse a list whose length is not that of its axis, so that nothing relates it to cells. */
static xta_status wrong_length(const bridge_description *what, const bridge_attribute *a,
                               const char *array, const char *destination, xta_error *err)
{
    return xta_error_set(err, XTA_EBOX, 0,
                         "%s: attribute %s of axis %d (%s) of array %s has %zu items and the axis "
                         "another number of cells; set it anew or remove it with xta attr, or "
                         "leave coordinates out with --no-coordinates",
                         destination, a->name, a->axis, name_of(what, a->axis), array,
                         xta__coordinates_count(a));
}

static xta_status uncovered(const bridge_description *what, const bridge_attribute *a, int axis,
                            int64_t cell, const char *array, const char *destination,
                            xta_error *err)
{
    return xta_error_set(err, XTA_EBOX, 0,
                         "%s: %s of array %s has no item for cell %lld of axis %d (%s); set it "
                         "with xta attr, or leave coordinates out with --no-coordinates",
                         destination, a->name, array, (long long)cell, axis, name_of(what, axis));
}

/* Find the first cell of the box that the attribute does not cover on its axis d. */
static bool find_uncovered(const bridge_description *what, const bridge_attribute *a, int d,
                           int64_t *cell)
{
    int axis = a->along[d];
    if (axis < 0 || what->bounds[axis] == 0) {
        return false;
    }
    int64_t lo = what->lo[axis];
    int64_t hi = lo + what->bounds[axis];
    *cell = lo < a->lo[d] ? lo : a->hi[d] > lo ? a->hi[d] : lo;
    return lo < a->lo[d] || hi > a->hi[d];
}

/* A gap that earlier growth has left among the coordinates of an axis. */
static bool find_gap(const bridge_description *what, const bridge_attribute *a, int64_t *cell)
{
    if (a->axis < 0 || a->ndim != 1 || a->along[0] != a->axis ||
        strcmp(a->name, BRIDGE_VALUES) != 0) {
        return false;
    }
    for (int64_t k = 0; k < what->bounds[a->axis]; k++) {
        *cell = what->lo[a->axis] + k;
        if (xta__coordinates_is_nan(a, (size_t)(*cell - a->lo[0]))) {
            return true;
        }
    }
    return false;
}

xta_status xta__coordinates_cover(const bridge_description *what, const char *const names[],
                                  const char *array, const char *destination, xta_error *err)
{
    int64_t cell = 0;
    for (size_t k = 0; k < what->n_attributes && names != NULL; k++) {
        const bridge_attribute *a = &what->attributes[k];
        if (!is_coordinate(a, names)) {
            continue;
        }
        if (a->axis >= 0 && a->ndim == 0) {
            return wrong_length(what, a, array, destination, err);
        }
        for (int d = 0; d < a->ndim; d++) {
            if (find_uncovered(what, a, d, &cell)) {
                return uncovered(what, a, a->along[d], cell, array, destination, err);
            }
        }
        if (find_gap(what, a, &cell)) {
            return uncovered(what, a, a->axis, cell, array, destination, err);
        }
    }
    return XTA_OK;
}

/* Whether an attribute holds coordinates, describes them, or names them. */
static bool belongs_to_coordinates(const bridge_attribute *a)
{
    static const char *const naming[] = {"coordinates", "bounds", "cell_measures", NULL};
    static const char *const on_axis[] = {BRIDGE_VALUES, "wavelength", "fwhm", "bbl",
                                          "units",       "calendar",   NULL};
    const char *const *names = a->axis >= 0 ? on_axis : naming;
    size_t n = strlen(COMPANION);
    for (int k = 0; names[k] != NULL; k++) {
        if (strcmp(a->name, names[k]) == 0) {
            return true;
        }
    }
    return a->axis < 0 && a->ndim > 0 && strncmp(a->name, COMPANION, n) == 0;
}

void xta__coordinates_drop(bridge_description *what)
{
    for (size_t k = what->n_attributes; k-- > 0;) {
        const bridge_attribute *a = &what->attributes[k];
        if (belongs_to_coordinates(a)) {
            xta__description_remove(what, a->axis, a->name);
        }
    }
}

/* ---- those that an axis does not list ---- */

/* Numbers of the exported cells. */
static xta_status add_numbers(const xta_coordinates *c, int axis, bridge_description *what,
                              xta_error *err)
{
    xta_type type = xta_coordinates_type(c);
    size_t n = (size_t)what->bounds[axis];
    void *values = calloc(n + 1, xta_type_bytes(type));
    bridge_attribute *a = NULL;
    xta_status status = XTA_OK;

    if (values != NULL) {
        xta_coordinates_values(c, what->lo[axis], what->lo[axis] + what->bounds[axis], values);
        a = xta__description_add(what, axis, BRIDGE_VALUES, type, n, values);
    }
    if (a == NULL) {
        XTA_TRY(xta__bridge_no_memory(xta_coordinates_unit(c), err));
    }
    xta__attribute_spread(a, axis, what->lo[axis], what->bounds[axis]);
done:
    free(values);
    return status;
}

/* A text about the coordinates, if the axis does not have it. */
static xta_status add_text(int axis, const char *name, const char *text, bridge_description *what,
                           xta_error *err)
{
    bool good = text[0] == '\0' || xta__description_find(what, axis, name) != NULL ||
                xta__description_add_text(what, axis, name, text) != NULL;

    return good ? XTA_OK : xta__bridge_no_memory(text, err);
}

xta_status xta__coordinates_complete(xta_array *array, bridge_description *what, xta_error *err)
{
    xta_coordinates *c = NULL;
    xta_status status = XTA_OK;

    for (int axis = 0; axis < what->ndim; axis++) {
        if (what->bounds[axis] == 0 || xta_coordinates_read(array, axis, &c, NULL) != XTA_OK ||
            xta_coordinates_kind_of(c) == XTA_COORDINATES_NAMES) {
            xta_coordinates_free(c);
            c = NULL;
            continue;
        }
        if (xta__description_find(what, axis, BRIDGE_VALUES) == NULL) {
            XTA_TRY(add_numbers(c, axis, what, err));
            xta__description_remove(what, axis, BRIDGE_VALUES "//regular");
        }
        XTA_TRY(add_text(axis, "units", xta_coordinates_unit(c), what, err));
        XTA_TRY(add_text(axis, "calendar", xta_coordinates_calendar(c), what, err));
        xta_coordinates_free(c);
        c = NULL;
    }
done:
    xta_coordinates_free(c);
    return status;
}
