/* An array of results beside a scene: made, filled, and given to Python.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HYPER_MAP_H
#define XTA_PYTHON_HYPER_MAP_H

#include <xta/scene_map.h>

#include "support/common.h"

typedef struct map {
    bool wanted;
    xta_scene_map_options options;
    xta_array *array;
    bool made; /* files of options.path */
} map;

/* Without the GIL: make the array, if it is wanted. */
xta_status map_begin(map *m, xta_scene *scene, xta_error *err);

/* Without the GIL: close a file after success, delete it after a failure. Returns the status, or
 * why closing failed. */
xta_status map_end(map *m, xta_status status, xta_error *err);

/* With the GIL: cells of memory; None: not wanted, or a file. NULL with an exception. */
PyObject *map_to_python(const map *m);

/* Close what is open. With the GIL. */
void map_clear(map *m);

#endif
