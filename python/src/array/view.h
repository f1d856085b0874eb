/* Cells in place: memory of a mapped data file as a NumPy array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_VIEW_H
#define XTA_PYTHON_VIEW_H

#include "object/array_object.h"

/* _view(box) -> read-only numpy.ndarray, which keeps the files open. */
PyObject *view_of_box(PyObject *self, PyObject *args);

/* The type of what owns the memory of views. */
extern PyType_Spec cells_type_spec;

#endif
