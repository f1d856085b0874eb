/* A private header of chunk/: the two axes of a copy where one is fastest in the source, the other
 * in the target.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_TRANSPOSE_H
#define XTA_CHUNK_TRANSPOSE_H

#include "chunk/copy_plan.h"

/* Longer cells do not gain from it. */
#define XTA__TRANSPOSED_BYTES 16

/* Whether xta__transpose should do a copy whose source is fastest along `other`. */
bool xta__transposes(const xta__copy_plan *plan, int other);

/* The cells of the axes `other` and plan->ndim - 1. */
void xta__transpose(const xta__copy_plan *plan, int other, uint8_t *to, const uint8_t *from);

#endif
