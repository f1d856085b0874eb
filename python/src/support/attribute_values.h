/* Attributes as Python passes them: (code, cell_bytes, bytes).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_ATTRIBUTE_VALUES_H
#define XTA_PYTHON_ATTRIBUTE_VALUES_H

#include <xta/attribute.h>

#include "support/common.h"

/* A copy of a borrowed attribute, made before others may change it. */
typedef struct attribute_copy {
    char *name;
    void *values;
    xta_attribute value;
} attribute_copy;

/* XTA_ENOMEM. */
xta_status attribute_copy_make(const xta_attribute *attribute, attribute_copy *copy,
                               xta_error *err);
void attribute_copy_clear(attribute_copy *copy);

/* (code, cell_bytes, bytes) */
PyObject *attribute_to_python(const attribute_copy *copy);

/* A growing list of copies. */
typedef struct attribute_names {
    char **items;
    size_t n;
} attribute_names;

xta_status attribute_names_add(attribute_names *names, const char *name, xta_error *err);
/* A list of str; clears the names. */
PyObject *attribute_names_to_python(attribute_names *names);
void attribute_names_clear(attribute_names *names);

/* Set up an attribute of (name, code, cell_bytes, memory); `view` is to be released. */
bool attribute_from_python(const char *name, int code, Py_ssize_t cell_bytes, PyObject *memory,
                           xta_attribute *attribute, Py_buffer *view);

#endif
