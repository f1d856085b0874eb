/* Failures of the library as exceptions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_ERRORS_H
#define XTA_PYTHON_ERRORS_H

#include "support/common.h"

/* A text of the library: paths may be of any bytes, and a long text is cut, maybe in a letter. */
PyObject *text_to_python(const char *text);

/* Raise the exception of a status; always NULL. `path`: the array or data set, or NULL. */
PyObject *raise_status(xta_status status, const xta_error *err, const char *path);

/* The same with a text of our own, an axis (-1: none) and a value (NULL: none; borrowed). */
PyObject *raise_text(xta_status status, const char *path, int axis, PyObject *value,
                     const char *text);

/* A position on an axis beyond the bounds. */
PyObject *raise_position(const char *path, int axis, int64_t position, int64_t n);

/* ClosedError and NotContiguous. */
PyObject *raise_closed(const char *path);
PyObject *raise_not_contiguous(const xta_error *err, const char *path);

#endif
