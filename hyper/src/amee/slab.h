/* Lines of the eccentricity index from lines of the scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_AMEE_SLAB_H
#define XTA_HYPER_AMEE_SLAB_H

#include <stdint.h>

#include <xta/scene.h>

#include "amee/plan.h"
#include "scene/tile.h"

/* Memory of a slab with n_lines lines of pixels, in bytes. */
uint64_t xta__amee_slab_bytes(const amee_plan *plan, uint64_t n_lines, uint64_t width,
                              uint64_t n_bands);
/* The index of the lines `out`, n_lines x n_samples doubles. */
xta_status xta__amee_slab(xta_scene *scene, const amee_plan *plan, line_range out, double *mei,
                          xta_error *err);

#endif
