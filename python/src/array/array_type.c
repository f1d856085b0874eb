/* _xta.Array: opening and creating, properties, and the table of its methods.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/array_type.h"

#include <string.h>

#include "array/attributes.h"
#include "array/cells.h"
#include "array/coordinates.h"
#include "array/growth.h"
#include "array/points.h"
#include "array/view.h"
#include "object/array_object.h"
#include "support/convert.h"
#include "support/creation.h"
#include "support/errors.h"

/* How cells are accessed, as xta.creation.access_options has it. */
typedef struct access_choice {
    int access, exclusive_writer;
    unsigned long long cache_bytes;
} access_choice;

static bool read_access(PyObject *given, access_choice *choice)
{
    return PyArg_ParseTuple(given, "iKp", &choice->access, &choice->cache_bytes,
                            &choice->exclusive_writer) != 0;
}

static void keep_access(handle *h, const access_choice *choice)
{
    h->access = (xta_access)choice->access;
    h->cache_bytes = choice->cache_bytes;
}

/* open_array(type, path, writable, step or None, bounds or None[, access]) */
PyObject *array_open(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *type, *step, *bounds, *given = NULL;
    const char *path;
    int writable;
    access_choice access = {0};
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_box box;
    xta_array *array = NULL;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "OypOO|O", &type, &path, &writable, &step, &bounds, &given) ||
        (given != NULL && !read_access(given, &access)) ||
        (bounds != Py_None && !box_from_python(bounds, &box))) {
        return NULL;
    }
    options.writable = writable != 0;
    options.access = (xta_access)access.access;
    options.cache_bytes = access.cache_bytes;
    options.exclusive_writer = access.exclusive_writer != 0;
    if (step != Py_None) {
        options.at_step = true;
        options.step = PyLong_AsUnsignedLongLong(step);
        if (PyErr_Occurred() != NULL) {
            return NULL;
        }
    }
    WITHOUT_GIL(status = xta_array_open(path, &options, &array, &err));
    if (status != XTA_OK) {
        return raise_status(status, &err, path);
    }
    handle *h = handle_new(array, NULL, options.writable);
    if (h == NULL) {
        return NULL;
    }
    h->at_step = options.at_step;
    h->step = options.step;
    keep_access(h, &access);
    return array_object_new((PyTypeObject *)type, h, NULL, bounds != Py_None ? &box : NULL);
}

/* create_array(type, path, code, shape, options of xta.creation, access) */
PyObject *array_create(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *type, *shape, *given, *how;
    const char *path;
    int code, ndim;
    int64_t bounds[XTA_MAX_NDIM];
    creation c;
    access_choice access = {0};
    xta_array *array = NULL;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "OyiOOO", &type, &path, &code, &shape, &given, &how) ||
        !read_access(how, &access) || !integers_from_python(shape, bounds, &ndim) ||
        !creation_read(given, ndim, &c)) {
        return NULL;
    }
    c.options.access = (xta_access)access.access;
    c.options.cache_bytes = access.cache_bytes;
    c.options.exclusive_writer = access.exclusive_writer != 0;
    WITHOUT_GIL(status =
                    xta_array_create(path, (xta_type)code, ndim, bounds, &c.options, &array, &err));
    creation_clear(&c);
    if (status != XTA_OK) {
        return raise_status(status, &err, path);
    }
    handle *h = handle_new(array, NULL, true);
    if (h == NULL) {
        return NULL;
    }
    keep_access(h, &access);
    return array_object_new((PyTypeObject *)type, h, NULL, NULL);
}

static PyObject *array_close(PyObject *self, PyObject *Py_UNUSED(none))
{
    array_object *a = (array_object *)self;

    if (a->member == NULL && !a->closed && !handle_close(a->handle)) {
        a->closed = true;
        return NULL;
    }
    a->closed = true;
    Py_RETURN_NONE;
}

/* ---- properties ---- */

static PyObject *get_bounds(PyObject *self, void *Py_UNUSED(closure))
{
    array_object *a = (array_object *)self;

    return box_to_python(&a->bounds);
}

static PyObject *get_shape(PyObject *self, void *Py_UNUSED(closure))
{
    array_object *a = (array_object *)self;
    int64_t shape[XTA_MAX_NDIM];

    for (int axis = 0; axis < a->bounds.ndim; axis++) {
        shape[axis] = a->bounds.hi[axis] - a->bounds.lo[axis];
    }
    return integers_to_python(shape, a->bounds.ndim);
}

static PyObject *get_dtype(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(((array_object *)self)->dtype);
}

static PyObject *get_file_path(PyObject *self, void *Py_UNUSED(closure))
{
    array_object *a = (array_object *)self;

    PyObject *path = PyUnicode_DecodeFSDefault(array_path(a)), *whole;

    if (path == NULL || a->member == NULL) {
        return path;
    }
    whole = PyUnicode_FromFormat("%U/%s", path, a->member);
    Py_DECREF(path);
    return whole;
}

static PyObject *get_writable(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((array_object *)self)->handle->writable);
}

static PyObject *get_closed(PyObject *self, void *Py_UNUSED(closure))
{
    array_object *a = (array_object *)self;

    return PyBool_FromLong(a->closed || a->handle->closed);
}

static PyObject *get_fill_value(PyObject *self, void *Py_UNUSED(closure))
{
    array_object *a = (array_object *)self;

    if (!array_enter(a)) {
        return NULL;
    }
    memcpy(a->cell.buf, xta_array_fill_value(a->array), a->cell_bytes);
    array_leave(a);
    return PyObject_GetItem(a->cell_array, xta_python.no_index);
}

/* The step this handle is pinned to, or None. */
static PyObject *get_at_step(PyObject *self, void *Py_UNUSED(closure))
{
    handle *h = ((array_object *)self)->handle;

    return h->at_step ? PyLong_FromUnsignedLongLong(h->step) : Py_NewRef(Py_None);
}

/* _info() -> dict */
static PyObject *array_info(PyObject *self, PyObject *Py_UNUSED(none))
{
    array_object *a = (array_object *)self;
    xta_array_info info;
    xta_error err;
    xta_status status;

    if (!array_enter(a)) {
        return NULL;
    }
    WITHOUT_GIL(status = xta_array_inquire(a->array, &info, &err));
    array_leave(a);
    if (status != XTA_OK) {
        return raise_status(status, &err, array_path(a));
    }
    return Py_BuildValue(
        "{s:N,s:i,s:K,s:K,s:K,s:K,s:K,s:O,s:O,s:y#}", "chunks",
        integers_to_python(info.chunk, info.ndim), "order", (int)info.order, "n_steps",
        (unsigned long long)info.n_steps, "n_chunks", (unsigned long long)info.n_chunks,
        "journal_bytes", (unsigned long long)info.journal_bytes, "data_apparent_bytes",
        (unsigned long long)info.data_apparent_bytes, "data_real_bytes",
        (unsigned long long)info.data_real_bytes, "mapped", info.mapped ? Py_True : Py_False,
        "writable", info.writable ? Py_True : Py_False, "uuid", (const char *)info.uuid,
        (Py_ssize_t)sizeof info.uuid);
}

static PyGetSetDef array_properties[] = {
    {"bounds", get_bounds, NULL, "((lo, hi), ...) in cells, in coordinates of the array.", NULL},
    {"shape", get_shape, NULL, "Cells on each axis.", NULL},
    {"dtype", get_dtype, NULL, "numpy.dtype of the cells.", NULL},
    {"path", get_file_path, NULL, "Absolute path without suffix.", NULL},
    {"closed", get_closed, NULL, "Whether the array, or its data set, was closed.", NULL},
    {"fill_value", get_fill_value, NULL, "NumPy scalar: what cells hold that nobody wrote.", NULL},
    {"_writable", get_writable, NULL, NULL, NULL},
    {"_at_step", get_at_step, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef array_methods[] = {
    {"close", array_close, METH_NOARGS,
     "close() -> None. Sync and close; waits for calls in progress in other threads."},
    {"_info", array_info, METH_NOARGS, NULL},
    {"_read", cells_read, METH_VARARGS, "_read(box, out, code)"},
    {"_write", cells_write, METH_VARARGS, "_write(box, values, code)"},
    {"_fill", cells_fill, METH_VARARGS, "_fill(box, value)"},
    {"_points", points_transfer, METH_VARARGS, "_points(axes, coordinates, box, memory, write)"},
    {"_view", view_of_box, METH_VARARGS, "_view(box)"},
    {"_extend", growth_extend, METH_VARARGS, "_extend(((axis, front, by), ...))"},
    {"_shrink", growth_shrink, METH_VARARGS, "_shrink(((axis, front, by), ...))"},
    {"_append", growth_append, METH_VARARGS, "_append(axis, front, values, code)"},
    {"_add_axis", growth_add_axis, METH_VARARGS, "_add_axis(position, name)"},
    {"refresh", growth_refresh, METH_NOARGS,
     "refresh() -> bool. See the changes of other processes; whether there were any."},
    {"sync", growth_sync, METH_NOARGS,
     "sync() -> None. Everything written so far survives a kill and a loss of power."},
    {"_history", growth_history, METH_NOARGS, NULL},
    {"_update", growth_update, METH_NOARGS, NULL},
    {"_attribute_names", array_attribute_names, METH_VARARGS, NULL},
    {"_attribute", array_attribute, METH_VARARGS, NULL},
    {"_set_attribute", array_set_attribute, METH_VARARGS, NULL},
    {"_remove_attribute", array_remove_attribute, METH_VARARGS, NULL},
    {"_axis_texts", array_axis_texts, METH_NOARGS, NULL},
    {"_set_axis_text", array_set_axis_text, METH_VARARGS, NULL},
    {"_coordinates", array_coordinates, METH_VARARGS, NULL},
    {"_set_regular", array_set_regular, METH_VARARGS, NULL},
    {"_select", array_select, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot array_slots[] = {
    {Py_tp_dealloc, array_dealloc},
    {Py_tp_methods, array_methods},
    {Py_tp_getset, array_properties},
    {Py_mp_subscript, cells_get_item},
    {Py_mp_ass_subscript, cells_set_item},
    {Py_tp_doc, "What xta.Array is made of; see there."},
    {0, NULL},
};

PyType_Spec array_type_spec = {
    .name = "xta._xta.Array",
    .basicsize = sizeof(array_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = array_slots,
};
