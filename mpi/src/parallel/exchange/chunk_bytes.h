/* The bytes of a chunk that the cells of a box lie in.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_EXCHANGE_CHUNK_BYTES_H
#define XTA_PARALLEL_EXCHANGE_CHUNK_BYTES_H

#include "private/array.h"

/* Which bytes of a chunk its cells of a box lie in: from the first to the last of them; none where
 * steps pass over the chunk. */
void xta__bytes_of_chunk(const xta_array *array, const xta_box *cells, const int64_t chunk[],
                         size_t *begin, size_t *end);

#endif
