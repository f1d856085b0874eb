/* Cells in place: memory of a mapped data file as a NumPy array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/view.h"

#include "support/convert.h"
#include "support/errors.h"

/* Owns a reference to the handle, and shows its memory as bytes that nobody may change. */
typedef struct cells_object {
    PyObject_HEAD handle *handle;
    void *cells;
    Py_ssize_t n_bytes;
} cells_object;

static int cells_get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    cells_object *c = (cells_object *)self;

    return PyBuffer_FillInfo(view, self, c->cells, c->n_bytes, 1, flags);
}

static void cells_dealloc(PyObject *self)
{
    cells_object *c = (cells_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    if (c->handle != NULL) {
        handle_remove_view(c->handle);
    }
    release(self);
    Py_DECREF(type);
}

static PyType_Slot cells_slots[] = {
    {Py_tp_dealloc, cells_dealloc},
    {Py_bf_getbuffer, cells_get_buffer},
    {Py_tp_doc, "The memory of a view, in the mapped data file."},
    {0, NULL},
};

PyType_Spec cells_type_spec = {
    .name = "xta._xta.Cells",
    .basicsize = sizeof(cells_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = cells_slots,
};

/* From the first to the last byte of the cells. */
static Py_ssize_t span_of(const xta_box *box, const int64_t strides[], size_t cell_bytes)
{
    Py_ssize_t n = (Py_ssize_t)cell_bytes;

    for (int axis = 0; axis < box->ndim; axis++) {
        if (box->hi[axis] == box->lo[axis]) {
            return 0;
        }
        n += (Py_ssize_t)((box->hi[axis] - box->lo[axis] - 1) * strides[axis]);
    }
    return n;
}

static PyObject *owner_new(handle *h, const void *cells, Py_ssize_t n_bytes)
{
    allocfunc allocate =
        (allocfunc)PyType_GetSlot((PyTypeObject *)xta_python.cells_type, Py_tp_alloc);
    cells_object *c = (cells_object *)allocate((PyTypeObject *)xta_python.cells_type, 0);

    if (c != NULL) {
        handle_add_view(h);
        c->handle = h;
        c->cells = (void *)(uintptr_t)cells;
        c->n_bytes = n_bytes;
    }
    return (PyObject *)c;
}

/* numpy.ndarray(shape, dtype, owner, 0, strides) */
static PyObject *array_of(const array_object *a, PyObject *owner, const xta_box *box,
                          const int64_t strides[])
{
    int64_t shape[XTA_MAX_NDIM];

    for (int axis = 0; axis < box->ndim; axis++) {
        shape[axis] = box->hi[axis] - box->lo[axis];
    }
    return PyObject_CallFunction(xta_python.ndarray, "NOOiN", integers_to_python(shape, box->ndim),
                                 a->dtype, owner, 0, integers_to_python(strides, box->ndim));
}

PyObject *view_of_box(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    PyObject *object, *owner, *result = NULL;
    int64_t strides[XTA_MAX_NDIM];
    const void *cells;
    xta_box box;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "O", &object) || !array_enter(a)) {
        return NULL;
    }
    box = a->bounds;
    if (object != Py_None && !box_from_python(object, &box)) {
        array_leave(a);
        return NULL;
    }
    WITHOUT_GIL(status = xta_array_in_place(a->array, &box, &cells, strides, &err));
    if (status == XTA_EUNSUPPORTED) {
        raise_not_contiguous(&err, array_path(a));
    } else if (status != XTA_OK) {
        raise_status(status, &err, array_path(a));
    } else {
        owner = owner_new(a->handle, cells, span_of(&box, strides, a->cell_bytes));
        result = owner != NULL ? array_of(a, owner, &box, strides) : NULL;
        Py_XDECREF(owner);
    }
    array_leave(a);
    return result;
}
