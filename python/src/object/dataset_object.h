/* An open data set as a Python object, and the frame of calls on it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_DATASET_OBJECT_H
#define XTA_PYTHON_DATASET_OBJECT_H

#include "object/handle.h"

typedef struct dataset_object {
    PyObject_HEAD handle *handle;
} dataset_object;

/* Begin a call on a data set, without the GIL and with the lock of what is borrowed; false with an
 * exception. */
typedef struct dataset_call {
    handle *handle;
    PyThreadState *thread;
    xta_error err;
} dataset_call;
bool dataset_begin(PyObject *self, dataset_call *call);

/* End it: the GIL is held again. Raises if the status is not XTA_OK: false. */
bool dataset_end(dataset_call *call, xta_status status);

#endif
