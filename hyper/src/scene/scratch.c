/* Memory for passes over a scene; scratch.h says what is kept of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/scratch.h"

#include <stdlib.h>

#include "scene/scene_private.h"
#include "util/kept_memory.h"

void *xta__scratch_alloc(size_t bytes)
{
    return xta__kept_alloc(bytes);
}

void xta__scratch_free(const xta_scene *scene, void *memory, size_t bytes)
{
    if (scene->memory_bytes / 16 < XTA__MOST_KEPT) {
        free(memory);
    } else {
        xta__kept_free(memory, bytes);
    }
}
