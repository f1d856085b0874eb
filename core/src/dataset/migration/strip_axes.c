/* Axes lose coordinates that the data set has.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/migration/strip_axes.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "coordinates/axis_regular.h"
#include "dataset/dimensions.h"
#include "dataset/find_coordinates.h"
#include "dataset/migration/agreement.h"
#include "dataset/migration/plan.h"

static bool has(xta_array *array, int axis, const char *name)
{
    xta_attribute found;

    return xta_attribute_get(array, axis, name, &found, NULL) == XTA_OK;
}

static xta_status strip_axis(xta_array *array, int axis, xta_error *err)
{
    static const char *const names[] = {"calendar", "units", XTA__REGULAR, XTA__VALUES,
                                        XTA__VALUES_BOX};
    xta_status status = XTA_OK;

    if (xta_axis_unit(array, axis)[0] != '\0') {
        XTA_TRY(xta_axis_set_unit(array, axis, "", err));
    }
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (has(array, axis, names[k])) {
            XTA_TRY(xta_attribute_remove(array, axis, names[k], err));
        }
    }

done:
    return status;
}

/* A call that was cut off may have removed unit and calendar already. */
static bool is_text_of(const char *own, const char *of_set)
{
    return own[0] == '\0' || strcmp(own, of_set) == 0;
}

/* The attributes of an axis are removed if they say what the data set says. */
static xta_status strip_if_same(xta_array *array, int axis, const xta_coordinates *of_set,
                                xta_error *err)
{
    xta_coordinates *own = NULL;
    xta_status status = xta__axis_own_coordinates(array, axis, &own, err);

    bool same = own != NULL &&
                xta__coordinates_first_difference(own, of_set) == xta_coordinates_hi(own) &&
                is_text_of(xta_coordinates_unit(own), xta_coordinates_unit(of_set)) &&
                is_text_of(xta_coordinates_calendar(own), xta_coordinates_calendar(of_set));
    if (status == XTA_OK && (same || (own == NULL && xta__axis_has_bare_box(array, axis)))) {
        status = strip_axis(array, axis, err);
    }
    xta_coordinates_free(own);
    return status;
}

static xta_status strip_dimension(xta_dataset *set, const char *name, size_t *n_axes,
                                  xta_error *err)
{
    xta_status status = XTA_OK;
    xta_coordinates *of_set = NULL;

    for (size_t k = 0; k < set->n_members; k++) {
        xta_array *array = set->members[k].array;
        int axis = xta__dataset_axis_of(array, name);
        if (axis < 0 || !xta__axis_holds_coordinates(array, axis)) {
            continue;
        }
        if (of_set == NULL) {
            XTA_TRY(xta__dataset_coordinates(array, axis, &of_set, err));
        }
        if (of_set == NULL) {
            goto done;
        }
        XTA_TRY(strip_if_same(array, axis, of_set, err));
        *n_axes += !xta__axis_holds_coordinates(array, axis);
    }

done:
    xta_coordinates_free(of_set);
    return status;
}

xta_status xta__migration_strip(xta_dataset *set, size_t *n_axes, xta_error *err)
{
    xta_status status = XTA_OK;
    char *name = NULL;

    XTA_TRY(xta__dataset_know_dimensions(set, err));
    for (size_t k = 0; k < set->n_dimensions; k++) {
        if (set->dimensions[k].coordinates == 0) {
            continue;
        }
        // The name may be that of an axis, which is valid until the array is changed.
        free(name);
        name = xta__strdup(set->dimensions[k].name);
        if (name == NULL) {
            XTA_TRY(xta__dataset_no_memory(set, err));
        }
        XTA_TRY(strip_dimension(set, name, n_axes, err));
    }

done:
    free(name);
    return status;
}
