/* Results of a scene on their way into arrays beside it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_MAP_TILES_H
#define XTA_HYPER_SCENE_MAP_TILES_H

#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

#include "scene/tile.h"

/* The lines asked for, all for NULL; XTA_EARG outside the scene. */
xta_status xta__lines_asked(const xta_scene *scene, const int64_t lines[2], line_range *range,
                            xta_error *err);
/* Whether a map fits; `layers` 0: no axis of layers. NULL is fine. */
xta_status xta__map_fits(const xta_scene *scene, line_range lines, xta_array *map, const char *what,
                         size_t layers, xta_error *err);
/* Write the pixels of a tile that are asked for: `cells` has a row of `layers` (0: 1) numbers for
 * each pixel, `room` as many. NULL maps are left out. */
xta_status xta__map_put_tile(const xta_scene *scene, line_range lines, const hyper_tile *tile,
                             xta_array *map, size_t layers, const double *cells, double *room,
                             xta_error *err);

#endif
