/* The shape of chunks if the user gives none and nothing is known about how they will be read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_GRID_CHUNK_SHAPE_H
#define XTA_GEOMETRY_GRID_CHUNK_SHAPE_H

#include "base/base.h"

/* The default target size. */
#define XTA__CHUNK_BYTES ((uint64_t)1 << 20)

/* A chunk is not made smaller than this merely because the array is still small. */
#define XTA__CHUNK_BYTES_FLOOR ((uint64_t)4096)

/* Choose a chunk shape near a cube of `chunk_bytes` (0: XTA__CHUNK_BYTES).
 *
 * `bounds` are the lengths so far, 0 meaning "not known": such an axis counts as long. An axis
 * shorter than the side of the cube gets its whole length (rounded up to a power of two if
 * `powers_of_two`), and the longer axes share what remains as powers of two, the last axis being
 * the longest if they cannot be equal. If these would take a sixteenth more space than the cells,
 * the known lengths are divided evenly instead (unless `powers_of_two`). A chunk takes more than
 * `chunk_bytes` only if one cell does; it takes more than half of it unless every axis has its
 * whole length. The shape of an array below XTA__CHUNK_BYTES_FLOOR is lengthened, shortest axis
 * first, towards this size: such an array is new and will grow.
 *
 * XTA_EARG: no cell bytes, ndim not in 1 .. XTA_MAX_NDIM, a negative bound; `chunk` is untouched.
 * */
xta_status xta__chunk_shape(size_t cell_bytes, int ndim, const int64_t bounds[],
                            uint64_t chunk_bytes, bool powers_of_two,
                            int64_t chunk[]) XTA_MUST_CHECK;

#endif
