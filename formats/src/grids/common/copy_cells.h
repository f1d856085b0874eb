/* Boxes of cells copied between two layouts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_COMMON_COPY_CELLS_H
#define XTA_FORMATS_GRIDS_COMMON_COPY_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

/* Bytes of buffers in addition to the cells that the caller holds. */
#define BLOCKS_BUFFER_BYTES ((size_t)1 << 20)

/* Copy a box of `length` cells from one layout to another (strides in bytes on each axis). */
void xta__blocks_copy(int ndim, const int64_t length[], size_t cell_bytes, const char *from,
                      const int64_t from_strides[], char *to, const int64_t to_strides[]);
/* Strides of a dense box, in row or column order. */
void xta__blocks_strides(const xta_box *box, size_t cell_bytes, xta_order order, int64_t strides[]);

/* Reads and writes dense boxes; a small buffer serves cells in any other layout. */
typedef struct blocks_mover {
    void *state;
    xta_status (*read)(void *state, const xta_box *box, void *cells, xta_error *err);
    xta_status (*write)(void *state, const xta_box *box, const void *cells, xta_error *err);
    size_t cell_bytes;
    xta_order order;          /* order of the dense boxes */
    int slow[XTA_MAX_NDIM];   /* axes, slowest first */
    int64_t lo[XTA_MAX_NDIM]; /* coordinate of the mover's cell 0 */
    const char *path;
    char *buffer;
    size_t buffer_bytes;
} blocks_mover;

void xta__blocks_mover_init(blocks_mover *mover, int ndim, size_t cell_bytes, xta_order order);
/* `piece` is in coordinates of the grid; strides NULL: dense, row-major. */
xta_status xta__blocks_move_in(blocks_mover *mover, const xta_box *piece, void *cells,
                               const int64_t strides[], xta_error *err);
xta_status xta__blocks_move_out(blocks_mover *mover, const xta_box *piece, const void *cells,
                                const int64_t strides[], xta_error *err);
void xta__blocks_mover_clear(blocks_mover *mover);

#endif
