/* Basic indices of NumPy as boxes. No file is touched here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/index.h"

#include "support/errors.h"

/* Whether an object counts as an integer. Python's booleans and arrays do not. */
static bool is_integer(PyObject *item)
{
    return PyLong_CheckExact(item) ||
           (!PyBool_Check(item) &&
            (PyLong_Check(item) || PyObject_IsInstance(item, xta_python.integer) == 1));
}

/* The coordinate of position `item`; false with an exception. */
static bool coordinate_of(PyObject *item, int axis, const xta_box *bounds, const char *path,
                          int64_t *coord)
{
    int64_t n = bounds->hi[axis] - bounds->lo[axis];
    Py_ssize_t position = PyNumber_AsSsize_t(item, PyExc_IndexError);

    if (position == -1 && PyErr_Occurred() != NULL) {
        return false;
    }
    int64_t from_start = position < 0 ? position + n : position;
    if (from_start < 0 || from_start >= n) {
        raise_position(path, axis, position, n);
        return false;
    }
    *coord = bounds->lo[axis] + from_start;
    return true;
}

index_kind index_parse_cell(PyObject *key, const xta_box *bounds, const char *path, int64_t coord[])
{
    if (!PyTuple_CheckExact(key) || PyTuple_Size(key) != bounds->ndim) {
        return INDEX_GENERAL;
    }
    for (int axis = 0; axis < bounds->ndim; axis++) {
        if (!is_integer(PyTuple_GetItem(key, axis))) {
            return INDEX_GENERAL;
        }
    }
    for (int axis = 0; axis < bounds->ndim; axis++) {
        if (!coordinate_of(PyTuple_GetItem(key, axis), axis, bounds, path, &coord[axis])) {
            return INDEX_FAILED;
        }
    }
    return INDEX_BASIC;
}

static void take_cell(basic_index *out, int axis, int64_t coord)
{
    out->box.lo[axis] = coord;
    out->box.hi[axis] = coord + 1;
    out->step[axis] = 1;
    out->reversed[axis] = false;
    out->n[axis] = 1;
}

static bool add_result_axis(basic_index *out, int64_t n)
{
    if (out->result_ndim == INDEX_MAX_NDIM) {
        PyErr_SetString(PyExc_IndexError, "the result would have more than 32 axes");
        return false;
    }
    out->shape[out->result_ndim++] = n;
    return true;
}

/* Every step-th cell from position `start` on, `n` of them. */
static bool take_range(basic_index *out, int axis, const xta_box *bounds, int64_t start,
                       int64_t step, int64_t n)
{
    int64_t last = start + (n - 1) * step;
    int64_t low = step < 0 ? last : start, high = step < 0 ? start : last;

    out->box.lo[axis] = bounds->lo[axis] + (n > 0 ? low : 0);
    out->box.hi[axis] = bounds->lo[axis] + (n > 0 ? high + 1 : 0);
    out->step[axis] = n > 1 ? (step < 0 ? -step : step) : 1;
    out->reversed[axis] = step < 0 && n > 1;
    out->n[axis] = n;
    out->stepped = out->stepped || out->step[axis] != 1;
    out->turned = out->turned || out->reversed[axis];
    return add_result_axis(out, n);
}

static bool take_slice(basic_index *out, int axis, const xta_box *bounds, PyObject *slice)
{
    Py_ssize_t start, stop, step;
    Py_ssize_t n = (Py_ssize_t)(bounds->hi[axis] - bounds->lo[axis]);

    if (PySlice_Unpack(slice, &start, &stop, &step) < 0) {
        return false;
    }
    n = PySlice_AdjustIndices(n, &start, &stop, step);
    return take_range(out, axis, bounds, start, step, n);
}

static bool take_all(basic_index *out, int axis, const xta_box *bounds)
{
    return take_range(out, axis, bounds, 0, 1, bounds->hi[axis] - bounds->lo[axis]);
}

/* One entry of the key; *axis is the next axis, `fill` how many axes an ellipsis stands for. */
static index_kind take_item(basic_index *out, PyObject *item, const xta_box *bounds, int fill,
                            const char *path, int *axis)
{
    int64_t coord;
    bool well = true;

    if (item == Py_None) {
        return add_result_axis(out, 1) ? INDEX_BASIC : INDEX_FAILED;
    }
    if (item == Py_Ellipsis) {
        for (int k = 0; well && k < fill; k++) {
            well = take_all(out, (*axis)++, bounds);
        }
        return well ? INDEX_BASIC : INDEX_FAILED;
    }
    if (PySlice_Check(item)) {
        return take_slice(out, (*axis)++, bounds, item) ? INDEX_BASIC : INDEX_FAILED;
    }
    if (!coordinate_of(item, *axis, bounds, path, &coord)) {
        return INDEX_FAILED;
    }
    take_cell(out, (*axis)++, coord);
    return INDEX_BASIC;
}

/* How many axes the key names; -1: it is general. */
static int count_axes(PyObject *const items[], Py_ssize_t n, int *n_ellipses)
{
    int count = 0;

    *n_ellipses = 0;
    for (Py_ssize_t k = 0; k < n; k++) {
        if (items[k] == Py_Ellipsis) {
            ++*n_ellipses;
        } else if (PySlice_Check(items[k]) || is_integer(items[k])) {
            count++;
        } else if (items[k] != Py_None) {
            return -1;
        }
    }
    return count;
}

static void count_cells(basic_index *out)
{
    out->n_cells = 1;
    for (int axis = 0; axis < out->box.ndim; axis++) {
        out->n_cells *= (uint64_t)out->n[axis];
    }
}

static index_kind parse_items(PyObject *const items[], Py_ssize_t n, const xta_box *bounds,
                              const char *path, basic_index *out)
{
    int n_ellipses, axis = 0;
    int named = count_axes(items, n, &n_ellipses);

    // NumPy words what is wrong with an index better than we would, so it is asked then.
    if (named < 0 || named > bounds->ndim || n_ellipses > 1) {
        return INDEX_GENERAL;
    }
    out->box.ndim = bounds->ndim;
    out->stepped = out->turned = false;
    out->result_ndim = 0;
    for (Py_ssize_t k = 0; k < n; k++) {
        index_kind kind = take_item(out, items[k], bounds, bounds->ndim - named, path, &axis);
        if (kind != INDEX_BASIC) {
            return kind;
        }
    }
    while (axis < bounds->ndim) {
        if (!take_all(out, axis++, bounds)) {
            return INDEX_FAILED;
        }
    }
    out->cell = out->result_ndim == 0 && n_ellipses == 0;
    count_cells(out);
    return INDEX_BASIC;
}

index_kind index_parse(PyObject *key, const xta_box *bounds, const char *path, basic_index *out)
{
    PyObject *items[2 * XTA_MAX_NDIM + 1];
    Py_ssize_t n = 1;

    items[0] = key;
    if (PyTuple_Check(key)) {
        n = PyTuple_Size(key);
        if (n > 2 * XTA_MAX_NDIM + 1) {
            return INDEX_GENERAL;
        }
        for (Py_ssize_t k = 0; k < n; k++) {
            items[k] = PyTuple_GetItem(key, k);
        }
    }
    return parse_items(items, n, bounds, path, out);
}

ptrdiff_t index_strides(const basic_index *index, size_t cell_bytes, int64_t strides[])
{
    ptrdiff_t stride = (ptrdiff_t)cell_bytes, first = 0;

    for (int axis = index->box.ndim - 1; axis >= 0; axis--) {
        strides[axis] = index->reversed[axis] ? -stride : stride;
        if (index->reversed[axis]) {
            first += stride * (index->n[axis] - 1);
        }
        stride *= (ptrdiff_t)index->n[axis];
    }
    return first;
}
