/* Coordinates of an array's axes, and cells selected by label.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/coordinates.h"

#include <xta/select.h>

#include "support/convert.h"
#include "support/errors.h"

/* ---- reading ---- */

static PyObject *names_of(const xta_coordinates *c)
{
    PyObject *list = PyList_New(0);

    for (int64_t cell = xta_coordinates_lo(c); list != NULL && cell < xta_coordinates_hi(c);
         cell++) {
        PyObject *name = PyUnicode_FromString(xta_coordinates_name(c, cell));
        if (name == NULL || PyList_Append(list, name) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *numbers_of(const xta_coordinates *c)
{
    int64_t lo = xta_coordinates_lo(c), hi = xta_coordinates_hi(c);
    size_t bytes = (size_t)(hi - lo) * xta_type_bytes(xta_coordinates_type(c));
    PyObject *memory = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)bytes);

    if (memory != NULL) {
        xta_coordinates_values(c, lo, hi, PyByteArray_AsString(memory));
    }
    return memory;
}

static PyObject *coordinates_to_python(const xta_coordinates *c)
{
    xta_coordinates_kind kind = xta_coordinates_kind_of(c);

    return Py_BuildValue("(iiNssL)", (int)kind, (int)xta_coordinates_type(c),
                         kind == XTA_COORDINATES_NAMES ? names_of(c) : numbers_of(c),
                         xta_coordinates_unit(c), xta_coordinates_calendar(c),
                         (long long)xta_coordinates_lo(c));
}

PyObject *array_coordinates(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    xta_coordinates *coordinates = NULL;
    xta_error err;
    xta_status status;
    int axis;

    if (!PyArg_ParseTuple(args, "i", &axis) || !array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = xta_coordinates_read(a->array, axis, &coordinates, &err);
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    if (status == XTA_ENOENT) {
        Py_RETURN_NONE;
    }
    if (status != XTA_OK) {
        return raise_status(status, &err, array_path(a));
    }
    PyObject *result = coordinates_to_python(coordinates);
    xta_coordinates_free(coordinates);
    return result;
}

/* ---- regular ones ---- */

PyObject *array_set_regular(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    xta_regular regular = {0};
    PyObject *origin, *step;
    xta_error err;
    xta_status status;
    int axis, code;

    if (!PyArg_ParseTuple(args, "iiOO", &axis, &code, &origin, &step)) {
        return NULL;
    }
    regular.type = (xta_type)code;
    if (code != 0 && (!coordinate_from_python(origin, regular.type, &regular.origin) ||
                      !coordinate_from_python(step, regular.type, &regular.step))) {
        return NULL;
    }
    if (!array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = xta_axis_set_regular(a->array, axis, code != 0 ? &regular : NULL, &err);
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    return status == XTA_OK ? Py_NewRef(Py_None) : raise_status(status, &err, array_path(a));
}

/* ---- labels ---- */

static PyObject *cells_of(const xta_selection *s, int axis)
{
    PyObject *list;

    if (s->list[axis] == NULL) {
        return Py_NewRef(Py_None);
    }
    list = PyList_New((Py_ssize_t)s->n_list[axis]);
    for (int64_t k = 0; list != NULL && k < s->n_list[axis]; k++) {
        PyObject *cell = PyLong_FromLongLong(s->list[axis][k]);
        if (cell == NULL || PyList_SetItem(list, (Py_ssize_t)k, cell) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *selection_to_python(const xta_selection *s)
{
    PyObject *tuple = PyTuple_New(s->box.ndim);

    for (int axis = 0; tuple != NULL && axis < s->box.ndim; axis++) {
        PyObject *item = Py_BuildValue("(LLLNN)", (long long)s->box.lo[axis],
                                       (long long)s->box.hi[axis], (long long)s->step[axis],
                                       cells_of(s, axis), PyBool_FromLong(s->named[axis]));
        if (item == NULL || PyTuple_SetItem(tuple, axis, item) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

PyObject *array_select(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    xta_selection selection = {0};
    const char *text;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "s", &text) || !array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = xta_box_select(a->array, text, &selection, &err);
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    if (status != XTA_OK) {
        return raise_status(status, &err, array_path(a));
    }
    PyObject *result = selection_to_python(&selection);
    xta_selection_clear(&selection);
    return result;
}
