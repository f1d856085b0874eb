/* A room of chunk/: moving a box of cells between a chunk and memory.
 *
 * A copy is planned once for a shape and run for many chunks: the plan drops axes of length 1,
 * sorts the others so that the target is walked in the order it lies in memory, and joins axes that
 * continue each other, so that most copies are a handful of long memcpy.
 *
 * Where the fill value is not zero the file holds cells XOR fill, so that a hole reads as fill;
 * and the numbers of cells are little-endian there, on any machine. A copy between a chunk and
 * memory is given the coding of its direction.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_COPY_H
#define XTA_CHUNK_COPY_H

#include <stddef.h>

#include "base/base.h"

/* What happens to cells on their way from a chunk to memory, or back. No coding (NULL): they are
 * the same bytes on both sides. On a big-endian machine that is so only for cells of single
 * bytes. */
typedef struct xta__coding {
    const uint8_t *mask; /* one cell as it is in memory, to XOR with there; NULL: none */
    size_t cell_bytes;
    size_t unit;  /* bytes of one number in a cell */
    bool storing; /* from memory into the chunk */
} xta__coding;

/* Cells are told apart only by their length. */
typedef struct xta__copy_plan {
    int ndim;                     /* after joining; 0: one cell */
    size_t cell_bytes;            /* of the unit that is copied, possibly several joined cells */
    size_t count[XTA_MAX_NDIM];   /* outermost first */
    ptrdiff_t to[XTA_MAX_NDIM];   /* bytes from one to the next in the target */
    ptrdiff_t from[XTA_MAX_NDIM]; /* and in the source */
    const xta__coding *coding;    /* or NULL */
    bool stream; /* the target is large and will not be read soon: spare the caches */
} xta__copy_plan;

/* Plan a copy of count[0] x ... x count[ndim - 1] cells. Strides in bytes, of any sign. `coding`
 * is borrowed. */
void xta__copy_plan_init(xta__copy_plan *plan, int ndim, size_t cell_bytes, const size_t count[],
                         const ptrdiff_t to[], const ptrdiff_t from[], const xta__coding *coding,
                         bool stream);

void xta__copy_run(const xta__copy_plan *plan, void *to, const void *from);

/* The same for several pieces that continue each other on the axis that is fastest on both sides:
 * the rows of piece p go from from[p] to to[p], row_bytes[p] each, row by row across all pieces, so
 * that the side on which the pieces lie next to each other is walked in one sweep. `plan` is of the
 * other axes. */
void xta__copy_rows(const xta__copy_plan *plan, int n_pieces, uint8_t *const to[],
                    const uint8_t *const from[], const size_t row_bytes[]);

/* Contiguous bytes; with a coding, `n` is a multiple of its cell's length. */
void xta__copy_bytes(void *to, const void *from, size_t n, const xta__coding *coding);

/* The same where machine and chunk have their bytes in opposite order: each number is reversed.
 * Each is stored by one store, so that whoever looks meanwhile sees the number of before or that of
 * after. */
void xta__copy_reversed(void *to, const void *from, size_t n, const xta__coding *coding);

/* Set n cells, contiguous, to one value. */
void xta__fill_cells(void *to, const void *value, size_t cell_bytes, size_t n);

#endif
