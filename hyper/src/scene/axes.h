/* Which axis of an array is lines, which samples, which bands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_AXES_H
#define XTA_HYPER_SCENE_AXES_H

#include <xta/scene.h>

/* Decide which axis is what. */
xta_status xta__scene_axes(xta_scene *scene, const xta_scene_options *options, xta_error *err);

#endif
