/* Calls of libxta_hyper: without the GIL, ended by interrupts of the keyboard, and with BLAS of one
 * thread.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HYPER_CALL_H
#define XTA_PYTHON_HYPER_CALL_H

#include <xta/scene.h>

#include "support/common.h"

/* The library gives OpenBLAS one thread, and its results have the same bits only with one. NumPy
 * may use the same OpenBLAS: when the last call ends it gets back the threads it had. To be called
 * with the GIL. */
void call_enter(void);
void call_leave(void);

/* HYPER_CALL(status = xta_...); */
#define HYPER_CALL(statement)   \
    do {                        \
        call_enter();           \
        WITHOUT_GIL(statement); \
        call_leave();           \
    } while (0)

/* A progress function: stops the call when a signal handler has raised an exception. */
bool call_go_on(void *user, const char *what, uint64_t done, uint64_t total);

/* Raise why a call failed, an exception of a signal handler before the status; always NULL. */
PyObject *call_failed(xta_status status, const xta_error *err, const char *path);

/* A bytearray of n cells. NULL with an exception. */
PyObject *call_bytes(const void *cells, size_t n, size_t cell_bytes);

/* The doubles of a buffer that must have `n` of them; NULL with an exception. */
const double *call_doubles(const Py_buffer *buffer, size_t n, const char *what);

#endif
