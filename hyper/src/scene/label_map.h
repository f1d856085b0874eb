/* The position of a label map.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_LABEL_MAP_H
#define XTA_HYPER_SCENE_LABEL_MAP_H

#include <xta/classify.h>

/* The array's axes of lines and samples, and the map's bounds in the scene's coordinates. */
xta_status xta__label_map_bounds(const xta_label_map *map, int axes[2], int64_t lo[2],
                                 int64_t hi[2], xta_error *err);

#endif
