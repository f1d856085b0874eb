/* The cells of an array in memory, for Python.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/result.h"

#include "support/convert.h"
#include "support/errors.h"

PyObject *result_to_python(xta_array *result)
{
    xta_box bounds = xta_array_bounds(result);
    uint64_t n = 0;
    xta_error err;
    xta_status status = xta_box_cells(&bounds, &n);
    PyObject *memory = NULL;

    (void)xta_error_set(&err, status, 0, "the result has more than 2^63 - 1 cells");

    if (status == XTA_OK) {
        memory =
            PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(n * xta_array_cell_bytes(result)));
        if (memory == NULL) {
            return NULL;
        }
        void *cells = PyByteArray_AsString(memory);
        WITHOUT_GIL(status = xta_array_read(result, &bounds, NULL, cells, &err));
    }
    if (status != XTA_OK) {
        Py_XDECREF(memory);
        return raise_status(status, &err, NULL);
    }
    return Py_BuildValue("(iNN)", (int)xta_array_type(result), box_to_python(&bounds), memory);
}
