/* Preparing a transfer: strides, types and scratch memory of one read or write.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/box/prepare_call.h"

#include <stdlib.h>

#include "array/io/box/direction.h"
#include "array/io/box/staging.h"
#include "array/io/curve_table.h"
#include "array/state/open_array.h"
#include "array/state/structure.h"
#include "geometry/region/plan.h"

#define PREFETCH_BYTES ((uint64_t)256 << 10)

static void set_strides(xta__transfer_call *t, const xta_io_options *o)
{
    int ndim = t->region.ndim;
    ptrdiff_t stride = (ptrdiff_t)t->memory_cell;

    for (int k = 0; k < ndim; k++) {
        int axis = o->order == XTA_COLUMN ? k : ndim - 1 - k;
        t->to[axis] = o->strides != NULL ? (ptrdiff_t)o->strides[axis] : stride;
        stride *= (ptrdiff_t)t->region.count[axis];
    }
    for (int axis = 0; axis < ndim; axis++) {
        // A step may be longer than any chunk: then the stride is never used, and its value does
        // not matter.
        t->from[axis] = (ptrdiff_t)((uint64_t)t->structure->axis[axis].stride_bytes *
                                    (uint64_t)t->region.step[axis]);
    }
}

/* As much as the largest slice of the region needs. */
xta_status xta__call_make_scratch(xta__transfer_call *t, xta_error *err)
{
    size_t cells = 1;

    if (!t->convert && t->strided) {
        return XTA_OK;
    }
    for (int axis = 0; axis < t->region.ndim; axis++) {
        int64_t most = t->region.chunk[axis] < t->region.count[axis] ? t->region.chunk[axis]
                                                                     : t->region.count[axis];
        cells *= (size_t)most;
    }
    bool failed = false;
    if (!t->strided) {
        // Now, and not while a chunk is pinned: making it waits for the array's lock.
        t->curve = xta__curve_of(t->array, (xta__structure *)(uintptr_t)t->structure);
        failed = t->curve == NULL;
        t->tile_bytes = failed ? 0 : xta__curve_tile_bytes(t->curve, t->array->cell_bytes, cells);
        t->tile = xta__calloc(t->tile_bytes, 1);
        failed = failed || t->tile == NULL;
    }
    if (t->convert) {
        t->scratch = xta__calloc(cells, t->array->cell_bytes);
        t->converted = xta__calloc(cells, t->memory_cell);
        failed = failed || t->scratch == NULL || t->converted == NULL;
    }
    return failed ? xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a chunk of %zu cells",
                              xta__array_name(t->array), cells)
                  : XTA_OK;
}

xta_status xta__call_prepare(xta__transfer_call *t, const xta_box *box,
                             const xta_io_options *options, xta_error *err)
{
    static const xta_io_options defaults = XTA_IO_OPTIONS_INIT;
    const xta_io_options *o = options != NULL ? options : &defaults;
    int64_t chunk[XTA_MAX_NDIM];
    xta_type own = t->array->state.constants.type;

    for (int axis = 0; axis < box->ndim; axis++) {
        chunk[axis] = t->structure->axis[axis].chunk;
    }
    if (xta__region_init(&t->region, box, o->step, chunk) != XTA_OK) {
        return xta__fail(err, XTA_EOVERFLOW, 0, "%s: the box has more than 2^63 - 1 cells",
                         xta__array_name(t->array));
    }
    t->memory_type = o->type == XTA_TYPE_SAME ? own : o->type;
    t->convert = t->memory_type != own;
    t->memory_cell = t->convert ? xta_type_bytes(t->memory_type) : t->array->cell_bytes;
    t->strided = xta__grid_is_strided(&t->structure->grid);
    uint64_t bytes = t->region.n_cells * t->memory_cell;
    t->stream = t->direction == XTA__READ && bytes >= XTA__STREAM_BYTES;
    t->prefetch = t->direction == XTA__READ && bytes >= PREFETCH_BYTES &&
                  t->array->chunk_store->ops->will_need != NULL;
    set_strides(t, o);
    t->n_threads = 1;
    t->ahead.wanted = false;
    t->ahead.fetching = NULL;
    // Most calls need none.
    return t->convert || !t->strided ? xta__call_make_scratch(t, err) : XTA_OK;
}

void xta__call_clear(xta__transfer_call *t)
{
    free(t->tile);
    free(t->scratch);
    free(t->converted);
    xta__drop_staging(t);
}
