/* Attributes of an array and of its axes; names and units of axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_ARRAY_ATTRIBUTES_H
#define XTA_PYTHON_ARRAY_ATTRIBUTES_H

#include "object/array_object.h"

/* Methods of _xta.Array; axis -1: of the array. */
PyObject *array_attribute_names(PyObject *self, PyObject *args);
PyObject *array_attribute(PyObject *self, PyObject *args); /* None: there is none of this name */
PyObject *array_set_attribute(PyObject *self, PyObject *args);
PyObject *array_remove_attribute(PyObject *self, PyObject *args);

/* _axis_texts() -> ((names), (units)), _set_axis_text(axis, "name" or "unit", text) */
PyObject *array_axis_texts(PyObject *self, PyObject *none);
PyObject *array_set_axis_text(PyObject *self, PyObject *args);

#endif
