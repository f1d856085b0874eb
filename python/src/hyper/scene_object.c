/* A scene as a capsule.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper/scene_object.h"

#include <stdlib.h>
#include <string.h>

#include "hyper/call.h"
#include "support/convert.h"
#include "support/errors.h"

static const char capsule_name[] = "xta.hyper.scene";

/* What scene_open has read of its arguments besides the object. */
typedef struct opening {
    scene_object *object;
    xta_scene_options options;
    const char *names[XTA_MAX_NDIM];
    bool has_snapshot;
    xta_box bounds;
    unsigned long long step;
} opening;

static void clear(scene_object *object)
{
    if (object == NULL) {
        return;
    }
    WITHOUT_GIL(xta_scene_close(object->scene); (void)xta_array_close(object->from.array, NULL));
    object->from.array = NULL;
    source_clear(&object->from);
    PyBuffer_Release(&object->use);
    PyBuffer_Release(&object->nodata);
    Py_CLEAR(object->owner);
    free(object);
}

static void destroy(PyObject *capsule)
{
    clear(PyCapsule_GetPointer(capsule, capsule_name));
}

scene_object *scene_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, capsule_name);
}

/* ---- arguments ---- */

static bool read_names(PyObject *names, opening *o)
{
    Py_ssize_t n = names == Py_None ? 0 : PyTuple_Size(names);

    if (n < 0) {
        return false;
    }
    if (names != Py_None && n != o->object->from.memory.ndim) {
        PyErr_Format(PyExc_ValueError, "dims: %zd names; the array has %d axes", n,
                     o->object->from.memory.ndim);
        return false;
    }
    for (Py_ssize_t axis = 0; axis < n; axis++) {
        PyObject *name = PyTuple_GetItem(names, axis);
        o->names[axis] = name != Py_None ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        if (name != Py_None && o->names[axis] == NULL) {
            return false;
        }
    }
    if (n > 0) {
        o->object->from.names = o->names;
    }
    return true;
}

static bool read_snapshot(PyObject *snapshot, opening *o)
{
    PyObject *bounds;

    if (snapshot == Py_None) {
        return true;
    }
    o->has_snapshot = true;
    return PyArg_ParseTuple(snapshot, "OK", &bounds, &o->step) &&
           box_from_python(bounds, &o->bounds);
}

static bool read_arguments(PyObject *args, opening *o)
{
    scene_object *object = o->object;
    PyObject *from, *names, *snapshot, *use, *nodata;
    unsigned long long memory_bytes;
    int bad_bands_too, threads;

    o->options = (xta_scene_options)XTA_SCENE_OPTIONS_INIT;
    if (!PyArg_ParseTuple(args, "OOOzzzOpOKi", &from, &names, &snapshot, &o->options.lines,
                          &o->options.samples, &o->options.bands, &use, &bad_bands_too, &nodata,
                          &memory_bytes, &threads) ||
        !source_from_python(from, &object->from) || !read_names(names, o) ||
        !read_snapshot(snapshot, o) ||
        PyObject_GetBuffer(nodata, &object->nodata, PyBUF_C_CONTIGUOUS) < 0 ||
        (use != Py_None && PyObject_GetBuffer(use, &object->use, PyBUF_C_CONTIGUOUS) < 0)) {
        return false;
    }
    object->owner = Py_NewRef(args);
    o->options.use = use != Py_None ? object->use.buf : NULL;
    o->options.n_use = (size_t)object->use.len / sizeof(int64_t);
    o->options.nodata = object->nodata.buf;
    o->options.n_nodata = (size_t)object->nodata.len / sizeof(double);
    o->options.bad_bands_too = bad_bands_too != 0;
    o->options.memory_bytes = memory_bytes;
    o->options.n_threads = threads;
    o->options.progress = call_go_on;
    return true;
}

/* ---- opening, without the GIL ---- */

static bool same_bounds(const xta_box *a, const xta_box *b)
{
    size_t bytes = (size_t)a->ndim * sizeof a->lo[0];

    return a->ndim == b->ndim && memcmp(a->lo, b->lo, bytes) == 0 &&
           memcmp(a->hi, b->hi, bytes) == 0;
}

/* Open the array with the bounds of the snapshot: usually it still has them. */
static xta_status open_array(opening *o, xta_error *err)
{
    source *from = &o->object->from;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_status status = source_open(from, err);

    if (status != XTA_OK || !o->has_snapshot) {
        return status;
    }
    xta_box bounds = xta_array_bounds(from->array);
    if (same_bounds(&bounds, &o->bounds)) {
        return XTA_OK;
    }
    (void)xta_array_close(from->array, NULL);
    from->array = NULL;
    options.at_step = true;
    options.step = o->step;
    status = xta_array_open(from->path, &options, &from->array, err);
    if (status != XTA_OK) {
        return status;
    }
    bounds = xta_array_bounds(from->array);
    return same_bounds(&bounds, &o->bounds)
               ? XTA_OK
               : xta_error_set(
                     err, XTA_EARG, 0,
                     "%s: has other bounds in its step %llu than the snapshot; refresh it",
                     from->path, o->step);
}

static xta_status run(opening *o, xta_error *err)
{
    xta_status status = open_array(o, err);

    return status == XTA_OK
               ? xta_scene_open(o->object->from.array, &o->options, &o->object->scene, err)
               : status;
}

PyObject *scene_open(PyObject *Py_UNUSED(module), PyObject *args)
{
    opening o = {.object = calloc(1, sizeof *o.object)};
    PyObject *capsule = NULL;
    xta_error err;
    xta_status status;

    if (o.object == NULL) {
        return PyErr_NoMemory();
    }
    if (read_arguments(args, &o)) {
        HYPER_CALL(status = run(&o, &err));
        capsule = status == XTA_OK ? PyCapsule_New(o.object, capsule_name, destroy)
                                   : call_failed(status, &err, o.object->from.path);
    }
    if (capsule == NULL) {
        clear(o.object);
    }
    return capsule;
}

/* ---- what is in a scene ---- */

static PyObject *list_or_none(const double *numbers, size_t n)
{
    return numbers != NULL ? call_bytes(numbers, n, sizeof *numbers) : Py_NewRef(Py_None);
}

PyObject *scene_inquire(PyObject *Py_UNUSED(module), PyObject *capsule)
{
    scene_object *object = scene_of(capsule);

    if (object == NULL) {
        return NULL;
    }
    xta_scene_info info = xta_scene_inquire(object->scene);
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:s,s:N,s:N}", "lines",
                         range_to_python(info.line_lo, info.line_hi), "samples",
                         range_to_python(info.sample_lo, info.sample_hi), "bands",
                         call_bytes(info.band, info.n_bands, sizeof info.band[0]), "wavelengths",
                         list_or_none(info.wavelength, info.n_bands), "wavelength_unit",
                         info.wavelength_unit, "gain", list_or_none(info.gain, info.n_bands),
                         "offset", list_or_none(info.offset, info.n_bands));
}

PyObject *scene_read(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *capsule, *pixels = NULL, *valid = NULL;
    long long lines[2], samples[2];
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "OLLLL", &capsule, &lines[0], &lines[1], &samples[0],
                          &samples[1])) {
        return NULL;
    }
    scene_object *object = scene_of(capsule);
    if (object == NULL) {
        return NULL;
    }
    xta_scene_info info = xta_scene_inquire(object->scene);
    const int64_t at_lines[2] = {lines[0], lines[1]}, at_samples[2] = {samples[0], samples[1]};
    if (lines[0] < info.line_lo || lines[1] > info.line_hi || lines[0] > lines[1] ||
        samples[0] < info.sample_lo || samples[1] > info.sample_hi || samples[0] > samples[1]) {
        return raise_text(XTA_EBOX, info.name, -1, NULL,
                          "lines or samples to read leave the scene; see its bounds");
    }
    size_t n = (size_t)(lines[1] - lines[0]) * (size_t)(samples[1] - samples[0]);
    pixels = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(n * info.n_bands * sizeof(double)));
    valid = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)n);
    if (pixels == NULL || valid == NULL) {
        Py_XDECREF(pixels);
        Py_XDECREF(valid);
        return NULL;
    }
    double *cells = (double *)(void *)PyByteArray_AsString(pixels);
    unsigned char *flags = (unsigned char *)PyByteArray_AsString(valid);
    HYPER_CALL(status =
                   n > 0 ? xta_scene_read(object->scene, at_lines, at_samples, cells, flags, &err)
                         : XTA_OK);
    if (status != XTA_OK) {
        Py_DECREF(pixels);
        Py_DECREF(valid);
        return call_failed(status, &err, info.name);
    }
    return Py_BuildValue("(NN)", pixels, valid);
}
