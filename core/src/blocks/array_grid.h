/* Private header: the chunks of an array as a grid of blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BLOCKS_ARRAY_GRID_H
#define XTA_BLOCKS_ARRAY_GRID_H

#include "array/array.h"

/* Runs shorter than this are worth gathering. */
#define XTA__DIRECT_BYTES ((size_t)64 << 10)

typedef struct xta__array_grid {
    xta_array *array;
    xta__structure *structure;
    xta__chunk_io io;
    bool raw; /* there is a file to be read and written */
    int ndim;
    size_t cell;
    xta_box bounds;
    xta_box chunks; /* that intersect the bounds */
    int64_t chunk[XTA_MAX_NDIM];
    ptrdiff_t stride[XTA_MAX_NDIM]; /* bytes inside a chunk; only if the order is strided */
    int by_stride[XTA_MAX_NDIM];    /* axes, the one with the longest stride first */
    bool strided;
    bool plain; /* a chunk within the bounds is stored as its plain cells in row-major order */
    const uint32_t *curve_table;
    uint64_t slot, chunk_bytes;
    uint8_t *bounce;
    size_t bounce_bytes;
    uint64_t n_calls[2]; /* system calls that moved cells: reads, writes */
} xta__array_grid;

static inline int64_t xta__box_length(const xta_box *box, int axis)
{
    return box->hi[axis] - box->lo[axis];
}

/* Where a block lies in the data file, in bytes. `self` is a grid. */
uint64_t xta__chunk_offset(void *self, const int64_t block[]);

/* The cells of a block within the bounds. */
xta_box xta__grid_cells(const xta__array_grid *grid, const int64_t block[]);

/* Bytes from cell to cell on each axis of a row-major buffer of a box. */
void xta__dense_strides(const xta_box *box, size_t cell, ptrdiff_t strides[]);

/* Byte of the chunk at which a slice begins; strided orders only. */
size_t xta__slice_begin(const xta__array_grid *grid, const int64_t block[], const xta_box *slice);

/* Copy the cells of a slice between `image`, which begins at byte `begin` of the chunk, and
 * memory. */
void xta__copy_slice(const xta__array_grid *grid, const int64_t block[], const xta_box *slice,
                     uint8_t *image, size_t begin, uint8_t *cells, const ptrdiff_t strides[],
                     bool reading);

/* Allocate the bounce buffer if there is none. XTA_ENOMEM. */
xta_status xta__make_bounce(xta__array_grid *grid, xta_error *err);

/* One system call each. */
xta_status xta__grid_read(xta__array_grid *grid, uint64_t offset, void *bytes, size_t n,
                          xta_error *err);
xta_status xta__grid_write(xta__array_grid *grid, uint64_t offset, const void *bytes, size_t n,
                           xta_error *err);

#endif
