/* Cells of many points in one call: what lists and masks of NumPy's indexing come to.
 *
 * Definition: for each point one box, of length 1 on the axes that the points give, and those
 * of the rest on the others. Improvement: points that follow each other along one of the axes are
 * one box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/points.h"

#include <string.h>

#include "support/convert.h"
#include "support/errors.h"

typedef struct point_list {
    xta_array *array;
    bool write;
    int n_axes;
    int axes[XTA_MAX_NDIM]; /* that the points give */
    Py_ssize_t n;
    const int64_t *coords; /* n times n_axes */
    xta_box box;           /* its axes in `axes` are set for each run */
    bool single;           /* a point is one cell */
    int64_t strides[XTA_MAX_NDIM];
    size_t point_bytes;
} point_list;

/* Strides of the axes that the points do not give, dense; those of the others are set by runs. */
static void set_rest(point_list *p, size_t cell_bytes)
{
    bool given[XTA_MAX_NDIM] = {false};
    int64_t stride = (int64_t)cell_bytes;

    for (int k = 0; k < p->n_axes; k++) {
        given[p->axes[k]] = true;
    }
    for (int axis = p->box.ndim - 1; axis >= 0; axis--) {
        p->strides[axis] = stride;
        if (!given[axis]) {
            stride *= p->box.hi[axis] - p->box.lo[axis];
        }
    }
    p->point_bytes = (size_t)stride;
    p->single = p->point_bytes == cell_bytes;
}

/* Whether point b follows a, as `distance` cells further on axis number `k` of the list. */
static bool follows(const point_list *p, Py_ssize_t a, Py_ssize_t b, int k)
{
    for (int j = 0; j < p->n_axes; j++) {
        int64_t from = p->coords[a * p->n_axes + j], to = p->coords[b * p->n_axes + j];
        if (to - from != (j == k ? b - a : 0)) {
            return false;
        }
    }
    return true;
}

/* The points from `first` on that are one box, and along which axis of the list. */
static Py_ssize_t find_run(const point_list *p, Py_ssize_t first, int *axis)
{
    Py_ssize_t n = 1;

    for (int k = 0; k < p->n_axes && n == 1; k++) {
        *axis = k;
        while (first + n < p->n && follows(p, first, first + n, k)) {
            n++;
        }
    }
    return n;
}

static xta_status transfer_run(point_list *p, Py_ssize_t first, Py_ssize_t n, int along,
                               uint8_t *memory, xta_error *err)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;

    for (int k = 0; k < p->n_axes; k++) {
        int axis = p->axes[k];
        p->box.lo[axis] = p->coords[first * p->n_axes + k];
        p->box.hi[axis] = p->box.lo[axis] + (k == along ? n : 1);
        p->strides[axis] = (int64_t)p->point_bytes;
    }
    if (p->single && n == 1) {
        return p->write ? xta_array_put(p->array, p->box.lo, memory, err)
                        : xta_array_get(p->array, p->box.lo, memory, err);
    }
    options.strides = p->strides;
    return p->write ? xta_array_write(p->array, &p->box, &options, memory, err)
                    : xta_array_read(p->array, &p->box, &options, memory, err);
}

static xta_status transfer_points(point_list *p, uint8_t *memory, xta_error *err)
{
    xta_status status = XTA_OK;

    for (Py_ssize_t first = 0; status == XTA_OK && first < p->n;) {
        int along = 0;
        Py_ssize_t n = find_run(p, first, &along);
        status = transfer_run(p, first, n, along, memory, err);
        memory += (size_t)n * p->point_bytes;
        first += n;
    }
    return status;
}

/* The arguments but the memory; false with an exception. */
static bool read_points(array_object *a, PyObject *axes, PyObject *box, const Py_buffer *coords,
                        point_list *p)
{
    int64_t numbers[XTA_MAX_NDIM];

    if (!integers_from_python(axes, numbers, &p->n_axes) || !box_from_python(box, &p->box)) {
        return false;
    }
    bool well = p->box.ndim == xta_array_ndim(a->array) && p->n_axes > 0;
    for (int k = 0; well && k < p->n_axes; k++) {
        well = numbers[k] >= 0 && numbers[k] < p->box.ndim;
        p->axes[k] = (int)numbers[k];
    }
    well = well && coords->len % (p->n_axes * (Py_ssize_t)sizeof(int64_t)) == 0;
    if (!well) {
        PyErr_SetString(PyExc_ValueError, "points and array have different axes");
        return false;
    }
    p->n = coords->len / (p->n_axes * (Py_ssize_t)sizeof(int64_t));
    p->coords = coords->buf;
    p->array = a->array;
    set_rest(p, a->cell_bytes);
    return true;
}

static PyObject *run_points(array_object *a, point_list *p, const Py_buffer *memory)
{
    xta_error err;
    xta_status status;

    if ((size_t)memory->len != (size_t)p->n * p->point_bytes) {
        PyErr_SetString(PyExc_ValueError, "the memory does not have the cells of the points");
        return NULL;
    }
    WITHOUT_GIL(status = transfer_points(p, memory->buf, &err));
    if (status != XTA_OK) {
        return raise_status(status, &err, array_path(a));
    }
    Py_RETURN_NONE;
}

PyObject *points_transfer(PyObject *self, PyObject *args)
{
    array_object *a = (array_object *)self;
    PyObject *axes, *coordinates, *box, *cells, *result = NULL;
    Py_buffer coords = {0}, memory = {0};
    point_list p = {0};
    int write;

    if (!PyArg_ParseTuple(args, "OOOOp", &axes, &coordinates, &box, &cells, &write) ||
        !array_enter(a)) {
        return NULL;
    }
    p.write = write != 0;
    if (PyObject_GetBuffer(coordinates, &coords, PyBUF_C_CONTIGUOUS) == 0 &&
        PyObject_GetBuffer(cells, &memory, PyBUF_C_CONTIGUOUS | (p.write ? 0 : PyBUF_WRITABLE)) ==
            0 &&
        read_points(a, axes, box, &coords, &p)) {
        result = run_points(a, &p, &memory);
    }
    PyBuffer_Release(&coords);
    PyBuffer_Release(&memory);
    array_leave(a);
    return result;
}
