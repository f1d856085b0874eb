/* Which bands are in use, which values mean no data, and by how much real numbers are shifted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_BANDS_H
#define XTA_HYPER_SCENE_BANDS_H

#include <xta/scene.h>

#include "scene/scene_private.h"

/* Read the attributes and the anchor line within the bounds in scene->now, and fill in the rest of
 * scene->now. */
xta_status xta__scene_decide(xta_scene *scene, xta_error *err);
void xta__snapshot_clear(scene_snapshot *sight);

#endif
