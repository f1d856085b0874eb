/* Copying boxes of cells between two layouts in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_COMMON_COPY_BOX_H
#define XTA_FORMATS_COMMON_COPY_BOX_H

#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>

/* Cells in memory: the first of a box, and bytes between neighbours on each axis. */
typedef struct cell_view {
    uint8_t *bytes;
    int64_t stride[XTA_MAX_NDIM];
} cell_view;

/* The strides of a box in row order; `first` counts cells from its beginning, and bytes moves
 * there. */
void xta__view_rows(cell_view *view, int ndim, const int64_t shape[], const int64_t first[],
                    size_t cell_bytes);
void xta__copy_view(const cell_view *from, const cell_view *to, int ndim, const int64_t shape[],
                    size_t cell_bytes);
/* Set `n` cells. `fill`: NULL for zeros. */
void xta__repeat_cell(uint8_t *cells, uint64_t n, const unsigned char *fill, size_t cell_bytes);

#endif
