/* What a computation reads: an array of a path, or memory of NumPy.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_SOURCE_H
#define XTA_PYTHON_SOURCE_H

#include "support/common.h"

typedef struct source {
    const char *path; /* borrowed of the argument; NULL: memory */
    xta_type type;
    uint32_t cell_bytes;
    Py_buffer memory;         /* obj NULL: none */
    const char *const *names; /* of the axes of memory, for source_open; NULL: none */
    xta_array *array;         /* of source_open */
} source;

/* A path, or (code, cell_bytes, dense row-major array); false with an exception. */
bool source_from_python(PyObject *object, source *s);

/* Open the array, or make one in memory. To be called without the GIL. */
xta_status source_open(source *s, xta_error *err);

/* Close it, and give the memory back. */
void source_clear(source *s);

#endif
