/* Moving boxes of cells.
 *
 * Definition: for every index tuple, one cell from one place to another. Naive version: that loop
 * (it lives on in tests/oracle). First improvement: axes that continue each other on both sides are
 * joined, so the inner loop is one memcpy. Second: axes are sorted so that the target is written in
 * ascending order, which is worth a factor of two once it is larger than the caches (each 512-byte
 * row of a chunk in a large array lies on another page). Third: a transposition (the fast axis of
 * the source is not that of the target) goes in blocks: transpose.c. Fourth: large targets are
 * written with streaming stores where the processor has them, which saves reading the lines that
 * are about to be overwritten (stream.c). Fifth: rows of the source that lie far from each other
 * are fetched ahead.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "chunk/copy.h"

#include "chunk/stream.h"
#include "chunk/transpose.h"

#include <stdlib.h>
#include <string.h>

#define STREAM_MIN_JOINT 64   /* bytes of a row that the next one continues */
#define PREFETCH_BYTES   1024 /* of a row */

/* XOR with a mask of a power of two of bytes, up to eight, spread over a word. */
static void xor_words(uint8_t *to, const uint8_t *from, size_t n, const uint8_t *mask,
                      size_t mask_bytes)
{
    uint8_t spread[8];
    uint64_t word, pattern;
    size_t i = 0;

    for (size_t k = 0; k < 8; k++) {
        spread[k] = mask[k % mask_bytes];
    }
    memcpy(&pattern, spread, 8);
    for (; i + 8 <= n; i += 8) {
        memcpy(&word, from + i, 8);
        word ^= pattern;
        memcpy(to + i, &word, 8);
    }
    for (; i < n; i++) {
        to[i] = from[i] ^ spread[i % 8];
    }
}

#define REVERSED_LOOP(type, reversed)                                                            \
    for (size_t i = 0, k = 0; i < n; i += sizeof(type)) {                                        \
        type number, mask = 0;                                                                   \
        memcpy(&number, source + i, sizeof number);                                              \
        if (coding->mask != NULL) {                                                              \
            memcpy(&mask, coding->mask + k, sizeof mask);                                        \
        }                                                                                        \
        number =                                                                                 \
            (type)(coding->storing ? reversed((type)(number ^ mask)) : reversed(number) ^ mask); \
        memcpy(target + i, &number, sizeof number);                                              \
        k = k + sizeof number < coding->cell_bytes ? k + sizeof number : 0;                      \
    }

void xta__copy_reversed(void *to, const void *from, size_t n, const xta__coding *coding)
{
    uint8_t *target = to;
    const uint8_t *source = from;

    switch (coding->unit) {
    case 2:
        REVERSED_LOOP(uint16_t, __builtin_bswap16)
        break;
    case 4:
        REVERSED_LOOP(uint32_t, __builtin_bswap32)
        break;
    default:
        REVERSED_LOOP(uint64_t, __builtin_bswap64)
    }
}

void xta__copy_bytes(void *to, const void *from, size_t n, const xta__coding *coding)
{
    uint8_t *target = to;
    const uint8_t *source = from;

    if (coding == NULL) {
        memcpy(target, source, n);
        return;
    }
    if (XTA__BIG_ENDIAN && coding->unit > 1) {
        xta__copy_reversed(to, from, n, coding);
        return;
    }
    const uint8_t *mask = coding->mask;
    size_t mask_bytes = coding->cell_bytes;
    if (mask_bytes <= 8 && 8 % mask_bytes == 0) {
        xor_words(target, source, n, mask, mask_bytes);
        return;
    }
    for (size_t i = 0; i < n; i += mask_bytes) {
        for (size_t k = 0; k < mask_bytes; k++) {
            target[i + k] = source[i + k] ^ mask[k];
        }
    }
}

void xta__fill_cells(void *to, const void *value, size_t cell_bytes, size_t n)
{
    uint8_t *target = to;
    size_t total = n * cell_bytes;

    if (n == 0) {
        return;
    }
    // Doubling: each memcpy takes what is there already.
    memcpy(target, value, cell_bytes);
    for (size_t done = cell_bytes; done < total;) {
        size_t part = done < total - done ? done : total - done;
        memcpy(target + done, target, part);
        done += part;
    }
}

static void swap_axes(xta__copy_plan *plan, int a, int b)
{
    size_t count = plan->count[a];
    ptrdiff_t to = plan->to[a], from = plan->from[a];

    plan->count[a] = plan->count[b];
    plan->to[a] = plan->to[b];
    plan->from[a] = plan->from[b];
    plan->count[b] = count;
    plan->to[b] = to;
    plan->from[b] = from;
}

static size_t magnitude(ptrdiff_t stride)
{
    return stride < 0 ? (size_t)0 - (size_t)stride : (size_t)stride;
}

void xta__copy_plan_init(xta__copy_plan *plan, int ndim, size_t cell_bytes, const size_t count[],
                         const ptrdiff_t to[], const ptrdiff_t from[], const xta__coding *coding,
                         bool stream)
{
    plan->ndim = 0;
    plan->cell_bytes = cell_bytes;
    plan->coding = coding;
    plan->stream = stream && coding == NULL;
    for (int axis = 0; axis < ndim; axis++) {
        if (count[axis] == 1) {
            continue;
        }
        int k = plan->ndim++;
        plan->count[k] = count[axis];
        plan->to[k] = to[axis];
        plan->from[k] = from[axis];
        // Insertion sort: the smallest step in the target goes last.
        for (; k > 0 && magnitude(plan->to[k]) > magnitude(plan->to[k - 1]); k--) {
            swap_axes(plan, k, k - 1);
        }
    }
    // From the inside: cells that are contiguous on both sides become one unit.
    while (plan->ndim > 0 && plan->to[plan->ndim - 1] == (ptrdiff_t)plan->cell_bytes &&
           plan->from[plan->ndim - 1] == (ptrdiff_t)plan->cell_bytes) {
        plan->cell_bytes *= plan->count[--plan->ndim];
    }
    // And axes that continue each other become one axis.
    for (int k = plan->ndim - 1; k > 0; k--) {
        if (plan->to[k - 1] == plan->to[k] * (ptrdiff_t)plan->count[k] &&
            plan->from[k - 1] == plan->from[k] * (ptrdiff_t)plan->count[k]) {
            plan->count[k] *= plan->count[k - 1];
            for (int j = k - 1; j + 1 < plan->ndim; j++) {
                swap_axes(plan, j, j + 1);
            }
            plan->ndim--;
        }
    }
}

#define STRIDED_LOOP(type)                                           \
    for (size_t i = 0; i < n; i++) {                                 \
        type cell;                                                   \
        memcpy(&cell, from + (ptrdiff_t)i * from_step, sizeof cell); \
        memcpy(to + (ptrdiff_t)i * to_step, &cell, sizeof cell);     \
    }

void xta__copy_strided(uint8_t *to, ptrdiff_t to_step, const uint8_t *from, ptrdiff_t from_step,
                       size_t n, size_t cell_bytes)
{
    typedef struct sixteen {
        uint64_t half[2];
    } sixteen;

    switch (cell_bytes) {
    case 1:
        STRIDED_LOOP(uint8_t)
        break;
    case 2:
        STRIDED_LOOP(uint16_t)
        break;
    case 4:
        STRIDED_LOOP(uint32_t)
        break;
    case 8:
        STRIDED_LOOP(uint64_t)
        break;
    case 16:
        STRIDED_LOOP(sixteen)
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            memcpy(to + (ptrdiff_t)i * to_step, from + (ptrdiff_t)i * from_step, cell_bytes);
        }
    }
}

void xta__copy_target_row(const xta__copy_plan *plan, uint8_t *to, const uint8_t *from, size_t n)
{
    if (plan->coding != NULL) {
        xta__copy_bytes(to, from, n, plan->coding);
    } else if (plan->stream) {
        xta__stream stream;
        xta__stream_init(&stream);
        xta__stream_piece(&stream, to, from, n, false);
    } else {
        memcpy(to, from, n);
    }
}

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
    size_t least = magnitude(plan->from[plan->ndim - 1]);
    int found = -1;
    for (int k = 0; k < plan->ndim - 1; k++) {
        if (magnitude(plan->from[k]) < least) {
            least = magnitude(plan->from[k]);
            found = k;
        }
    }
    return found >= 0 && xta__transposes(plan, found) ? found : -1;
}

/* Step the counters of axes 0 .. n - 1 but `skip`; false when all have been seen. */
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

/* Rows that are far from each other: the processor does not look ahead beyond a page. The address
 * may be none of the source; then nothing happens. */
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

    ahead = magnitude(ahead) > PREFETCH_BYTES ? ahead : 0;
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
