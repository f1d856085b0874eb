/* Attributes of the array behind a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/attributes.h"

#include "scene/scene_private.h"

xta_status xta__scene_attribute(const xta_scene *scene, int axis, const char *name,
                                xta_attribute *a, bool *there, xta_error *err)
{
    // Most attributes are optional, and a refresh asks dozens of times for what is not there: no
    // text is written then.
    xta_status status = xta_attribute_get(scene->array, axis, name, a, NULL);

    // Any other error is looked for once more, with its text.
    if (status != XTA_OK && status != XTA_ENOENT) {
        status = xta_attribute_get(scene->array, axis, name, a, err);
    }
    *there = status == XTA_OK;
    return status == XTA_ENOENT ? XTA_OK : status;
}
