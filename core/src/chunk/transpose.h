/* A private header of chunk/: the two axes of a copy of which one is fastest in the source, the
 * other in the target.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_TRANSPOSE_H
#define XTA_CHUNK_TRANSPOSE_H

#include "chunk/copy.h"

/* Cells up to this length are worth it. */
#define XTA__TRANSPOSED_BYTES 16

/* Whether a copy whose source is fastest along `other` is one for xta__transpose. */
bool xta__transposes(const xta__copy_plan *plan, int other);

/* The cells of the axes `other` and plan->ndim - 1. */
void xta__transpose(const xta__copy_plan *plan, int other, uint8_t *to, const uint8_t *from);

/* ---- copy.c ---- */

/* n cells of 1, 2, 4, 8, 16 or any number of bytes, with a step on either side. */
void xta__copy_strided(uint8_t *to, ptrdiff_t to_step, const uint8_t *from, ptrdiff_t from_step,
                       size_t n, size_t cell_bytes);

/* n contiguous bytes, by the plan's coding and streaming. */
void xta__copy_target_row(const xta__copy_plan *plan, uint8_t *to, const uint8_t *from, size_t n);

#endif
