/* What all files of the extension share: the stable ABI of Python 3.11, and the Python objects that
 * the module keeps.
 *
 * The GIL. Every call of the library that may touch a file is made without it. Counters and flags
 * of handles are changed with it; what other threads wait for is atomic besides.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_COMMON_H
#define XTA_PYTHON_COMMON_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

// Python's slots hold functions as pointers to void, which ISO C does not know.
#pragma GCC diagnostic ignored "-Wpedantic"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

/* Set once, when the module is imported. */
typedef struct module_objects {
    PyObject *errors;      /* xta.errors */
    PyObject *empty;       /* numpy.empty */
    PyObject *ndarray;     /* numpy.ndarray */
    PyObject *integer;     /* numpy.integer */
    PyObject *no_index;    /* () */
    PyObject *get_general; /* "_get_general", for indices that are not basic */
    PyObject *set_general; /* "_set_general" */
    PyObject *dtype;       /* "dtype" */
    PyObject *array_type;  /* _xta.Array */
    PyObject *dataset_type;
    PyObject *cells_type; /* _xta.Cells, the owner of a view's memory */
} module_objects;

extern module_objects xta_python;

/* Call the library without the GIL: WITHOUT_GIL(status = xta_...); */
#define WITHOUT_GIL(statement)                             \
    do {                                                   \
        PyThreadState *without_gil_ = PyEval_SaveThread(); \
        statement;                                         \
        PyEval_RestoreThread(without_gil_);                \
    } while (0)

#endif
