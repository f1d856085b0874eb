/* The cells of an append: written between the allocation of their chunks and the commit.
 *
 * If the growth is never committed, the next one has to know what was touched, so a record says so
 * beforehand. The cells are in memory, or a function of the caller supplies them in pieces.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/append_cells.h"

#include "array/handle/commit.h"
#include "array/handle/write_guard.h"
#include "array/io/box/box_transfer.h"
#include "array/io/check_call.h"
#include "array/state/structure.h"

xta_status xta__check_append_options(const xta_array *array, int ndim,
                                     const xta_io_options *options, xta_error *err)
{
    xta_status status = xta__check_options(array, ndim, options, err);

    if (status == XTA_OK && options != NULL && options->step != NULL) {
        status = xta__fail(err, XTA_EARG, 0, "%s: append takes no steps", xta__array_name(array));
    }
    return status;
}

xta_status xta__place_slab(xta_array *array, const xta_growth *growth, const xta_box *seen,
                           xta_box *slab, xta_error *err)
{
    xta_box now = xta__structure_bounds(array->state.structure), same = *seen;
    int axis = growth->axis;

    same.lo[axis] = now.lo[axis];
    same.hi[axis] = now.hi[axis];
    if (!xta_box_equal(&same, &now)) {
        return xta__fail(err, XTA_EBOX, 0,
                         "%s: another process has changed other axes meanwhile; refresh, and "
                         "append a slab of the new shape",
                         xta__array_name(array));
    }
    if (growth->by >= XTA__COORD_LIMIT) {
        return xta__fail(err, XTA_EOVERFLOW, 0, "%s: coordinates would pass 2^62; grow by less",
                         xta__array_name(array));
    }
    bool back = growth->side == XTA_BACK;
    *slab = now;
    slab->lo[axis] = back ? now.hi[axis] : now.lo[axis] - growth->by;
    slab->hi[axis] = back ? now.hi[axis] + growth->by : now.lo[axis];
    return XTA_OK;
}

struct xta_appending {
    xta_array *array;
    const xta_box *slab;
};

static xta_status write_pieces(xta_array *array, const xta__slab *with, xta_error *err)
{
    xta_appending appending = {array, &with->box};
    bool before = array->appending; // set for all arrays that are appended to in one step

    xta__clear(err);
    array->appending = true;
    xta_status status = with->fn(with->user, &appending, &with->box, err);
    array->appending = before;
    return status;
}

xta_status xta_append_write(xta_appending *appending, const xta_box *box,
                            const xta_io_options *options, const void *cells, xta_error *err)
{
    xta_array *array = appending->array;
    xta_status status = XTA_OK;
    xta_io_options own;

    XTA_TRY(xta__begin_change(array, "append", err));
    XTA_TRY(xta__read_io_options(&options, &own, err));
    XTA_TRY(xta__check_box(array, box, appending->slab, err));
    XTA_TRY(xta__check_append_options(array, box->ndim, options, err));
    XTA_TRY(xta__write_locked(array, box, options, cells, err));

done:
    return status;
}

xta_status xta__write_slab(xta_array *array, const xta__slab *with, const xta_growth *growth,
                           const xta_box *bounds, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta__chunk_growth none = {0};
    uint8_t bytes[XTA__ONE_GROWTH_BYTES];
    xta__bytes payload = {.bytes = bytes, .capacity = sizeof bytes, .borrowed = true};

    payload.n = xta__encode_one_growth(growth, &none, bytes);
    XTA_TRY(xta__commit(array, XTA__RECORD_WRITE_INTENT, &payload, err));
    xta__structure_reach(array->state.structure, bounds);
    xta__guard_widen(array, bounds);
    if (with->fn != NULL) {
        XTA_TRY(write_pieces(array, with, err));
    } else {
        XTA_TRY(xta__write_locked(array, &with->box, with->options, with->cells, err));
    }
    XTA_TRY(xta__flush(array, err));

done:
    xta__bytes_clear(&payload);
    return status;
}
