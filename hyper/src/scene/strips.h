/* Strips in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_STRIPS_H
#define XTA_HYPER_SCENE_STRIPS_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/scene.h>

/* Decide how much is kept within the memory limit. XTA_EARG if not even tiles fit. */
xta_status xta__strips_plan(xta_scene *scene, xta_error *err);
/* After a refresh: keep the strips that are still right, if the signature is the `same`. */
xta_status xta__strips_refresh(xta_scene *scene, bool same, xta_error *err);
void xta__strips_clear(xta_scene *scene);
/* The strip if it is in memory, else NULL. Its first pixel is that of the first sample of line
 * max(strip * TILE_LINES, lo). */
const unsigned char *xta__strip_kept(const xta_scene *scene, int64_t strip);
/* The strip in memory, which is read first if it is not there; *cells is NULL if there is no memory
 * to keep it. */
xta_status xta__strip_load(xta_scene *scene, int64_t strip, const unsigned char **cells,
                           xta_error *err);
/* The lines of a strip within the bounds. */
void xta__strip_lines(const xta_scene *scene, int64_t strip, int64_t lines[2]);

#endif
