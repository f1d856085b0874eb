/* Writing the results of a tile into arrays beside the scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_MAP_TILES_H
#define XTA_HYPER_SCENE_MAP_TILES_H

#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

#include "scene/tile.h"

/* The range of lines that the caller asked for; all lines for NULL. XTA_EARG outside the scene. */
xta_status xta__lines_asked(const xta_scene *scene, const int64_t lines[2], line_range *range,
                            xta_error *err);
/* Check that a map has the right axes and covers the lines. `layers` is 0 if it has no axis of
 * layers. A NULL map fits. */
xta_status xta__map_fits(const xta_scene *scene, line_range lines, xta_array *map, const char *what,
                         size_t layers, xta_error *err);
/* Write the pixels of a tile that were asked for. `cells` has a row of max(1, layers) numbers for
 * each pixel, and `scratch` has space for as many. Nothing is written to a NULL map. */
xta_status xta__map_put_tile(const xta_scene *scene, line_range lines, const hyper_tile *tile,
                             xta_array *map, size_t layers, const double *cells, double *scratch,
                             xta_error *err);

#endif
