/* Copying boxes of cells from one layout to another, through a small buffer if the order in the
 * file differs from that in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "grids/common/copy_cells.h"

#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "util/try.h"

/* Tile edge of a transposition: both sides fit in the first-level cache. */
#define TILE 32

void xta__blocks_strides(const xta_box *box, size_t cell_bytes, xta_order order, int64_t strides[])
{
    int64_t stride = (int64_t)cell_bytes;
    for (int k = 0; k < box->ndim; k++) {
        int axis = order == XTA_COLUMN ? k : box->ndim - 1 - k;
        strides[axis] = stride;
        stride *= box->hi[axis] - box->lo[axis];
    }
}

static bool same_strides(const xta_box *box, const int64_t a[], const int64_t b[])
{
    for (int axis = 0; axis < box->ndim; axis++) {
        if (box->hi[axis] - box->lo[axis] > 1 && a[axis] != b[axis]) {
            return false;
        }
    }
    return true;
}

/* Copy `n` cells along one axis. The usual cell lengths are constants, so that the copies become
 * plain moves. */
static void copy_line(int64_t n, size_t cell_bytes, const char *from, int64_t from_stride, char *to,
                      int64_t to_stride)
{
    if (from_stride == (int64_t)cell_bytes && to_stride == (int64_t)cell_bytes) {
        memcpy(to, from, (size_t)n * cell_bytes);
        return;
    }
#define LINE(bytes)                                                    \
    case bytes:                                                        \
        for (int64_t k = 0; k < n; k++) {                              \
            memcpy(to + k * to_stride, from + k * from_stride, bytes); \
        }                                                              \
        return
    switch (cell_bytes) {
        LINE(1);
        LINE(2);
        LINE(4);
        LINE(8);
        LINE(16);
    default:
        for (int64_t k = 0; k < n; k++) {
            memcpy(to + k * to_stride, from + k * from_stride, cell_bytes);
        }
    }
#undef LINE
}

/* Copy the plane of two axes, tile by tile. */
static void copy_plane(const int64_t length[2], size_t cell_bytes, const char *from,
                       const int64_t from_stride[2], char *to, const int64_t to_stride[2])
{
    for (int64_t i = 0; i < length[0]; i += TILE) {
        int64_t rows = length[0] - i < TILE ? length[0] - i : TILE;
        for (int64_t j = 0; j < length[1]; j += TILE) {
            int64_t n = length[1] - j < TILE ? length[1] - j : TILE;
            for (int64_t r = i; r < i + rows; r++) {
                copy_line(n, cell_bytes, from + r * from_stride[0] + j * from_stride[1],
                          from_stride[1], to + r * to_stride[0] + j * to_stride[1], to_stride[1]);
            }
        }
    }
}

/* The axis whose cells lie closest together; axes of one cell do not count. -1: none. */
static int fastest_axis(int ndim, const int64_t length[], const int64_t strides[])
{
    int best = -1;
    for (int axis = 0; axis < ndim; axis++) {
        if (length[axis] > 1 && (best < 0 || strides[axis] < strides[best])) {
            best = axis;
        }
    }
    return best;
}

void xta__blocks_copy(int ndim, const int64_t length[], size_t cell_bytes, const char *from,
                      const int64_t from_strides[], char *to, const int64_t to_strides[])
{
    int64_t at[XTA_MAX_NDIM] = {0};
    int inner = fastest_axis(ndim, length, to_strides);
    int other = fastest_axis(ndim, length, from_strides);
    for (int axis = 0; axis < ndim; axis++) {
        if (length[axis] <= 0) {
            return;
        }
    }
    if (inner < 0) {
        memcpy(to, from, cell_bytes);
        return;
    }
    for (;;) {
        const char *source = from;
        char *target = to;
        for (int axis = 0; axis < ndim; axis++) {
            source += at[axis] * from_strides[axis];
            target += at[axis] * to_strides[axis];
        }
        if (other == inner) {
            copy_line(length[inner], cell_bytes, source, from_strides[inner], target,
                      to_strides[inner]);
        } else {
            int64_t lengths[2] = {length[other], length[inner]};
            int64_t source_strides[2] = {from_strides[other], from_strides[inner]};
            int64_t target_strides[2] = {to_strides[other], to_strides[inner]};
            copy_plane(lengths, cell_bytes, source, source_strides, target, target_strides);
        }
        int axis = ndim - 1;
        for (; axis >= 0; axis--) {
            if (axis == inner || axis == other) {
                continue;
            }
            if (++at[axis] < length[axis]) {
                break;
            }
            at[axis] = 0;
        }
        if (axis < 0) {
            return;
        }
    }
}

void xta__blocks_mover_init(blocks_mover *mover, int ndim, size_t cell_bytes, xta_order order)
{
    mover->cell_bytes = cell_bytes;
    mover->order = order;
    mover->buffer_bytes = BLOCKS_BUFFER_BYTES > cell_bytes ? BLOCKS_BUFFER_BYTES : cell_bytes;
    for (int k = 0; k < ndim; k++) {
        mover->slow[k] = order == XTA_COLUMN ? ndim - 1 - k : k;
    }
}

void xta__blocks_mover_clear(blocks_mover *mover)
{
    free(mover->buffer);
    mover->buffer = NULL;
}

/* Choose the shape of sub-boxes that fill the buffer: the fastest axes whole, and part of one
 * more. */
static void choose_steps(const blocks_mover *mover, const xta_box *piece, int64_t step[])
{
    int64_t n_left = (int64_t)(mover->buffer_bytes / mover->cell_bytes);
    for (int k = piece->ndim - 1; k >= 0; k--) {
        int axis = mover->slow[k];
        int64_t n = piece->hi[axis] - piece->lo[axis];
        step[axis] = n < n_left ? n : n_left;
        step[axis] = step[axis] > 0 ? step[axis] : 1;
        n_left /= step[axis];
    }
}

/* The next sub-box of the piece; false after the last one. */
static bool next_piece(const blocks_mover *mover, const xta_box *piece, const int64_t step[],
                       xta_box *sub)
{
    for (int k = piece->ndim - 1; k >= 0; k--) {
        int axis = mover->slow[k];
        sub->lo[axis] = sub->hi[axis];
        bool more = sub->lo[axis] < piece->hi[axis];
        sub->lo[axis] = more ? sub->lo[axis] : piece->lo[axis];
        int64_t end = sub->lo[axis] + step[axis];
        sub->hi[axis] = end < piece->hi[axis] ? end : piece->hi[axis];
        if (more) {
            return true;
        }
    }
    return false;
}

static xta_box shifted_box(const blocks_mover *mover, const xta_box *box)
{
    xta_box out = *box;
    for (int axis = 0; axis < box->ndim; axis++) {
        out.lo[axis] -= mover->lo[axis];
        out.hi[axis] -= mover->lo[axis];
    }
    return out;
}

/* Read or write; with `out`, `cells` is not written to. */
static xta_status through_buffer(blocks_mover *mover, const xta_box *piece, char *cells,
                                 const int64_t strides[], bool out, xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t step[XTA_MAX_NDIM];
    int64_t length[XTA_MAX_NDIM];
    int64_t dense[XTA_MAX_NDIM];
    xta_box sub = *piece;
    if (mover->buffer == NULL) {
        mover->buffer = malloc(mover->buffer_bytes);
    }
    if (mover->buffer == NULL) {
        return xta__bridge_no_memory(mover->path, err);
    }
    choose_steps(mover, piece, step);
    for (int axis = 0; axis < piece->ndim; axis++) {
        int64_t end = piece->lo[axis] + step[axis];
        sub.hi[axis] = end < piece->hi[axis] ? end : piece->hi[axis];
    }
    do {
        char *target = cells;
        for (int axis = 0; axis < piece->ndim; axis++) {
            length[axis] = sub.hi[axis] - sub.lo[axis];
            target += (sub.lo[axis] - piece->lo[axis]) * strides[axis];
        }
        xta_box box = shifted_box(mover, &sub);
        xta__blocks_strides(&sub, mover->cell_bytes, mover->order, dense);
        if (out) {
            xta__blocks_copy(piece->ndim, length, mover->cell_bytes, target, strides, mover->buffer,
                             dense);
            XTA_TRY(mover->write(mover->state, &box, mover->buffer, err));
        } else {
            XTA_TRY(mover->read(mover->state, &box, mover->buffer, err));
            xta__blocks_copy(piece->ndim, length, mover->cell_bytes, mover->buffer, dense, target,
                             strides);
        }
    } while (next_piece(mover, piece, step, &sub));
done:
    return status;
}

/* Set the strides to use; returns whether they are those of the mover's dense boxes. */
static bool is_direct(const blocks_mover *mover, const xta_box *piece, const int64_t given[],
                      int64_t strides[])
{
    int64_t dense[XTA_MAX_NDIM];
    if (given != NULL) {
        memcpy(strides, given, (size_t)piece->ndim * sizeof strides[0]);
    } else {
        xta__blocks_strides(piece, mover->cell_bytes, XTA_ROW, strides);
    }
    xta__blocks_strides(piece, mover->cell_bytes, mover->order, dense);
    return same_strides(piece, strides, dense);
}

xta_status xta__blocks_move_in(blocks_mover *mover, const xta_box *piece, void *cells,
                               const int64_t strides[], xta_error *err)
{
    int64_t meant[XTA_MAX_NDIM];
    xta_box box = shifted_box(mover, piece);
    if (xta_box_empty(piece)) {
        return XTA_OK;
    }
    return is_direct(mover, piece, strides, meant)
               ? mover->read(mover->state, &box, cells, err)
               : through_buffer(mover, piece, cells, meant, false, err);
}

xta_status xta__blocks_move_out(blocks_mover *mover, const xta_box *piece, const void *cells,
                                const int64_t strides[], xta_error *err)
{
    int64_t meant[XTA_MAX_NDIM];
    xta_box box = shifted_box(mover, piece);
    if (xta_box_empty(piece)) {
        return XTA_OK;
    }
    if (is_direct(mover, piece, strides, meant)) {
        return mover->write(mover->state, &box, cells, err);
    }
    /* With `out` set, `cells` is not written to. */
    return through_buffer(mover, piece, (char *)(uintptr_t)cells, meant, true, err);
}
