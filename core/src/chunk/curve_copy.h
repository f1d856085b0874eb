/* A private header of chunk/: moving a box of cells between a chunk whose cells lie along a curve
 * and memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_CURVE_COPY_H
#define XTA_CHUNK_CURVE_COPY_H

#include "chunk/copy.h"
#include "geometry/order/order.h"

/* The cells first, first + step, ... of a chunk, count of them on each axis, and where they are in
 * memory. All arrays have an element for each axis of the grid. */
typedef struct xta__curve_box {
    const xta__curve *curve;
    size_t cell_bytes;
    const size_t *count;
    const int64_t *first;
    const int64_t *step;
    const ptrdiff_t *stride;   /* bytes in memory, of any sign */
    const xta__coding *coding; /* of the direction of the copy, or NULL */
    bool stream;               /* memory is large and will not be read soon; reading only */
    uint8_t *tile;             /* at least xta__curve_tile_bytes */
    size_t tile_bytes;
} xta__curve_box;

/* The tile size that is worthwhile for a box of n cells. */
size_t xta__curve_tile_bytes(const xta__curve *curve, size_t cell_bytes, size_t n_cells);

/* `memory` is where the first cell of the box is, `chunk` where the first of the chunk is. */
void xta__curve_read(const xta__curve_box *box, void *memory, const void *chunk);

/* `changed` (may be NULL) is called with the bytes of the chunk that have been written: exactly the
 * cells of the box. */
void xta__curve_write(const xta__curve_box *box, void *chunk, const void *memory,
                      void (*changed)(void *user, size_t offset, size_t n), void *user);

#endif
