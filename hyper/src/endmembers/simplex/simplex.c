/* A selection that follows a scene: traces of steps, the part of the scene that they cover, and
 * bringing them up to date. selection_trace.h says why that is exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/simplex.h"

#include <stdlib.h>
#include <string.h>

#include "endmembers/pixels/fixed_basis.h"
#include "endmembers/pixels/pixel_source.h"
#include "endmembers/simplex/selection.h"
#include "endmembers/simplex/selection_replay.h"
#include "endmembers/simplex/selection_runs.h"
#include "endmembers/simplex/selection_trace.h"
#include "parallel/communicator.h"
#include "scene/coverage.h"
#include "scene/scene_private.h"
#include "scene/tile.h"
#include "util/try.h"

enum { BLOB_VERSION = 1 };

struct xta_simplex {
    simplex_spec spec;
    selection_trace *traces;
    size_t n_bands; // 0: no update yet
    coverage have;
    xta_endmembers_work work;
};

xta_status xta_simplex_new(const xta_simplex_options *options, xta_simplex **simplex,
                           xta_error *err)
{
    xta_simplex *s = calloc(1, sizeof *s);
    xta_status status = XTA_OK;

    *simplex = NULL;
    if (s == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a selection of endmembers");
    }
    XTA_TRY(xta__simplex_spec_init(&s->spec, options, err));
    s->traces = xta__traces_new(&s->spec);
    if (s->traces == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu runs",
                               xta__simplex_spec_traces(&s->spec));
        goto done;
    }
    *simplex = s;
    s = NULL;
done:
    xta_simplex_free(s);
    return status;
}

void xta_simplex_free(xta_simplex *simplex)
{
    if (simplex != NULL) {
        xta__traces_free(simplex->traces, xta__simplex_spec_traces(&simplex->spec));
        xta__simplex_spec_clear(&simplex->spec);
        free(simplex);
    }
}

xta_endmembers_work xta_simplex_work(const xta_simplex *simplex)
{
    return simplex->work;
}

/* ---- bytes ---- */

static void put_traces(const xta_simplex *s, blob *b)
{
    for (size_t k = 0; k < xta__simplex_spec_traces(&s->spec); k++) {
        xta__trace_put(&s->traces[k], s->n_bands, b);
    }
}

static bool get_traces(const simplex_spec *spec, selection_trace *traces, size_t n_bands,
                       blob_reader *r)
{
    size_t n_dims = spec->basis != NULL ? spec->basis->n_dims : n_bands;

    for (size_t k = 0; k < xta__simplex_spec_traces(spec); k++) {
        if (!xta__trace_get(&traces[k], n_bands, n_dims, r)) {
            return false;
        }
    }
    return true;
}

/* Write what the traces depend on. */
static void put_spec(const simplex_spec *spec, blob *b)
{
    xta__blob_u64(b, BLOB_VERSION);
    xta__blob_u64(b, spec->n);
    xta__blob_u64(b, (uint64_t)spec->method);
    xta__blob_u64(b, spec->seed);
    xta__blob_u64(b, spec->n_restarts);
    xta__blob_u64(b, spec->max_sweeps);
    xta__blob_u64(b, spec->basis != NULL ? spec->basis->identity : 0);
}

static bool same_spec(const simplex_spec *spec, blob_reader *r)
{
    uint64_t basis = spec->basis != NULL ? spec->basis->identity : 0;
    bool same = xta__blob_get_u64(r) == BLOB_VERSION;

    same = (xta__blob_get_u64(r) == spec->n) && same;
    same = (xta__blob_get_u64(r) == (uint64_t)spec->method) && same;
    same = (xta__blob_get_u64(r) == spec->seed) && same;
    same = (xta__blob_get_u64(r) == spec->n_restarts) && same;
    same = (xta__blob_get_u64(r) == spec->max_sweeps) && same;
    return (xta__blob_get_u64(r) == basis) && same && !r->failed;
}

void xta__simplex_put(const xta_simplex *s, blob *b)
{
    put_spec(&s->spec, b);
    xta__blob_u64(b, s->n_bands);
    xta__blob_i64(b, s->have.line_lo);
    xta__blob_i64(b, s->have.line_hi);
    xta__blob_u64(b, s->have.signature);
    if (s->n_bands > 0) {
        put_traces(s, b);
    }
}

xta_status xta__simplex_get(xta_simplex *s, blob_reader *r, xta_error *err)
{
    selection_trace *traces = xta__traces_new(&s->spec);
    coverage have;
    bool good = traces != NULL && same_spec(&s->spec, r);
    uint64_t n_bands = xta__blob_get_u64(r);

    have.line_lo = xta__blob_get_i64(r);
    have.line_hi = xta__blob_get_i64(r);
    have.signature = xta__blob_get_u64(r);
    good = good && !r->failed && n_bands <= (r->n - r->at) / 8 &&
           (s->spec.basis == NULL || n_bands == 0 || n_bands == s->spec.basis->n_bands);
    if (good && n_bands > 0) {
        good = get_traces(&s->spec, traces, (size_t)n_bands, r);
    }
    xta__traces_free(good ? s->traces : traces, xta__simplex_spec_traces(&s->spec));
    if (good) {
        s->traces = traces;
        s->n_bands = (size_t)n_bands;
        s->have = have;
        s->work = (xta_endmembers_work){0};
        return XTA_OK;
    }
    r->failed = true;
    return xta_error_set(err, XTA_ESTATE, 0,
                         "what is stored of the endmembers is not whole or was made with other "
                         "options; they are looked for from the start");
}

/* ---- update ---- */

/* Copy the traces, so that a failure leaves the old ones as they are. */
static xta_status copy_traces(const xta_simplex *s, const pixel_source *f, selection_trace **copy,
                              xta_error *err)
{
    blob b = {0};
    selection_trace *traces = xta__traces_new(&s->spec);
    xta_status status = XTA_OK;

    put_traces(s, &b);
    blob_reader r = {.bytes = b.bytes, .n = b.n};
    if (traces == NULL || b.failed || !get_traces(&s->spec, traces, s->n_bands, &r)) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for the steps taken so far");
        goto done;
    }
    for (size_t k = 0; k < xta__simplex_spec_traces(&s->spec); k++) {
        XTA_TRY(xta__trace_points(&traces[k], f, err));
    }
    *copy = traces;
    traces = NULL;
done:
    xta__traces_free(traces, xta__simplex_spec_traces(&s->spec));
    xta__blob_clear(&b);
    return status;
}

/* Find the new lines, and make the traces to continue with. */
static xta_status begin_update(xta_simplex *s, const pixel_source *f, line_range fresh[2],
                               int *n_fresh, selection_trace **traces, xta_error *err)
{
    *n_fresh = s->n_bands == 0 ? -1 : xta__coverage_new(&s->have, f->scene, fresh);
    if (*n_fresh >= 0) {
        return copy_traces(s, f, traces, err);
    }
    *traces = xta__traces_new(&s->spec);
    return *traces != NULL ? XTA_OK
                           : xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu runs",
                                           xta__simplex_spec_traces(&s->spec));
}

static void note_work(xta_simplex *s, const pixel_source *f, const selection *run,
                      const line_range fresh[2], int n_fresh)
{
    const scene_snapshot *now = &f->scene->now;

    s->work = (xta_endmembers_work){.from_start = n_fresh < 0,
                                    .lines_read = f->lines_read,
                                    .steps_kept = run->n_kept,
                                    .steps_rescanned = run->n_scanned,
                                    .kept = f->kept != NULL};
    if (n_fresh < 0) {
        s->work.lines_new = (uint64_t)(now->hi[LINES] - now->lo[LINES]);
    }
    for (int k = 0; k < n_fresh; k++) {
        s->work.lines_new += (uint64_t)(fresh[k].hi - fresh[k].lo);
    }
}

xta_status xta_simplex_update(xta_simplex *simplex, xta_scene *scene, xta_error *err)
{
    size_t n_traces = xta__simplex_spec_traces(&simplex->spec);
    pixel_source f = {0};
    selection s = {.f = &f};
    selection_trace *traces = NULL;
    line_range fresh[2];
    int n_fresh = -1;
    xta_status status = XTA_OK;

    XTA_TRY(xta__fixed_basis_fits(simplex->spec.basis, scene, err));
    xta__pixel_source_of_scene(&f, scene, simplex->spec.basis, simplex->spec.keep_nothing);
    s.band = simplex->spec.basis == NULL ? scene->now.band : NULL;
    status = begin_update(simplex, &f, fresh, &n_fresh, &traces, err);
    XTA_TRY(xta__agree(scene->communicator, status, err));
    for (int k = 0; k < n_fresh; k++) {
        XTA_TRY(xta__traces_replay(traces, n_traces, &s, fresh[k], err));
    }
    XTA_TRY(xta__simplex_run(&simplex->spec, &s, traces, err));
    selection_trace *old = simplex->traces;
    simplex->traces = traces;
    traces = old;
    simplex->n_bands = scene->now.n_bands;
    simplex->have = xta__coverage_of(scene);
    note_work(simplex, &f, &s, fresh, n_fresh);

done:
    xta__pixel_source_clear(&f);
    xta__traces_free(traces, n_traces);
    return status;
}

xta_status xta_simplex_result(const xta_simplex *simplex, xta_endmembers *endmembers,
                              xta_error *err)
{
    const simplex_spec *spec = &simplex->spec;

    *endmembers = (xta_endmembers){0};
    if (simplex->n_bands == 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "no endmembers were looked for yet; call xta_simplex_update");
    }
    xta_status status =
        xta__endmembers_of_traces(endmembers, spec, simplex->traces, simplex->n_bands, err);
    const selection_trace *p =
        &simplex->traces[xta__traces_best(simplex->traces, xta__simplex_spec_traces(spec))];
    for (size_t k = 0; status == XTA_OK && k < p->n; k++) {
        const trace_pixel *x = &p->pixels[p->vertex[k]];
        endmembers->line[k] = x->line;
        endmembers->sample[k] = x->sample;
        memcpy(endmembers->spectra + k * simplex->n_bands, x->spectrum,
               simplex->n_bands * sizeof(double));
    }
    return status;
}
