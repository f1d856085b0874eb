/* _xta.Dataset: life, members, groups, attributes, and the table of its methods.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/dataset_type.h"

#include "dataset/change.h"
#include "object/array_object.h"
#include "object/dataset_object.h"
#include "support/attribute_values.h"
#include "support/convert.h"
#include "support/creation.h"
#include "support/errors.h"

/* ---- life ---- */

static void dataset_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    handle_unref(((dataset_object *)self)->handle);
    release(self);
    Py_DECREF(type);
}

static PyObject *dataset_new(PyObject *type, xta_dataset *set, bool writable)
{
    handle *h = handle_new(NULL, set, writable);
    allocfunc allocate = (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc);
    dataset_object *d = h != NULL ? (dataset_object *)allocate((PyTypeObject *)type, 0) : NULL;

    if (d == NULL) {
        handle_unref(h);
        return NULL;
    }
    d->handle = h;
    return (PyObject *)d;
}

PyObject *dataset_open(PyObject *Py_UNUSED(module), PyObject *args)
{
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;
    PyObject *type;
    const char *path;
    int writable;
    xta_dataset *set = NULL;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "Oyp", &type, &path, &writable)) {
        return NULL;
    }
    options.writable = writable != 0;
    WITHOUT_GIL(status = xta_dataset_open(path, &options, &set, &err));
    return status == XTA_OK ? dataset_new(type, set, options.writable)
                            : raise_status(status, &err, path);
}

PyObject *dataset_create(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *type;
    const char *path;
    xta_dataset *set = NULL;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "Oy", &type, &path)) {
        return NULL;
    }
    WITHOUT_GIL(status = xta_dataset_create(path, NULL, &set, &err));
    return status == XTA_OK ? dataset_new(type, set, true) : raise_status(status, &err, path);
}

static PyObject *dataset_close(PyObject *self, PyObject *Py_UNUSED(none))
{
    return handle_close(((dataset_object *)self)->handle) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *dataset_refresh(PyObject *self, PyObject *Py_UNUSED(none))
{
    dataset_call call;
    bool changed = false;

    if (!dataset_begin(self, &call)) {
        return NULL;
    }
    xta_status status = xta_dataset_refresh(call.handle->set, &changed, &call.err);
    return dataset_end(&call, status) ? PyBool_FromLong(changed) : NULL;
}

static PyObject *dataset_sync(PyObject *self, PyObject *Py_UNUSED(none))
{
    dataset_call call;

    if (!dataset_begin(self, &call)) {
        return NULL;
    }
    xta_status status = xta_dataset_sync(call.handle->set, &call.err);
    return dataset_end(&call, status) ? Py_NewRef(Py_None) : NULL;
}

/* ---- members and groups ---- */

typedef const char *name_of_call(xta_dataset *set, size_t k);

static PyObject *list_names(PyObject *self, name_of_call *name_of)
{
    dataset_call call;
    attribute_names names = {0};
    xta_status status = XTA_OK;

    if (!dataset_begin(self, &call)) {
        return NULL;
    }
    for (const char *name;
         status == XTA_OK && (name = name_of(call.handle->set, names.n)) != NULL;) {
        status = attribute_names_add(&names, name, &call.err);
    }
    if (!dataset_end(&call, status)) {
        attribute_names_clear(&names);
        return NULL;
    }
    return attribute_names_to_python(&names);
}

static PyObject *dataset_members(PyObject *self, PyObject *Py_UNUSED(none))
{
    return list_names(self, xta_dataset_member_name);
}

static PyObject *dataset_groups(PyObject *self, PyObject *Py_UNUSED(none))
{
    return list_names(self, xta_dataset_group_name);
}

static PyObject *dataset_member(PyObject *self, PyObject *args)
{
    PyObject *type, *bounds;
    const char *name;
    dataset_call call;
    xta_array *array;
    xta_box box;

    if (!PyArg_ParseTuple(args, "OsO", &type, &name, &bounds) ||
        (bounds != Py_None && !box_from_python(bounds, &box)) || !dataset_begin(self, &call)) {
        return NULL;
    }
    xta_status status = xta_dataset_member(call.handle->set, name, &array, &call.err);
    if (!dataset_end(&call, status)) {
        return NULL;
    }
    handle_ref(call.handle);
    return array_object_new((PyTypeObject *)type, call.handle, name,
                            bounds != Py_None ? &box : NULL);
}

static PyObject *dataset_group(PyObject *self, PyObject *args)
{
    PyObject *type;
    const char *name;
    int create;
    dataset_call call;
    xta_dataset *group = NULL;

    if (!PyArg_ParseTuple(args, "Osp", &type, &name, &create) || !dataset_begin(self, &call)) {
        return NULL;
    }
    xta_status status = xta_dataset_group(call.handle->set, name, create != 0, &group, &call.err);
    return dataset_end(&call, status) ? dataset_new(type, group, call.handle->writable) : NULL;
}

/* ---- attributes ---- */

static PyObject *dataset_attribute_names(PyObject *self, PyObject *args)
{
    const char *dimension;
    dataset_call call;
    attribute_names names = {0};
    xta_attribute attribute;
    xta_status status = XTA_OK;

    if (!PyArg_ParseTuple(args, "z", &dimension) || !dataset_begin(self, &call)) {
        return NULL;
    }
    size_t n = xta_dataset_attribute_count(call.handle->set, dimension);
    for (size_t k = 0; status == XTA_OK && k < n; k++) {
        status = xta_dataset_attribute_at(call.handle->set, dimension, k, &attribute, &call.err);
        if (status == XTA_OK) {
            status = attribute_names_add(&names, attribute.name, &call.err);
        }
    }
    if (!dataset_end(&call, status)) {
        attribute_names_clear(&names);
        return NULL;
    }
    return attribute_names_to_python(&names);
}

static PyObject *dataset_attribute(PyObject *self, PyObject *args)
{
    const char *dimension, *name;
    dataset_call call;
    attribute_copy copy = {0};
    xta_attribute attribute;

    if (!PyArg_ParseTuple(args, "zs", &dimension, &name) || !dataset_begin(self, &call)) {
        return NULL;
    }
    xta_status status =
        xta_dataset_attribute(call.handle->set, dimension, name, &attribute, &call.err);
    bool missing = status == XTA_ENOENT;
    if (status == XTA_OK) {
        status = attribute_copy_make(&attribute, &copy, &call.err);
    }
    if (!dataset_end(&call, missing ? XTA_OK : status)) {
        return NULL;
    }
    if (missing) {
        Py_RETURN_NONE;
    }
    PyObject *result = attribute_to_python(&copy);
    attribute_copy_clear(&copy);
    return result;
}

static PyObject *dataset_set_attribute(PyObject *self, PyObject *args)
{
    const char *dimension, *name;
    Py_ssize_t cell_bytes;
    int code;
    PyObject *memory;
    Py_buffer view;
    dataset_call call;
    xta_attribute attribute;
    bool well = false;

    if (!PyArg_ParseTuple(args, "zsinO", &dimension, &name, &code, &cell_bytes, &memory) ||
        !attribute_from_python(name, code, cell_bytes, memory, &attribute, &view)) {
        return NULL;
    }
    if (dataset_begin(self, &call)) {
        well = dataset_end(
            &call, xta_dataset_set_attribute(call.handle->set, dimension, &attribute, &call.err));
    }
    PyBuffer_Release(&view);
    return well ? Py_NewRef(Py_None) : NULL;
}

static PyObject *dataset_remove_attribute(PyObject *self, PyObject *args)
{
    const char *dimension, *name;
    dataset_call call;

    if (!PyArg_ParseTuple(args, "zs", &dimension, &name) || !dataset_begin(self, &call)) {
        return NULL;
    }
    xta_status status = xta_dataset_remove_attribute(call.handle->set, dimension, name, &call.err);
    return dataset_end(&call, status) ? Py_NewRef(Py_None) : NULL;
}

/* ---- properties ---- */

static PyObject *get_path(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_DecodeFSDefault(((dataset_object *)self)->handle->path);
}

static PyObject *get_closed(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((dataset_object *)self)->handle->closed);
}

static PyObject *get_writable(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((dataset_object *)self)->handle->writable);
}

static PyGetSetDef dataset_properties[] = {
    {"path", get_path, NULL, "Absolute path of the folder.", NULL},
    {"closed", get_closed, NULL, "Whether the data set was closed.", NULL},
    {"_writable", get_writable, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef dataset_methods[] = {
    {"close", dataset_close, METH_NOARGS,
     "close() -> None. Sync and close the data set and its arrays."},
    {"_refresh", dataset_refresh, METH_NOARGS, NULL},
    {"sync", dataset_sync, METH_NOARGS,
     "sync() -> None. Everything written so far survives a kill and a loss of power."},
    {"_members", dataset_members, METH_NOARGS, NULL},
    {"_groups", dataset_groups, METH_NOARGS, NULL},
    {"_member", dataset_member, METH_VARARGS, "_member(type, name, bounds or None)"},
    {"_group", dataset_group, METH_VARARGS, "_group(type, name, create)"},
    {"_attribute_names", dataset_attribute_names, METH_VARARGS, NULL},
    {"_attribute", dataset_attribute, METH_VARARGS, NULL},
    {"_set_attribute", dataset_set_attribute, METH_VARARGS, NULL},
    {"_remove_attribute", dataset_remove_attribute, METH_VARARGS, NULL},
    {"_dimensions", dataset_dimensions, METH_NOARGS, NULL},
    {"_set_dimension", dataset_set_dimension, METH_VARARGS, NULL},
    {"_add_member", dataset_add_member, METH_VARARGS, NULL},
    {"_remove_member", dataset_remove_member, METH_VARARGS, NULL},
    {"_extend", dataset_extend, METH_VARARGS, "_extend(((dimension, front, by), ...))"},
    {"_append", dataset_append, METH_VARARGS,
     "_append(dimension, front, by, coordinates or None, cells)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dataset_slots[] = {
    {Py_tp_dealloc, dataset_dealloc},
    {Py_tp_methods, dataset_methods},
    {Py_tp_getset, dataset_properties},
    {Py_tp_doc, "What xta.Dataset is made of; see there."},
    {0, NULL},
};

PyType_Spec dataset_type_spec = {
    .name = "xta._xta.Dataset",
    .basicsize = sizeof(dataset_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = dataset_slots,
};
