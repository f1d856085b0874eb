/* The oracle of copies between chunks and memory: cell by cell and byte by byte.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_ORACLE_COPIES_H
#define XTA_TESTS_ORACLE_COPIES_H

#include <stddef.h>
#include <stdint.h>

#include "chunk/chunk.h"

/* Convert n bytes of cells from memory to chunk byte order, or back. The bytes of each number of
 * `unit` bytes are reversed; with 1 none are. */
void oracle_copy_bytes(uint8_t *to, const uint8_t *from, size_t n, const xta__coding *coding,
                       size_t unit);

/* The size of the numbers whose bytes this machine must reverse. */
size_t oracle_own_unit(const xta__coding *coding);

/* The definition of a copy plan: the cell at each index, from one place to the other. */
void oracle_copy(int ndim, size_t cell_bytes, const size_t count[], const ptrdiff_t to_stride[],
                 const ptrdiff_t from_stride[], const xta__coding *coding, uint8_t *to,
                 const uint8_t *from);

/* The definition of a copy to or from a curve: each cell by its position. `written` (may be NULL)
 * has a flag for each cell of the chunk; the flags of cells in the box are set. */
void oracle_curve_copy(const xta__curve_box *box, int storing, uint8_t *chunk, uint8_t *memory,
                       uint8_t *written);

#endif
