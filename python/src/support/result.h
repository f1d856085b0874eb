/* The cells of an array in memory, for Python.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_RESULT_H
#define XTA_PYTHON_RESULT_H

#include "support/common.h"

/* (code, bounds, bytearray). NULL with an exception. */
PyObject *result_to_python(xta_array *result);

#endif
