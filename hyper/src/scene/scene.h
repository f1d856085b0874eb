/* What the methods need from a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_SCENE_H
#define XTA_HYPER_SCENE_SCENE_H

#include <stdint.h>

#include <xta/scene.h>

/* Options of the scene. */
int xta__scene_threads(const xta_scene *scene);
const xta_communicator *xta__scene_communicator(const xta_scene *scene);
uint64_t xta__scene_memory(const xta_scene *scene);

/* The vector that is subtracted from the pixels of float scenes before products are summed: the
 * mean of the valid pixels of the anchor line, rounded to 12 significant bits; zero for whole
 * numbers. n_bands doubles, borrowed until the next refresh. */
const double *xta__scene_shift(const xta_scene *scene);

/* Report progress; XTA_ECANCELLED if the caller wants to stop. Called by one thread of a member. */
xta_status xta__scene_progress(xta_scene *scene, const char *what, uint64_t done, uint64_t total,
                               xta_error *err);

#endif
