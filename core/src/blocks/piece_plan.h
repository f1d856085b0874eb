/* Private header: how a piece of a chunk is moved, a pure choice.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BLOCKS_PIECE_PLAN_H
#define XTA_BLOCKS_PIECE_PLAN_H

#include "blocks/array_grid.h"

typedef enum xta__piece_method {
    /* runs with the same layout in memory as in the chunk, without a copy */
    XTA__PIECE_DIRECT,
    XTA__PIECE_BOUNCED,     /* runs with the gaps between them, through the bounce buffer */
    XTA__PIECE_WHOLE_CHUNK, /* Morton, Hilbert: the whole chunk through the bounce buffer */
    XTA__PIECE_BY_ARRAY,    /* as xta_array_read and xta_array_write do it */
} xta__piece_method;

/* For DIRECT and BOUNCED also the slices, one call each: axes before by_stride[cut] are taken cell
 * by cell, that axis `thick` cells at a time, the others whole. */
typedef struct xta__piece_plan {
    xta__piece_method method;
    int cut;
    int64_t thick;
    uint64_t run_bytes; /* cells of one slice */
} xta__piece_plan;

/* `strides` are those of the cells in memory. */
xta__piece_plan xta__plan_piece(const xta__array_grid *b, const int64_t block[],
                                const xta_box *piece, const ptrdiff_t strides[], bool reading);

void xta__first_slice(const xta__array_grid *b, const xta__piece_plan *plan, const xta_box *piece,
                      xta_box *slice);

/* Step to the next slice of a piece; `slice` holds the previous one. False at the end. */
bool xta__next_slice(const xta__array_grid *b, const xta__piece_plan *plan, const xta_box *piece,
                     xta_box *slice);

#endif
