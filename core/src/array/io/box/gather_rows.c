/* Reading lines of chunks: rows that continue each other in memory are gathered from all chunks of
 * a line.
 *
 * The chunks of a line follow each other on the axis that is fastest in memory. The naive version
 * copies chunk by chunk, and each of its short rows lies on a different page of memory. Here the
 * rows of all chunks of a line are copied in turn, so that memory is written in one sweep.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/box/gather_rows.h"

#include <string.h>

#include "array/io/box/direction.h"
#include "array/io/box/read_ahead.h"
#include "array/state/open_array.h"

int xta__line_axis(const xta__transfer_call *t)
{
    ptrdiff_t cell = (ptrdiff_t)t->array->cell_bytes;

    if (!t->strided || t->convert) {
        return -1;
    }
    for (int axis = 0; axis < t->region.ndim; axis++) {
        if (t->to[axis] == cell && t->from[axis] == cell && t->region.count[axis] > 1 &&
            t->region.chunks.hi[axis] - t->region.chunks.lo[axis] > 1) {
            return axis;
        }
    }
    return -1;
}

void xta__plan_rows(const xta__transfer_call *t, int line, const xta__chunk_slice *slice,
                    xta__copy_plan *plan)
{
    size_t count[XTA_MAX_NDIM];
    bool reading = t->direction == XTA__READ;

    memcpy(count, slice->count, sizeof count);
    count[line] = 1;
    xta__copy_plan_init(plan, t->region.ndim, t->array->cell_bytes, count,
                        reading ? t->to : t->from, reading ? t->from : t->to, xta__coding_of(t),
                        t->stream);
}

/* Up to XTA__MOST_PIECES chunks from `chunk` on along `line`. */
static xta_status read_line(xta__transfer_call *t, int line, int64_t chunk[], int n_pieces,
                            xta_error *err)
{
    xta__chunk_store *chunk_store = t->array->chunk_store;
    const uint8_t *from[XTA__MOST_PIECES];
    uint8_t *to[XTA__MOST_PIECES];
    size_t row_bytes[XTA__MOST_PIECES];
    xta__copy_plan plan;
    xta__chunk_slice slice;
    int64_t first = chunk[line];

    for (int k = 0; k < n_pieces; k++) {
        xta__pin pin;
        chunk[line] = first + k;
        xta__find_slice(t, chunk, &slice);
        uint64_t address = xta__address_in(t, chunk);
        xta_status status = chunk_store->ops->pin_read(chunk_store, address, &pin, err);
        if (status != XTA_OK) {
            return status;
        }
        if (t->prefetch) {
            chunk_store->ops->will_need(chunk_store, address);
        }
        from[k] = pin.bytes + xta__offset_in_chunk(t, slice.within);
        to[k] = t->memory + slice.memory_at;
        row_bytes[k] = slice.count[line] * t->array->cell_bytes;
    }
    chunk[line] = first;
    xta__plan_rows(t, line, &slice, &plan);
    xta__copy_rows(&plan, n_pieces, to, from, row_bytes);
    return XTA_OK;
}

xta_status xta__read_lines(xta__transfer_call *t, int line, xta_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    xta_status status = XTA_OK;

    memcpy(chunk, t->region.chunks.lo, sizeof chunk);
    xta__ahead_begin(t, line);
    do {
        int64_t left = t->region.chunks.hi[line] - t->region.chunks.lo[line];
        chunk[line] = t->region.chunks.lo[line];
        while (left > 0 && status == XTA_OK && !xta__is_cut_short(t)) {
            int n = left < XTA__MOST_PIECES ? (int)left : XTA__MOST_PIECES;
            n = xta__ahead_step(t, chunk, n);
            // Steps longer than a chunk on another axis may leave no cells to read here.
            xta__chunk_slice slice;
            xta__find_slice(t, chunk, &slice);
            if (slice.n_cells > 0) {
                status = read_line(t, line, chunk, n, err);
            }
            chunk[line] += n;
            left -= n;
        }
    } while (status == XTA_OK && !xta__is_cut_short(t) && xta__next_chunk(t, line, chunk));
    xta__ahead_end(t);
    return status;
}
