/* Moving a box of cells between a chunk and memory, by a plan.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_COPY_H
#define XTA_CHUNK_COPY_H

#include "chunk/copy_plan.h"

/* Copy by a plan. */
void xta__copy_run(const xta__copy_plan *plan, void *to, const void *from);

/* The same for several pieces that continue each other on the axis that is fastest on both sides:
 * the rows of piece p go from from[p] to to[p], row_bytes[p] each, row by row across all pieces, so
 * that the side on which the pieces are adjacent is traversed in one sweep. `plan` is a plan of the
 * other axes. */
void xta__copy_rows(const xta__copy_plan *plan, int n_pieces, uint8_t *const to[],
                    const uint8_t *const from[], const size_t row_bytes[]);

#endif
