/* An open array as a Python object: its handle, its bounds, its type.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "object/array_object.h"

#include <stdlib.h>
#include <string.h>

#include "support/convert.h"
#include "support/errors.h"

/* ---- calls ---- */

const char *array_path(const array_object *a)
{
    return a->handle->path;
}

/* The handle was opened, or opened again after fork: find the array in it. */
static bool bind_again(array_object *a)
{
    xta_array *array = a->handle->array;
    xta_error err;
    xta_status status = XTA_OK;

    if (a->member != NULL) {
        WITHOUT_GIL(status = xta_dataset_member(a->handle->set, a->member, &array, &err));
    }
    if (status != XTA_OK) {
        raise_status(status, &err, array_path(a));
        return false;
    }
    a->array = array;
    a->opened = a->handle->opened;
    return true;
}

bool array_enter(array_object *a)
{
    if (a->closed || a->handle == NULL) {
        raise_closed(a->handle != NULL ? array_path(a) : NULL);
        return false;
    }
    if (!handle_enter(a->handle)) {
        return false;
    }
    if (a->opened != a->handle->opened && !bind_again(a)) {
        handle_leave(a->handle);
        return false;
    }
    return true;
}

void array_leave(array_object *a)
{
    handle_leave(a->handle);
}

void array_set_bounds(array_object *a, const xta_box *bounds, uint64_t change)
{
    if (change >= a->change) {
        a->bounds = *bounds;
        a->change = change;
    }
}

size_t array_memory_bytes(const array_object *a, int code)
{
    if (code == XTA_TYPE_SAME || (code == XTA_BYTES && a->type == XTA_BYTES)) {
        return a->cell_bytes;
    }
    return code != XTA_BYTES ? xta_type_bytes((xta_type)code) : 0;
}

/* ---- life ---- */

void array_dealloc(PyObject *self)
{
    array_object *a = (array_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    if (a->cell.obj != NULL) {
        PyBuffer_Release(&a->cell);
    }
    Py_CLEAR(a->cell_array);
    Py_CLEAR(a->dtype);
    free(a->member);
    handle_unref(a->handle);
    release(self);
    Py_DECREF(type);
}

/* The array of 0 axes for single cells. */
static bool make_cell(array_object *a)
{
    int64_t none[1] = {0};

    a->cell_array = empty_array(none, 0, a->dtype, &a->cell);
    return a->cell_array != NULL;
}

/* numpy.dtype of the cells, from xta.types. */
static PyObject *find_dtype(xta_type type, size_t cell_bytes)
{
    PyObject *types = PyImport_ImportModule("xta.types"), *dtype = NULL;

    if (types != NULL) {
        dtype = PyObject_CallMethod(types, "dtype_of", "in", (int)type, (Py_ssize_t)cell_bytes);
        Py_DECREF(types);
    }
    return dtype;
}

PyObject *array_object_new(PyTypeObject *type, handle *h, const char *member, const xta_box *bounds)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    array_object *a = (array_object *)allocate(type, 0);

    if (a == NULL) {
        handle_unref(h);
        return NULL;
    }
    a->handle = h;
    a->member = member != NULL ? strdup(member) : NULL;
    if (member != NULL && a->member == NULL) {
        PyErr_NoMemory();
        goto failed;
    }
    if (!array_enter(a)) {
        goto failed;
    }
    if (bounds != NULL) {
        a->bounds = *bounds;
    } else {
        WITHOUT_GIL(a->bounds = xta_array_bounds(a->array));
    }
    a->type = xta_array_type(a->array);
    a->cell_bytes = xta_array_cell_bytes(a->array);
    a->dtype = find_dtype(a->type, a->cell_bytes);
    array_leave(a);
    if (a->dtype == NULL || !make_cell(a)) {
        goto failed;
    }
    return (PyObject *)a;
failed:
    Py_DECREF(a);
    return NULL;
}
