/* Which bytes of a chunk hold the cells of a box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_EXCHANGE_CHUNK_BYTES_H
#define XTA_PARALLEL_EXCHANGE_CHUNK_BYTES_H

#include "private/array.h"

/* The bytes of a chunk from the first to the last cell of a box in it; none if the steps skip the
 * chunk. */
void xta__bytes_of_chunk(const xta_array *array, const xta_box *cells, const int64_t chunk[],
                         size_t *begin, size_t *end);

#endif
