/* Cells of an array by basic index and by box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_CELLS_H
#define XTA_PYTHON_CELLS_H

#include "object/array_object.h"

/* a[key], a[key] = value. Other than basic indices go to methods of the Python class. */
PyObject *cells_get_item(PyObject *self, PyObject *key);
int cells_set_item(PyObject *self, PyObject *key, PyObject *value);

/* _read(box, out, code), _write(box, values, code): memory of the box's shape. */
PyObject *cells_read(PyObject *self, PyObject *args);
PyObject *cells_write(PyObject *self, PyObject *args);

/* _fill(box, value): one value for all cells. */
PyObject *cells_fill(PyObject *self, PyObject *args);

#endif
