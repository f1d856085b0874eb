/* Bounds of arrays beside a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_MAPS_H
#define XTA_HYPER_SCENE_MAPS_H

#include <xta/scene_map.h>

/* Extend or shrink one axis of an array to [lo, hi), at both ends. */
xta_status xta__axis_bounds(xta_array *map, int axis, int64_t lo, int64_t hi, xta_error *err);

#endif
