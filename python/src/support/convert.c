/* Boxes, lists of integers and memory: Python's objects and those of the library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/convert.h"

PyObject *range_to_python(int64_t lo, int64_t hi)
{
    return Py_BuildValue("(LL)", (long long)lo, (long long)hi);
}

PyObject *box_to_python(const xta_box *box)
{
    PyObject *tuple = PyTuple_New(box->ndim);

    for (int axis = 0; tuple != NULL && axis < box->ndim; axis++) {
        PyObject *range = range_to_python(box->lo[axis], box->hi[axis]);
        if (range == NULL || PyTuple_SetItem(tuple, axis, range) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

PyObject *integers_to_python(const int64_t numbers[], int n)
{
    PyObject *tuple = PyTuple_New(n);

    for (int k = 0; tuple != NULL && k < n; k++) {
        PyObject *number = PyLong_FromLongLong(numbers[k]);
        if (number == NULL || PyTuple_SetItem(tuple, k, number) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

static bool integer_from_python(PyObject *object, int64_t *number)
{
    PyObject *integer = PyNumber_Index(object);

    if (integer == NULL) {
        return false;
    }
    *number = PyLong_AsLongLong(integer);
    Py_DECREF(integer);
    return *number != -1 || PyErr_Occurred() == NULL;
}

bool integers_from_python(PyObject *object, int64_t numbers[XTA_MAX_NDIM], int *n)
{
    PyObject *tuple = PySequence_Tuple(object);
    bool well = tuple != NULL;

    *n = well ? (int)PyTuple_Size(tuple) : 0;
    if (well && PyTuple_Size(tuple) > XTA_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError, "%zd axes: there are at most %d", PyTuple_Size(tuple),
                     XTA_MAX_NDIM);
        well = false;
    }
    for (int k = 0; well && k < *n; k++) {
        well = integer_from_python(PyTuple_GetItem(tuple, k), &numbers[k]);
    }
    Py_XDECREF(tuple);
    return well;
}

static bool pair_from_python(PyObject *object, int64_t *lo, int64_t *hi)
{
    int64_t pair[XTA_MAX_NDIM];
    int n;

    if (!integers_from_python(object, pair, &n)) {
        return false;
    }
    if (n != 2) {
        PyErr_SetString(PyExc_ValueError, "a box is ((lo, hi), ...), a pair for each axis");
        return false;
    }
    *lo = pair[0];
    *hi = pair[1];
    return true;
}

bool box_from_python(PyObject *object, xta_box *box)
{
    PyObject *tuple = PySequence_Tuple(object);
    bool well = tuple != NULL;
    Py_ssize_t n = well ? PyTuple_Size(tuple) : 0;

    if (well && n > XTA_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError, "a box of %zd axes: there are at most %d", n, XTA_MAX_NDIM);
        well = false;
    }
    box->ndim = (int)n;
    for (int k = 0; well && k < box->ndim; k++) {
        well = pair_from_python(PyTuple_GetItem(tuple, k), &box->lo[k], &box->hi[k]);
    }
    Py_XDECREF(tuple);
    return well;
}

bool memory_of(PyObject *array, const xta_box *box, size_t cell_bytes, bool writable,
               Py_buffer *view, xta_io_options *options, int64_t strides[XTA_MAX_NDIM])
{
    if (PyObject_GetBuffer(array, view, PyBUF_STRIDES | (writable ? PyBUF_WRITABLE : 0)) < 0) {
        return false;
    }
    bool same = view->ndim == box->ndim;
    for (int axis = 0; same && axis < box->ndim; axis++) {
        same = view->shape[axis] == box->hi[axis] - box->lo[axis];
        strides[axis] = view->strides[axis];
    }
    if (!same) {
        PyBuffer_Release(view);
        PyErr_SetString(PyExc_ValueError, "memory and box have different shapes");
        return false;
    }
    if (cell_bytes != 0 && (size_t)view->itemsize != cell_bytes) {
        PyErr_Format(PyExc_ValueError, "memory has cells of %zd bytes; they must have %zu",
                     view->itemsize, cell_bytes);
        PyBuffer_Release(view);
        return false;
    }
    options->strides = strides;
    return true;
}

PyObject *empty_array(const int64_t shape[], int ndim, PyObject *dtype, Py_buffer *view)
{
    PyObject *tuple = integers_to_python(shape, ndim), *array = NULL;

    if (tuple != NULL) {
        array = PyObject_CallFunctionObjArgs(xta_python.empty, tuple, dtype, NULL);
        Py_DECREF(tuple);
    }
    if (array != NULL && PyObject_GetBuffer(array, view, PyBUF_SIMPLE | PyBUF_WRITABLE) < 0) {
        Py_CLEAR(array);
    }
    return array;
}

bool coordinate_from_python(PyObject *object, xta_type type, xta_coordinate *out)
{
    if (type == XTA_F32 || type == XTA_F64) {
        out->f = PyFloat_AsDouble(object);
    } else {
        out->i = PyLong_AsLongLong(object);
    }
    return PyErr_Occurred() == NULL;
}

int path_or_none(PyObject *object, void *out)
{
    const char **path = out;

    *path = object != Py_None ? PyBytes_AsString(object) : NULL;
    return object == Py_None || *path != NULL;
}
