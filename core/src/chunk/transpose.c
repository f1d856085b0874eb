/* Transposition: the fast axis of the source is not that of the target.
 *
 * Definition: to[c][r] = from[r][c], cells of up to 16 bytes. Naive version: two loops; whichever
 * is the inner one, on one side each cell lies in a different cache line, and the lines have left
 * the cache before their other cells are needed. First improvement: square tiles of 16 x 16 cells,
 * whose lines all stay in the cache. But the rows of a chunk are powers of two apart, so the lines
 * of a tile compete for a few sets of the cache; the target gets 128 bytes at a time, too little
 * for streaming stores; and coded cells were copied one by one.
 *
 * Second: an intermediate tile. Cells are gathered from long runs of the source, eight lines side
 * by side, each used completely, into the order of the target in 16 KiB that stay in the L1 cache;
 * from there whole rows are written to the target, coded, and streamed if requested. Small copies,
 * and targets whose rows have gaps, use square tiles as before.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "chunk/transpose.h"

#include <string.h>

#include "chunk/stream.h"

#define SQUARE          16
#define STRIP           8 /* lines of the source gathered side by side */
#define TILE_BYTES      ((size_t)16 << 10)
#define ROW_BYTES       512  /* of the target in a tile */
#define LEAST_BYTES     2048 /* a smaller copy does not gain from a tile */
#define LEAST_ROW_BYTES 64
#define LEAST_RUN       4 /* cells of the source */

/* From `lines` runs of the source, each of n cells, to the first cells of n rows of the tile. */
#define GATHER_LINES(bytes, lines)                                                  \
    for (size_t r = 0; r < n; r++) {                                                \
        const uint8_t *source = from + (ptrdiff_t)r * from_cell;                    \
        uint8_t *target = tile + r * row_bytes;                                     \
        for (size_t k = 0; k < (lines); k++) {                                      \
            memcpy(target + k * (bytes), source + (ptrdiff_t)k * from_line, bytes); \
        }                                                                           \
    }

/* Most strips are full, and their inner loop is unrolled. */
#define GATHER_STRIP(bytes)        \
    if (lines == STRIP) {          \
        GATHER_LINES(bytes, STRIP) \
    } else {                       \
        GATHER_LINES(bytes, lines) \
    }                              \
    break

static void gather_strip(uint8_t *tile, size_t row_bytes, const uint8_t *from, ptrdiff_t from_cell,
                         ptrdiff_t from_line, size_t n, size_t lines, size_t cell_bytes)
{
    switch (cell_bytes) {
    case 1:
        GATHER_STRIP(1);
    case 2:
        GATHER_STRIP(2);
    case 3:
        GATHER_STRIP(3);
    case 4:
        GATHER_STRIP(4);
    case 6:
        GATHER_STRIP(6);
    case 8:
        GATHER_STRIP(8);
    case 12:
        GATHER_STRIP(12);
    case 16:
        GATHER_STRIP(16);
    default:
        GATHER_LINES(cell_bytes, lines)
    }
}

static bool tile_pays(const xta__copy_plan *plan, int other)
{
    int k = plan->ndim - 1;
    size_t row = plan->count[k] * plan->cell_bytes;

    return plan->to[k] == (ptrdiff_t)plan->cell_bytes && row >= LEAST_ROW_BYTES &&
           plan->count[other] >= LEAST_RUN && row * plan->count[other] >= LEAST_BYTES;
}

bool xta__transposes(const xta__copy_plan *plan, int other)
{
    // Coded cells that are not contiguous in the target are copied one by one.
    return plan->coding == NULL || tile_pays(plan, other);
}

static void transpose_by_squares(const xta__copy_plan *plan, int other, uint8_t *to,
                                 const uint8_t *from)
{
    int k = plan->ndim - 1;
    size_t rows = plan->count[other], columns = plan->count[k];

    for (size_t r = 0; r < rows; r += SQUARE) {
        size_t r_end = r + SQUARE < rows ? r + SQUARE : rows;
        for (size_t c = 0; c < columns; c += SQUARE) {
            size_t n = c + SQUARE < columns ? SQUARE : columns - c;
            for (size_t i = r; i < r_end; i++) {
                xta__copy_strided(
                    to + (ptrdiff_t)i * plan->to[other] + (ptrdiff_t)c * plan->to[k], plan->to[k],
                    from + (ptrdiff_t)i * plan->from[other] + (ptrdiff_t)c * plan->from[k],
                    plan->from[k], n, plan->cell_bytes);
            }
        }
    }
}

/* n contiguous bytes, by the plan's coding and streaming. */
static void put_target_row(const xta__copy_plan *plan, uint8_t *to, const uint8_t *from, size_t n)
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

/* One tile: `rows` of the target, each of `columns` cells. */
static void transpose_tile(const xta__copy_plan *plan, int other, uint8_t *to, const uint8_t *from,
                           size_t rows, size_t columns)
{
    uint8_t tile[TILE_BYTES];
    size_t cell = plan->cell_bytes, row_bytes = columns * cell;
    ptrdiff_t line = plan->from[plan->ndim - 1];

    for (size_t c = 0; c < columns; c += STRIP) {
        size_t lines = c + STRIP < columns ? STRIP : columns - c;
        gather_strip(tile + c * cell, row_bytes, from + (ptrdiff_t)c * line, plan->from[other],
                     line, rows, lines, cell);
    }
    for (size_t r = 0; r < rows; r++) {
        put_target_row(plan, to + (ptrdiff_t)r * plan->to[other], tile + r * row_bytes, row_bytes);
    }
}

void xta__transpose(const xta__copy_plan *plan, int other, uint8_t *to, const uint8_t *from)
{
    int k = plan->ndim - 1;
    size_t rows = plan->count[other], columns = plan->count[k];

    if (!tile_pays(plan, other)) {
        transpose_by_squares(plan, other, to, from);
        return;
    }
    size_t width = ROW_BYTES / plan->cell_bytes;
    width = columns < width ? columns : width;
    size_t height = TILE_BYTES / (width * plan->cell_bytes);
    for (size_t r = 0; r < rows; r += height) {
        size_t n_rows = rows - r < height ? rows - r : height;
        for (size_t c = 0; c < columns; c += width) {
            transpose_tile(plan, other,
                           to + (ptrdiff_t)r * plan->to[other] + (ptrdiff_t)c * plan->to[k],
                           from + (ptrdiff_t)r * plan->from[other] + (ptrdiff_t)c * plan->from[k],
                           n_rows, columns - c < width ? columns - c : width);
        }
    }
}
