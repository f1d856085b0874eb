/* Cells of a box within one chunk: where they lie, or a copy of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_VIEW_H
#define XTA_REDUCE_REDUCTION_VIEW_H

#include "private/array.h"

#include "reduction/reduction.h"

typedef struct xta__view {
    const uint8_t *first;          // the cell at the lower corner of the box
    int64_t strides[XTA_MAX_NDIM]; // bytes from cell to cell on each axis; the last are adjacent
    bool pinned;
    xta__pin pin;
} xta__view;

/* Whether the cells of an array can be taken from its chunks: they lie there in row order, as they
 * are in memory. */
bool xta__view_is_direct(xta_array *array, const xta_array_info *info);

/* Whether the cells of an array can be reached by the thread of the caller alone. */
bool xta__view_has_one_thread(xta_array *array);

/* The cells of a box within one chunk. `copy` is for r->copy_bytes. To be released. */
xta_status xta__view_cells(const xta__reduction *r, const xta_box *box, uint8_t *copy,
                           xta__view *view, xta_error *err);
void xta__view_release(const xta__reduction *r, xta__view *view);

/* F* of the chunk of a cell. */
uint64_t xta__view_address(const xta__reduction *r, const int64_t at[]);

#endif
