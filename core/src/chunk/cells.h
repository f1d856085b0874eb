/* Copies of cells that lie in one line: contiguous, coded, or with a step.
 *
 * If the fill value is not zero, the file holds cells XOR fill, so that a hole reads as fill;
 * numbers in the file are little-endian on any machine. A copy between a chunk and memory is given
 * the coding of its direction.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_CELLS_H
#define XTA_CHUNK_CELLS_H

#include <stddef.h>
#include <string.h>

#include "base/base.h"

/* What happens to cells on their way from a chunk to memory, or back. No coding (NULL): the bytes
 * are the same on both sides. On a big-endian machine this is possible only for cells of single
 * bytes. */
typedef struct xta__coding {
    const uint8_t *mask; /* one cell as in memory, XORed with each cell in memory; NULL: none */
    size_t cell_bytes;
    size_t unit;  /* bytes of one number in a cell */
    bool storing; /* from memory into the chunk */
} xta__coding;

/* Contiguous bytes with a coding; `n` is a multiple of its cell's length. */
void xta__copy_coded(void *to, const void *from, size_t n, const xta__coding *coding);

/* The same with or without a coding. Inlined, since rows of chunks are short. */
static inline void xta__copy_bytes(void *to, const void *from, size_t n, const xta__coding *coding)
{
    if (coding == NULL) {
        memcpy(to, from, n);
    } else {
        xta__copy_coded(to, from, n, coding);
    }
}

/* The same if machine and chunk have opposite byte orders: each number is byte-swapped. Each is
 * written by one store, so that a concurrent reader sees either the old number or the new one. */
void xta__copy_reversed(void *to, const void *from, size_t n, const xta__coding *coding);

/* Set n cells, contiguous, to one value. */
void xta__fill_cells(void *to, const void *value, size_t cell_bytes, size_t n);

/* n cells of 1, 2, 4, 8, 16 or any number of bytes, with a step on either side. */
void xta__copy_strided(uint8_t *to, ptrdiff_t to_step, const uint8_t *from, ptrdiff_t from_step,
                       size_t n, size_t cell_bytes);

#endif
