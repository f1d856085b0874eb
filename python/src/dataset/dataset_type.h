/* _xta.Dataset: a folder of arrays that grow together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_DATASET_TYPE_H
#define XTA_PYTHON_DATASET_TYPE_H

#include "support/common.h"

extern PyType_Spec dataset_type_spec;

/* open_dataset(type, path, writable), create_dataset(type, path) */
PyObject *dataset_open(PyObject *module, PyObject *args);
PyObject *dataset_create(PyObject *module, PyObject *args);

#endif
