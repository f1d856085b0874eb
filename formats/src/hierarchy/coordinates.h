/* Coordinates that no array in files holds, as nodes in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HIERARCHY_COORDINATES_H
#define XTA_FORMATS_HIERARCHY_COORDINATES_H

#include <xta/coordinates.h>

#include "hierarchy/node.h"

/* Add the node of regular coordinates of the cells [lo, hi). */
xta_status xta__hierarchy_add_regular(xta_zarr *zarr, const char *path, const char *dimension,
                                      const xta_regular *regular, int64_t lo, int64_t hi,
                                      hierarchy_node **out, xta_error *err);

/* Add the node of the coordinates of an axis of a single array: regular, listed, or names. The box
 * is that of `of`, the array's own node. *found: whether it has any. */
xta_status xta__hierarchy_add_axis(xta_zarr *zarr, const hierarchy_node *of, int axis, bool *found,
                                   xta_error *err);

#endif
