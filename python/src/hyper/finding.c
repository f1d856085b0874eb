/* Endmembers of a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper/finding.h"

#include <stdlib.h>
#include <string.h>

#include <xta/amee.h>
#include <xta/endmembers.h>

#include "hyper/basis_object.h"
#include "hyper/call.h"
#include "hyper/scene_object.h"
#include "support/errors.h"

typedef struct finding {
    scene_object *from;
    xta_simplex_options simplex;
    xta_ppi_options ppi;
    xta_amee_options amee;
    xta_amee_select_options select;
    xta_region_means_options region;
    uint64_t least;
    bool means;
    Py_buffer directions; /* obj NULL: none */
    /* The result. */
    xta_endmembers found;
    xta_amee_result of_amee;
    double *counts;  /* of PPI, for each endmember; NULL: none */
    size_t *regions; /* NULL: none */
    size_t n_candidates;
} finding;

static void clear(finding *f)
{
    xta_endmembers_free(&f->found);
    xta_amee_result_clear(&f->of_amee);
    free(f->counts);
    free(f->regions);
    PyBuffer_Release(&f->directions);
}

/* ---- arguments ---- */

static bool begin(finding *f, PyObject *scene, PyObject *basis, PyObject *means)
{
    const xta_basis *on = NULL;

    f->region = (xta_region_means_options)XTA_REGION_MEANS_INIT;
    f->from = scene_of(scene);
    if (f->from == NULL) {
        return false;
    }
    if (basis != Py_None) {
        on = basis_of(basis);
        if (on == NULL) {
            return false;
        }
    }
    f->simplex.basis = f->ppi.basis = on;
    f->means = means != Py_None;
    if (f->means) {
        long long radius;
        if (!PyArg_ParseTuple(means, "dL", &f->region.angle, &radius)) {
            return false;
        }
        f->region.radius = radius;
    }
    return true;
}

/* ---- the runs, without the GIL ---- */

static xta_status take_means(finding *f, size_t n, const int64_t *line, const int64_t *sample,
                             double *spectra, xta_error *err)
{
    if (!f->means) {
        return XTA_OK;
    }
    f->regions = calloc(n + 1, sizeof f->regions[0]);
    if (f->regions == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu regions", n);
    }
    return xta_region_means(f->from->scene, n, line, sample, &f->region, spectra, f->regions, err);
}

static xta_status means_of_found(finding *f, xta_error *err)
{
    return take_means(f, f->found.n, f->found.line, f->found.sample, f->found.spectra, err);
}

static xta_status run_simplex(finding *f, xta_error *err)
{
    xta_simplex *simplex = NULL;
    xta_status status = xta_simplex_new(&f->simplex, &simplex, err);

    if (status == XTA_OK) {
        status = xta_simplex_update(simplex, f->from->scene, err);
    }
    if (status == XTA_OK) {
        status = xta_simplex_result(simplex, &f->found, err);
    }
    xta_simplex_free(simplex);
    return status == XTA_OK ? means_of_found(f, err) : status;
}

/* The counts of the pixels that were chosen. */
static xta_status take_counts(finding *f, const xta_ppi *ppi, xta_error *err)
{
    const xta_ppi_pixel *pixels = NULL;
    size_t n = 0;

    xta_ppi_pixels(ppi, &pixels, &n);
    f->counts = calloc(f->found.n + 1, sizeof f->counts[0]);
    if (f->counts == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu counts", f->found.n);
    }
    for (size_t j = 0; j < n && pixels[j].count >= f->least; j++) {
        f->n_candidates++;
        for (size_t k = 0; k < f->found.n; k++) {
            bool same =
                pixels[j].line == f->found.line[k] && pixels[j].sample == f->found.sample[k];
            f->counts[k] = same ? (double)pixels[j].count : f->counts[k];
        }
    }
    return XTA_OK;
}

static xta_status run_ppi(finding *f, xta_error *err)
{
    xta_ppi *ppi = NULL;
    xta_status status = xta_ppi_new(&f->ppi, &ppi, err);

    if (status == XTA_OK) {
        status = xta_ppi_update(ppi, f->from->scene, err);
    }
    if (status == XTA_OK) {
        status = xta_ppi_select(ppi, f->from->scene, f->least, &f->simplex, &f->found, err);
    }
    if (status == XTA_OK) {
        status = take_counts(f, ppi, err);
    }
    xta_ppi_free(ppi);
    return status == XTA_OK ? means_of_found(f, err) : status;
}

static xta_status run_amee(finding *f, xta_error *err)
{
    xta_amee_result *result = &f->of_amee;
    xta_amee *amee = NULL;
    xta_status status = xta_amee_new(&f->amee, &amee, err);

    if (status == XTA_OK) {
        status = xta_amee_update(amee, f->from->scene, err);
    }
    if (status == XTA_OK) {
        status = xta_amee_select(amee, f->from->scene, f->simplex.n, &f->select, result, err);
    }
    xta_amee_free(amee);
    return status == XTA_OK
               ? take_means(f, result->p, result->line, result->sample, result->endmembers, err)
               : status;
}

/* ---- results ---- */

static PyObject *regions_to_python(const finding *f, size_t n)
{
    PyObject *list = f->regions != NULL ? PyList_New(0) : Py_NewRef(Py_None);

    for (size_t k = 0; f->regions != NULL && list != NULL && k < n; k++) {
        PyObject *number = PyLong_FromSize_t(f->regions[k]);
        if (number == NULL || PyList_Append(list, number) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(number);
    }
    return list;
}

PyObject *endmembers_to_python(const xta_endmembers *found, PyObject *index, PyObject *regions,
                               size_t n_candidates)
{
    size_t n = found->n;

    return Py_BuildValue(
        "(nnNNNNNN{s:O,s:K,s:K,s:d})", (Py_ssize_t)n, (Py_ssize_t)found->n_bands,
        call_bytes(found->spectra, n * found->n_bands, sizeof(double)),
        call_bytes(found->line, n, sizeof(int64_t)), call_bytes(found->sample, n, sizeof(int64_t)),
        call_bytes(found->score, n, sizeof(double)), index, regions, "converged",
        found->converged ? Py_True : Py_False, "n_sweeps", (unsigned long long)found->n_sweeps,
        "n_candidates", (unsigned long long)n_candidates, "log_volume", found->log_volume);
}

static PyObject *found_to_python(const finding *f)
{
    size_t n = f->found.n;

    return endmembers_to_python(&f->found,
                                f->counts != NULL ? call_bytes(f->counts, n, sizeof(double))
                                                  : Py_NewRef(Py_None),
                                regions_to_python(f, n), f->n_candidates);
}

static PyObject *amee_to_python(const finding *f)
{
    const xta_amee_result *result = &f->of_amee;
    size_t n = result->p;

    return Py_BuildValue(
        "(nnNNNNNN{s:K,s:d})", (Py_ssize_t)n, (Py_ssize_t)result->n_bands,
        call_bytes(result->endmembers, n * result->n_bands, sizeof(double)),
        call_bytes(result->line, n, sizeof(int64_t)),
        call_bytes(result->sample, n, sizeof(int64_t)), call_bytes(result->mei, n, sizeof(double)),
        call_bytes(result->mei, n, sizeof(double)), regions_to_python(f, n), "n_candidates",
        (unsigned long long)result->n_candidates, "threshold", result->threshold);
}

PyObject *find_simplex(PyObject *Py_UNUSED(module), PyObject *args)
{
    finding f = {.simplex = XTA_SIMPLEX_OPTIONS_INIT};
    PyObject *scene, *basis, *means, *result = NULL;
    int method;
    unsigned long long count, seed;
    unsigned int restarts, sweeps;
    xta_error err;
    xta_status status;

    if (PyArg_ParseTuple(args, "OiKKOIIO", &scene, &method, &count, &seed, &basis, &restarts,
                         &sweeps, &means) &&
        begin(&f, scene, basis, means)) {
        f.simplex.method = (xta_simplex_method)method;
        f.simplex.n = count;
        f.simplex.seed = seed;
        f.simplex.n_restarts = restarts;
        f.simplex.max_sweeps = sweeps;
        HYPER_CALL(status = run_simplex(&f, &err));
        result =
            status == XTA_OK ? found_to_python(&f) : call_failed(status, &err, f.from->from.path);
    }
    clear(&f);
    return result;
}

static bool read_directions(PyObject *directions, finding *f)
{
    xta_basis_info is = {0};

    if (directions == Py_None) {
        return true;
    }
    if (PyObject_GetBuffer(directions, &f->directions, PyBUF_C_CONTIGUOUS) < 0) {
        return false;
    }
    if (f->ppi.basis != NULL) {
        is = xta_basis_inquire(f->ppi.basis);
    }
    f->ppi.n_dims =
        f->ppi.basis != NULL ? is.n_components : xta_scene_inquire(f->from->scene).n_bands;
    f->ppi.skewers =
        call_doubles(&f->directions, f->ppi.n_skewers * f->ppi.n_dims, "directions of the skewers");
    return f->ppi.skewers != NULL;
}

PyObject *find_ppi(PyObject *Py_UNUSED(module), PyObject *args)
{
    finding f = {.simplex = XTA_SIMPLEX_OPTIONS_INIT, .ppi = XTA_PPI_OPTIONS_INIT};
    PyObject *scene, *basis, *directions, *means, *result = NULL;
    unsigned long long count, seed, skewers, least;
    double threshold;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "OKKOKOdKO", &scene, &count, &seed, &basis, &skewers, &directions,
                          &threshold, &least, &means) ||
        !begin(&f, scene, basis, means)) {
        return NULL;
    }
    f.simplex.n = count;
    f.simplex.seed = f.ppi.seed = seed;
    f.ppi.n_skewers = skewers;
    f.ppi.threshold = threshold;
    f.least = least;
    if (read_directions(directions, &f)) {
        HYPER_CALL(status = run_ppi(&f, &err));
        result =
            status == XTA_OK ? found_to_python(&f) : call_failed(status, &err, f.from->from.path);
    }
    clear(&f);
    return result;
}

PyObject *find_amee(PyObject *Py_UNUSED(module), PyObject *args)
{
    finding f = {.amee = XTA_AMEE_OPTIONS_INIT, .select = XTA_AMEE_SELECT_INIT};
    PyObject *scene, *means, *result = NULL;
    unsigned long long count, candidates;
    xta_error err;
    xta_status status;

    if (PyArg_ParseTuple(args, "OKiiKO", &scene, &count, &f.amee.radius, &f.amee.iterations,
                         &candidates, &means) &&
        begin(&f, scene, Py_None, means)) {
        f.simplex.n = count;
        f.select.most = candidates;
        HYPER_CALL(status = run_amee(&f, &err));
        result =
            status == XTA_OK ? amee_to_python(&f) : call_failed(status, &err, f.from->from.path);
    }
    clear(&f);
    return result;
}
