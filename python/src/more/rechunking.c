/* Repartitioning by libxta_rechunk: into a new array, or in place.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "more/rechunking.h"

#include <xta/repartition.h>

#include "support/creation.h"
#include "support/errors.h"

typedef struct rechunking {
    const char *path, *target; /* target NULL: in place */
    creation changes;
    xta_repartition_options options;
    xta_repartition_report report;
    PyThreadState *thread; /* of the caller, while it does not hold the GIL */
} rechunking;

/* Called some twenty times a second: an interrupt of the keyboard ends the run. */
static int check_signals(void *user, const xta_repartition_progress *progress)
{
    rechunking *r = user;

    (void)progress;
    PyEval_RestoreThread(r->thread);
    int result = PyErr_CheckSignals();
    r->thread = PyEval_SaveThread();
    return result;
}

/* Move the cells of an open array into one like it, which exists. */
static xta_status move_cells(rechunking *r, xta_array *from, xta_array *to, xta_error *err)
{
    xta_blocks source = {0}, target = {0};
    xta_status status = xta_blocks_of_array(from, &source, err);

    if (status != XTA_OK) {
        return status;
    }
    status = xta_blocks_into_array(to, &target, err);
    if (status == XTA_OK) {
        status = xta_repartition_run(&source, &target, &r->options, &r->report, err);
        xta_status closed =
            xta_blocks_close(&target, status == XTA_OK, status == XTA_OK ? err : NULL);
        status = status != XTA_OK ? status : closed;
    }
    xta_status closed = xta_blocks_close(&source, status == XTA_OK, status == XTA_OK ? err : NULL);
    return status != XTA_OK ? status : closed;
}

/* Into a new array; after a failure there is none. */
static xta_status run_into(rechunking *r, xta_error *err)
{
    xta_array *from = NULL, *to = NULL;
    xta_status status = xta_array_open(r->path, NULL, &from, err);

    if (status == XTA_OK) {
        status = xta_array_create_like(from, r->target, &r->changes.options, &to, err);
    }
    bool created = status == XTA_OK;
    if (created) {
        status = move_cells(r, from, to, err);
    }
    xta_status closed = xta_array_close(to, status == XTA_OK ? err : NULL);
    status = status != XTA_OK ? status : closed;
    (void)xta_array_close(from, NULL);
    if (created && status != XTA_OK) {
        xta_status deleted = xta_array_delete(r->target, NULL);
        (void)deleted; // the failure before is the one to tell
    }
    return status;
}

static PyObject *report_to_python(const xta_repartition_report *report)
{
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:d}", "reads", (unsigned long long)report->reads,
                         "writes", (unsigned long long)report->writes, "bytes_read",
                         (unsigned long long)report->bytes_read, "bytes_written",
                         (unsigned long long)report->bytes_written, "peak_bytes",
                         (unsigned long long)report->peak_bytes, "seconds", report->seconds);
}

PyObject *rechunking_run(PyObject *Py_UNUSED(module), PyObject *args)
{
    rechunking r = {0};
    PyObject *given, *target;
    unsigned long long memory_bytes;
    int ndim, threads, verify;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "yOiOKip", &r.path, &target, &ndim, &given, &memory_bytes, &threads,
                          &verify) ||
        (target != Py_None && (r.target = PyBytes_AsString(target)) == NULL) ||
        !creation_read(given, ndim, &r.changes)) {
        return NULL;
    }
    r.options = (xta_repartition_options)XTA_REPARTITION_OPTIONS_INIT;
    r.options.memory_bytes = memory_bytes;
    r.options.n_threads = threads;
    r.options.verify = verify != 0;
    r.options.report = check_signals;
    r.options.user = &r;
    r.thread = PyEval_SaveThread();
    status = r.target != NULL
                 ? run_into(&r, &err)
                 : xta_array_rechunk(r.path, &r.changes.options, &r.options, &r.report, &err);
    PyEval_RestoreThread(r.thread);
    creation_clear(&r.changes);
    if (PyErr_Occurred() != NULL) {
        return NULL;
    }
    return status == XTA_OK ? report_to_python(&r.report) : raise_status(status, &err, r.path);
}
