/* What a computation reads: an array of a path, or memory of NumPy.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "more/source.h"

bool source_from_python(PyObject *object, source *s)
{
    int code;
    unsigned int cell_bytes;
    PyObject *memory;

    if (PyBytes_Check(object)) {
        s->path = PyBytes_AsString(object);
        return s->path != NULL;
    }
    if (!PyArg_ParseTuple(object, "iIO", &code, &cell_bytes, &memory) ||
        PyObject_GetBuffer(memory, &s->memory, PyBUF_C_CONTIGUOUS) < 0) {
        return false;
    }
    s->type = (xta_type)code;
    s->cell_bytes = cell_bytes;
    return true;
}

static xta_status copy_memory(source *s, xta_error *err)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int64_t bounds[XTA_MAX_NDIM] = {0};

    if (s->memory.ndim > XTA_MAX_NDIM) {
        return xta_error_set(err, XTA_EARG, 0, "memory of %d axes; there are at most %d",
                             s->memory.ndim, XTA_MAX_NDIM);
    }
    for (int axis = 0; axis < s->memory.ndim; axis++) {
        bounds[axis] = s->memory.shape[axis];
    }
    options.cell_bytes = s->cell_bytes;
    options.names = s->names;
    xta_status status = xta_array_new(s->type, s->memory.ndim, bounds, &options, &s->array, err);
    if (status == XTA_OK) {
        xta_box box = xta_array_bounds(s->array);
        status = xta_array_write(s->array, &box, NULL, s->memory.buf, err);
    }
    return status;
}

xta_status source_open(source *s, xta_error *err)
{
    return s->path != NULL ? xta_array_open(s->path, NULL, &s->array, err) : copy_memory(s, err);
}

void source_clear(source *s)
{
    (void)xta_array_close(s->array, NULL);
    s->array = NULL;
    PyBuffer_Release(&s->memory);
}
