/* An open array as a Python object: alone, or of a data set that is open.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_ARRAY_OBJECT_H
#define XTA_PYTHON_ARRAY_OBJECT_H

#include "object/handle.h"

typedef struct array_object {
    PyObject_HEAD handle *handle;
    char *member;     /* its name in the data set of the handle; NULL: the handle's array */
    xta_array *array; /* of the handle, as of handle->opened */
    unsigned opened;
    bool closed; /* this member alone */
    /* The bounds that Python sees: those of the last change or refresh by this object, or those it
     * was made with. Those of the library may be others meanwhile, and take a lock to be read. */
    xta_box bounds;
    uint64_t change; /* of the handle, that they are of */
    xta_type type;
    size_t cell_bytes;
    PyObject *dtype;
    PyObject *cell_array; /* of 0 axes: NumPy makes scalars of its memory, and puts them there */
    Py_buffer cell;       /* that memory */
} array_object;

/* Begin a call on an array; false with an exception. */
bool array_enter(array_object *a);
void array_leave(array_object *a);

/* The bounds after change number `change`, unless those of a later one are known. */
void array_set_bounds(array_object *a, const xta_box *bounds, uint64_t change);

/* Bytes of a cell in memory of a type. 0: the library refuses the type for this array. */
size_t array_memory_bytes(const array_object *a, int code);

/* The path for messages: of the array, or of its data set. */
const char *array_path(const array_object *a);

/* A new object of a Python class; takes over one reference to the handle. `member`: NULL, or its
 * name. `bounds`: NULL, or those to keep. */
PyObject *array_object_new(PyTypeObject *type, handle *h, const char *member,
                           const xta_box *bounds);

/* The function that frees it, for the type. */
void array_dealloc(PyObject *self);

#endif
