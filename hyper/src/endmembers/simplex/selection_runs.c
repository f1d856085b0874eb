/* Running the selections that some options ask for; see endmembers_run.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/selection_runs.h"

#include <xta/options.h>

#include <stdlib.h>
#include <string.h>

/* Runs often end with the same simplex in another order, whose volume differs by rounding. */
#define LARGER 1e-9

enum { USUAL_SWEEPS = 100, MOST_RESTARTS = 10000 };

xta_status xta__wish_make(simplex_wish *wish, const xta_simplex_options *given, xta_error *err)
{
    xta_simplex_options own = XTA_SIMPLEX_OPTIONS_INIT;
    const xta_simplex_options *options = given != NULL ? &own : NULL;

    *wish = (simplex_wish){0};
    xta_status status = xta_options_take(&own, sizeof own, given, "xta_simplex_options", err);
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
    wish->n = options->n;
    wish->method = options->method;
    wish->seed = options->seed;
    wish->n_restarts = options->method == XTA_SIMPLEX_NFINDR ? options->n_restarts : 0;
    wish->max_sweeps = options->max_sweeps > 0 ? options->max_sweeps : USUAL_SWEEPS;
    wish->keep_nothing = options->keep_nothing;
    return xta__frozen_new(options->basis, &wish->basis, err);
}

void xta__wish_clear(simplex_wish *wish)
{
    xta__frozen_free(wish->basis);
    *wish = (simplex_wish){0};
}

size_t xta__wish_paths(const simplex_wish *wish)
{
    return (size_t)wish->n_restarts + 1;
}

path *xta__paths_new(const simplex_wish *wish)
{
    size_t n = xta__wish_paths(wish);
    path *paths = calloc(n, sizeof *paths);

    for (size_t k = 0; paths != NULL && k < n; k++) {
        paths[k].random = wish->method == XTA_SIMPLEX_VCA || k > 0;
        paths[k].seed = k > 0 ? wish->seed + (k - 1) : wish->seed;
    }
    return paths;
}

void xta__paths_free(path *paths, size_t n)
{
    for (size_t k = 0; paths != NULL && k < n; k++) {
        xta__path_clear(&paths[k]);
    }
    free(paths);
}

xta_status xta__wish_run(const simplex_wish *wish, selection *s, path *paths, xta_error *err)
{
    xta_status status = XTA_OK;

    s->n_wanted = wish->n;
    s->max_sweeps = wish->max_sweeps;
    s->exchange = wish->method == XTA_SIMPLEX_NFINDR;
    for (size_t k = 0; k < xta__wish_paths(wish); k++) {
        HYPER_TRY(xta__selection_begin(s, &paths[k], err));
        HYPER_TRY(xta__select(s, err));
    }
done:
    xta__selection_end(s);
    return status;
}

size_t xta__paths_best(const path *paths, size_t n)
{
    size_t best = 0;

    for (size_t k = 1; k < n; k++) {
        const path *a = &paths[k], *b = &paths[best];
        if (a->n > b->n || (a->n == b->n && a->log_volume > b->log_volume + LARGER)) {
            best = k;
        }
    }
    return best;
}

xta_status xta__endmembers_make(xta_endmembers *e, size_t n, size_t n_bands, xta_error *err)
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

xta_status xta__endmembers_of_paths(xta_endmembers *e, const simplex_wish *wish, const path *paths,
                                    size_t n_bands, xta_error *err)
{
    size_t n_paths = xta__wish_paths(wish), best = xta__paths_best(paths, n_paths);
    const path *p = &paths[best];
    xta_status status = xta__endmembers_make(e, p->n, n_bands, err);

    if (status != XTA_OK) {
        return status;
    }
    e->n_wanted = wish->n;
    e->log_volume = p->log_volume;
    e->converged = p->converged;
    e->best_run = (uint32_t)best;
    for (size_t k = 0; k < n_paths; k++) {
        e->n_steps += paths[k].n_steps;
        e->n_sweeps += paths[k].n_sweeps;
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
