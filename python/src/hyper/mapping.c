/* Numbers for each pixel of a scene: components, abundances and labels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper/mapping.h"

#include <stdlib.h>

#include <xta/unmix.h>

#include "hyper/basis_object.h"
#include "hyper/call.h"
#include "hyper/map.h"
#include "hyper/scene_object.h"
#include "support/convert.h"
#include "support/errors.h"

/* Endmembers, and what is made of them for each pixel. Start from zeros. */
typedef struct job {
    scene_object *from;
    Py_buffer values; /* obj NULL: none */
    const double *endmembers;
    Py_ssize_t n;
    size_t n_bands;
    const char **names; /* borrowed of the arguments; NULL: none */
    int method;
    int normalise;
    map first, second;
} job;

static void clear(job *j)
{
    map_clear(&j->first);
    map_clear(&j->second);
    PyBuffer_Release(&j->values);
    free(j->names);
}

static bool read_names(PyObject *names, job *j)
{
    if (names == Py_None) {
        return true;
    }
    if (PyTuple_Size(names) != j->n) {
        PyErr_Format(PyExc_ValueError, "names: a name for each of %zd endmembers", j->n);
        return false;
    }
    j->names = calloc((size_t)j->n + 1, sizeof j->names[0]);
    if (j->names == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t k = 0; k < j->n; k++) {
        j->names[k] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, k), NULL);
        if (j->names[k] == NULL) {
            return false;
        }
    }
    return true;
}

static bool read_endmembers(PyObject *scene, PyObject *endmembers, PyObject *names, job *j)
{
    j->from = scene_of(scene);
    if (j->from == NULL || PyObject_GetBuffer(endmembers, &j->values, PyBUF_C_CONTIGUOUS) < 0) {
        return false;
    }
    j->n_bands = xta_scene_inquire(j->from->scene).n_bands;
    j->endmembers = call_doubles(&j->values, (size_t)j->n * j->n_bands, "endmembers");
    return j->endmembers != NULL && read_names(names, j);
}

/* ---- the runs, without the GIL ---- */

static xta_status begin_maps(job *j, xta_error *err)
{
    xta_status status = map_begin(&j->first, j->from->scene, err);

    return status == XTA_OK ? map_begin(&j->second, j->from->scene, err) : status;
}

static xta_status end_maps(job *j, xta_status status, xta_error *err)
{
    status = map_end(&j->second, status, err);
    status = map_end(&j->first, status, err);
    // If only the first one could not be closed, the second has no business there.
    return status != XTA_OK ? map_end(&j->second, status, err) : status;
}

static xta_status make_unmixer(const job *j, xta_unmixer **unmixer, xta_error *err)
{
    xta_unmix_options how = XTA_UNMIX_OPTIONS_INIT;

    how.method = (xta_unmix_method)j->method;
    how.normalise = j->normalise != 0;
    how.names = j->names;
    return xta_unmixer_new((size_t)j->n, j->n_bands, j->endmembers, &how, unmixer, err);
}

static xta_status run_unmix(job *j, xta_error *err)
{
    xta_unmix_maps maps = XTA_UNMIX_MAPS_INIT;
    xta_unmixer *unmixer = NULL;
    xta_status status = make_unmixer(j, &unmixer, err);

    if (status == XTA_OK) {
        status = begin_maps(j, err);
    }
    if (status == XTA_OK) {
        maps.abundances = j->first.array;
        maps.residual = j->second.array;
        status = xta_unmix_scene(j->from->scene, NULL, unmixer, &maps, err);
    }
    xta_unmixer_free(unmixer);
    return end_maps(j, status, err);
}

static xta_status run_label(job *j, xta_error *err)
{
    xta_unmix_maps maps = XTA_UNMIX_MAPS_INIT;
    xta_unmixer *unmixer = NULL;
    xta_status status = j->method < 0 ? XTA_OK : make_unmixer(j, &unmixer, err);

    if (status == XTA_OK) {
        status = begin_maps(j, err);
    }
    if (status == XTA_OK) {
        maps.labels = j->first.array;
        status = j->method < 0 ? xta_label_scene(j->from->scene, NULL, (size_t)j->n, j->endmembers,
                                                 j->first.array, j->second.array, err)
                               : xta_unmix_scene(j->from->scene, NULL, unmixer, &maps, err);
    }
    xta_unmixer_free(unmixer);
    return end_maps(j, status, err);
}

/* ---- results ---- */

static PyObject *maps_to_python(const job *j)
{
    PyObject *first = map_to_python(&j->first);
    PyObject *second = first != NULL ? map_to_python(&j->second) : NULL;

    if (second == NULL) {
        Py_XDECREF(first);
        return NULL;
    }
    return Py_BuildValue("(NN)", first, second);
}

PyObject *mapping_unmix(PyObject *Py_UNUSED(module), PyObject *args)
{
    job j = {.first = {.wanted = true, .options = XTA_SCENE_MAP_OPTIONS_INIT},
             .second = {.options = XTA_SCENE_MAP_OPTIONS_INIT}};
    PyObject *scene, *endmembers, *names, *result = NULL;
    const char *path, *residual;
    int type;
    xta_error err;
    xta_status status;

    if (PyArg_ParseTuple(args, "OOnOipO&iO&", &scene, &endmembers, &j.n, &names, &j.method,
                         &j.normalise, path_or_none, &path, &type, path_or_none, &residual) &&
        read_endmembers(scene, endmembers, names, &j)) {
        j.first.options.path = path;
        j.first.options.type = j.second.options.type = (xta_type)type;
        j.first.options.n_layers = (size_t)j.n;
        j.first.options.layer_axis = "endmember";
        j.first.options.layer_names = j.names;
        j.first.options.title = "abundances";
        j.second.wanted = residual != NULL;
        j.second.options.path = residual != NULL && residual[0] != '\0' ? residual : NULL;
        j.second.options.title = "residual of unmixing";
        HYPER_CALL(status = run_unmix(&j, &err));
        result =
            status == XTA_OK ? maps_to_python(&j) : call_failed(status, &err, j.from->from.path);
    }
    clear(&j);
    return result;
}

PyObject *mapping_label(PyObject *Py_UNUSED(module), PyObject *args)
{
    job j = {.first = {.wanted = true, .options = XTA_SCENE_MAP_OPTIONS_INIT},
             .second = {.options = XTA_SCENE_MAP_OPTIONS_INIT}};
    PyObject *scene, *endmembers, *names, *result = NULL;
    const char *path, *angles;
    xta_error err;
    xta_status status;

    if (PyArg_ParseTuple(args, "OOnOipO&O&", &scene, &endmembers, &j.n, &names, &j.method,
                         &j.normalise, path_or_none, &path, path_or_none, &angles) &&
        read_endmembers(scene, endmembers, names, &j)) {
        j.first.options.path = path;
        j.first.options.type = j.n <= UINT8_MAX ? XTA_U8 : XTA_U16;
        j.first.options.title = "labels";
        j.second.wanted = angles != NULL;
        j.second.options.path = angles != NULL && angles[0] != '\0' ? angles : NULL;
        j.second.options.title = "spectral angle";
        HYPER_CALL(status = run_label(&j, &err));
        result =
            status == XTA_OK ? maps_to_python(&j) : call_failed(status, &err, j.from->from.path);
    }
    clear(&j);
    return result;
}

/* ---- components ---- */

static xta_status run_project(job *j, const xta_basis *basis, xta_error *err)
{
    xta_status status = map_begin(&j->first, j->from->scene, err);

    if (status == XTA_OK) {
        status = xta_basis_project(basis, j->from->scene, NULL, j->first.array, err);
    }
    return map_end(&j->first, status, err);
}

PyObject *mapping_project(PyObject *Py_UNUSED(module), PyObject *args)
{
    job j = {.first = {.wanted = true, .options = XTA_SCENE_MAP_OPTIONS_INIT}};
    PyObject *scene, *capsule, *result = NULL;
    const char *path;
    int type;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "OOO&i", &scene, &capsule, path_or_none, &path, &type)) {
        return NULL;
    }
    const xta_basis *basis = basis_of(capsule);
    j.from = scene_of(scene);
    if (basis == NULL || j.from == NULL) {
        return NULL;
    }
    xta_basis_info is = xta_basis_inquire(basis);
    j.first.options.path = path;
    j.first.options.type = (xta_type)type;
    j.first.options.n_layers = is.n_components;
    j.first.options.layer_axis = "component";
    j.first.options.title = is.kind;
    HYPER_CALL(status = run_project(&j, basis, &err));
    result =
        status == XTA_OK ? map_to_python(&j.first) : call_failed(status, &err, j.from->from.path);
    clear(&j);
    return result;
}
