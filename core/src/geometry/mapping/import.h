/* Mappings rebuilt from the records of another one: those of a checkpoint, or with one more axis.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_MAPPING_IMPORT_H
#define XTA_GEOMETRY_MAPPING_IMPORT_H

#include "geometry/mapping/types.h"

/* Rebuild from a checkpoint: `first` is the box of the first segment (or the allocated box, if
 * there is no record), `records` the axial records, `n_chunks` the chunks of all. XTA_ECORRUPT if
 * they contradict each other, XTA_ENOMEM. The same history gives the same addresses. */
xta_status xta__mapping_import(xta__mapping *mapping, const xta_box *first, uint64_t n_chunks,
                               uint32_t n_records, const xta__axial_record records[],
                               const int64_t coord_limit[], uint64_t max_chunks,
                               uint64_t table_limit);

/* What import takes as `first`. */
void xta__mapping_first_box(const xta__mapping *mapping, xta_box *first);

/* A copy with a new axis of one chunk, coordinate 0, before axis `position`. */
xta_status xta__mapping_add_axis(const xta__mapping *mapping, int position, xta__mapping *out);

#endif
