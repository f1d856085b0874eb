/* Slices of chunks between the memory of the caller and messages: packed row-major, in the type of
 * the array, as cells are in memory.
 *
 * The transfers of the engine move cells between memory and chunks. If the chunk is in another
 * process, a message lies between the two: this file is the half that knows the caller's memory,
 * its strides and type. The other half is an ordinary transfer between the message and the chunk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/box/dense_pieces.h"

#include <stdlib.h>
#include <string.h>

#include "array/io/box/chunk_slice.h"
#include "array/io/box/prepare_call.h"
#include "array/io/box/transfer_call.h"

struct xta__dense_pieces {
    xta__transfer_call call;
};

xta_status xta__dense_pieces_new(xta_array *array, const xta_box *box,
                                 const xta_io_options *options, xta__direction direction,
                                 void *memory, xta__dense_pieces **out, xta_error *err)
{
    xta__dense_pieces *parts = xta__calloc(1, sizeof *parts);

    *out = parts;
    if (parts == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a transfer",
                         xta__array_name(array));
    }
    xta__call_begin(&parts->call, array, direction, memory);
    xta_status status = xta__call_prepare(&parts->call, box, options, err);
    if (status != XTA_OK) {
        xta__dense_pieces_free(parts);
        *out = NULL;
    }
    return status;
}

void xta__dense_pieces_free(xta__dense_pieces *parts)
{
    if (parts != NULL) {
        xta__call_clear(&parts->call);
        free(parts);
    }
}

/* Cells of the same type: one copy. */
static void copy_slice(xta__transfer_call *t, const xta__chunk_slice *slice, uint8_t *dense)
{
    ptrdiff_t strides[XTA_MAX_NDIM];
    uint8_t *memory = t->memory + slice->memory_at;
    bool reading = t->direction == XTA__READ;
    xta__copy_plan plan;

    xta__slice_strides(t, slice, t->memory_cell, strides);
    xta__copy_plan_init(&plan, t->region.ndim, t->memory_cell, slice->count,
                        reading ? t->to : strides, reading ? strides : t->to, NULL, t->stream);
    xta__copy_run(&plan, reading ? memory : dense, reading ? dense : memory);
}

xta_status xta__dense_pieces_move(xta__dense_pieces *parts, const int64_t chunk[], uint8_t *dense,
                                  size_t *n_bytes, xta_error *err)
{
    xta__transfer_call *t = &parts->call;
    xta_status status = XTA_OK;
    xta__chunk_slice slice;

    xta__find_slice(t, chunk, &slice);
    *n_bytes = slice.n_cells * t->array->cell_bytes;
    if (slice.n_cells == 0) {
        return XTA_OK;
    }
    if (!t->convert) {
        copy_slice(t, &slice, dense);
    } else if (t->direction == XTA__READ) {
        memcpy(t->scratch, dense, *n_bytes);
        status = xta__scatter_scratch(t, &slice, chunk, err);
    } else {
        status = xta__gather_scratch(t, &slice, chunk, err);
        memcpy(dense, t->scratch, *n_bytes);
    }
    return status;
}
