/* _xta.Array: opening and creating, properties, and the table of its methods.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_ARRAY_TYPE_H
#define XTA_PYTHON_ARRAY_TYPE_H

#include "support/common.h"

extern PyType_Spec array_type_spec;

/* Functions of the module: open_array, create_array. */
PyObject *array_open(PyObject *module, PyObject *args);
PyObject *array_create(PyObject *module, PyObject *args);

#endif
