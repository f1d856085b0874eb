/* Memory for strips, tiles and matrices, which every pass over a scene needs again.
 *
 * It is kept for the next pass or scene (util/kept_memory.h), so that its pages cause no faults
 * again. A scene's budget of memory does not count what is kept; so nothing is kept of a scene
 * whose budget is less than 16 times as much as can be.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_SCRATCH_H
#define XTA_HYPER_SCENE_SCRATCH_H

#include <stddef.h>

#include <xta/scene.h>

/* Memory with any content; NULL if out of memory. */
void *xta__scratch_alloc(size_t bytes);
/* Keep or free what was allocated for `scene`; NULL is ignored. */
void xta__scratch_free(const xta_scene *scene, void *memory, size_t bytes);

#endif
