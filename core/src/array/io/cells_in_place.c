/* Cells that are read where they lie: the place of a box in the mapped data file.
 *
 * Inside a chunk the place of a cell is a dot product of coordinates and strides. A box of several
 * chunks has such a place if each chunk lies where the strides of the first one lead: so the place
 * of each chunk is compared with that. On an axis on which chunks have one cell, they have no
 * stride inside the chunk, and the distance of the first two chunks is taken.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/cells_in_place.h"

#include "array/io/check_call.h"
#include "array/io/chunk_address.h"
#include "array/state/structure.h"

/* Where a chunk lies in memory. */
static xta_status chunk_place(xta_array *array, const xta__structure *s, const int64_t chunk[],
                              const uint8_t **place, xta_error *err)
{
    xta__pin pin = {.ndim = s->ndim, .chunk = chunk};
    xta__chunk_store *store = array->chunk_store;
    xta_status status = store->ops->pin_read(store, xta__address(array, s, chunk), &pin, err);

    // Chunks of a mapped file stay where they are until close.
    if (status == XTA_OK && store->ops->unpin != NULL) {
        store->ops->unpin(store, &pin);
    }
    *place = pin.bytes;
    return status;
}

static xta_status check_stored(xta_array *array, const xta__structure *s, xta_error *err)
{
    const char *why = array->in_memory                      ? "it lies in memory"
                      : array->chunk_store->windows == NULL ? "its data file is not mapped"
                      : array->decode != NULL ? "cells are stored otherwise than as they "
                                                "are (its fill value is not 0)"
                      : !s->strided           ? "cells of a chunk lie along a curve"
                                              : NULL;

    return why == NULL ? XTA_OK
                       : xta__fail(err, XTA_EUNSUPPORTED, 0, "%s: no cells in place: %s; read them",
                                   xta__array_name(array), why);
}

/* The stride of each axis: that inside a chunk, or that from the first chunk to the next. */
static xta_status find_strides(xta_array *array, const xta__structure *s, const xta_box *chunks,
                               const uint8_t *first, int64_t strides[], xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t chunk[XTA_MAX_NDIM];
    const uint8_t *next;

    for (int axis = 0; axis < s->ndim; axis++) {
        chunk[axis] = chunks->lo[axis];
        strides[axis] = s->axis[axis].stride_bytes;
    }
    for (int axis = 0; axis < s->ndim; axis++) {
        if (s->axis[axis].chunk > 1 || chunks->hi[axis] - chunks->lo[axis] < 2) {
            continue;
        }
        chunk[axis]++;
        XTA_TRY(chunk_place(array, s, chunk, &next, err));
        chunk[axis]--;
        strides[axis] = (int64_t)((intptr_t)next - (intptr_t)first);
    }
done:
    return status;
}

/* Step to the next chunk of the box; false after the last. */
static bool next_chunk(const xta_box *chunks, int64_t chunk[])
{
    for (int axis = chunks->ndim - 1; axis >= 0; axis--) {
        if (++chunk[axis] < chunks->hi[axis]) {
            return true;
        }
        chunk[axis] = chunks->lo[axis];
    }
    return false;
}

/* Whether every chunk lies where the strides lead. */
static xta_status check_chunks(xta_array *array, const xta__structure *s, const xta_box *chunks,
                               const uint8_t *first, const int64_t strides[], xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t chunk[XTA_MAX_NDIM];
    const uint8_t *place;

    for (int axis = 0; axis < s->ndim; axis++) {
        chunk[axis] = chunks->lo[axis];
        if (strides[axis] < 0) {
            return xta__fail(err, XTA_EUNSUPPORTED, 0,
                             "%s: axis %d: chunks lie in falling order; read the cells",
                             xta__array_name(array), axis);
        }
    }
    do {
        intptr_t wanted = (intptr_t)first;
        for (int axis = 0; axis < s->ndim; axis++) {
            wanted += (chunk[axis] - chunks->lo[axis]) * s->axis[axis].chunk * strides[axis];
        }
        XTA_TRY(chunk_place(array, s, chunk, &place, err));
        if ((intptr_t)place != wanted) {
            XTA_TRY(xta__fail(err, XTA_EUNSUPPORTED, 0,
                              "%s: the cells of the box do not lie together; read them, or give a "
                              "box within a chunk",
                              xta__array_name(array)));
        }
    } while (next_chunk(chunks, chunk));
done:
    return status;
}

xta_status xta_array_in_place(xta_array *array, const xta_box *box, const void **cells,
                              int64_t strides[], xta_error *err)
{
    xta_status status = XTA_OK;
    const xta__structure *s = xta__structure_of(array);
    xta_box bounds = xta__structure_bounds(s), chunks;
    const uint8_t *first;

    XTA_TRY(xta__begin(array, err));
    XTA_TRY(xta__check_box(array, box, &bounds, err));
    if (xta_box_empty(box)) {
        XTA_TRY(xta__fail(err, XTA_EBOX, 0, "%s: the box has no cell", xta__array_name(array)));
    }
    XTA_TRY(check_stored(array, s, err));
    chunks = xta__structure_chunks_of(s, box);
    XTA_TRY(chunk_place(array, s, chunks.lo, &first, err));
    XTA_TRY(find_strides(array, s, &chunks, first, strides, err));
    XTA_TRY(check_chunks(array, s, &chunks, first, strides, err));
    for (int axis = 0; axis < s->ndim; axis++) {
        first += (box->lo[axis] - chunks.lo[axis] * s->axis[axis].chunk) * strides[axis];
    }
    *cells = first;
done:
    return status;
}
