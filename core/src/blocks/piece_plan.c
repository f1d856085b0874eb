/* How to move a piece of a chunk with few, large calls.
 *
 * If a piece is one run in its chunk and its cells have the same layout in memory, the call
 * transfers directly from or to the caller's memory. Otherwise (edge chunks, whose rows have ghost
 * cells between them, column order, a fill value other than zero, numbers on a big-endian machine)
 * runs are moved together with the gaps between them, if these are small, through a bounce buffer.
 * For writing this is allowed only if the gaps hold nothing but ghost cells: these are zeros in the
 * file whatever the fill value is. Short runs that are written are left to the array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "blocks/piece_plan.h"

#define GAP_BYTES   2048 /* reading this much in vain costs less than a call */
#define WRITE_BYTES 4096 /* runs that are shorter are left to the array */

enum { READ_WASTE = 4, WRITE_WASTE = 8 };

/* Without a copy: the longest run with the same layout in memory as in the chunk. */
static bool plan_direct(const xta__array_grid *b, const xta_box *piece, const ptrdiff_t strides[],
                        xta__piece_plan *plan)
{
    ptrdiff_t run = (ptrdiff_t)b->cell;
    int k = b->ndim;

    if (b->array->decode != NULL) {
        return false;
    }
    for (; k > 0; k--) {
        int axis = b->by_stride[k - 1];
        if (xta__box_length(piece, axis) > 1 && (b->stride[axis] != run || strides[axis] != run)) {
            break;
        }
        run *= (ptrdiff_t)xta__box_length(piece, axis);
    }
    plan->method = XTA__PIECE_DIRECT;
    plan->cut = k;
    plan->thick = k < b->ndim ? xta__box_length(piece, b->by_stride[k]) : 1;
    plan->run_bytes = (uint64_t)run;
    return k == 0 || plan->run_bytes >= XTA__DIRECT_BYTES;
}

/* Through the bounce buffer: the longest runs with the gaps between them. `cells` are those of the
 * whole chunk within the bounds. */
static void plan_bounced(const xta__array_grid *b, const xta_box *piece, const xta_box *cells,
                         bool reading, xta__piece_plan *plan)
{
    uint64_t span = b->cell, need = b->cell;
    bool whole = true; // the axes further in are complete
    // All cells of an edge chunk are moved as one run with the gaps, as plans count them.
    bool all = xta_box_equal(piece, cells) && b->chunk_bytes <= b->bounce_bytes;

    *plan = (xta__piece_plan){.method = XTA__PIECE_BOUNCED, .cut = b->ndim, .thick = 1};
    for (int k = b->ndim - 1; k >= 0; k--) {
        int axis = b->by_stride[k];
        uint64_t n = (uint64_t)xta__box_length(piece, axis), step = (uint64_t)b->stride[axis];
        uint64_t longer = (n - 1) * step + span;
        uint64_t gap = step > span ? step - span : 0;
        bool thin = reading ? gap > GAP_BYTES && longer > READ_WASTE * need * n
                            : gap > 0 && (!whole || longer > WRITE_WASTE * need * n);
        thin = thin && !all;
        if (n > 1 && thin) {
            break;
        }
        plan->cut = k;
        plan->thick = (int64_t)n;
        if (longer > b->bounce_bytes) {
            plan->thick =
                span <= b->bounce_bytes ? (int64_t)((b->bounce_bytes - span) / step) + 1 : 1;
            plan->run_bytes = need * (uint64_t)plan->thick;
            return;
        }
        span = longer;
        need *= n;
        whole = whole && xta__box_length(piece, axis) == xta__box_length(cells, axis);
    }
    plan->run_bytes = need;
}

xta__piece_plan xta__plan_piece(const xta__array_grid *b, const int64_t block[],
                                const xta_box *piece, const ptrdiff_t strides[], bool reading)
{
    const xta__piece_plan by_array = {.method = XTA__PIECE_BY_ARRAY};
    xta__piece_plan plan = by_array;
    xta_box slice;

    if (!b->raw || (b->strided && plan_direct(b, piece, strides, &plan))) {
        return plan;
    }
    const xta_box all = xta__grid_cells(b, block);
    if (!b->strided) {
        bool possible =
            b->chunk_bytes <= b->bounce_bytes && (reading || xta_box_equal(&all, piece));
        plan.method = possible ? XTA__PIECE_WHOLE_CHUNK : XTA__PIECE_BY_ARRAY;
        return plan;
    }
    plan_bounced(b, piece, &all, reading, &plan);
    xta__first_slice(b, &plan, piece, &slice);
    bool short_writes = !reading && plan.run_bytes < WRITE_BYTES && !xta_box_equal(&slice, piece);
    return short_writes ? by_array : plan;
}

bool xta__next_slice(const xta__array_grid *b, const xta__piece_plan *plan, const xta_box *piece,
                     xta_box *slice)
{
    for (int k = plan->cut < b->ndim ? plan->cut : b->ndim - 1; k >= 0; k--) {
        int axis = b->by_stride[k];
        int64_t step = k == plan->cut ? plan->thick : 1;
        slice->lo[axis] = slice->hi[axis];
        bool more = slice->lo[axis] < piece->hi[axis];
        slice->lo[axis] = more ? slice->lo[axis] : piece->lo[axis];
        slice->hi[axis] = slice->lo[axis] + step;
        slice->hi[axis] = slice->hi[axis] < piece->hi[axis] ? slice->hi[axis] : piece->hi[axis];
        if (more) {
            return true;
        }
    }
    return false;
}

void xta__first_slice(const xta__array_grid *b, const xta__piece_plan *plan, const xta_box *piece,
                      xta_box *slice)
{
    *slice = *piece;
    for (int k = 0; k <= plan->cut && k < b->ndim; k++) {
        int axis = b->by_stride[k];
        int64_t end = slice->lo[axis] + (k == plan->cut ? plan->thick : 1);
        slice->hi[axis] = end < slice->hi[axis] ? end : slice->hi[axis];
    }
}
