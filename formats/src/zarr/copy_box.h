/* Copying boxes of cells between two layouts in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_COPY_BOX_H
#define XTA_FORMATS_ZARR_COPY_BOX_H

#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>

/* Cells in memory: the first of a box, and bytes between neighbours on each axis. */
typedef struct zarr_view {
    uint8_t *bytes;
    int64_t stride[XTA_MAX_NDIM];
} zarr_view;

/* The strides of a box in row order; `first` counts cells from its beginning, and bytes moves
 * there. */
void xta__zarr_view_rows(zarr_view *view, int ndim, const int64_t shape[], const int64_t first[],
                         size_t cell_bytes);
void xta__zarr_copy_box(const zarr_view *from, const zarr_view *to, int ndim, const int64_t shape[],
                        size_t cell_bytes);
/* Set `n` cells. `fill`: NULL for zeros. */
void xta__zarr_fill(uint8_t *cells, uint64_t n, const unsigned char *fill, size_t cell_bytes);

#endif
