/* Where the coordinates of an axis are: at the data set's dimension, else the axis has its own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "select/read_coordinates.h"

#include "base/base.h"
#include "coordinates/own_coordinates.h"
#include "dataset/find_coordinates.h"

xta_status xta__cell_numbers(xta_array *array, int axis, xta_coordinates **out, xta_error *err)
{
    xta__coordinates_about about = xta__axis_about(array, axis);
    xta_regular numbers = {.type = XTA_I64, .step.i = 1};

    about.unit = about.calendar = NULL;
    return xta__coordinates_regular(&about, &numbers, out, err);
}

xta_status xta_coordinates_read(xta_array *array, int axis, xta_coordinates **out, xta_error *err)
{
    xta__clear(err);
    *out = NULL;
    if (axis >= 0 && axis < xta_array_ndim(array)) {
        xta_status found = xta__dataset_coordinates(array, axis, out, err);
        if (found != XTA_OK || *out != NULL) {
            return found;
        }
    }
    return xta__own_coordinates(array, axis, out, err);
}
