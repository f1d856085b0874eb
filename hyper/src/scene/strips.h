/* Strips in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_STRIPS_H
#define XTA_HYPER_SCENE_STRIPS_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/scene.h>

/* Plan what is kept within the memory limit. XTA_EARG if not even tiles fit. */
xta_status xta__strips_plan(xta_scene *scene, xta_error *err);
/* After a refresh: keep what is still right. `same` tells whether the signature is. */
xta_status xta__strips_refresh(xta_scene *scene, bool same, xta_error *err);
void xta__strips_clear(xta_scene *scene);
/* The strip from memory, or NULL if it is not there; *cells then is its first pixel in the bounds,
 * which is that of line max(strip * TILE_LINES, lo) and the first sample. */
const unsigned char *xta__strip_kept(const xta_scene *scene, int64_t strip);
/* As xta__strip_kept, and read it if there is room; *cells stays NULL if there is none. */
xta_status xta__strip_load(xta_scene *scene, int64_t strip, const unsigned char **cells,
                           xta_error *err);
/* The lines of a strip that are within the bounds. */
void xta__strip_lines(const xta_scene *scene, int64_t strip, int64_t lines[2]);

#endif
