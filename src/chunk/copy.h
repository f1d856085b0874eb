/* A room of chunk/: moving a box of cells between a chunk and memory.
 *
 * A copy is planned once for a shape and run for many chunks: the plan drops axes of length 1,
 * sorts the others so that the target is walked in the order it lies in memory, and joins axes that
 * continue each other, so that most copies are a handful of long memcpy.
 *
 * Where the fill value is not zero the file holds cells XOR fill (so that a hole reads as fill);
 * then every copy applies the mask, in either direction.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_COPY_H
#define XTA_CHUNK_COPY_H

#include <stddef.h>

#include "base/base.h"

/* Cells are told apart only by their length. */
typedef struct xta__copy_plan {
    int ndim;                     /* after joining; 0: one cell */
    size_t cell_bytes;            /* of the unit that is copied, possibly several joined cells */
    size_t count[XTA_MAX_NDIM];   /* outermost first */
    ptrdiff_t to[XTA_MAX_NDIM];   /* bytes from one to the next in the target */
    ptrdiff_t from[XTA_MAX_NDIM]; /* and in the source */
    const uint8_t *mask;          /* one cell to XOR with, or NULL */
    size_t mask_bytes;
    bool stream; /* the target is large and will not be read soon: spare the caches */
} xta__copy_plan;

/* Plan a copy of count[0] x ... x count[ndim - 1] cells. Strides in bytes, of any sign. `mask` is
 * borrowed. */
void xta__copy_plan_init(xta__copy_plan *plan, int ndim, size_t cell_bytes, const size_t count[],
                         const ptrdiff_t to[], const ptrdiff_t from[], const uint8_t *mask,
                         bool stream);

void xta__copy_run(const xta__copy_plan *plan, void *to, const void *from);

/* The same for several pieces that continue each other on the axis that is fastest on both sides:
 * the rows of piece p go from from[p] to to[p], row_bytes[p] each, row by row across all pieces, so
 * that the side on which the pieces lie next to each other is walked in one sweep. `plan` is of the
 * other axes. */
void xta__copy_rows(const xta__copy_plan *plan, int n_pieces, uint8_t *const to[],
                    const uint8_t *const from[], const size_t row_bytes[]);

/* Contiguous bytes; `n` is a multiple of the mask's length. */
void xta__copy_bytes(void *to, const void *from, size_t n, const uint8_t *mask, size_t mask_bytes);

/* Set n cells, contiguous, to one value. */
void xta__fill_cells(void *to, const void *value, size_t cell_bytes, size_t n);

#endif
