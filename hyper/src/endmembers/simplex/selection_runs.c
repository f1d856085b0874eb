/* Running the selections that some options ask for: one run for SGA and VCA, and for N-FINDR one
 * for each restart, of which the best is taken.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/selection_runs.h"

#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "endmembers/pixels/fixed_basis.h"
#include "endmembers/simplex/affine_hull.h"
#include "endmembers/simplex/selection_step.h"
#include "endmembers/simplex/selection_trace.h"
#include "endmembers/simplex/sga.h"
#include "util/try.h"

/* Runs often end with the same simplex in another order, and then the volumes differ by rounding.
 */
#define LARGER 1e-9

enum { USUAL_SWEEPS = 100, MOST_RESTARTS = 10000 };

xta_status xta__simplex_spec_init(simplex_spec *spec, const xta_simplex_options *given,
                                  xta_error *err)
{
    xta_simplex_options own = XTA_SIMPLEX_OPTIONS_INIT;
    const xta_simplex_options *options = given != NULL ? &own : NULL;

    *spec = (simplex_spec){0};
    xta_status status = xta_options_read(&own, sizeof own, given, "xta_simplex_options", err);
    if (status != XTA_OK) {
        return status;
    }
    if (options == NULL || options->n < 1 || options->n > HULL_VERTICES) {
        return xta_error_set(err, XTA_EARG, 0, "%zu endmembers are wanted; it must be 1 to %d",
                             options == NULL ? 0 : options->n, HULL_VERTICES);
    }
    if (options->method > XTA_SIMPLEX_VCA) {
        return xta_error_set(err, XTA_EARG, 0, "there is no method %d to select endmembers",
                             (int)options->method);
    }
    if (options->n_restarts > MOST_RESTARTS) {
        return xta_error_set(err, XTA_EARG, 0, "%u restarts are wanted; it must be 0 to %d",
                             (unsigned)options->n_restarts, MOST_RESTARTS);
    }
    spec->n = options->n;
    spec->method = options->method;
    spec->seed = options->seed;
    spec->n_restarts = options->method == XTA_SIMPLEX_NFINDR ? options->n_restarts : 0;
    spec->max_sweeps = options->max_sweeps > 0 ? options->max_sweeps : USUAL_SWEEPS;
    spec->keep_nothing = options->keep_nothing;
    return xta__fixed_basis_new(options->basis, &spec->basis, err);
}

void xta__simplex_spec_clear(simplex_spec *spec)
{
    xta__fixed_basis_free(spec->basis);
    *spec = (simplex_spec){0};
}

size_t xta__simplex_spec_traces(const simplex_spec *spec)
{
    return (size_t)spec->n_restarts + 1;
}

selection_trace *xta__traces_new(const simplex_spec *spec)
{
    size_t n = xta__simplex_spec_traces(spec);
    selection_trace *traces = calloc(n, sizeof *traces);

    for (size_t k = 0; traces != NULL && k < n; k++) {
        traces[k].random = spec->method == XTA_SIMPLEX_VCA || k > 0;
        traces[k].seed = k > 0 ? spec->seed + (k - 1) : spec->seed;
    }
    return traces;
}

void xta__traces_free(selection_trace *traces, size_t n)
{
    for (size_t k = 0; traces != NULL && k < n; k++) {
        xta__trace_clear(&traces[k]);
    }
    free(traces);
}

xta_status xta__simplex_run(const simplex_spec *spec, selection *s, selection_trace *traces,
                            xta_error *err)
{
    xta_status status = XTA_OK;

    s->n_wanted = spec->n;
    s->max_sweeps = spec->max_sweeps;
    s->exchange = spec->method == XTA_SIMPLEX_NFINDR;
    for (size_t k = 0; k < xta__simplex_spec_traces(spec); k++) {
        XTA_TRY(xta__selection_begin(s, &traces[k], err));
        XTA_TRY(xta__select(s, err));
    }
done:
    xta__selection_end(s);
    return status;
}

size_t xta__traces_best(const selection_trace *traces, size_t n)
{
    size_t best = 0;

    for (size_t k = 1; k < n; k++) {
        const selection_trace *a = &traces[k], *b = &traces[best];
        if (a->n > b->n || (a->n == b->n && a->log_volume > b->log_volume + LARGER)) {
            best = k;
        }
    }
    return best;
}

/* Allocate n endmembers, all zero. */
static xta_status allocate_endmembers(xta_endmembers *e, size_t n, size_t n_bands, xta_error *err)
{
    *e = (xta_endmembers){.n = n, .n_bands = n_bands};
    e->spectra = calloc(n * n_bands + 1, sizeof *e->spectra);
    e->line = calloc(n + 1, sizeof *e->line);
    e->sample = calloc(n + 1, sizeof *e->sample);
    e->score = calloc(n + 1, sizeof *e->score);
    if (e->spectra == NULL || e->line == NULL || e->sample == NULL || e->score == NULL) {
        xta_endmembers_free(e);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu endmembers of %zu bands", n,
                             n_bands);
    }
    return XTA_OK;
}

xta_status xta__endmembers_of_traces(xta_endmembers *e, const simplex_spec *spec,
                                     const selection_trace *traces, size_t n_bands, xta_error *err)
{
    size_t n_traces = xta__simplex_spec_traces(spec), best = xta__traces_best(traces, n_traces);
    const selection_trace *p = &traces[best];
    xta_status status = allocate_endmembers(e, p->n, n_bands, err);

    if (status != XTA_OK) {
        return status;
    }
    e->n_wanted = spec->n;
    e->log_volume = p->log_volume;
    e->converged = p->converged;
    e->best_run = (uint32_t)best;
    for (size_t k = 0; k < n_traces; k++) {
        e->n_steps += traces[k].n_steps;
        e->n_sweeps += traces[k].n_sweeps;
    }
    memcpy(e->score, p->score, p->n * sizeof *e->score);
    return XTA_OK;
}

void xta_endmembers_free(xta_endmembers *e)
{
    if (e != NULL) {
        free(e->spectra);
        free(e->line);
        free(e->sample);
        free(e->score);
        *e = (xta_endmembers){0};
    }
}
