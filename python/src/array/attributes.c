/* Attributes of an array and of its axes; names and units of axes.
 *
 * What the library returns here is borrowed until somebody changes it, so it is copied under a lock
 * that changes hold.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/attributes.h"

#include <string.h>

#include "support/attribute_values.h"
#include "support/errors.h"

static xta_status copy_names(xta_array *array, int axis, attribute_names *names, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n = xta_attribute_count(array, axis);

    for (size_t k = 0; status == XTA_OK && k < n; k++) {
        xta_attribute attribute;
        status = xta_attribute_at(array, axis, k, &attribute, err);
        if (status == XTA_OK) {
            status = attribute_names_add(names, attribute.name, err);
        }
    }
    return status;
}

PyObject *array_attribute_names(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    attribute_names names = {0};
    xta_error err;
    xta_status status;
    int axis;

    if (!PyArg_ParseTuple(args, "i", &axis) || !array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = copy_names(a->array, axis, &names, &err);
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    if (status != XTA_OK) {
        attribute_names_clear(&names);
        return raise_status(status, &err, array_path(a));
    }
    return attribute_names_to_python(&names);
}

PyObject *array_attribute(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    attribute_copy copy = {0};
    xta_attribute attribute;
    const char *name;
    xta_error err;
    xta_status status;
    int axis;

    if (!PyArg_ParseTuple(args, "is", &axis, &name) || !array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = xta_attribute_get(a->array, axis, name, &attribute, &err);
    if (status == XTA_OK) {
        status = attribute_copy_make(&attribute, &copy, &err);
    }
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    if (status == XTA_ENOENT) {
        Py_RETURN_NONE;
    }
    if (status != XTA_OK) {
        return raise_status(status, &err, array_path(a));
    }
    PyObject *result = attribute_to_python(&copy);
    attribute_copy_clear(&copy);
    return result;
}

PyObject *array_set_attribute(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    xta_attribute attribute;
    const char *name;
    Py_ssize_t cell_bytes;
    PyObject *memory;
    Py_buffer view;
    xta_error err;
    xta_status status;
    int axis, code;

    if (!PyArg_ParseTuple(args, "isinO", &axis, &name, &code, &cell_bytes, &memory) ||
        !attribute_from_python(name, code, cell_bytes, memory, &attribute, &view)) {
        return NULL;
    }
    if (!array_enter(a)) {
        PyBuffer_Release(&view);
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = xta_attribute_set(a->array, axis, &attribute, &err);
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    PyBuffer_Release(&view);
    return status == XTA_OK ? Py_NewRef(Py_None) : raise_status(status, &err, array_path(a));
}

PyObject *array_remove_attribute(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    const char *name;
    xta_error err;
    xta_status status;
    int axis;

    if (!PyArg_ParseTuple(args, "is", &axis, &name) || !array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = xta_attribute_remove(a->array, axis, name, &err);
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    return status == XTA_OK ? Py_NewRef(Py_None) : raise_status(status, &err, array_path(a));
}

/* ---- names and units ---- */

static xta_status copy_axis_texts(xta_array *array, attribute_names *names, attribute_names *units,
                                  xta_error *err)
{
    xta_status status = XTA_OK;

    for (int axis = 0; status == XTA_OK && axis < xta_array_ndim(array); axis++) {
        status = attribute_names_add(names, xta_axis_name(array, axis), err);
        if (status == XTA_OK) {
            status = attribute_names_add(units, xta_axis_unit(array, axis), err);
        }
    }
    return status;
}

PyObject *array_axis_texts(PyObject *self, PyObject *Py_UNUSED(none))
{
    array_object *a = (array_object *)self;
    attribute_names names = {0}, units = {0};
    xta_error err;
    xta_status status;

    if (!array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = copy_axis_texts(a->array, &names, &units, &err);
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    if (status != XTA_OK) {
        attribute_names_clear(&names);
        attribute_names_clear(&units);
        return raise_status(status, &err, array_path(a));
    }
    return Py_BuildValue("(NN)", attribute_names_to_python(&names),
                         attribute_names_to_python(&units));
}

PyObject *array_set_axis_text(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    const char *what, *text;
    xta_error err;
    xta_status status;
    int axis;

    if (!PyArg_ParseTuple(args, "iss", &axis, &what, &text) || !array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = strcmp(what, "name") == 0 ? xta_axis_set_name(a->array, axis, text, &err)
                                       : xta_axis_set_unit(a->array, axis, text, &err);
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    return status == XTA_OK ? Py_NewRef(Py_None) : raise_status(status, &err, array_path(a));
}
