/* A selection that follows a scene: paths of steps, what part of the scene they have seen, and how
 * they are brought up to date. See path.h for why that is exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/simplex.h"

#include <stdlib.h>
#include <string.h>

#include "endmembers/simplex/selection_runs.h"

enum { BLOB_VERSION = 1 };

struct xta_simplex {
    simplex_wish wish;
    path *paths;
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
    HYPER_TRY(xta__wish_make(&s->wish, options, err));
    s->paths = xta__paths_new(&s->wish);
    if (s->paths == NULL) {
        status =
            xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu runs", xta__wish_paths(&s->wish));
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
        xta__paths_free(simplex->paths, xta__wish_paths(&simplex->wish));
        xta__wish_clear(&simplex->wish);
        free(simplex);
    }
}

xta_endmembers_work xta_simplex_work(const xta_simplex *simplex)
{
    return simplex->work;
}

/* ---- bytes ---- */

static void put_paths(const xta_simplex *s, blob *b)
{
    for (size_t k = 0; k < xta__wish_paths(&s->wish); k++) {
        xta__path_put(&s->paths[k], s->n_bands, b);
    }
}

static bool get_paths(const simplex_wish *wish, path *paths, size_t n_bands, blob_reader *r)
{
    size_t n_dims = wish->basis != NULL ? wish->basis->n_dims : n_bands;

    for (size_t k = 0; k < xta__wish_paths(wish); k++) {
        if (!xta__path_get(&paths[k], n_bands, n_dims, r)) {
            return false;
        }
    }
    return true;
}

/* What the paths depend on. */
static void put_wish(const simplex_wish *wish, blob *b)
{
    xta__blob_u64(b, BLOB_VERSION);
    xta__blob_u64(b, wish->n);
    xta__blob_u64(b, (uint64_t)wish->method);
    xta__blob_u64(b, wish->seed);
    xta__blob_u64(b, wish->n_restarts);
    xta__blob_u64(b, wish->max_sweeps);
    xta__blob_u64(b, wish->basis != NULL ? wish->basis->identity : 0);
}

static bool same_wish(const simplex_wish *wish, blob_reader *r)
{
    uint64_t basis = wish->basis != NULL ? wish->basis->identity : 0;
    bool same = xta__blob_get_u64(r) == BLOB_VERSION;

    same = (xta__blob_get_u64(r) == wish->n) && same;
    same = (xta__blob_get_u64(r) == (uint64_t)wish->method) && same;
    same = (xta__blob_get_u64(r) == wish->seed) && same;
    same = (xta__blob_get_u64(r) == wish->n_restarts) && same;
    same = (xta__blob_get_u64(r) == wish->max_sweeps) && same;
    return (xta__blob_get_u64(r) == basis) && same && !r->failed;
}

void xta__simplex_put(const xta_simplex *s, blob *b)
{
    put_wish(&s->wish, b);
    xta__blob_u64(b, s->n_bands);
    xta__blob_i64(b, s->have.line_lo);
    xta__blob_i64(b, s->have.line_hi);
    xta__blob_u64(b, s->have.signature);
    if (s->n_bands > 0) {
        put_paths(s, b);
    }
}

xta_status xta__simplex_get(xta_simplex *s, blob_reader *r, xta_error *err)
{
    path *paths = xta__paths_new(&s->wish);
    coverage have;
    bool good = paths != NULL && same_wish(&s->wish, r);
    uint64_t n_bands = xta__blob_get_u64(r);

    have.line_lo = xta__blob_get_i64(r);
    have.line_hi = xta__blob_get_i64(r);
    have.signature = xta__blob_get_u64(r);
    good = good && !r->failed && n_bands <= (r->n - r->at) / 8 &&
           (s->wish.basis == NULL || n_bands == 0 || n_bands == s->wish.basis->n_bands);
    if (good && n_bands > 0) {
        good = get_paths(&s->wish, paths, (size_t)n_bands, r);
    }
    xta__paths_free(good ? s->paths : paths, xta__wish_paths(&s->wish));
    if (good) {
        s->paths = paths;
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

/* A copy of the paths, so that a failure leaves the old ones as they are. */
static xta_status copy_paths(const xta_simplex *s, const field *f, path **copy, xta_error *err)
{
    blob b = {0};
    path *paths = xta__paths_new(&s->wish);
    xta_status status = XTA_OK;

    put_paths(s, &b);
    blob_reader r = {.bytes = b.bytes, .n = b.n};
    if (paths == NULL || b.failed || !get_paths(&s->wish, paths, s->n_bands, &r)) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for the steps taken so far");
        goto done;
    }
    for (size_t k = 0; k < xta__wish_paths(&s->wish); k++) {
        HYPER_TRY(xta__path_points(&paths[k], f, err));
    }
    *copy = paths;
    paths = NULL;
done:
    xta__paths_free(paths, xta__wish_paths(&s->wish));
    xta__blob_clear(&b);
    return status;
}

/* Lines that are new since, and paths to go on with. */
static xta_status begin(xta_simplex *s, const field *f, line_range fresh[2], int *n_fresh,
                        path **paths, xta_error *err)
{
    *n_fresh = s->n_bands == 0 ? -1 : xta__coverage_new(&s->have, f->scene, fresh);
    if (*n_fresh >= 0) {
        return copy_paths(s, f, paths, err);
    }
    *paths = xta__paths_new(&s->wish);
    return *paths != NULL ? XTA_OK
                          : xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu runs",
                                          xta__wish_paths(&s->wish));
}

static void tell(xta_simplex *s, const field *f, const selection *run, const line_range fresh[2],
                 int n_fresh)
{
    const scene_sight *now = &f->scene->now;

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
    size_t n_paths = xta__wish_paths(&simplex->wish);
    field f = {0};
    selection s = {.f = &f};
    path *paths = NULL;
    line_range fresh[2];
    int n_fresh = -1;
    xta_status status = XTA_OK;

    HYPER_TRY(xta__frozen_fits(simplex->wish.basis, scene, err));
    xta__field_of_scene(&f, scene, simplex->wish.basis, simplex->wish.keep_nothing);
    s.band = simplex->wish.basis == NULL ? scene->now.band : NULL;
    status = begin(simplex, &f, fresh, &n_fresh, &paths, err);
    HYPER_TRY(xta__agree(scene->team, status, err));
    for (int k = 0; k < n_fresh; k++) {
        HYPER_TRY(xta__paths_replay(paths, n_paths, &s, fresh[k], err));
    }
    HYPER_TRY(xta__wish_run(&simplex->wish, &s, paths, err));
    path *old = simplex->paths;
    simplex->paths = paths;
    paths = old;
    simplex->n_bands = scene->now.n_bands;
    simplex->have = xta__coverage_of(scene);
    tell(simplex, &f, &s, fresh, n_fresh);

done:
    xta__field_clear(&f);
    xta__paths_free(paths, n_paths);
    return status;
}

xta_status xta_simplex_result(const xta_simplex *simplex, xta_endmembers *endmembers,
                              xta_error *err)
{
    const simplex_wish *wish = &simplex->wish;

    *endmembers = (xta_endmembers){0};
    if (simplex->n_bands == 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "no endmembers were looked for yet; call xta_simplex_update");
    }
    xta_status status =
        xta__endmembers_of_paths(endmembers, wish, simplex->paths, simplex->n_bands, err);
    const path *p = &simplex->paths[xta__paths_best(simplex->paths, xta__wish_paths(wish))];
    for (size_t k = 0; status == XTA_OK && k < p->n; k++) {
        const path_pixel *x = &p->pixels[p->vertex[k]];
        endmembers->line[k] = x->line;
        endmembers->sample[k] = x->sample;
        memcpy(endmembers->spectra + k * simplex->n_bands, x->spectrum,
               simplex->n_bands * sizeof(double));
    }
    return status;
}
