/* Dimensions of a data set, new members, and growth.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/change.h"

#include <stdlib.h>
#include <string.h>

#include <xta/dataset_append.h>

#include "support/convert.h"
#include "support/creation.h"
#include "support/errors.h"

/* ---- dimensions ---- */

typedef struct dimension_list {
    xta_dimension *items;
    char **names;
    size_t n;
} dimension_list;

static void clear_dimensions(dimension_list *list)
{
    for (size_t k = 0; list->names != NULL && k < list->n; k++) {
        free(list->names[k]);
    }
    free(list->names);
    free(list->items);
}

static xta_status copy_dimensions(xta_dataset *set, dimension_list *list, xta_error *err)
{
    size_t n = 0;
    xta_status status = xta_dataset_dimension_count(set, &n, err);

    if (status != XTA_OK) {
        return status;
    }
    list->items = calloc(n + 1, sizeof *list->items);
    list->names = calloc(n + 1, sizeof *list->names);
    list->n = list->items != NULL && list->names != NULL ? n : 0;
    for (size_t k = 0; status == XTA_OK && k < list->n; k++) {
        status = xta_dataset_dimension_at(set, k, &list->items[k], err);
        list->names[k] = status == XTA_OK ? strdup(list->items[k].name) : NULL;
        if (status == XTA_OK && list->names[k] == NULL) {
            status = XTA_ENOMEM;
        }
    }
    if (list->n < n || status == XTA_ENOMEM) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu dimensions", n);
    }
    return status;
}

static PyObject *coordinate_to_python(xta_type type, xta_coordinate number)
{
    return type == XTA_F32 || type == XTA_F64 ? PyFloat_FromDouble(number.f)
                                              : PyLong_FromLongLong(number.i);
}

static PyObject *dimension_to_python(const char *name, const xta_dimension *d)
{
    bool regular = d->coordinates == XTA_COORDINATES_REGULAR;
    xta_type type = regular ? d->regular.type : XTA_TYPE_SAME;

    return Py_BuildValue(
        "(sLLNniiNN)", name, (long long)d->lo, (long long)d->hi, PyBool_FromLong(d->unlimited),
        (Py_ssize_t)d->n_members, (int)d->coordinates, (int)type,
        coordinate_to_python(type, d->regular.origin), coordinate_to_python(type, d->regular.step));
}

PyObject *dataset_dimensions(PyObject *self, PyObject *Py_UNUSED(none))
{
    dataset_call call;
    dimension_list list = {0};
    PyObject *result = NULL;

    if (!dataset_begin(self, &call)) {
        return NULL;
    }
    if (dataset_end(&call, copy_dimensions(call.handle->set, &list, &call.err))) {
        result = PyList_New(0);
    }
    for (size_t k = 0; result != NULL && k < list.n; k++) {
        PyObject *item = dimension_to_python(list.names[k], &list.items[k]);
        if (item == NULL || PyList_Append(result, item) < 0) {
            Py_CLEAR(result);
        }
        Py_XDECREF(item);
    }
    clear_dimensions(&list);
    return result;
}

PyObject *dataset_set_dimension(PyObject *self, PyObject *args)
{
    xta_dimension dimension = {0};
    PyObject *origin, *step;
    long long lo, hi;
    int unlimited, code;
    dataset_call call;

    if (!PyArg_ParseTuple(args, "sLLpiOO", &dimension.name, &lo, &hi, &unlimited, &code, &origin,
                          &step)) {
        return NULL;
    }
    dimension.lo = lo;
    dimension.hi = hi;
    dimension.unlimited = unlimited != 0;
    dimension.regular.type = (xta_type)code;
    if (code != 0) {
        dimension.coordinates = XTA_COORDINATES_REGULAR;
        if (!coordinate_from_python(origin, dimension.regular.type, &dimension.regular.origin) ||
            !coordinate_from_python(step, dimension.regular.type, &dimension.regular.step)) {
            return NULL;
        }
    }
    if (!dataset_begin(self, &call)) {
        return NULL;
    }
    xta_status status = xta_dataset_set_dimension(call.handle->set, &dimension, &call.err);
    return dataset_end(&call, status) ? Py_NewRef(Py_None) : NULL;
}

/* ---- members ---- */

PyObject *dataset_add_member(PyObject *self, PyObject *args)
{
    const char *name;
    int code;
    PyObject *given;
    creation c;
    dataset_call call;
    int ndim;
    bool well = false;

    if (!PyArg_ParseTuple(args, "siiO", &name, &code, &ndim, &given) ||
        !creation_read(given, ndim, &c)) {
        return NULL;
    }
    if (dataset_begin(self, &call)) {
        xta_status status = xta_dataset_add_member(call.handle->set, name, (xta_type)code, ndim,
                                                   c.names, &c.options, NULL, &call.err);
        well = dataset_end(&call, status);
    }
    creation_clear(&c);
    return well ? Py_NewRef(Py_None) : NULL;
}

PyObject *dataset_remove_member(PyObject *self, PyObject *args)
{
    const char *name;
    dataset_call call;

    if (!PyArg_ParseTuple(args, "s", &name) || !dataset_begin(self, &call)) {
        return NULL;
    }
    xta_status status = xta_dataset_remove_member(call.handle->set, name, &call.err);
    return dataset_end(&call, status) ? Py_NewRef(Py_None) : NULL;
}

/* ---- growth ---- */

/* A tuple of (dimension, front, by); names are borrowed of it. */
static bool read_growths(PyObject *tuple, xta_dimension_growth growths[], int *n)
{
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) > 2 * XTA_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError, "give 1 to %d growths", 2 * XTA_MAX_NDIM);
        return false;
    }
    *n = (int)PyTuple_Size(tuple);
    for (int k = 0; k < *n; k++) {
        int front;
        long long by;
        if (!PyArg_ParseTuple(PyTuple_GetItem(tuple, k), "spL", &growths[k].dimension, &front,
                              &by)) {
            return false;
        }
        growths[k].side = front ? XTA_FRONT : XTA_BACK;
        growths[k].by = by;
    }
    return true;
}

PyObject *dataset_extend(PyObject *self, PyObject *args)
{
    xta_dimension_growth growths[2 * XTA_MAX_NDIM];
    PyObject *tuple;
    dataset_call call;
    int n;

    if (!PyArg_ParseTuple(args, "O", &tuple) || !read_growths(tuple, growths, &n) ||
        !dataset_begin(self, &call)) {
        return NULL;
    }
    xta_status status = xta_dataset_extend(call.handle->set, growths, n, &call.err);
    return dataset_end(&call, status) ? Py_NewRef(Py_None) : NULL;
}

/* The cells of one member. */
typedef struct member_memory {
    const char *member;
    Py_buffer view;
    xta_io_options options;
} member_memory;

/* What an append takes, with the buffers of its memory. */
typedef struct slab_memory {
    xta_new_coordinates coordinates;
    Py_buffer values; /* of the coordinates; obj NULL: none */
    size_t n;
    member_memory *members;
    xta_member_cells *cells;
} slab_memory;

static void clear_slab(slab_memory *m)
{
    PyBuffer_Release(&m->values);
    for (size_t k = 0; m->members != NULL && k < m->n; k++) {
        PyBuffer_Release(&m->members[k].view);
    }
    free(m->members);
    free(m->cells);
}

static bool read_coordinates(PyObject *given, int64_t n, slab_memory *m)
{
    int code;
    Py_ssize_t cell_bytes;
    PyObject *values;

    if (given == Py_None) {
        return true;
    }
    if (!PyArg_ParseTuple(given, "inOzz", &code, &cell_bytes, &values, &m->coordinates.unit,
                          &m->coordinates.calendar) ||
        PyObject_GetBuffer(values, &m->values, PyBUF_C_CONTIGUOUS) < 0) {
        return false;
    }
    m->coordinates.n = n;
    m->coordinates.type = (xta_type)code;
    m->coordinates.cell_bytes = (size_t)cell_bytes;
    m->coordinates.values = m->values.buf;
    return true;
}

/* Called by the library, without the GIL, when it has read what others did: the slab may no longer
 * be that for which the block was made. */
static xta_status write_cells(void *user, xta_appending *appending, const xta_box *slab,
                              xta_error *err)
{
    const member_memory *m = user;
    bool same = m->view.ndim == slab->ndim;

    for (int axis = 0; same && axis < slab->ndim; axis++) {
        same = m->view.shape[axis] == slab->hi[axis] - slab->lo[axis];
    }
    return same ? xta_append_write(appending, slab, &m->options, m->view.buf, err)
                : xta_error_set(err, XTA_EBOX, 0,
                                "%s: another process has changed other axes; refresh, and try "
                                "again",
                                m->member);
}

static bool read_cells(PyObject *given, slab_memory *m)
{
    size_t n = (size_t)PyList_Size(given);

    m->members = calloc(n + 1, sizeof *m->members);
    m->cells = calloc(n + 1, sizeof *m->cells);
    if (m->members == NULL || m->cells == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (; m->n < n; m->n++) {
        member_memory *member = &m->members[m->n];
        PyObject *array;
        int code;
        if (!PyArg_ParseTuple(PyList_GetItem(given, (Py_ssize_t)m->n), "siO", &member->member,
                              &code, &array) ||
            PyObject_GetBuffer(array, &member->view, PyBUF_C_CONTIGUOUS) < 0) {
            return false;
        }
        member->options = (xta_io_options)XTA_IO_OPTIONS_INIT;
        member->options.type = (xta_type)code;
        m->cells[m->n] =
            (xta_member_cells){.member = member->member, .fn = write_cells, .user = member};
    }
    return true;
}

/* XTA_ETYPE: memory of bytes has cells of another length than the member; the library knows only
 * that they are bytes. A member that there is not is the library's to tell. */
static xta_status check_bytes(xta_dataset *set, const slab_memory *m, xta_error *err)
{
    for (size_t k = 0; k < m->n; k++) {
        const member_memory *member = &m->members[k];
        xta_array *array = NULL;
        if (member->options.type != XTA_BYTES ||
            xta_dataset_member(set, member->member, &array, NULL) != XTA_OK ||
            xta_array_type(array) != XTA_BYTES) {
            continue;
        }
        if ((size_t)member->view.itemsize != xta_array_cell_bytes(array)) {
            return xta_error_set(err, XTA_ETYPE, 0,
                                 "%s: memory has cells of %zd bytes; they have %zu", member->member,
                                 member->view.itemsize, xta_array_cell_bytes(array));
        }
    }
    return XTA_OK;
}

PyObject *dataset_append(PyObject *self, PyObject *args)
{
    xta_dataset_slab slab = {0};
    slab_memory m = {0};
    PyObject *coordinates, *cells;
    dataset_call call;
    long long by;
    int64_t lo = 0;
    int front;
    bool well = false;

    if (!PyArg_ParseTuple(args, "spLOO!", &slab.dimension, &front, &by, &coordinates, &PyList_Type,
                          &cells)) {
        return NULL;
    }
    if (read_coordinates(coordinates, by, &m) && read_cells(cells, &m) &&
        dataset_begin(self, &call)) {
        slab.side = front ? XTA_FRONT : XTA_BACK;
        slab.by = by;
        slab.coordinates = coordinates != Py_None ? &m.coordinates : NULL;
        slab.cells = m.cells;
        slab.n_cells = m.n;
        xta_status status = check_bytes(call.handle->set, &m, &call.err);
        if (status == XTA_OK) {
            status = xta_dataset_append(call.handle->set, &slab, &lo, &call.err);
        }
        well = dataset_end(&call, status);
    }
    clear_slab(&m);
    return well ? PyLong_FromLongLong(lo) : NULL;
}
