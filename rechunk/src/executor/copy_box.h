/* Private header: copying boxes of cells between dense buffers, and slices of boxes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_COPY_BOX_H
#define XTA_EXECUTOR_COPY_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>

/* Copy the cells of `box` between two buffers, each dense and row-major over its own box, which
 * contains `box`. */
void xta__copy_box(const xta_box *box, size_t cell_bytes, uint8_t *to, const xta_box *to_box,
                   const uint8_t *from, const xta_box *from_box);

/* Compare cells instead of copying them. If they are not the same: false, and the first cell that
 * differs. */
bool xta__same_box(const xta_box *box, size_t cell_bytes, const uint8_t *one,
                   const xta_box *one_box, const uint8_t *other, const xta_box *other_box,
                   int64_t differs[]);

/* The offset in bytes of the cells of `box` in a buffer over `all`; *together: whether they form
 * one run there. */
size_t xta__offset_in(const xta_box *box, const xta_box *all, size_t cell_bytes, bool *together);

/* Slices of a box, of at most `most_bytes` each (or one cell, if that is larger), in row-major
 * order or, with `column`, in column-major order. Each slice is one run of the box in that
 * order. */
typedef struct xta__slices {
    xta_box all;
    xta_box now;
    bool column;
    /* number, slowest first, of the axis that is cut; slower axes have one cell in each slice */
    int cut;
    int64_t thick; /* cells of that axis in each slice */
    bool begun;
} xta__slices;

void xta__slices_begin(xta__slices *slices, const xta_box *box, size_t cell_bytes, bool column,
                       uint64_t most_bytes);

/* Put the next slice into `now`; false at the end. */
bool xta__slices_next(xta__slices *slices);

#endif
