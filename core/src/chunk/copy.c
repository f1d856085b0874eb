/* Moving boxes of cells.
 *
 * Definition: for every index tuple, one cell from one place to another. Naive version: that loop
 * (it lives on in tests/oracle). First improvement: axes that continue each other on both sides are
 * joined, so the inner loop is one memcpy. Second: axes are sorted so that the target is written in
 * ascending order, which is worth a factor of two once it is larger than the caches (each 512-byte
 * row of a chunk in a large array lies on another page). Third: a transposition (the fast axis of
 * the source is not that of the target) is done in blocks: transpose.c. Fourth: large targets are
 * written with streaming stores if the processor has them, which saves reading the lines that are
 * about to be overwritten (stream.c). Fifth: rows of the source that lie far from each other are
 * prefetched.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "chunk/copy.h"

#include "chunk/stream.h"
#include "chunk/transpose.h"

#define STREAM_MIN_JOINT 64   /* streamed from here on if the next row continues it */
#define PREFETCH_BYTES   1024 /* of a row */

/* The innermost axis: one row. */
static void copy_row(const xta__copy_plan *plan, xta__stream *stream, uint8_t *to,
                     const uint8_t *from)
{
    int k = plan->ndim - 1;
    bool joint = plan->to[k] == (ptrdiff_t)plan->cell_bytes;
    size_t least = joint ? STREAM_MIN_JOINT : XTA__STREAM_ALONE;

    if (plan->coding != NULL) {
        for (size_t i = 0; i < plan->count[k]; i++) {
            xta__copy_bytes(to + (ptrdiff_t)i * plan->to[k], from + (ptrdiff_t)i * plan->from[k],
                            plan->cell_bytes, plan->coding);
        }
    } else if (plan->stream && plan->cell_bytes >= least) {
        for (size_t i = 0; i < plan->count[k]; i++) {
            xta__stream_piece(stream, to + (ptrdiff_t)i * plan->to[k],
                              from + (ptrdiff_t)i * plan->from[k], plan->cell_bytes, joint);
        }
    } else {
        xta__copy_strided(to, plan->to[k], from, plan->from[k], plan->count[k], plan->cell_bytes);
    }
}

/* The axis along which the source is contiguous, if tiles help: not the innermost one, small
 * cells. */
static int transposed_axis(const xta__copy_plan *plan)
{
    if (plan->cell_bytes > XTA__TRANSPOSED_BYTES || plan->ndim < 2) {
        return -1;
    }
    size_t least = xta__stride_bytes(plan->from[plan->ndim - 1]);
    int found = -1;
    for (int k = 0; k < plan->ndim - 1; k++) {
        if (xta__stride_bytes(plan->from[k]) < least) {
            least = xta__stride_bytes(plan->from[k]);
            found = k;
        }
    }
    return found >= 0 && xta__transposes(plan, found) ? found : -1;
}

/* Step the counters of axes 0 .. n - 1 except `skip`; false when all combinations have been
 * visited. */
static bool next_index(const xta__copy_plan *plan, int n, int skip, size_t index[], ptrdiff_t *to,
                       ptrdiff_t *from)
{
    for (int k = n - 1; k >= 0; k--) {
        if (k == skip) {
            continue;
        }
        *to += plan->to[k];
        *from += plan->from[k];
        if (++index[k] < plan->count[k]) {
            return true;
        }
        *to -= (ptrdiff_t)plan->count[k] * plan->to[k];
        *from -= (ptrdiff_t)plan->count[k] * plan->from[k];
        index[k] = 0;
    }
    return false;
}

void xta__copy_run(const xta__copy_plan *plan, void *to, const void *from)
{
    size_t index[XTA_MAX_NDIM] = {0};
    uint8_t *target = to;
    const uint8_t *source = from;
    ptrdiff_t to_at = 0, from_at = 0;

    for (int k = 0; k < plan->ndim; k++) {
        if (plan->count[k] == 0) {
            return;
        }
    }
    if (plan->ndim == 0) {
        xta__copy_bytes(target, source, plan->cell_bytes, plan->coding);
        return;
    }
    xta__stream stream;
    int other = transposed_axis(plan);
    xta__stream_init(&stream);
    do {
        if (other >= 0) {
            xta__transpose(plan, other, target + to_at, source + from_at);
        } else {
            copy_row(plan, &stream, target + to_at, source + from_at);
        }
    } while (next_index(plan, plan->ndim - 1, other, index, &to_at, &from_at));
    if (plan->stream) {
        xta__stream_flush(&stream);
        xta__stream_fence();
    }
}

/* Prefetch for rows that are far from each other: the processor does not prefetch across pages. The
 * address may lie outside the source; then nothing happens. */
static void prefetch_row(uintptr_t row, size_t n)
{
    for (size_t k = 0; k < n && k < PREFETCH_BYTES; k += 64) {
        __builtin_prefetch((const void *)(row + k));
    }
}

/* The next row of the target, unless an outer axis steps. */
static uint8_t *next_row(const xta__copy_plan *plan, uint8_t *row)
{
    return plan->ndim > 0 ? row + plan->to[plan->ndim - 1] : NULL;
}

void xta__copy_rows(const xta__copy_plan *plan, int n_pieces, uint8_t *const to[],
                    const uint8_t *const from[], const size_t row_bytes[])
{
    size_t index[XTA_MAX_NDIM] = {0};
    ptrdiff_t to_at = 0, from_at = 0;
    ptrdiff_t ahead = plan->ndim > 0 ? 2 * plan->from[plan->ndim - 1] : 0;
    xta__stream stream;

    ahead = xta__stride_bytes(ahead) > PREFETCH_BYTES ? ahead : 0;
    xta__stream_init(&stream);
    do {
        for (int p = 0; p < n_pieces; p++) {
            uint8_t *row = to[p] + to_at;
            const uint8_t *source = from[p] + from_at;
            if (ahead != 0) {
                prefetch_row((uintptr_t)source + (uintptr_t)ahead, row_bytes[p]);
            }
            if (plan->stream) {
                uint8_t *next =
                    p + 1 < n_pieces ? to[p + 1] + to_at : next_row(plan, to[0] + to_at);
                xta__stream_piece(&stream, row, source, row_bytes[p], next == row + row_bytes[p]);
            } else {
                xta__copy_bytes(row, source, row_bytes[p], plan->coding);
            }
        }
    } while (next_index(plan, plan->ndim, -1, index, &to_at, &from_at));
    if (plan->stream) {
        xta__stream_flush(&stream);
        xta__stream_fence();
    }
}
