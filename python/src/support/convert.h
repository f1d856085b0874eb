/* Boxes, lists of integers and memory: Python's objects and those of the library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_CONVERT_H
#define XTA_PYTHON_CONVERT_H

#include <xta/coordinates.h>

#include "support/common.h"

/* ((lo, hi), ...). NULL with an exception. */
PyObject *box_to_python(const xta_box *box);
PyObject *range_to_python(int64_t lo, int64_t hi);

/* A sequence of pairs; false with an exception. Whether lo <= hi is the library's matter. */
bool box_from_python(PyObject *object, xta_box *box);

/* A tuple of integers, and a sequence of at most XTA_MAX_NDIM of them; false with an exception. */
PyObject *integers_to_python(const int64_t numbers[], int n);
bool integers_from_python(PyObject *object, int64_t numbers[XTA_MAX_NDIM], int *n);

/* For "O&" of PyArg_ParseTuple: a path as os.fsencode gives it, borrowed; NULL for None. */
int path_or_none(PyObject *object, void *out);

/* A number of a coordinate from Python; false with an exception. */
bool coordinate_from_python(PyObject *object, xta_type type, xta_coordinate *out);

/* The memory of a NumPy array of the given shape, for the library: `view` is to be released.
 * `cell_bytes`: of a cell there, 0: any. Strides are in `options`, which points into `strides`.
 * False with an exception. */
bool memory_of(PyObject *array, const xta_box *box, size_t cell_bytes, bool writable,
               Py_buffer *view, xta_io_options *options, int64_t strides[XTA_MAX_NDIM]);

/* numpy.empty(shape, dtype), and its memory. NULL with an exception. */
PyObject *empty_array(const int64_t shape[], int ndim, PyObject *dtype, Py_buffer *view);

#endif
