/* The extension module xta._xta.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "module.h"

#include "array/array_type.h"
#include "array/view.h"
#include "dataset/dataset_type.h"
#include "object/handle.h"
#include "support/common.h"

static PyObject *module_version(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none))
{
    return PyUnicode_FromString(xta_version());
}

static PyObject *module_status_name(PyObject *Py_UNUSED(module), PyObject *args)
{
    int status;

    return PyArg_ParseTuple(args, "i", &status)
               ? PyUnicode_FromString(xta_status_name((xta_status)status))
               : NULL;
}

static PyMethodDef module_methods[] = {
    {"open_array", array_open, METH_VARARGS,
     "open_array(type, path, writable, step or None, bounds or None[, access])"},
    {"create_array", array_create, METH_VARARGS,
     "create_array(type, path, code, shape, options, access)"},
    {"open_dataset", dataset_open, METH_VARARGS, "open_dataset(type, path, writable)"},
    {"create_dataset", dataset_create, METH_VARARGS, "create_dataset(type, path)"},
    {"library_version", module_version, METH_NOARGS, "library_version() -> version of libxta"},
    {"status_name", module_status_name, METH_VARARGS, "status_name(number) -> 'XTA_...'"},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "xta._xta",
    .m_doc = "What xta is made of: calls of libxta. Use xta.",
    .m_size = -1,
    .m_methods = module_methods,
};

/* Whatever is missing has set an exception. */
static bool import_objects(void)
{
    PyObject *numpy = PyImport_ImportModule("numpy");

    if (numpy != NULL) {
        xta_python.empty = PyObject_GetAttrString(numpy, "empty");
        xta_python.ndarray = PyObject_GetAttrString(numpy, "ndarray");
        xta_python.integer = PyObject_GetAttrString(numpy, "integer");
        Py_DECREF(numpy);
    }
    xta_python.errors = PyImport_ImportModule("xta.errors");
    xta_python.no_index = PyTuple_New(0);
    xta_python.get_general = PyUnicode_InternFromString("_get_general");
    xta_python.set_general = PyUnicode_InternFromString("_set_general");
    xta_python.dtype = PyUnicode_InternFromString("dtype");
    return xta_python.empty != NULL && xta_python.ndarray != NULL && xta_python.integer != NULL &&
           xta_python.errors != NULL && xta_python.no_index != NULL &&
           xta_python.get_general != NULL && xta_python.set_general != NULL &&
           xta_python.dtype != NULL;
}

static bool make_types(PyObject *module)
{
    xta_python.array_type = PyType_FromSpec(&array_type_spec);
    xta_python.dataset_type = PyType_FromSpec(&dataset_type_spec);
    xta_python.cells_type = PyType_FromSpec(&cells_type_spec);
    return xta_python.array_type != NULL && xta_python.dataset_type != NULL &&
           xta_python.cells_type != NULL &&
           PyModule_AddObjectRef(module, "Array", xta_python.array_type) == 0 &&
           PyModule_AddObjectRef(module, "Dataset", xta_python.dataset_type) == 0;
}

PyMODINIT_FUNC PyInit__xta(void)
{
    PyObject *module = PyModule_Create(&definition);

    if (module != NULL && !(handle_setup() && import_objects() && make_types(module))) {
        Py_CLEAR(module);
    }
    return module;
}
