/* Which cells of one chunk take part in a transfer, and how they get to or from the caller's
 * memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_CHUNK_SLICE_H
#define XTA_ARRAY_IO_BOX_CHUNK_SLICE_H

#include "array/io/box/transfer_call.h"

/* The cells of one chunk that belong to the region of a transfer. */
typedef struct xta__chunk_slice {
    size_t count[XTA_MAX_NDIM];
    int64_t within[XTA_MAX_NDIM]; /* of the first cell */
    ptrdiff_t memory_at;          /* of the first cell, in bytes */
    size_t n_cells;
    bool whole; /* it has all cells of the chunk */
} xta__chunk_slice;

/* How a slice lies in its chunk: n runs of `bytes` bytes each, all within offset .. offset +
 * span. */
typedef struct xta__rows {
    size_t offset, span;
    uint64_t n;
    size_t bytes;
} xta__rows;

/* The slice of one chunk. n_cells is 0 if the steps skip it, or if it is left out. */
void xta__find_slice(const xta__transfer_call *t, const int64_t chunk[], xta__chunk_slice *slice);

/* Step to the next chunk of the region with `line` fixed (-1: none); false at the end. */
bool xta__next_chunk(const xta__transfer_call *t, int line, int64_t chunk[]);

/* Byte of a chunk where the cell `within` lies; strided orders only. */
size_t xta__offset_in_chunk(const xta__transfer_call *t, const int64_t within[]);

/* The copy plan for slices of this shape. Most have the shape of the previous one, so the plan is
 * kept. */
const xta__copy_plan *xta__plan_for(xta__transfer_call *t, const xta__chunk_slice *slice);

/* The strides of a slice that is packed in row-major order. */
void xta__slice_strides(const xta__transfer_call *t, const xta__chunk_slice *slice, size_t cell,
                        ptrdiff_t strides[]);

/* How a slice lies in its chunk. */
xta__rows xta__rows_of_slice(const xta__transfer_call *t, const xta__chunk_slice *slice);

/* How many bytes of a slice are contiguous in the chunk, and (unless NULL) the strides of the slice
 * packed in the order of the chunk. */
size_t xta__packed_runs(const xta__transfer_call *t, const xta__chunk_slice *slice,
                        ptrdiff_t packed[]);

/* Convert a slice from the memory of the caller into scratch memory, in the type of the array, if
 * it must be converted. */
xta_status xta__gather_scratch(xta__transfer_call *t, const xta__chunk_slice *slice,
                               const int64_t chunk[], xta_error *err);
/* Convert a slice from scratch memory into the memory of the caller. */
xta_status xta__scatter_scratch(xta__transfer_call *t, const xta__chunk_slice *slice,
                                const int64_t chunk[], xta_error *err);
/* Put a slice into its chunk, from scratch memory or, along a curve, straight from the memory of
 * the caller. */
void xta__scratch_to_chunk(xta__transfer_call *t, const xta__chunk_slice *slice, xta__pin *pin);

/* The method by which a slice is written; its rows, unless it goes through a cache; and, if the
 * chunk store knows facts about the place, those on which the choice is based. */
xta__method xta__method_of_slice(const xta__transfer_call *t, uint64_t address,
                                 const xta__chunk_slice *slice, xta__rows *rows,
                                 xta__method_ask *ask);

/* Move one slice by the method that its shape, order and types allow. */
xta_status xta__move_chunk(xta__transfer_call *t, const int64_t chunk[], uint64_t address,
                           const xta__chunk_slice *slice, xta_error *err);

#endif
