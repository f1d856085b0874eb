/* Whether the box and the options of a call are valid for an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/check_call.h"

#include <inttypes.h>

#include "array/state/structure.h"

xta_status xta__check_box(xta_array *array, const xta_box *box, const xta_box *bounds,
                          xta_error *err)
{
    char text[256];

    if (box->ndim != bounds->ndim) {
        return xta__fail(err, XTA_EBOX, 0, "%s: a box of %d axes; the array has %d",
                         xta__array_name(array), box->ndim, bounds->ndim);
    }
    for (int axis = 0; axis < box->ndim; axis++) {
        if (box->lo[axis] > box->hi[axis] || box->lo[axis] < bounds->lo[axis] ||
            box->hi[axis] > bounds->hi[axis]) {
            return xta__fail(err, XTA_EBOX, 0,
                             "%s: axis %d: box %" PRId64 ":%" PRId64
                             " leaves the bounds; stay within %s",
                             xta__array_name(array), axis, box->lo[axis], box->hi[axis],
                             xta__box_text(bounds, text, sizeof text));
        }
    }
    return XTA_OK;
}

xta_status xta__read_io_options(const xta_io_options **options, xta_io_options *own, xta_error *err)
{
    // Usually the caller was compiled with this release.
    if (*options == NULL || (*options)->struct_size == sizeof *own) {
        return XTA_OK;
    }
    xta_status status = xta_options_read(own, sizeof *own, *options, "xta_io_options", err);
    *options = own;
    return status;
}

xta_status xta__check_options(const xta_array *array, int ndim, const xta_io_options *options,
                              xta_error *err)
{
    int threads = options != NULL ? options->threads : 0;

    if (threads < 0 || threads > XTA__MOST_THREADS) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: %d threads: give 1 to %d, or 0 for as many as XTA_THREADS says",
                         xta__array_name(array), threads, XTA__MOST_THREADS);
    }
    if (threads == 0 && array->threads < 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: when it was opened the variable XTA_THREADS was no number from 1 to "
                         "%d; correct it, or say how many threads in the options",
                         xta__array_name(array), XTA__MOST_THREADS);
    }
    if (options == NULL) {
        return XTA_OK;
    }
    if (options->type != XTA_TYPE_SAME) {
        size_t bad = 0;
        if (!xta__is_cell_type((unsigned)options->type) ||
            (options->type != array->state.constants.type &&
             xta_type_convert(array->state.constants.type, NULL, options->type, NULL, 0, &bad) !=
                 XTA_OK)) {
            return xta__fail(err, XTA_ETYPE, 0, "%s: cells of type %s cannot be taken as %s",
                             xta__array_name(array), xta_type_name(array->state.constants.type),
                             xta_type_name(options->type));
        }
    }
    if (options->order != XTA_ROW && options->order != XTA_COLUMN) {
        return xta__fail(err, XTA_EARG, 0, "memory order %d: give row or column",
                         (int)options->order);
    }
    for (int axis = 0; options->step != NULL && axis < ndim; axis++) {
        if (options->step[axis] < 1) {
            return xta__fail(err, XTA_EARG, 0, "axis %d: step %" PRId64 ": give 1 or more", axis,
                             options->step[axis]);
        }
    }
    return XTA_OK;
}

xta_status xta__check_call(xta_array *array, const xta_box *box, const xta_io_options **options,
                           xta_io_options *own, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box bounds;

    xta__structure_bounds_into(xta__structure_of(array), &bounds);
    XTA_TRY(xta__read_io_options(options, own, err));
    XTA_TRY(xta__check_box(array, box, &bounds, err));
    XTA_TRY(xta__check_options(array, box->ndim, *options, err));

done:
    return status;
}
