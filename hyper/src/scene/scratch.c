/* Memory for passes over a scene; scratch.h says what is kept of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/scratch.h"

#include <stdbool.h>
#include <stdlib.h>

#include "scene/scene_private.h"
#include "util/kept_memory.h"

static bool may_keep(const xta_scene *scene)
{
    return scene->memory_bytes / 16 >= XTA__MOST_KEPT;
}

void *xta__scratch_alloc(const xta_scene *scene, size_t bytes)
{
    return may_keep(scene) ? xta__kept_alloc(bytes) : malloc(bytes);
}

void xta__scratch_free(const xta_scene *scene, void *memory, size_t bytes)
{
    if (may_keep(scene)) {
        xta__kept_free(memory, bytes);
    } else {
        free(memory);
    }
}
