/* Calls of libxta_hyper: without the GIL, ended by interrupts of the keyboard, and with BLAS of one
 * thread.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper/call.h"

#include <stdatomic.h>
#include <time.h>

#include <cblas.h>

#include "support/errors.h"

/* Milliseconds between two looks for signals: the GIL may have to be waited for. */
#define BETWEEN_CHECKS 50

/* Guarded by the GIL. */
static int calls;
static int threads_before;

void call_enter(void)
{
    if (calls++ == 0) {
        threads_before = openblas_get_num_threads();
        openblas_set_num_threads(1);
    }
}

void call_leave(void)
{
    if (--calls == 0) {
        openblas_set_num_threads(threads_before);
    }
}

bool call_go_on(void *user, const char *what, uint64_t done, uint64_t total)
{
    static _Atomic int64_t last; // in milliseconds; scenes may share it
    struct timespec now;

    (void)user, (void)what, (void)done, (void)total;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t time = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (time - atomic_load(&last) < BETWEEN_CHECKS) {
        return true;
    }
    atomic_store(&last, time);
    // The library calls this on the thread that called it.
    PyGILState_STATE state = PyGILState_Ensure();
    bool go_on = PyErr_CheckSignals() == 0;
    PyGILState_Release(state);
    return go_on;
}

PyObject *call_failed(xta_status status, const xta_error *err, const char *path)
{
    return PyErr_Occurred() != NULL ? NULL : raise_status(status, err, path);
}

PyObject *call_bytes(const void *cells, size_t n, size_t cell_bytes)
{
    // Of no cells there may be no memory.
    return PyByteArray_FromStringAndSize(n > 0 ? cells : "", (Py_ssize_t)(n * cell_bytes));
}

const double *call_doubles(const Py_buffer *buffer, size_t n, const char *what)
{
    if ((size_t)buffer->len == n * sizeof(double)) {
        return buffer->buf;
    }
    PyErr_Format(PyExc_ValueError, "%s: %zd bytes; %zu numbers are wanted", what, buffer->len, n);
    return NULL;
}
