/* Parts of chunks on their way between the caller's memory and messages: packed row-major, in the
 * array's type, as cells are in memory.
 *
 * The engine's own transfers move cells between memory and chunks. Where the chunk is on another
 * process a message stands between the two: this is the half that knows the caller's memory, its
 * strides and type. The other half is an ordinary transfer between the message and the chunk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/transfer.h"

#include <stdlib.h>
#include <string.h>

#include "private/transfer.h"

struct xta__dense_parts {
    xta__transfer_call call;
};

xta_status xta__dense_parts_new(xta_array *array, const xta_box *box, const xta_io_options *options,
                                xta__direction direction, void *memory, xta__dense_parts **out,
                                xta_error *err)
{
    xta__dense_parts *parts = xta__calloc(1, sizeof *parts);

    *out = parts;
    if (parts == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a transfer",
                         xta__array_name(array));
    }
    xta_status status =
        xta__begin_transfer(&parts->call, array, box, options, direction, memory, err);
    if (status != XTA_OK) {
        xta__dense_parts_free(parts);
        *out = NULL;
    }
    return status;
}

void xta__dense_parts_free(xta__dense_parts *parts)
{
    if (parts != NULL) {
        xta__end_transfer(&parts->call);
        free(parts);
    }
}

/* Cells of the same type: one copy. */
static void copy_part(xta__transfer_call *t, const xta__part *p, uint8_t *dense)
{
    ptrdiff_t strides[XTA_MAX_NDIM];
    uint8_t *memory = t->memory + p->memory_at;
    bool reading = t->direction == XTA__READ;
    xta__copy_plan plan;

    xta__part_strides(t, p, t->memory_cell, strides);
    xta__copy_plan_init(&plan, t->region.ndim, t->memory_cell, p->count, reading ? t->to : strides,
                        reading ? strides : t->to, NULL, t->stream);
    xta__copy_run(&plan, reading ? memory : dense, reading ? dense : memory);
}

xta_status xta__dense_parts_move(xta__dense_parts *parts, const int64_t chunk[], uint8_t *dense,
                                 size_t *n_bytes, xta_error *err)
{
    xta__transfer_call *t = &parts->call;
    xta_status status = XTA_OK;
    xta__part p;

    xta__take_part(t, chunk, &p);
    *n_bytes = p.n_cells * t->array->cell_bytes;
    if (p.n_cells == 0) {
        return XTA_OK;
    }
    if (!t->convert) {
        copy_part(t, &p, dense);
    } else if (t->direction == XTA__READ) {
        memcpy(t->scratch, dense, *n_bytes);
        status = xta__scatter_scratch(t, &p, chunk, err);
    } else {
        status = xta__gather_scratch(t, &p, chunk, err);
        memcpy(dense, t->scratch, *n_bytes);
    }
    return status;
}
