/* Reductions of libxta_reduce: arguments of Python, results as memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "more/reduction.h"

#include <string.h>

#include <xta/reduce.h>

#include "more/source.h"
#include "support/convert.h"
#include "support/errors.h"
#include "support/result.h"

typedef struct reduction {
    source from;
    xta_reduce_options options;
    xta_box box;
    int axes[XTA_MAX_NDIM];
    Py_buffer labels;  /* obj NULL: none */
    Py_buffer missing; /* the same */
    xta_reduce_statistic statistics[XTA_REDUCE_STATISTICS];
    int n_statistics;
    xta_array *results[XTA_REDUCE_STATISTICS];
} reduction;

/* ---- arguments ---- */

static bool read_axes(PyObject *axes, reduction *r)
{
    int64_t numbers[XTA_MAX_NDIM];
    int n;

    if (axes == Py_None) {
        return true;
    }
    if (!integers_from_python(axes, numbers, &n)) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        r->axes[k] = (int)numbers[k];
    }
    r->options.axes = r->axes;
    r->options.n_axes = n;
    return true;
}

static bool read_groups(PyObject *groups, reduction *r)
{
    PyObject *by;

    if (groups == Py_None) {
        return true;
    }
    if (!PyArg_ParseTuple(groups, "iO", &r->options.group_axis, &by)) {
        return false;
    }
    if (PyLong_Check(by)) {
        r->options.group_length = PyLong_AsLongLong(by);
        return PyErr_Occurred() == NULL;
    }
    if (PyObject_GetBuffer(by, &r->labels, PyBUF_C_CONTIGUOUS) < 0) {
        return false;
    }
    r->options.labels = r->labels.buf;
    r->options.n_labels = r->labels.len / (Py_ssize_t)sizeof(int64_t);
    return true;
}

static bool read_missing(PyObject *missing, reduction *r)
{
    if (missing == Py_None) {
        return true;
    }
    if (PyObject_GetBuffer(missing, &r->missing, PyBUF_SIMPLE) < 0) {
        return false;
    }
    r->options.missing = r->missing.buf;
    return true;
}

static bool read_statistics(PyObject *statistics, reduction *r)
{
    int64_t numbers[XTA_MAX_NDIM];

    if (!integers_from_python(statistics, numbers, &r->n_statistics)) {
        return false;
    }
    if (r->n_statistics > XTA_REDUCE_STATISTICS) {
        PyErr_Format(PyExc_ValueError, "%d statistics; there are %d", r->n_statistics,
                     XTA_REDUCE_STATISTICS);
        return false;
    }
    for (int k = 0; k < r->n_statistics; k++) {
        r->statistics[k] = (xta_reduce_statistic)numbers[k];
    }
    return true;
}

static bool read_reduction(PyObject *args, reduction *r)
{
    PyObject *from, *box, *axes, *groups, *missing, *statistics;
    unsigned long long min_count, ddof, memory_bytes;
    int propagate, threads;

    if (!PyArg_ParseTuple(args, "OOOOOpKKiKO", &from, &box, &axes, &groups, &missing, &propagate,
                          &min_count, &ddof, &threads, &memory_bytes, &statistics)) {
        return false;
    }
    r->options = (xta_reduce_options)XTA_REDUCE_OPTIONS_INIT;
    r->options.propagate_nan = propagate != 0;
    r->options.min_count = min_count;
    r->options.ddof = ddof;
    r->options.threads = threads;
    r->options.memory_bytes = memory_bytes;
    if (box != Py_None) {
        if (!box_from_python(box, &r->box)) {
            return false;
        }
        r->options.box = &r->box;
    }
    return read_axes(axes, r) && read_groups(groups, r) && read_missing(missing, r) &&
           read_statistics(statistics, r) && source_from_python(from, &r->from);
}

/* ---- the run, without the GIL ---- */

static xta_status run(reduction *r, xta_error *err)
{
    xta_status status = source_open(&r->from, err);

    for (int k = 0; status == XTA_OK && k < r->n_statistics; k++) {
        status = xta_reduce_create(r->from.array, &r->options, r->statistics[k], NULL,
                                   &r->results[k], err);
    }
    if (status == XTA_OK) {
        status = xta_reduce(r->from.array, &r->options, r->statistics, r->n_statistics, r->results,
                            NULL, err);
    }
    return status;
}

static PyObject *results_to_python(const reduction *r)
{
    PyObject *list = PyList_New(0);

    for (int k = 0; list != NULL && k < r->n_statistics; k++) {
        PyObject *item = result_to_python(r->results[k]);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

static void clear(reduction *r)
{
    for (int k = 0; k < XTA_REDUCE_STATISTICS; k++) {
        (void)xta_array_close(r->results[k], NULL);
    }
    source_clear(&r->from);
    PyBuffer_Release(&r->labels);
    PyBuffer_Release(&r->missing);
}

PyObject *reduction_run(PyObject *Py_UNUSED(module), PyObject *args)
{
    reduction r = {0};
    xta_error err;
    xta_status status;
    PyObject *result = NULL;

    if (read_reduction(args, &r)) {
        WITHOUT_GIL(status = run(&r, &err));
        result = status == XTA_OK ? results_to_python(&r) : raise_status(status, &err, r.from.path);
    }
    clear(&r);
    return result;
}
