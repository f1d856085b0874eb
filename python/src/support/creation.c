/* The options of a new array, from a Python object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/creation.h"

#include <string.h>

#include "support/convert.h"

static bool read_chunk(PyObject *chunks, int ndim, creation *c)
{
    int n;

    if (chunks == Py_None) {
        return true;
    }
    if (!integers_from_python(chunks, c->chunk, &n)) {
        return false;
    }
    if (n != ndim) {
        PyErr_Format(PyExc_ValueError, "chunks of %d axes; the array has %d", n, ndim);
        return false;
    }
    c->options.chunk = c->chunk;
    return true;
}

static bool read_names(PyObject *names, int ndim, creation *c)
{
    if (names == Py_None) {
        return true;
    }
    if (!PyTuple_Check(names) || PyTuple_Size(names) != ndim) {
        PyErr_Format(PyExc_ValueError, "dims: a name or None for each of %d axes", ndim);
        return false;
    }
    for (int axis = 0; axis < ndim; axis++) {
        PyObject *name = PyTuple_GetItem(names, axis);
        c->names[axis] = name != Py_None ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        if (name != Py_None && c->names[axis] == NULL) {
            return false;
        }
    }
    c->options.names = c->names;
    return true;
}

bool creation_read(PyObject *given, int ndim, creation *c)
{
    PyObject *chunks, *fill, *names;
    unsigned long long chunk_bytes;
    unsigned int cell_bytes, amount;
    int order, policy;

    memset(c, 0, sizeof *c);
    c->options = (xta_create_options)XTA_CREATE_OPTIONS_INIT;
    if (!PyArg_ParseTuple(given, "OKiOOIiI", &chunks, &chunk_bytes, &order, &fill, &names,
                          &cell_bytes, &policy, &amount) ||
        !read_chunk(chunks, ndim, c) || !read_names(names, ndim, c)) {
        return false;
    }
    c->options.chunk_bytes = chunk_bytes;
    c->options.order = (xta_order)order;
    c->options.cell_bytes = cell_bytes;
    c->options.policy = (xta_policy)policy;
    c->options.policy_amount = amount;
    if (fill != Py_None) {
        if (PyObject_GetBuffer(fill, &c->fill, PyBUF_SIMPLE) < 0) {
            return false;
        }
        c->has_fill = true;
        c->options.fill = c->fill.buf;
    }
    c->owner = Py_NewRef(given);
    return true;
}

void creation_clear(creation *c)
{
    if (c->has_fill) {
        PyBuffer_Release(&c->fill);
    }
    Py_CLEAR(c->owner);
}
