/* Moving one piece as piece_plan.c has chosen: no decisions are left.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "blocks/transfer_piece.h"

#include <string.h>

#include "blocks/piece_plan.h"

/* One slice by one call. */
static xta_status transfer_slice(xta__array_grid *b, const int64_t block[], const xta_box *slice,
                                 const xta__piece_plan *plan, uint8_t *cells,
                                 const ptrdiff_t strides[], bool reading, xta_error *err)
{
    size_t begin = xta__slice_begin(b, block, slice), span = b->cell;
    uint64_t offset = xta__chunk_offset(b, block) + begin;
    xta_status status = XTA_OK;

    for (int a = 0; a < b->ndim; a++) {
        span += (size_t)(xta__box_length(slice, a) - 1) * (size_t)b->stride[a];
    }
    bool direct = plan->method == XTA__PIECE_DIRECT;
    uint8_t *bytes = direct ? cells : b->bounce;
    if (reading) {
        XTA_TRY(xta__grid_read(b, offset, bytes, span, err));
    }
    if (!direct) {
        if (!reading && plan->run_bytes < span) {
            memset(bytes, 0, span);
        }
        xta__copy_slice(b, block, slice, bytes, begin, cells, strides, reading);
    }
    if (!reading) {
        XTA_TRY(xta__grid_write(b, offset, bytes, span, err));
    }

done:
    return status;
}

/* Through the public calls of the array. */
static xta_status transfer_by_array(xta__array_grid *b, const xta_box *piece, uint8_t *cells,
                                    const ptrdiff_t strides[], bool reading, xta_error *err)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t steps[XTA_MAX_NDIM];

    for (int a = 0; a < b->ndim; a++) {
        steps[a] = strides[a];
    }
    options.strides = steps;
    options.threads = 1; // more would need memory beyond the budget
    return reading ? xta_array_read(b->array, piece, &options, cells, err)
                   : xta_array_write(b->array, piece, &options, cells, err);
}

/* A whole chunk by one call. */
static xta_status transfer_whole_chunk(xta__array_grid *b, const int64_t block[],
                                       const xta_box *piece, uint8_t *cells,
                                       const ptrdiff_t strides[], bool reading, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__make_bounce(b, err));
    if (reading) {
        XTA_TRY(xta__grid_read(b, xta__chunk_offset(b, block), b->bounce, b->chunk_bytes, err));
    } else {
        memset(b->bounce, 0, b->chunk_bytes);
    }
    xta__copy_slice(b, block, piece, b->bounce, 0, cells, strides, reading);
    if (!reading) {
        XTA_TRY(xta__grid_write(b, xta__chunk_offset(b, block), b->bounce, b->chunk_bytes, err));
    }

done:
    return status;
}

/* Slice by slice. */
static xta_status transfer_slices(xta__array_grid *b, const int64_t block[], const xta_box *piece,
                                  const xta__piece_plan *plan, uint8_t *cells,
                                  const ptrdiff_t strides[], bool reading, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box slice;

    if (plan->method == XTA__PIECE_BOUNCED) {
        XTA_TRY(xta__make_bounce(b, err));
    }
    xta__first_slice(b, plan, piece, &slice);
    do {
        ptrdiff_t at = 0;
        for (int a = 0; a < b->ndim; a++) {
            at += (ptrdiff_t)(slice.lo[a] - piece->lo[a]) * strides[a];
        }
        XTA_TRY(transfer_slice(b, block, &slice, plan, cells + at, strides, reading, err));
    } while (xta__next_slice(b, plan, piece, &slice));

done:
    return status;
}

xta_status xta__transfer_piece(xta__array_grid *b, const int64_t block[], const xta_box *piece,
                               uint8_t *cells, const int64_t given[], bool reading, xta_error *err)
{
    ptrdiff_t strides[XTA_MAX_NDIM];

    xta__dense_strides(piece, b->cell, strides);
    for (int a = 0; given != NULL && a < b->ndim; a++) {
        strides[a] = (ptrdiff_t)given[a];
    }
    const xta__piece_plan plan = xta__plan_piece(b, block, piece, strides, reading);
    switch (plan.method) {
    case XTA__PIECE_BY_ARRAY:
        return transfer_by_array(b, piece, cells, strides, reading, err);
    case XTA__PIECE_WHOLE_CHUNK:
        return transfer_whole_chunk(b, block, piece, cells, strides, reading, err);
    case XTA__PIECE_DIRECT:
    case XTA__PIECE_BOUNCED:
        break;
    }
    return transfer_slices(b, block, piece, &plan, cells, strides, reading, err);
}
