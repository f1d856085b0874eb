/* Dimensions of a data set, new members, and growth.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_DATASET_CHANGE_H
#define XTA_PYTHON_DATASET_CHANGE_H

#include "object/dataset_object.h"

/* _dimensions() -> [(name, lo, hi, unlimited, n_members, kind, code, origin, step), ...] */
PyObject *dataset_dimensions(PyObject *self, PyObject *none);

/* _set_dimension(name, lo, hi, unlimited, code, origin, step); code 0: no regular coordinates. */
PyObject *dataset_set_dimension(PyObject *self, PyObject *args);

/* _add_member(name, code, dims or None for each axis, options as for create_array) */
PyObject *dataset_add_member(PyObject *self, PyObject *args);
PyObject *dataset_remove_member(PyObject *self, PyObject *args);

/* _extend(((dimension, front, by), ...)) */
PyObject *dataset_extend(PyObject *self, PyObject *args);

/* _append(dimension, front, by, coordinates, cells) -> first new coordinate. coordinates: None or
 * (code, cell_bytes, values, unit or None, calendar or None); cells: a list of (member, code,
 * dense row-major array). */
PyObject *dataset_append(PyObject *self, PyObject *args);

#endif
