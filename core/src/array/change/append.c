/* Growing an array together with the new cells: they are in place before the bounds are published.
 *
 * The cells are in memory, or a function of the caller writes them piece by piece: see
 * append_cells.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/append.h"

#include "array/change/append_cells.h"
#include "array/change/extend.h"
#include "array/change/growth.h"
#include "array/handle/change_lock.h"
#include "array/io/check_call.h"
#include "array/state/open_array.h"
#include "array/state/structure.h"

/* The growth has been checked; the box of `with` is computed here. `seen`: the bounds that the
 * caller knows. */
static xta_status append_slab(xta_array *array, const xta_growth *growth, const xta_box *seen,
                              xta__slab *with, xta_box *after, xta_error *err)
{
    xta_status status = xta__change_begin(array, err);
    if (status != XTA_OK) {
        return status;
    }
    status = xta__place_slab(array, growth, seen, &with->box, err);
    if (status == XTA_OK) {
        status = growth->by == 0 ? xta__change_nothing(array, after)
                                 : xta__grow_with(array, growth, 1, with, after, err);
    }
    xta__change_end(array);
    return status;
}

xta_status xta_array_append(xta_array *array, const xta_growth *growth,
                            const xta_io_options *options, const void *cells, xta_box *after,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    xta__slab with = {.cells = cells};
    xta_io_options own;

    XTA_TRY(xta__begin_change(array, "append", err));
    XTA_TRY(xta__read_io_options(&options, &own, err));
    with.options = options;
    XTA_TRY(xta__check_growths(array, growth, 1, err));
    xta_box seen = xta__structure_bounds(xta__structure_of(array));
    XTA_TRY(xta__check_append_options(array, seen.ndim, options, err));
    XTA_TRY(append_slab(array, growth, &seen, &with, after, err));

done:
    return status;
}

xta_status xta_array_append_from(xta_array *array, const xta_growth *growth, xta_append_fn fn,
                                 void *user, xta_box *after, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__slab with = {.fn = fn, .user = user};

    XTA_TRY(xta__begin_change(array, "append", err));
    XTA_TRY(xta__check_growths(array, growth, 1, err));
    xta_box seen = xta__structure_bounds(xta__structure_of(array));
    XTA_TRY(append_slab(array, growth, &seen, &with, after, err));

done:
    return status;
}
