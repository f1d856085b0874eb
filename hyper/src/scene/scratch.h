/* Memory for strips, tiles and matrices, which every pass over a scene needs again.
 *
 * It is kept for the next pass or scene (util/kept_memory.h), so that its pages cause no faults
 * again. A scene's memory budget does not count what is kept, nor the end of a huge page that is
 * not used; so scenes whose budget is less than 16 times the most that is kept use malloc and free.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_SCRATCH_H
#define XTA_HYPER_SCENE_SCRATCH_H

#include <stddef.h>

#include <xta/scene.h>

/* Memory with any content; NULL if out of memory. */
void *xta__scratch_alloc(const xta_scene *scene, size_t bytes);
/* Free or keep what was allocated for the same scene with the same length; NULL is ignored. */
void xta__scratch_free(const xta_scene *scene, void *memory, size_t bytes);

#endif
