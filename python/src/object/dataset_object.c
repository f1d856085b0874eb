/* An open data set as a Python object, and the frame of calls on it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "object/dataset_object.h"

#include "support/errors.h"

bool dataset_begin(PyObject *self, dataset_call *call)
{
    call->handle = ((dataset_object *)self)->handle;
    if (!handle_enter(call->handle)) {
        return false;
    }
    call->thread = PyEval_SaveThread();
    pthread_mutex_lock(&call->handle->borrowing);
    return true;
}

bool dataset_end(dataset_call *call, xta_status status)
{
    pthread_mutex_unlock(&call->handle->borrowing);
    PyEval_RestoreThread(call->thread);
    handle_leave(call->handle);
    if (status != XTA_OK) {
        raise_status(status, &call->err, call->handle->path);
    }
    return status == XTA_OK;
}
