/* Scenes with known truth.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper/synthesis.h"

#include <xta/synth.h>

#include "hyper/call.h"
#include "more/source.h"
#include "support/convert.h"
#include "support/errors.h"

typedef struct synthesis {
    source from;
    xta_label_map labels;
    xta_synth_options options;
    Py_buffer library;
    const double *spectra;
    size_t n_materials, n_bands;
    int64_t lines[2], samples[2];
} synthesis;

static bool read_range(PyObject *range, int64_t ends[2])
{
    long long lo, hi;

    if (!PyArg_ParseTuple(range, "LL", &lo, &hi)) {
        return false;
    }
    ends[0] = lo;
    ends[1] = hi;
    return true;
}

static bool read_arguments(PyObject *args, synthesis *s, int *type)
{
    PyObject *labels, *shift, *library, *options, *lines, *samples;
    long long line_shift, sample_shift;
    unsigned long long n_materials, n_bands, seed;

    s->options = (xta_synth_options)XTA_SYNTH_OPTIONS_INIT;
    if (!PyArg_ParseTuple(args, "OOKKOOiOO", &labels, &shift, &n_materials, &n_bands, &library,
                          &options, type, &lines, &samples) ||
        !PyArg_ParseTuple(shift, "LL", &line_shift, &sample_shift) ||
        !PyArg_ParseTuple(options, "iddddK", &s->options.mixing_radius, &s->options.variation,
                          &s->options.brightness, &s->options.noise_snr_db, &s->options.scale,
                          &seed) ||
        !read_range(lines, s->lines) || !read_range(samples, s->samples) ||
        !source_from_python(labels, &s->from) ||
        PyObject_GetBuffer(library, &s->library, PyBUF_C_CONTIGUOUS) < 0) {
        return false;
    }
    s->options.seed = seed;
    s->n_materials = n_materials;
    s->n_bands = n_bands;
    s->labels.line_shift = line_shift;
    s->labels.sample_shift = sample_shift;
    s->spectra = call_doubles(&s->library, s->n_materials * s->n_bands, "library");
    return s->spectra != NULL;
}

/* Without the GIL. */
static xta_status run(synthesis *s, xta_type type, size_t n_cells, double *cells,
                      double *abundances, xta_error *err)
{
    xta_status status = source_open(&s->from, err);

    s->labels.array = s->from.array;
    if (status == XTA_OK) {
        status = xta_synth_pixels(&s->labels, s->n_materials, s->n_bands, s->spectra, &s->options,
                                  s->lines, s->samples, cells, abundances, err);
    }
    if (status == XTA_OK) {
        xta_synth_round(type, cells, n_cells);
    }
    return status;
}

PyObject *synthesize(PyObject *Py_UNUSED(module), PyObject *args)
{
    synthesis s = {0};
    PyObject *cells = NULL, *abundances = NULL, *result = NULL;
    int type;
    xta_error err;
    xta_status status;

    if (read_arguments(args, &s, &type)) {
        size_t n = (size_t)(s.lines[1] - s.lines[0]) * (size_t)(s.samples[1] - s.samples[0]);
        cells = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(n * s.n_bands * sizeof(double)));
        abundances = cells == NULL ? NULL
                                   : PyByteArray_FromStringAndSize(
                                         NULL, (Py_ssize_t)(n * s.n_materials * sizeof(double)));
        if (cells != NULL && abundances != NULL) {
            double *to = (double *)(void *)PyByteArray_AsString(cells);
            double *shares = (double *)(void *)PyByteArray_AsString(abundances);
            HYPER_CALL(status = run(&s, (xta_type)type, n * s.n_bands, to, shares, &err));
            result = status == XTA_OK ? Py_BuildValue("(OO)", cells, abundances)
                                      : call_failed(status, &err, s.from.path);
        }
    }
    Py_XDECREF(cells);
    Py_XDECREF(abundances);
    PyBuffer_Release(&s.library);
    source_clear(&s.from);
    return result;
}
