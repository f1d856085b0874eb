/* What a transfer takes of one chunk, and how these cells get from or to the memory of the caller.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_CHUNK_SLICE_H
#define XTA_ARRAY_IO_BOX_CHUNK_SLICE_H

#include "array/io/box/transfer_call.h"

/* What the region takes of one chunk. */
typedef struct xta__part {
    size_t count[XTA_MAX_NDIM];
    int64_t within[XTA_MAX_NDIM]; /* of the first cell */
    ptrdiff_t memory_at;          /* of the first cell, in bytes */
    size_t n_cells;
    bool whole; /* all cells of the chunk */
} xta__part;

/* How a part lies in its chunk: n runs of `bytes` each, all within offset .. offset + span. */
typedef struct xta__rows {
    size_t offset, span;
    uint64_t n;
    size_t bytes;
} xta__rows;

void xta__take_part(const xta__transfer_call *t, const int64_t chunk[], xta__part *p);

/* Step to the next chunk of the region with `line` fixed (-1: none); false at the end. */
bool xta__next_chunk(const xta__transfer_call *t, int line, int64_t chunk[]);

/* Byte of a chunk where the cell `within` lies; strided orders only. */
size_t xta__offset_in_chunk(const xta__transfer_call *t, const int64_t within[]);

/* The copy plan for parts of this shape; most parts have the shape of the one before. */
const xta__copy_plan *xta__plan_for(xta__transfer_call *t, const xta__part *p);

/* Strides of a part that is packed in row-major order. */
void xta__part_strides(const xta__transfer_call *t, const xta__part *p, size_t cell,
                       ptrdiff_t strides[]);

xta__rows xta__rows_of_part(const xta__transfer_call *t, const xta__part *p);

/* Bytes of a part that lie together in the chunk, and (unless NULL) the strides of the part packed
 * in the chunk's order. */
size_t xta__packed_runs(const xta__transfer_call *t, const xta__part *p, ptrdiff_t packed[]);

/* Fetch one part of the memory into scratch, in the array's type, if it must be converted; and put
 * it into the chunk, from there or straight from memory. */
xta_status xta__gather_scratch(xta__transfer_call *t, const xta__part *p, const int64_t chunk[],
                               xta_error *err);
/* Scratch of a part, converted, into the memory. */
xta_status xta__scatter_scratch(xta__transfer_call *t, const xta__part *p, const int64_t chunk[],
                                xta_error *err);
void xta__scratch_to_chunk(xta__transfer_call *t, const xta__part *p, xta__pin *pin);

/* How a part is written; its rows, unless it goes through a cache; and what the choice was made by,
 * where the chunks' holder knows facts. */
xta__method xta__method_of_part(const xta__transfer_call *t, uint64_t address, const xta__part *p,
                                xta__rows *rows, xta__method_ask *ask);

/* Move one part, by whatever way its shape, order and types allow. */
xta_status xta__move_chunk(xta__transfer_call *t, const int64_t chunk[], uint64_t address,
                           const xta__part *p, xta_error *err);

#endif
