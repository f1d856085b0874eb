/* Cells where they lie.
 *
 * A copy into memory of the caller costs as much as adding the cells up. So chunks in row order are
 * pinned, as the core's own transfers pin them, and their cells are read in place. Cells that are
 * stored in another order, in another byte order or under a mask are copied by xta_array_read, as
 * many at a time as stay in the cache of a core.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduction/view.h"

#include "private/transfer.h"
#include "util/checked.h"

bool xta__view_is_direct(xta_array *array, const xta_array_info *info)
{
    return array->decode == NULL && info->order == XTA_ROW;
}

bool xta__view_has_one_thread(xta_array *array)
{
    return array->chunk_store->one_thread;
}

static void chunk_of(const xta__reduction *r, const int64_t at[], int64_t chunk[])
{
    for (int axis = 0; axis < r->info.ndim; axis++) {
        chunk[axis] = xta__floor_div(at[axis], r->info.chunk[axis]);
    }
}

uint64_t xta__view_address(const xta__reduction *r, const int64_t at[])
{
    int64_t chunk[XTA_MAX_NDIM];

    chunk_of(r, at, chunk);
    return xta__address(r->array, xta__structure_of(r->array), chunk);
}

static xta_status copy_cells(const xta__reduction *r, const xta_box *box, uint8_t *copy,
                             xta__view *view, xta_error *err)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    int64_t stride = (int64_t)r->info.cell_bytes;

    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        view->strides[axis] = stride;
        stride *= box->hi[axis] - box->lo[axis];
    }
    view->first = copy;
    io.threads = 1; // as many items are under way as there are threads
    return xta_array_read(r->array, box, &io, copy, err);
}

xta_status xta__view_cells(const xta__reduction *r, const xta_box *box, uint8_t *copy,
                           xta__view *view, xta_error *err)
{
    xta__chunk_store *store = r->array->chunk_store;
    int64_t stride = (int64_t)r->info.cell_bytes;
    int64_t chunk[XTA_MAX_NDIM];

    view->pinned = false;
    if (!r->direct) {
        return copy_cells(r, box, copy, view, err);
    }
    chunk_of(r, box->lo, chunk);
    view->pin = (xta__pin){.ndim = box->ndim, .chunk = chunk};
    uint64_t address = xta__address(r->array, xta__structure_of(r->array), chunk);
    xta_status status = store->ops->pin_read(store, address, &view->pin, err);
    if (status != XTA_OK) {
        return status;
    }
    view->pinned = true;
    view->pin.chunk = NULL;
    view->first = view->pin.bytes;
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        view->strides[axis] = stride;
        view->first += (box->lo[axis] - chunk[axis] * r->info.chunk[axis]) * stride;
        stride *= r->info.chunk[axis];
    }
    return XTA_OK;
}

void xta__view_release(const xta__reduction *r, xta__view *view)
{
    xta__chunk_store *store = r->array->chunk_store;

    if (view->pinned && store->ops->unpin != NULL) {
        store->ops->unpin(store, &view->pin);
    }
    view->pinned = false;
}
