/* F*^-1, from addresses to chunks, and the segments.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_MAPPING_INVERSE_H
#define XTA_GEOMETRY_MAPPING_INVERSE_H

#include "geometry/mapping/types.h"

/* F^-1: the chunk at `address` < n_chunks. */
XTA_PRIVATE_API void xta__mapping_inverse(const xta__mapping *mapping, uint64_t address,
                                          int64_t coord[]);

/* Segment k < n_records: its record, the number of its chunks and the box of chunks it covers. */
void xta__mapping_segment(const xta__mapping *mapping, uint32_t k, uint64_t *n_chunks,
                          xta_box *chunks);

#endif
