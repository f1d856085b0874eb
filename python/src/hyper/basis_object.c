/* Moments of a scene, and bases as capsules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper/basis_object.h"

#include <stdlib.h>

#include "hyper/call.h"
#include "hyper/scene_object.h"
#include "support/errors.h"

static const char capsule_name[] = "xta.hyper.basis";

/* ---- moments ---- */

static xta_status moments_of(scene_object *from, bool noise, xta_moments **moments, xta_error *err)
{
    xta_moments_options options = XTA_MOMENTS_OPTIONS_INIT;

    options.noise = noise;
    xta_status status = xta_moments_new(&options, moments, err);
    return status == XTA_OK ? xta_moments_update(*moments, from->scene, err) : status;
}

/* The mean and the matrices, one after the other. */
static xta_status run_moments(scene_object *from, bool noise, uint64_t *n_pixels, double *cells,
                              xta_error *err)
{
    size_t n = xta_scene_inquire(from->scene).n_bands;
    xta_moments *moments = NULL;
    xta_status status = moments_of(from, noise, &moments, err);

    if (status == XTA_OK) {
        *n_pixels = xta_moments_inquire(moments).n_pixels;
        status = xta_moments_mean(moments, cells, err);
    }
    if (status == XTA_OK) {
        status = xta_moments_covariance(moments, cells + n, err);
    }
    if (status == XTA_OK) {
        status = xta_moments_correlation(moments, cells + n + n * n, err);
    }
    if (status == XTA_OK && noise) {
        status = xta_moments_noise(moments, cells + n + 2 * n * n, err);
    }
    xta_moments_free(moments);
    return status;
}

PyObject *moments_run(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *capsule, *result = NULL;
    uint64_t n_pixels = 0;
    int noise;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "Op", &capsule, &noise)) {
        return NULL;
    }
    scene_object *from = scene_of(capsule);
    if (from == NULL) {
        return NULL;
    }
    size_t n = xta_scene_inquire(from->scene).n_bands;
    double *cells = calloc(n + 3 * n * n, sizeof *cells);
    if (cells == NULL) {
        return PyErr_NoMemory();
    }
    HYPER_CALL(status = run_moments(from, noise != 0, &n_pixels, cells, &err));
    if (status == XTA_OK) {
        const double *matrices = cells + n;
        result = Py_BuildValue(
            "(KNNNN)", (unsigned long long)n_pixels, call_bytes(cells, n, sizeof *cells),
            call_bytes(matrices, n * n, sizeof *cells),
            call_bytes(matrices + n * n, n * n, sizeof *cells),
            noise ? call_bytes(matrices + 2 * n * n, n * n, sizeof *cells) : Py_NewRef(Py_None));
    } else {
        call_failed(status, &err, from->from.path);
    }
    free(cells);
    return result;
}

static xta_status run_count(scene_object *from, double p_false, size_t found[2], xta_error *err)
{
    xta_moments *moments = NULL;
    xta_status status = moments_of(from, false, &moments, err);

    if (status == XTA_OK) {
        status = xta_count_hfc(moments, p_false, &found[0], err);
    }
    if (status == XTA_OK) {
        status = xta_count_hysime(moments, &found[1], err);
    }
    xta_moments_free(moments);
    return status;
}

PyObject *count_run(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *capsule;
    size_t found[2] = {0, 0};
    double p_false;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "Od", &capsule, &p_false)) {
        return NULL;
    }
    scene_object *from = scene_of(capsule);
    if (from == NULL) {
        return NULL;
    }
    HYPER_CALL(status = run_count(from, p_false, found, &err));
    return status == XTA_OK ? Py_BuildValue("(nn)", (Py_ssize_t)found[0], (Py_ssize_t)found[1])
                            : call_failed(status, &err, from->from.path);
}

/* ---- bases ---- */

static void destroy(PyObject *capsule)
{
    xta_basis_free(PyCapsule_GetPointer(capsule, capsule_name));
}

xta_basis *basis_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, capsule_name);
}

static PyObject *basis_to_python(xta_basis *basis)
{
    PyObject *capsule = PyCapsule_New(basis, capsule_name, destroy);

    if (capsule == NULL) {
        xta_basis_free(basis);
    }
    return capsule;
}

static xta_status run_make(scene_object *from, bool mnf, const xta_basis_options *options,
                           xta_basis **basis, xta_error *err)
{
    xta_moments *moments = NULL;
    xta_status status = moments_of(from, mnf, &moments, err);

    if (status == XTA_OK) {
        status =
            mnf ? xta_mnf(moments, options, basis, err) : xta_pct(moments, options, basis, err);
    }
    xta_moments_free(moments);
    return status;
}

PyObject *basis_make(PyObject *Py_UNUSED(module), PyObject *args)
{
    xta_basis_options options = XTA_BASIS_OPTIONS_INIT;
    PyObject *capsule;
    xta_basis *basis = NULL;
    unsigned long long components;
    int mnf, uncentred;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "OpKp", &capsule, &mnf, &components, &uncentred)) {
        return NULL;
    }
    scene_object *from = scene_of(capsule);
    if (from == NULL) {
        return NULL;
    }
    options.n_components = components;
    options.uncentred = uncentred != 0;
    HYPER_CALL(status = run_make(from, mnf != 0, &options, &basis, &err));
    return status == XTA_OK ? basis_to_python(basis) : call_failed(status, &err, from->from.path);
}

PyObject *basis_read(PyObject *Py_UNUSED(module), PyObject *path)
{
    const char *name = PyBytes_AsString(path);
    xta_basis *basis = NULL;
    xta_error err;
    xta_status status;

    if (name == NULL) {
        return NULL;
    }
    WITHOUT_GIL(status = xta_basis_read(name, &basis, &err));
    return status == XTA_OK ? basis_to_python(basis) : raise_status(status, &err, name);
}

PyObject *basis_write(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *capsule;
    const char *path;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "Oy", &capsule, &path)) {
        return NULL;
    }
    const xta_basis *basis = basis_of(capsule);
    if (basis == NULL) {
        return NULL;
    }
    WITHOUT_GIL(status = xta_basis_write(basis, path, &err));
    return status == XTA_OK ? Py_NewRef(Py_None) : raise_status(status, &err, path);
}

PyObject *basis_inquire(PyObject *Py_UNUSED(module), PyObject *capsule)
{
    const xta_basis *basis = basis_of(capsule);

    if (basis == NULL) {
        return NULL;
    }
    xta_basis_info is = xta_basis_inquire(basis);
    return Py_BuildValue("(snnNNNN)", is.kind, (Py_ssize_t)is.n_components, (Py_ssize_t)is.n_bands,
                         call_bytes(is.band, is.n_bands, sizeof is.band[0]),
                         call_bytes(is.mean, is.n_bands, sizeof(double)),
                         call_bytes(is.vectors, is.n_components * is.n_bands, sizeof(double)),
                         call_bytes(is.eigenvalues, is.n_bands, sizeof(double)));
}
