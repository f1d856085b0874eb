/* The cells of a box within one chunk, as runs of positions in the order of the chunk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_CHUNK_RUNS_H
#define XTA_ARRAY_IO_CHUNK_RUNS_H

#include "array/state/structure.h"

/* Visit the cells of `slice`, a box within the chunk whose box is `cells`: as runs of positions
 * that follow each other in the order of the chunk. */
typedef void xta__run_visitor(void *user, uint64_t position, uint64_t n);
void xta__each_run(const xta__structure *s, const xta_box *cells, const xta_box *slice,
                   xta__run_visitor *visit, void *user);

#endif
