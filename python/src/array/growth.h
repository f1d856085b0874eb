/* The structure of an array: growth, axes, history.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_GROWTH_H
#define XTA_PYTHON_GROWTH_H

#include "object/array_object.h"

/* A sequence of (axis, front, by); false with an exception. */
bool growths_from_python(PyObject *object, xta_growth growths[2 * XTA_MAX_NDIM], int *n);

/* Methods of _xta.Array; extend, shrink and append return the bounds after the step. */
PyObject *growth_extend(PyObject *self, PyObject *args);
PyObject *growth_shrink(PyObject *self, PyObject *args);
PyObject *growth_append(PyObject *self, PyObject *args);
PyObject *growth_add_axis(PyObject *self, PyObject *args);
PyObject *growth_refresh(PyObject *self, PyObject *none);
PyObject *growth_sync(PyObject *self, PyObject *none);
PyObject *growth_history(PyObject *self, PyObject *none);

/* _update(): take the bounds of the library's handle, after a change of the data set. */
PyObject *growth_update(PyObject *self, PyObject *none);

#endif
