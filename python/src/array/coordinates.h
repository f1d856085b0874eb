/* Coordinates of an array's axes, and cells selected by label.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_ARRAY_COORDINATES_H
#define XTA_PYTHON_ARRAY_COORDINATES_H

#include "object/array_object.h"

/* _coordinates(axis) -> None or (kind, code, values, unit, calendar); values: bytes of numbers, or
 * a list of names. */
PyObject *array_coordinates(PyObject *self, PyObject *args);

/* _set_regular(axis, code, origin, step); code 0: remove. */
PyObject *array_set_regular(PyObject *self, PyObject *args);

/* _select(text) -> for each axis (lo, hi, step, cells or None, whether the text names it). */
PyObject *array_select(PyObject *self, PyObject *args);

#endif
