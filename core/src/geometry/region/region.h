/* A box with steps against the grid of chunks: which chunks, and which of their cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_REGION_REGION_H
#define XTA_GEOMETRY_REGION_REGION_H

#include "base/base.h"

/* The cells lo, lo + step, ... of a box, against the grid of chunks. */
typedef struct xta__region {
    int ndim;
    int64_t lo[XTA_MAX_NDIM];
    int64_t step[XTA_MAX_NDIM];
    int64_t count[XTA_MAX_NDIM]; /* selected cells on each axis */
    int64_t chunk[XTA_MAX_NDIM];
    xta_box chunks; /* chunk coordinates from the first to the last selected cell */
    uint64_t n_cells;
    uint64_t n_chunks;
} xta__region;

/* What one chunk contributes on one axis: selected cells number `index` .. `index + count - 1`, the
 * first of them `within` cells from the start of the chunk. count may be 0 if steps are longer than
 * chunks. */
typedef struct xta__slice {
    int64_t index;
    int64_t count;
    int64_t within;
} xta__slice;

/* `step` NULL: 1. XTA_EOVERFLOW if the region has more than 2^63 - 1 cells. */
XTA_PRIVATE_API xta_status xta__region_init(xta__region *region, const xta_box *box,
                                            const int64_t step[], const int64_t chunk[]);

XTA_PRIVATE_API xta__slice xta__region_slice(const xta__region *region, int axis,
                                             int64_t chunk_coord);

#endif
