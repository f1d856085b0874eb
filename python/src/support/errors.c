/* Failures of the library as exceptions: xta.errors makes them, so that their classes are Python.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/errors.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Raise what a function of xta.errors returns. */
static PyObject *raise_made(PyObject *exception)
{
    if (exception != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
        Py_DECREF(exception);
    }
    return NULL;
}

PyObject *text_to_python(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *path_of(const char *path)
{
    return path != NULL ? PyUnicode_DecodeFSDefault(path) : Py_NewRef(Py_None);
}

PyObject *raise_status(xta_status status, const xta_error *err, const char *path)
{
    return raise_made(PyObject_CallMethod(xta_python.errors, "from_status", "iiNN", (int)status,
                                          err->os_errno, text_to_python(err->text), path_of(path)));
}

PyObject *raise_text(xta_status status, const char *path, int axis, PyObject *value,
                     const char *text)
{
    return raise_made(PyObject_CallMethod(
        xta_python.errors, "from_text", "iNNNO", (int)status, text_to_python(text), path_of(path),
        axis < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(axis), value != NULL ? value : Py_None));
}

PyObject *raise_position(const char *path, int axis, int64_t position, int64_t n)
{
    char text[200];
    PyObject *value = PyLong_FromLongLong(position);

    if (value == NULL) {
        return NULL;
    }
    snprintf(text, sizeof text,
             "axis %d: position %" PRId64 " is out of bounds; the axis has %" PRId64 " cells", axis,
             position, n);
    raise_text(XTA_EBOX, path, axis, value, text);
    Py_DECREF(value);
    return NULL;
}

PyObject *raise_closed(const char *path)
{
    return raise_made(PyObject_CallMethod(xta_python.errors, "closed", "N", path_of(path)));
}

PyObject *raise_not_contiguous(const xta_error *err, const char *path)
{
    return raise_made(PyObject_CallMethod(xta_python.errors, "not_contiguous", "NN",
                                          text_to_python(err->text), path_of(path)));
}
