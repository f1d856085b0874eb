/* Which bands take part, what is no data, where the shift of real numbers lies.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_BANDS_H
#define XTA_HYPER_SCENE_BANDS_H

#include <xta/scene.h>

#include "scene/scene_private.h"

/* Read attributes and the anchor line within the bounds in scene->now, and decide on the rest of
 * it.
 */
xta_status xta__scene_decide(xta_scene *scene, xta_error *err);
void xta__snapshot_clear(scene_snapshot *sight);

#endif
