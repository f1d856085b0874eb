/* Selection among some pixels only, which are read into memory. Every member of a communicator has
 * all of them and arrives at the same result by itself.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/endmembers.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "endmembers/pixels/fixed_basis.h"
#include "endmembers/pixels/pixel_source.h"
#include "endmembers/simplex/selection.h"
#include "endmembers/simplex/selection_runs.h"
#include "endmembers/simplex/selection_trace.h"
#include "parallel/communicator.h"
#include "scene/scene_private.h"
#include "util/try.h"

xta_status xta_simplex_of_pixels(size_t n_pixels, size_t n_bands, const double *pixels,
                                 const xta_simplex_options *options, size_t chosen[],
                                 size_t *n_chosen, xta_error *err)
{
    simplex_spec spec = {0};
    pixel_source f = {0};
    selection s = {.f = &f};
    selection_trace *traces = NULL;
    xta_status status = XTA_OK;

    *n_chosen = 0;
    XTA_TRY(xta__simplex_spec_init(&spec, options, err));
    if (n_pixels == 0 || n_bands == 0 || spec.basis != NULL) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "%zu spectra of %zu bands to choose from; there must be some, and "
                               "no basis",
                               n_pixels, n_bands);
        goto done;
    }
    xta__pixel_source_of_matrix(&f, pixels, n_pixels, n_bands);
    traces = xta__traces_new(&spec);
    if (traces == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu runs",
                               xta__simplex_spec_traces(&spec));
        goto done;
    }
    XTA_TRY(xta__simplex_run(&spec, &s, traces, err));
    const selection_trace *p = &traces[xta__traces_best(traces, xta__simplex_spec_traces(&spec))];
    for (size_t k = 0; k < p->n; k++) {
        chosen[k] = (size_t)p->pixels[p->vertex[k]].line;
    }
    *n_chosen = p->n;
done:
    xta__traces_free(traces, xta__simplex_spec_traces(&spec));
    xta__simplex_spec_clear(&spec);
    return status;
}

/* ---- candidates of a scene ---- */

typedef struct place {
    int64_t line, sample;
} place;

/* Candidates in memory: n different pixels in order. */
typedef struct candidates {
    size_t n;
    place *places;
    double *spectra; // n x n_bands
    double *points;  // n x n_dims of a basis, else NULL
} candidates;

static int by_place(const void *a, const void *b)
{
    const place *p = a, *q = b;

    if (p->line != q->line) {
        return p->line < q->line ? -1 : 1;
    }
    return (p->sample > q->sample) - (p->sample < q->sample);
}

static xta_status check_places(const xta_scene *scene, size_t n, const int64_t line[],
                               const int64_t sample[], xta_error *err)
{
    const int64_t *lo = scene->now.lo, *hi = scene->now.hi;

    for (size_t k = 0; k < n; k++) {
        if (line[k] < lo[LINES] || line[k] >= hi[LINES] || sample[k] < lo[SAMPLES] ||
            sample[k] >= hi[SAMPLES]) {
            return xta_error_set(
                err, XTA_EBOX, 0,
                "%s: candidate %zu is line %" PRId64 ", sample %" PRId64 ", but lines are [%" PRId64
                ", %" PRId64 ") and samples [%" PRId64 ", %" PRId64 ")",
                scene->name, k, line[k], sample[k], lo[LINES], hi[LINES], lo[SAMPLES], hi[SAMPLES]);
        }
    }
    return XTA_OK;
}

/* Allocate memory, and sort the candidates; each pixel is kept once. */
static xta_status order_places(candidates *c, const xta_scene *scene, const fixed_basis *basis,
                               size_t n, const int64_t line[], const int64_t sample[],
                               xta_error *err)
{
    size_t n_bands = scene->now.n_bands, n_dims = basis == NULL ? 0 : basis->n_dims, kept = 0;
    uint64_t bytes = (uint64_t)n * (sizeof(place) + (n_bands + n_dims) * sizeof(double));

    if (bytes > scene->memory_bytes) {
        return xta_error_set(err, XTA_ENOMEM, 0,
                             "%s: %zu candidates take %" PRIu64 " bytes, more than the %" PRIu64
                             " allowed; ask for fewer",
                             scene->name, n, bytes, scene->memory_bytes);
    }
    c->places = calloc(n + 1, sizeof *c->places);
    c->spectra = malloc((n + 1) * n_bands * sizeof *c->spectra);
    c->points = malloc((n + 1) * (n_dims + 1) * sizeof *c->points);
    if (c->places == NULL || c->spectra == NULL || c->points == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for %zu candidates", scene->name,
                             n);
    }
    for (size_t k = 0; k < n; k++) {
        c->places[k] = (place){line[k], sample[k]};
    }
    qsort(c->places, n, sizeof *c->places, by_place);
    for (size_t k = 0; k < n; k++) {
        if (kept == 0 || by_place(&c->places[kept - 1], &c->places[k]) != 0) {
            c->places[kept++] = c->places[k];
        }
    }
    c->n = kept;
    return XTA_OK;
}

/* Read the spectra of the candidates that are valid. */
static xta_status read_places(candidates *c, xta_scene *scene, const fixed_basis *basis,
                              xta_error *err)
{
    size_t n_bands = scene->now.n_bands, kept = 0;

    for (size_t k = 0; k < c->n; k++) {
        const int64_t lines[2] = {c->places[k].line, c->places[k].line + 1};
        const int64_t samples[2] = {c->places[k].sample, c->places[k].sample + 1};
        unsigned char valid = 0;
        xta_status status =
            xta_scene_read(scene, lines, samples, c->spectra + kept * n_bands, &valid, err);
        if (status != XTA_OK) {
            return status;
        }
        c->places[kept] = c->places[k];
        kept += valid;
    }
    c->n = kept;
    if (kept == 0) {
        return xta_error_set(err, XTA_EARG, 0, "%s: none of the candidates is a valid pixel",
                             scene->name);
    }
    if (basis != NULL) {
        // There is space for one more spectrum, which serves as scratch memory.
        xta__fixed_basis_apply(basis, c->spectra, kept, c->spectra + kept * n_bands, c->points);
    }
    return XTA_OK;
}

static xta_status choose_endmembers(const candidates *c, const simplex_spec *spec,
                                    const xta_scene *scene, xta_endmembers *e, xta_error *err)
{
    const fixed_basis *basis = spec->basis;
    size_t n_bands = scene->now.n_bands;
    pixel_source f = {0};
    selection s = {.f = &f, .band = basis == NULL ? scene->now.band : NULL};
    selection_trace *traces = xta__traces_new(spec);
    xta_status status = XTA_OK;

    xta__pixel_source_of_matrix(&f, basis == NULL ? c->spectra : c->points, c->n,
                                basis == NULL ? n_bands : basis->n_dims);
    if (traces == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu runs",
                               xta__simplex_spec_traces(spec));
        goto done;
    }
    XTA_TRY(xta__simplex_run(spec, &s, traces, err));
    XTA_TRY(xta__endmembers_of_traces(e, spec, traces, n_bands, err));
    const selection_trace *p = &traces[xta__traces_best(traces, xta__simplex_spec_traces(spec))];
    for (size_t k = 0; k < p->n; k++) {
        size_t row = (size_t)p->pixels[p->vertex[k]].line;
        e->line[k] = c->places[row].line;
        e->sample[k] = c->places[row].sample;
        memcpy(e->spectra + k * n_bands, c->spectra + row * n_bands, n_bands * sizeof(double));
    }
done:
    xta__traces_free(traces, xta__simplex_spec_traces(spec));
    return status;
}

xta_status xta_candidates_select(xta_scene *scene, size_t n_candidates, const int64_t line[],
                                 const int64_t sample[], const xta_simplex_options *options,
                                 xta_endmembers *endmembers, xta_error *err)
{
    simplex_spec spec = {0};
    candidates c = {0};
    xta_status status = xta__simplex_spec_init(&spec, options, err);

    *endmembers = (xta_endmembers){0};
    if (status == XTA_OK) {
        status = xta__fixed_basis_fits(spec.basis, scene, err);
    }
    if (status == XTA_OK) {
        status = check_places(scene, n_candidates, line, sample, err);
    }
    if (status == XTA_OK) {
        status = order_places(&c, scene, spec.basis, n_candidates, line, sample, err);
    }
    if (status == XTA_OK) {
        status = read_places(&c, scene, spec.basis, err);
    }
    if (status == XTA_OK) {
        status = choose_endmembers(&c, &spec, scene, endmembers, err);
    }
    status = xta__agree(scene->communicator, status, err);
    if (status != XTA_OK) {
        xta_endmembers_free(endmembers);
    }
    free(c.places);
    free(c.spectra);
    free(c.points);
    xta__simplex_spec_clear(&spec);
    return status;
}
