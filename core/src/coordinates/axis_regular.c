/* Regular coordinates of an axis of an array: an attribute of three numbers: origin, step
 * and type.
 *
 * Growth on either side leaves it as it is, and every release of the library keeps it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "coordinates/axis_regular.h"

#include <string.h>

#include "array/state/open_array.h"
#include "coordinates/regular.h"

static xta_status check_axis(xta_array *array, int axis, xta_error *err)
{
    int ndim = xta_array_ndim(array);

    if (axis >= 0 && axis < ndim) {
        return XTA_OK;
    }
    return xta__fail(err, XTA_EARG, 0, "%s: axis %d: the array has axes 0 to %d",
                     xta__array_name(array), axis, ndim - 1);
}

static xta_status remove_if_present(xta_array *array, int axis, const char *name, xta_error *err)
{
    xta_attribute found;

    if (xta_attribute_get(array, axis, name, &found, NULL) != XTA_OK) {
        return XTA_OK;
    }
    return xta_attribute_remove(array, axis, name, err);
}

xta_status xta_axis_set_regular(xta_array *array, int axis, const xta_regular *regular,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    xta_coordinate numbers[XTA__REGULAR_NUMBERS];
    xta_error why = {0};

    xta__clear(err);
    XTA_TRY(check_axis(array, axis, err));
    if (regular == NULL) {
        XTA_TRY(remove_if_present(array, axis, XTA__REGULAR, err));
        goto done;
    }
    xta_box bounds = xta_array_bounds(array);
    status = xta_regular_check(regular, bounds.lo[axis], bounds.hi[axis], &why);
    if (status != XTA_OK) {
        XTA_TRY(
            xta__fail(err, status, 0, "%s: axis %d: %s", xta__array_name(array), axis, why.text));
    }
    xta_type type = xta__regular_store(regular, numbers);
    const xta_attribute attribute = {
        .name = XTA__REGULAR, .type = type, .count = XTA__REGULAR_NUMBERS, .values = numbers};
    XTA_TRY(xta_attribute_set(array, axis, &attribute, err));
    // From here on the list is not looked at any more, so a kill between these calls does no harm.
    XTA_TRY(remove_if_present(array, axis, XTA__VALUES, err));
    XTA_TRY(remove_if_present(array, axis, XTA__VALUES_BOX, err));
    XTA_TRY(remove_if_present(array, axis, XTA__VALUES_DIMENSIONS, err));

done:
    return status;
}

xta_status xta_axis_regular(xta_array *array, int axis, xta_regular *regular, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute found;

    xta__clear(err);
    XTA_TRY(check_axis(array, axis, err));
    if (xta_attribute_get(array, axis, XTA__REGULAR, &found, NULL) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: axis %d has no regular coordinates",
                          xta__array_name(array), axis));
    }
    if (!xta__regular_load(found.type, found.count, found.values, regular)) {
        XTA_TRY(
            xta__fail(err, XTA_ECORRUPT, 0,
                      "%s: axis %d: attribute %s is not origin, step and type; remove or set it",
                      xta__array_name(array), axis, XTA__REGULAR));
    }

done:
    return status;
}
