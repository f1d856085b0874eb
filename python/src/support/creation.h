/* The options of a new array, from a Python object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_CREATION_H
#define XTA_PYTHON_CREATION_H

#include "support/common.h"

typedef struct creation {
    xta_create_options options;
    int64_t chunk[XTA_MAX_NDIM];
    const char *names[XTA_MAX_NDIM]; /* borrowed of `owner` */
    Py_buffer fill;
    bool has_fill;
    PyObject *owner;
} creation;

/* Read (chunks or None, chunk_bytes, order, fill or None, names or None, cell_bytes, policy,
 * policy_amount); names: a tuple of str or None, fill: memory of one cell. False with an exception,
 * and nothing is to be cleared. */
bool creation_read(PyObject *given, int ndim, creation *c);
void creation_clear(creation *c);

#endif
