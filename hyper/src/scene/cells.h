/* Cells of a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_CELLS_H
#define XTA_HYPER_SCENE_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

/* Cells of the bands in use, (line, sample, band), as `type`: XTA_F64, or the kept type. */
xta_status xta__scene_cells(xta_scene *scene, const int64_t lines[2], const int64_t samples[2],
                            xta_type type, void *cells, xta_error *err);
/* Bytes of a pixel in the type in which strips are kept. */
size_t xta__scene_kept_pixel(const xta_scene *scene);
/* Convert n pixels of the kept type to doubles. */
void xta__scene_widen(const xta_scene *scene, const unsigned char *cells, size_t n, double *pixels);
/* Mark which of n pixels are valid; returns how many are. */
size_t xta__scene_valid(const xta_scene *scene, const double *pixels, size_t n,
                        unsigned char *valid);

#endif
