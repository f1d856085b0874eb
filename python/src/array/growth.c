/* The structure of an array: growth, axes, history.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/growth.h"

#include "support/convert.h"
#include "support/errors.h"

bool growths_from_python(PyObject *object, xta_growth growths[2 * XTA_MAX_NDIM], int *n)
{
    PyObject *tuple = PySequence_Tuple(object);
    bool well = tuple != NULL;

    if (well && PyTuple_Size(tuple) > 2 * XTA_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError, "%zd growths in one step; there may be %d",
                     PyTuple_Size(tuple), 2 * XTA_MAX_NDIM);
        well = false;
    }
    *n = well ? (int)PyTuple_Size(tuple) : 0;
    for (int k = 0; well && k < *n; k++) {
        int front;
        long long by;
        well =
            PyArg_ParseTuple(PyTuple_GetItem(tuple, k), "ipL", &growths[k].axis, &front, &by) != 0;
        growths[k].side = well && front ? XTA_FRONT : XTA_BACK;
        growths[k].by = well ? by : 0;
    }
    Py_XDECREF(tuple);
    return well;
}

typedef xta_status growth_call(xta_array *array, const xta_growth *growths, int n, xta_box *after,
                               xta_error *err);

/* The bounds after a change; or its exception. */
static PyObject *changed(array_object *a, xta_status status, const xta_box *after, uint64_t change,
                         const xta_error *err)
{
    if (status != XTA_OK) {
        return raise_status(status, err, array_path(a));
    }
    array_set_bounds(a, after, change);
    return box_to_python(after);
}

static PyObject *change_bounds(PyObject *self, PyObject *args, growth_call *call)
{
    array_object *a = (array_object *)self;
    xta_growth growths[2 * XTA_MAX_NDIM];
    PyObject *object;
    xta_box after;
    uint64_t change;
    xta_error err;
    xta_status status;
    int n;

    if (!PyArg_ParseTuple(args, "O", &object) || !growths_from_python(object, growths, &n) ||
        !array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = call(a->array, growths, n, &after, &err);
    change = ++a->handle->n_changes;
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    return changed(a, status, &after, change, &err);
}

PyObject *growth_extend(PyObject *self, PyObject *args)
{
    return change_bounds(self, args, xta_array_extend);
}

PyObject *growth_shrink(PyObject *self, PyObject *args)
{
    return change_bounds(self, args, xta_array_shrink);
}

/* The slab that a growth appends has the bounds of the array on the other axes. */
static xta_box slab_of(const xta_box *bounds, const xta_growth *growth)
{
    xta_box slab = *bounds;

    slab.lo[growth->axis] = 0;
    slab.hi[growth->axis] = growth->by;
    return slab;
}

/* XTA_EBOX: the library's handle has other bounds than the block was made for. The lock of changes
 * is held, so they stay until the append, which compares them with the files. */
static xta_status check_slab(const array_object *a, int grown, const xta_box *slab, xta_error *err)
{
    xta_box bounds = xta_array_bounds(a->array);

    if (bounds.ndim != slab->ndim) {
        return xta_error_set(err, XTA_EBOX, 0, "%s: a block of %d axes; the array has %d",
                             array_path(a), slab->ndim, bounds.ndim);
    }
    for (int axis = 0; axis < slab->ndim; axis++) {
        if (axis != grown &&
            (slab->lo[axis] != bounds.lo[axis] || slab->hi[axis] != bounds.hi[axis])) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: axis %d: another process has changed it; refresh, and "
                                 "try again",
                                 array_path(a), axis);
        }
    }
    return XTA_OK;
}

static PyObject *append_values(array_object *a, const xta_growth *growth, PyObject *values,
                               int code)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t strides[XTA_MAX_NDIM];
    xta_box slab = slab_of(&a->bounds, growth), after;
    uint64_t change;
    Py_buffer view;
    xta_error err;
    xta_status status;

    if (!memory_of(values, &slab, array_memory_bytes(a, code), false, &view, &options, strides)) {
        return NULL;
    }
    options.type = (xta_type)code;
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = check_slab(a, growth->axis, &slab, &err);
    if (status == XTA_OK) {
        status = xta_array_append(a->array, growth, &options, view.buf, &after, &err);
    }
    change = ++a->handle->n_changes;
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    PyBuffer_Release(&view);
    return changed(a, status, &after, change, &err);
}

PyObject *growth_append(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    xta_growth growth;
    PyObject *values, *result = NULL;
    long long by;
    int front, code;

    if (!PyArg_ParseTuple(args, "ipLOi", &growth.axis, &front, &by, &values, &code) ||
        !array_enter(a)) {
        return NULL;
    }
    growth.side = front ? XTA_FRONT : XTA_BACK;
    growth.by = by;
    if (growth.axis < 0 || growth.axis >= xta_array_ndim(a->array)) {
        PyErr_Format(PyExc_ValueError, "axis %d: the array has axes 0 to %d", growth.axis,
                     xta_array_ndim(a->array) - 1);
    } else {
        result = append_values(a, &growth, values, code);
    }
    array_leave(a);
    return result;
}

PyObject *growth_add_axis(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    const char *name;
    int position;
    xta_box after;
    xta_error err;
    xta_status status = XTA_OK;

    if (!PyArg_ParseTuple(args, "iz", &position, &name) || !array_enter(a)) {
        return NULL;
    }
    bool alone = handle_exclude(a->handle);
    if (alone) {
        PyThreadState *thread = PyEval_SaveThread();
        status = xta_array_add_axis(a->array, position, name, &err);
        after = xta_array_bounds(a->array);
        PyEval_RestoreThread(thread);
        if (status == XTA_OK) {
            // Nobody else is in a call, so the lock of changes is not needed.
            array_set_bounds(a, &after, ++a->handle->n_changes);
        }
        handle_share(a->handle);
    }
    array_leave(a);
    if (!alone) {
        return NULL;
    }
    return status == XTA_OK ? Py_NewRef(Py_None) : raise_status(status, &err, array_path(a));
}

PyObject *growth_refresh(PyObject *self, PyObject *Py_UNUSED(none))
{
    array_object *a = (array_object *)self;
    bool differs = false;
    xta_box after;
    uint64_t change;
    xta_error err;
    xta_status status;

    if (!array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = xta_array_refresh(a->array, &differs, &err);
    after = xta_array_bounds(a->array);
    change = ++a->handle->n_changes;
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    if (status != XTA_OK) {
        return raise_status(status, &err, array_path(a));
    }
    differs = differs || !xta_box_equal(&a->bounds, &after);
    array_set_bounds(a, &after, change);
    return PyBool_FromLong(differs);
}

PyObject *growth_sync(PyObject *self, PyObject *Py_UNUSED(none))
{
    array_object *a = (array_object *)self;
    xta_error err;
    xta_status status;

    if (!array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    status = xta_array_sync(a->array, &err);
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    return status == XTA_OK ? Py_NewRef(Py_None) : raise_status(status, &err, array_path(a));
}

/* ---- history ---- */

/* ((axis, front, by), ...) */
static PyObject *growths_to_python(const xta_step *step)
{
    PyObject *tuple = PyTuple_New(step->n_growths);

    for (int k = 0; tuple != NULL && k < step->n_growths; k++) {
        PyObject *growth = Py_BuildValue("(iNL)", step->growths[k].axis,
                                         PyBool_FromLong(step->growths[k].side == XTA_FRONT),
                                         (long long)step->growths[k].by);
        if (growth == NULL || PyTuple_SetItem(tuple, k, growth) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

typedef struct step_list {
    PyThreadState *thread;
    PyObject *list;
} step_list;

/* Called without the GIL, once for each step. */
static int add_step(void *user, const xta_step *step)
{
    step_list *steps = user;

    PyEval_RestoreThread(steps->thread);
    PyObject *item =
        Py_BuildValue("(KiNiN)", (unsigned long long)step->step, (int)step->kind,
                      growths_to_python(step), step->axis, box_to_python(&step->bounds));
    int result = item == NULL ? -1 : PyList_Append(steps->list, item);
    Py_XDECREF(item);
    steps->thread = PyEval_SaveThread();
    return result;
}

PyObject *growth_history(PyObject *self, PyObject *Py_UNUSED(none))
{
    array_object *a = (array_object *)self;
    step_list steps = {0};
    xta_error err;
    xta_status status;

    if (!array_enter(a)) {
        return NULL;
    }
    steps.list = PyList_New(0);
    if (steps.list == NULL) {
        array_leave(a);
        return NULL;
    }
    steps.thread = PyEval_SaveThread();
    status = xta_array_history(a->array, add_step, &steps, &err);
    PyEval_RestoreThread(steps.thread);
    array_leave(a);
    if (PyErr_Occurred() != NULL) {
        Py_CLEAR(steps.list);
    } else if (status != XTA_OK) {
        Py_CLEAR(steps.list);
        raise_status(status, &err, array_path(a));
    }
    return steps.list;
}

PyObject *growth_update(PyObject *self, PyObject *Py_UNUSED(none))
{
    array_object *a = (array_object *)self;
    xta_box after;
    uint64_t change;

    if (!array_enter(a)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&a->handle->borrowing);
    after = xta_array_bounds(a->array);
    change = ++a->handle->n_changes;
    pthread_mutex_unlock(&a->handle->borrowing);
    PyEval_RestoreThread(thread);
    array_leave(a);
    array_set_bounds(a, &after, change);
    Py_RETURN_NONE;
}
