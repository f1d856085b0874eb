/* Attributes of the array behind a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_ATTRIBUTES_H
#define XTA_HYPER_SCENE_ATTRIBUTES_H

#include <stdbool.h>

#include <xta/attribute.h>
#include <xta/scene.h>

/* An attribute of the array or of an axis; *there is false if there is none of this name. */
xta_status xta__scene_attribute(const xta_scene *scene, int axis, const char *name,
                                xta_attribute *a, bool *there, xta_error *err);

#endif
