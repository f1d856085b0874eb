/* Copying boxes of cells between two layouts in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "common/copy_box.h"

#include <stdbool.h>
#include <string.h>

void xta__view_rows(cell_view *view, int ndim, const int64_t shape[], const int64_t first[],
                    size_t cell_bytes)
{
    int64_t stride = (int64_t)cell_bytes;

    for (int d = ndim - 1; d >= 0; d--) {
        view->stride[d] = stride;
        view->bytes += first[d] * stride;
        stride *= shape[d];
    }
}

static void copy_row(const uint8_t *from, int64_t from_stride, uint8_t *to, int64_t to_stride,
                     int64_t n, size_t cell_bytes)
{
    if (from_stride == (int64_t)cell_bytes && to_stride == (int64_t)cell_bytes) {
        memcpy(to, from, (size_t)n * cell_bytes);
        return;
    }
    for (int64_t k = 0; k < n; k++) {
        memcpy(to + k * to_stride, from + k * from_stride, cell_bytes);
    }
}

void xta__copy_view(const cell_view *from, const cell_view *to, int ndim, const int64_t shape[],
                    size_t cell_bytes)
{
    int64_t at[XTA_MAX_NDIM] = {0};
    const uint8_t *source = from->bytes;
    uint8_t *target = to->bytes;
    int last = ndim - 1, d = 0;

    for (int k = 0; k < ndim; k++) {
        if (shape[k] <= 0) {
            return;
        }
    }
    while (d >= 0) {
        copy_row(source, ndim > 0 ? from->stride[last] : 0, target, ndim > 0 ? to->stride[last] : 0,
                 ndim > 0 ? shape[last] : 1, cell_bytes);
        for (d = last - 1; d >= 0; d--) {
            source += from->stride[d];
            target += to->stride[d];
            if (++at[d] < shape[d]) {
                break;
            }
            source -= shape[d] * from->stride[d];
            target -= shape[d] * to->stride[d];
            at[d] = 0;
        }
    }
}

void xta__repeat_cell(uint8_t *cells, uint64_t n, const unsigned char *fill, size_t cell_bytes)
{
    if (fill == NULL) {
        memset(cells, 0, (size_t)n * cell_bytes);
        return;
    }
    for (uint64_t k = 0; k < n; k++) {
        memcpy(cells + k * cell_bytes, fill, cell_bytes);
    }
}
