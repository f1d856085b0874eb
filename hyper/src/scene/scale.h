/* How cells become reflectances.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_SCALE_H
#define XTA_HYPER_SCENE_SCALE_H

#include <xta/scene.h>

/* Read how cells become reflectances or other physical values, for the bands in use. */
xta_status xta__scene_scale(xta_scene *scene, xta_error *err);

#endif
