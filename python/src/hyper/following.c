/* Followers as capsules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper/following.h"

#include <stdlib.h>

#include <xta/follow.h>

#include "hyper/basis_object.h"
#include "hyper/call.h"
#include "hyper/finding.h"
#include "hyper/scene_object.h"
#include "support/convert.h"
#include "support/errors.h"

static const char capsule_name[] = "xta.hyper.follow";

typedef struct following {
    xta_follow *follow; /* NULL: closed */
    PyObject *scene;    /* which the follower borrows */
} following;

static void destroy(PyObject *capsule)
{
    following *f = PyCapsule_GetPointer(capsule, capsule_name);

    if (f == NULL) {
        return;
    }
    WITHOUT_GIL(xta_follow_close(f->follow));
    Py_XDECREF(f->scene);
    free(f);
}

static following *following_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, capsule_name);
}

/* ---- arguments ---- */

/* Doubles of an object that may be None: NULL then. The buffer is released by the caller. */
static bool read_doubles(PyObject *object, size_t n_rows, size_t n_columns, const char *what,
                         Py_buffer *buffer, const double **numbers)
{
    if (object == Py_None) {
        return true;
    }
    if (PyObject_GetBuffer(object, buffer, PyBUF_C_CONTIGUOUS) < 0) {
        return false;
    }
    *numbers = call_doubles(buffer, n_rows * n_columns, what);
    return *numbers != NULL;
}

typedef struct arguments {
    scene_object *scene;
    const char *folder;
    xta_follow_options options;
    Py_buffer endmembers, directions;
} arguments;

static bool read_finding(PyObject *finding, arguments *a)
{
    xta_follow_options *options = &a->options;
    PyObject *endmembers, *basis, *directions;
    unsigned long long count, seed, skewers, least;
    int method;

    if (!PyArg_ParseTuple(finding, "iKOKIIOKOdK", &method, &count, &endmembers, &seed,
                          &options->n_restarts, &options->max_sweeps, &basis, &skewers, &directions,
                          &options->threshold, &least)) {
        return false;
    }
    options->method = (xta_follow_method)method;
    options->n_endmembers = count;
    options->seed = seed;
    options->n_skewers = skewers;
    options->least = least;
    options->n_dims = xta_scene_inquire(a->scene->scene).n_bands;
    if (!read_doubles(endmembers, count, options->n_dims, "endmembers", &a->endmembers,
                      &options->endmembers)) {
        return false;
    }
    if (basis != Py_None) {
        options->basis = basis_of(basis);
        if (options->basis == NULL) {
            return false;
        }
        options->n_dims = xta_basis_inquire(options->basis).n_components;
    }
    bool good = read_doubles(directions, skewers, options->n_dims, "directions of the skewers",
                             &a->directions, &options->skewers);
    options->n_dims = options->skewers != NULL ? options->n_dims : 0;
    return good;
}

static bool read_arguments(PyObject *args, PyObject **scene, arguments *a)
{
    xta_follow_options *options = &a->options;
    PyObject *finding, *amee, *results;
    unsigned long long components;
    int regions, by_abundance, unmix, normalise, noise, again;

    a->options = (xta_follow_options)XTA_FOLLOW_OPTIONS_INIT;
    if (!PyArg_ParseTuple(args, "OyIOOOp", scene, &a->folder, &options->keep, &finding, &amee,
                          &results, &again) ||
        !PyArg_ParseTuple(amee, "iip", &options->radius, &options->iterations, &regions) ||
        !PyArg_ParseTuple(results, "pipKp", &by_abundance, &unmix, &normalise, &components,
                          &noise)) {
        return false;
    }
    options->regions = regions != 0;
    options->label_by_abundance = by_abundance != 0;
    options->unmix = (xta_unmix_method)unmix;
    options->normalise = normalise != 0;
    options->n_components = components;
    options->noise = noise != 0;
    options->again = again != 0;
    a->scene = scene_of(*scene);
    return a->scene != NULL && read_finding(finding, a);
}

/* ---- calls ---- */

PyObject *follow_open(PyObject *Py_UNUSED(module), PyObject *args)
{
    following *f = calloc(1, sizeof *f);
    PyObject *scene, *capsule = NULL;
    arguments a = {0};
    xta_error err;
    xta_status status;

    if (f == NULL) {
        return PyErr_NoMemory();
    }
    if (read_arguments(args, &scene, &a)) {
        HYPER_CALL(status =
                       xta_follow_open(a.scene->scene, a.folder, &a.options, &f->follow, &err));
        f->scene = Py_NewRef(scene);
        capsule = status == XTA_OK ? PyCapsule_New(f, capsule_name, destroy)
                                   : call_failed(status, &err, a.folder);
    }
    PyBuffer_Release(&a.endmembers);
    PyBuffer_Release(&a.directions);
    if (capsule == NULL) {
        xta_follow_close(f->follow);
        Py_XDECREF(f->scene);
        free(f);
    }
    return capsule;
}

/* {name: (fate, lines, seconds, why)} */
static PyObject *results_to_python(const xta_follow_report *report)
{
    PyObject *results = PyDict_New();

    for (size_t k = 0; results != NULL && k < report->n_results; k++) {
        const xta_follow_result *r = &report->result[k];
        PyObject *result = Py_BuildValue("(iKdN)", (int)r->fate, (unsigned long long)r->n_lines,
                                         r->seconds, text_to_python(r->why));
        if (result == NULL || PyDict_SetItemString(results, r->name, result) < 0) {
            Py_CLEAR(results);
        }
        Py_XDECREF(result);
    }
    return results;
}

PyObject *follow_update(PyObject *Py_UNUSED(module), PyObject *capsule)
{
    following *f = following_of(capsule);
    xta_follow_report report = {0};
    xta_error err;
    xta_status status;

    if (f == NULL) {
        return NULL;
    }
    HYPER_CALL(status = xta_follow_update(f->follow, &report, &err));
    if (status != XTA_OK) {
        return call_failed(status, &err, NULL); // of the scene, or of the folder: the text says
    }
    return Py_BuildValue("{s:N,s:K,s:O,s:O,s:N,s:O,s:K,s:N,s:d}", "lines",
                         range_to_python(report.line_lo, report.line_hi), "lines_new",
                         (unsigned long long)report.lines_new, "changed",
                         report.changed ? Py_True : Py_False, "from_start",
                         report.from_start ? Py_True : Py_False, "why", text_to_python(report.why),
                         "endmembers_changed", report.endmembers_changed ? Py_True : Py_False,
                         "n_endmembers", (unsigned long long)report.n_endmembers, "results",
                         results_to_python(&report), "seconds", report.seconds);
}

PyObject *follow_endmembers(PyObject *Py_UNUSED(module), PyObject *capsule)
{
    following *f = following_of(capsule);

    if (f == NULL) {
        return NULL;
    }
    const xta_endmembers *found = xta_follow_endmembers(f->follow);
    return found->n > 0 ? endmembers_to_python(found, Py_NewRef(Py_None), Py_NewRef(Py_None), 0)
                        : Py_NewRef(Py_None);
}

PyObject *follow_close(PyObject *Py_UNUSED(module), PyObject *capsule)
{
    following *f = following_of(capsule);

    if (f == NULL) {
        return NULL;
    }
    WITHOUT_GIL(xta_follow_close(f->follow));
    f->follow = NULL;
    Py_RETURN_NONE;
}
