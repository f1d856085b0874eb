/* What can be shown, which box of it, and in how many pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/extent.h"

#include <inttypes.h>

#include "drawing/number_text.h"
#include "facts/array_facts.h"

#define PIXELS 1600 /* longest side, unless the caller sets it */

xta_status xta__picture_check_type(xta_array *array, xta_error *err)
{
    xta_type type = xta_array_type(array);
    if (type == XTA_C64 || type == XTA_C128 || type == XTA_BYTES) {
        return xta_error_set(err, XTA_ETYPE, 0,
                             "%s: cells of type %s are not real numbers and have no colour",
                             xta_array_path(array), xta_type_name(type));
    }
    return XTA_OK;
}

xta_status xta__picture_choose_box(xta_array *array, const xta_box *wanted, xta_box *box,
                                   xta_error *err)
{
    xta_box bounds = xta_array_bounds(array);
    *box = wanted != NULL ? *wanted : bounds;
    if (box->ndim != bounds.ndim) {
        return xta_error_set(err, XTA_EBOX, 0, "%s: the box has %d axes, the array %d",
                             xta_array_path(array), box->ndim, bounds.ndim);
    }
    for (int axis = 0; axis < bounds.ndim; axis++) {
        char name[PICTURE_TEXT_BYTES];
        xta__picture_axis_name(array, axis, name);
        if (box->lo[axis] >= box->hi[axis]) {
            return xta_error_set(err, XTA_EBOX, 0, "%s: there are no cells to show on %s",
                                 xta_array_path(array), name);
        }
        if (box->lo[axis] < bounds.lo[axis] || box->hi[axis] > bounds.hi[axis]) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: on %s the box is %" PRId64 ":%" PRId64 ", the array %" PRId64
                                 ":%" PRId64,
                                 xta_array_path(array), name, box->lo[axis], box->hi[axis],
                                 bounds.lo[axis], bounds.hi[axis]);
        }
    }
    return XTA_OK;
}

int64_t xta__picture_longest_side(const xta_quicklook_options *options, int64_t *cells)
{
    int64_t most = options->max_pixels > 0 ? options->max_pixels : PIXELS;
    *cells = options->zoom > 0 ? most / options->zoom : most;
    *cells = *cells < 1 ? 1 : *cells;
    return most;
}
