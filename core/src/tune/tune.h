/* The door of tune/: what shape chunks should have, when the user names none and when it is known
 * how the array will be read (<xta/tune.h>).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TUNE_TUNE_H
#define XTA_TUNE_TUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/tune.h>

#include "base/base.h"

/* What is aimed at where nothing is asked for. */
#define XTA__CHUNK_BYTES ((uint64_t)1 << 20)

/* A chunk is not made smaller than this only because the array is small so far. */
#define XTA__CHUNK_BYTES_FLOOR ((uint64_t)4096)

/* Choose a chunk shape near a cube of `chunk_bytes` (0: XTA__CHUNK_BYTES).
 *
 * `bounds` are the lengths so far, 0 meaning "not known": such an axis counts as long. An axis
 * shorter than the side of the cube gets its whole length (rounded up to a power of two if
 * `powers_of_two`), and the axes that are longer share what remains as powers of two, the last
 * axis being the longest where they cannot be equal. Where these would take a sixteenth more room
 * than the cells, the known lengths are divided evenly instead (unless `powers_of_two`). A chunk
 * takes more than `chunk_bytes` only where one cell does; it takes more than half of it unless
 * every axis has its whole length. The shape of an array below XTA__CHUNK_BYTES_FLOOR is
 * lengthened, shortest axis first, towards this size: it has just begun and will grow.
 *
 * XTA_EARG: no cell bytes, ndim not in 1 .. XTA_MAX_NDIM, a negative bound; `chunk` is untouched.
 * */
xta_status xta__chunk_shape(size_t cell_bytes, int ndim, const int64_t bounds[],
                            uint64_t chunk_bytes, bool powers_of_two,
                            int64_t chunk[]) XTA_MUST_CHECK;

/* A query on one axis: `count` cells, `step` apart, the first of them at any of `n_places`
 * coordinates from `first` on. */
typedef struct xta__axis_query {
    int64_t first;
    int64_t n_places;
    int64_t count;
    int64_t step;
} xta__axis_query;

/* What a query is on one axis of the bounds; false if it makes no sense there. */
bool xta__axis_query_make(const xta_box *bounds, const xta_query *query, int axis,
                          xta__axis_query *out);

/* The average number of intervals of length `chunk`, cut at its multiples, that the query meets. */
double xta__axis_cost(const xta__axis_query *query, int64_t chunk);

#endif
