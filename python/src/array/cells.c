/* Cells of an array by basic index and by box.
 *
 * A single cell goes through an array of 0 axes that belongs to the object: NumPy makes the scalar
 * of its memory, and converts into it what is assigned. It is touched with the GIL only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/convert.h"
#include "support/errors.h"
#include "support/index.h"

#define CELL_BYTES 64 /* of a cell on the stack */

/* ---- single cells ---- */

/* Read one cell into the array of 0 axes; the caller is in a call. */
static bool get_cell(array_object *a, const int64_t coord[])
{
    uint8_t small[CELL_BYTES], *cell = a->cell_bytes <= sizeof small ? small : NULL;
    xta_error err;
    xta_status status;

    if (cell == NULL && (cell = malloc(a->cell_bytes)) == NULL) {
        PyErr_NoMemory();
        return false;
    }
    WITHOUT_GIL(status = xta_array_get(a->array, coord, cell, &err));
    if (status == XTA_OK) {
        memcpy(a->cell.buf, cell, a->cell_bytes);
    } else {
        raise_status(status, &err, array_path(a));
    }
    if (cell != small) {
        free(cell);
    }
    return status == XTA_OK;
}

/* Write one cell from the array of 0 axes. */
static bool put_cell(array_object *a, const int64_t coord[])
{
    uint8_t small[CELL_BYTES], *cell = a->cell_bytes <= sizeof small ? small : NULL;
    xta_error err;
    xta_status status;

    if (cell == NULL && (cell = malloc(a->cell_bytes)) == NULL) {
        PyErr_NoMemory();
        return false;
    }
    memcpy(cell, a->cell.buf, a->cell_bytes);
    WITHOUT_GIL(status = xta_array_put(a->array, coord, cell, &err));
    if (status != XTA_OK) {
        raise_status(status, &err, array_path(a));
    }
    if (cell != small) {
        free(cell);
    }
    return status == XTA_OK;
}

/* ---- boxes of an index ---- */

static void set_options(const array_object *a, const basic_index *index, int64_t strides[],
                        xta_io_options *options, uint8_t **memory)
{
    if (index->stepped) {
        options->step = index->step;
    }
    if (index->turned) {
        *memory += index_strides(index, a->cell_bytes, strides);
        options->strides = strides;
    }
}

static PyObject *read_index(array_object *a, const basic_index *index)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t strides[XTA_MAX_NDIM];
    Py_buffer view;
    xta_error err;
    xta_status status = XTA_OK;
    PyObject *out = empty_array(index->shape, index->result_ndim, a->dtype, &view);

    if (out == NULL) {
        return NULL;
    }
    uint8_t *memory = view.buf;
    set_options(a, index, strides, &options, &memory);
    if (index->n_cells > 0) {
        WITHOUT_GIL(status = xta_array_read(a->array, &index->box, &options, memory, &err));
    }
    PyBuffer_Release(&view);
    if (status != XTA_OK) {
        Py_DECREF(out);
        return raise_status(status, &err, array_path(a));
    }
    return out;
}

/* Whether a value is memory of the array's type and the result's shape, so that it need not be
 * copied first. */
static bool is_same(const array_object *a, const basic_index *index, PyObject *value,
                    Py_buffer *view)
{
    if (PyObject_IsInstance(value, xta_python.ndarray) != 1) {
        return false;
    }
    PyObject *dtype = PyObject_GetAttr(value, xta_python.dtype);
    bool same = dtype == a->dtype;
    Py_XDECREF(dtype);
    if (!same || PyObject_GetBuffer(value, view, PyBUF_C_CONTIGUOUS) < 0) {
        PyErr_Clear();
        return false;
    }
    same = view->ndim == index->result_ndim;
    for (int axis = 0; same && axis < view->ndim; axis++) {
        same = view->shape[axis] == index->shape[axis];
    }
    if (!same) {
        PyBuffer_Release(view);
    }
    return same;
}

/* NumPy converts and broadcasts: block = numpy.empty(...); block[...] = value. */
static PyObject *make_block(const array_object *a, const basic_index *index, PyObject *value,
                            Py_buffer *view)
{
    PyObject *block = empty_array(index->shape, index->result_ndim, a->dtype, view);

    if (block != NULL && PyObject_SetItem(block, Py_Ellipsis, value) < 0) {
        PyBuffer_Release(view);
        Py_CLEAR(block);
    }
    return block;
}

static int write_memory(array_object *a, const basic_index *index, Py_buffer *view)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t strides[XTA_MAX_NDIM];
    uint8_t *memory = view->buf;
    xta_error err;
    xta_status status = XTA_OK;

    set_options(a, index, strides, &options, &memory);
    if (index->n_cells > 0 || !a->handle->writable) {
        WITHOUT_GIL(status = xta_array_write(a->array, &index->box, &options, memory, &err));
    }
    PyBuffer_Release(view);
    if (status != XTA_OK) {
        raise_status(status, &err, array_path(a));
        return -1;
    }
    return 0;
}

static bool is_number(PyObject *value)
{
    return PyLong_Check(value) || PyFloat_Check(value) || PyComplex_Check(value);
}

/* One value for a whole box, in the array of 0 axes. */
static int fill_box(array_object *a, const xta_box *box, PyObject *value)
{
    xta_error err;
    xta_status status;

    if (PyObject_SetItem(a->cell_array, xta_python.no_index, value) < 0) {
        return -1;
    }
    void *cell = malloc(a->cell_bytes);
    if (cell == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(cell, a->cell.buf, a->cell_bytes);
    WITHOUT_GIL(status = xta_array_fill(a->array, box, cell, &err));
    free(cell);
    if (status != XTA_OK) {
        raise_status(status, &err, array_path(a));
        return -1;
    }
    return 0;
}

static int write_index(array_object *a, const basic_index *index, PyObject *value)
{
    Py_buffer view;

    if (!index->stepped && index->n_cells > 0 && is_number(value)) {
        return fill_box(a, &index->box, value);
    }
    if (is_same(a, index, value, &view)) {
        return write_memory(a, index, &view);
    }
    PyObject *block = make_block(a, index, value, &view);
    if (block == NULL) {
        return -1;
    }
    int result = write_memory(a, index, &view);
    Py_DECREF(block);
    return result;
}

/* ---- indices ---- */

/* Begin a call by position; false with an exception. Calls of single cells take as many coordinates
 * as the array has axes, and another process may have added one. */
static bool enter_by_position(array_object *a)
{
    char text[120];

    if (!array_enter(a)) {
        return false;
    }
    int ndim = xta_array_ndim(a->array);
    if (ndim == a->bounds.ndim) {
        return true;
    }
    snprintf(text, sizeof text, "an axis was added: the array has %d, this snapshot %d; refresh",
             ndim, a->bounds.ndim);
    raise_text(XTA_EBOX, array_path(a), -1, NULL, text);
    array_leave(a);
    return false;
}

PyObject *cells_get_item(PyObject *self, PyObject *key)
{
    array_object *a = (array_object *)self;
    int64_t coord[XTA_MAX_NDIM];
    basic_index index;
    PyObject *result = NULL;

    if (!enter_by_position(a)) {
        return NULL;
    }
    index_kind kind = index_parse_cell(key, &a->bounds, array_path(a), coord);
    if (kind == INDEX_BASIC) {
        if (get_cell(a, coord)) {
            result = PyObject_GetItem(a->cell_array, xta_python.no_index);
        }
        array_leave(a);
        return result;
    }
    if (kind == INDEX_GENERAL) {
        kind = index_parse(key, &a->bounds, array_path(a), &index);
    }
    if (kind == INDEX_BASIC && index.cell) {
        if (get_cell(a, index.box.lo)) {
            result = PyObject_GetItem(a->cell_array, xta_python.no_index);
        }
    } else if (kind == INDEX_BASIC) {
        result = read_index(a, &index);
    }
    array_leave(a);
    return kind == INDEX_GENERAL
               ? PyObject_CallMethodObjArgs(self, xta_python.get_general, key, NULL)
               : result;
}

/* Convert a value into the array of 0 axes, and write that. */
static int set_cell(array_object *a, const int64_t coord[], PyObject *value)
{
    if (PyObject_SetItem(a->cell_array, xta_python.no_index, value) < 0) {
        return -1;
    }
    return put_cell(a, coord) ? 0 : -1;
}

static int set_general(PyObject *self, PyObject *key, PyObject *value)
{
    PyObject *none = PyObject_CallMethodObjArgs(self, xta_python.set_general, key, value, NULL);

    Py_XDECREF(none);
    return none != NULL ? 0 : -1;
}

int cells_set_item(PyObject *self, PyObject *key, PyObject *value)
{
    array_object *a = (array_object *)self;
    int64_t coord[XTA_MAX_NDIM];
    basic_index index;
    int result = -1;

    if (value == NULL) {
        PyErr_SetString(PyExc_ValueError, "cells cannot be deleted; shrink() removes slabs");
        return -1;
    }
    if (!enter_by_position(a)) {
        return -1;
    }
    index_kind kind = index_parse_cell(key, &a->bounds, array_path(a), coord);
    if (kind == INDEX_BASIC) {
        result = set_cell(a, coord, value);
        array_leave(a);
        return result;
    }
    if (kind == INDEX_GENERAL) {
        kind = index_parse(key, &a->bounds, array_path(a), &index);
    }
    if (kind == INDEX_BASIC && index.cell) {
        result = set_cell(a, index.box.lo, value);
    } else if (kind == INDEX_BASIC) {
        result = write_index(a, &index, value);
    }
    array_leave(a);
    return kind == INDEX_GENERAL ? set_general(self, key, value) : result;
}

/* ---- boxes ---- */

/* The box of a method's argument, None for the bounds; false with an exception. */
static bool box_of(const array_object *a, PyObject *object, xta_box *box)
{
    if (object == Py_None) {
        *box = a->bounds;
        return true;
    }
    return box_from_python(object, box);
}

static PyObject *transfer(array_object *a, PyObject *object, PyObject *memory, int code, bool write)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t strides[XTA_MAX_NDIM];
    xta_box box;
    Py_buffer view;
    xta_error err;
    xta_status status;

    if (!box_of(a, object, &box) ||
        !memory_of(memory, &box, array_memory_bytes(a, code), !write, &view, &options, strides)) {
        return NULL;
    }
    options.type = (xta_type)code;
    if (write) {
        WITHOUT_GIL(status = xta_array_write(a->array, &box, &options, view.buf, &err));
    } else {
        WITHOUT_GIL(status = xta_array_read(a->array, &box, &options, view.buf, &err));
    }
    PyBuffer_Release(&view);
    if (status != XTA_OK) {
        return raise_status(status, &err, array_path(a));
    }
    Py_RETURN_NONE;
}

static PyObject *transfer_args(PyObject *self, PyObject *args, bool write)
{
    array_object *a = (array_object *)self;
    PyObject *box, *memory, *result;
    int code;

    if (!PyArg_ParseTuple(args, "OOi", &box, &memory, &code) || !array_enter(a)) {
        return NULL;
    }
    result = transfer(a, box, memory, code, write);
    array_leave(a);
    return result;
}

PyObject *cells_read(PyObject *self, PyObject *args)
{
    return transfer_args(self, args, false);
}

PyObject *cells_write(PyObject *self, PyObject *args)
{
    return transfer_args(self, args, true);
}

PyObject *cells_fill(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    PyObject *object, *value;
    xta_box box;
    int result = -1;

    if (!PyArg_ParseTuple(args, "OO", &object, &value) || !array_enter(a)) {
        return NULL;
    }
    if (box_of(a, object, &box)) {
        result = fill_box(a, &box, value);
    }
    array_leave(a);
    return result == 0 ? Py_NewRef(Py_None) : NULL;
}
