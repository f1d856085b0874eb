/* Whether a mapping is valid: the invariants at the top of axial.c, as code.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_MAPPING_CHECK_H
#define XTA_GEOMETRY_MAPPING_CHECK_H

#include "geometry/mapping/types.h"

/* Debug builds check no more segments than this after each change. */
#define XTA__CHECKED_RECORDS 1024

/* Check all segments and all search structures: NULL if every invariant holds, else a constant text
 * that names the first one that does not, by its number. Nobody may be growing the mapping.
 * Cost: a search for each coordinate of each axis, but only two for a long run; O(ndim) for each
 * segment. */
const char *xta__check_mapping(const xta__mapping *mapping);

/* The same for the last segment only, the one that a growth changes; its cost does not depend on
 * the history. */
const char *xta__check_last_segment(const xta__mapping *mapping);

#endif
