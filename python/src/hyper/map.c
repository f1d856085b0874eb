/* An array of results beside a scene: made, filled, and given to Python.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper/map.h"

#include "support/result.h"

xta_status map_begin(map *m, xta_scene *scene, xta_error *err)
{
    if (!m->wanted) {
        return XTA_OK;
    }
    m->options.must_be_new = m->options.path != NULL;
    xta_status status = xta_scene_map_open(scene, &m->options, &m->array, err);
    m->made = status == XTA_OK && m->options.path != NULL;
    return status;
}

xta_status map_end(map *m, xta_status status, xta_error *err)
{
    if (m->options.path != NULL) {
        xta_status closed = xta_array_close(m->array, status == XTA_OK ? err : NULL);
        m->array = NULL;
        status = status != XTA_OK ? status : closed;
    }
    if (status != XTA_OK && m->made) {
        xta_status deleted = xta_array_delete(m->options.path, NULL);
        (void)deleted; // the failure before is the one to tell
        m->made = false;
    }
    return status;
}

PyObject *map_to_python(const map *m)
{
    return m->array != NULL ? result_to_python(m->array) : Py_NewRef(Py_None);
}

void map_clear(map *m)
{
    (void)xta_array_close(m->array, NULL);
    m->array = NULL;
}
