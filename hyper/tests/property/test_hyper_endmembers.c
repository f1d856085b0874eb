/* Selected endmembers against the naive method, on random and on real scenes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numeric/philox.h"
#include "oracle/hyper_simplex.h"
#include "simplex_rig.h"
#include "support/real_scene.h"
#include "support/skip.h"

static xta_error err;
static const world_view plain = {.n_threads = 1};

static void ok(xta_status status)
{
    if (status != XTA_OK) {
        fail_msg("%s: %s", xta_status_name(status), err.text);
    }
}

/* ---- one selection by the library ---- */

static xta_endmembers select_once(xta_scene *scene, const xta_simplex_options *options)
{
    xta_simplex *simplex = NULL;
    xta_endmembers e;

    ok(xta_simplex_new(options, &simplex, &err));
    ok(xta_simplex_update(simplex, scene, &err));
    ok(xta_simplex_result(simplex, &e, &err));
    xta_simplex_free(simplex);
    return e;
}

static void same_pixels(const world *w, const xta_endmembers *e, size_t n, const size_t chosen[],
                        uint64_t part, const char *what)
{
    if (e->n != n) {
        fail_msg("part %llu, %s: %zu endmembers, not %zu", (unsigned long long)part, what, e->n, n);
    }
    for (size_t k = 0; k < n; k++) {
        int64_t line = w->lo + (int64_t)(chosen[k] / w->n_samples);
        int64_t sample = (int64_t)(chosen[k] % w->n_samples);
        if (e->line[k] != line || e->sample[k] != sample) {
            fail_msg("part %llu, %s: endmember %zu is (%lld, %lld), not (%lld, %lld)",
                     (unsigned long long)part, what, k, (long long)e->line[k],
                     (long long)e->sample[k], (long long)line, (long long)sample);
        }
        assert_memory_equal(e->spectra + k * w->n_bands, world_pixel(w, line, sample),
                            w->n_bands * sizeof(double));
    }
}

static void against_the_long_way(const world *w, size_t p, bool keep_nothing, uint64_t part)
{
    unsigned char *valid = world_valid(w);
    size_t chosen[ORACLE_SIMPLEX_MOST], n = world_pixels(w);
    xta_array *array = world_array(w, w->lo, w->hi);
    xta_scene *scene = world_scene(w, array, &plain);
    xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;

    o.n = p;
    o.method = XTA_SIMPLEX_SGA;
    o.keep_nothing = keep_nothing;
    size_t found = oracle_sga(n, w->n_bands, w->cells, valid, p, chosen);
    xta_endmembers e = select_once(scene, &o);
    same_pixels(w, &e, found, chosen, part, "SGA");
    assert_int_equal(e.n_wanted, p);
    xta_endmembers_free(&e);

    o.method = XTA_SIMPLEX_NFINDR;
    size_t sweeps = oracle_nfindr(n, w->n_bands, w->cells, valid, found, chosen);
    e = select_once(scene, &o);
    same_pixels(w, &e, found, chosen, part, "N-FINDR");
    assert_int_equal(e.n_sweeps, sweeps);
    assert_true(e.converged);
    xta_endmembers_free(&e);

    xta_scene_close(scene);
    ok(xta_array_close(array, &err));
    free(valid);
}

static void pixels_are_those_of_the_long_way(void **state)
{
    uint64_t seed = test_seed("test_hyper_endmembers", 51), n = test_scale(300);

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        test_random r = test_random_make(seed, part);
        world w;
        world_make(&w, &r, (world_size){50, 40, 20});
        against_the_long_way(&w, (size_t)test_random_in(&r, 1, 7), part % 2 == 1, part);
        world_free(&w);
    }
}

/* ---- by directions, and with several runs ---- */

static size_t directions_of(const world *w, uint64_t seed, size_t p, const unsigned char *valid,
                            size_t chosen[])
{
    double *directions = calloc(p * w->n_bands, sizeof *directions);

    for (size_t k = 0; k < p; k++) {
        xta__skewer(seed, k, NULL, w->n_bands, directions + k * w->n_bands);
    }
    size_t n = oracle_vca(world_pixels(w), w->n_bands, w->cells, valid, p, directions, chosen);
    free(directions);
    return n;
}

/* The best of the run from SGA and of those from directions with the seeds 9, 10, 11. */
static size_t best_run(const world *w, size_t p, const unsigned char *valid, size_t chosen[],
                       size_t *found)
{
    size_t n = world_pixels(w), best = 0;
    double most = -INFINITY;

    *found = 0;
    for (size_t run = 0; run < 4; run++) {
        size_t own[ORACLE_SIMPLEX_MOST];
        size_t n_own = run == 0 ? oracle_sga(n, w->n_bands, w->cells, valid, p, own)
                                : directions_of(w, 8 + run, p, valid, own);
        oracle_nfindr(n, w->n_bands, w->cells, valid, n_own, own);
        double volume = oracle_log_volume(w->n_bands, w->cells, n_own, own);
        if (n_own > *found || (n_own == *found && volume > most + 1e-9)) {
            *found = n_own;
            most = volume;
            best = run;
            memcpy(chosen, own, sizeof own);
        }
    }
    return best;
}

static void directions_and_restarts(void **state)
{
    uint64_t seed = test_seed("test_hyper_endmembers", 58), n = test_scale(150);
    uint64_t n_better = 0;

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        test_random r = test_random_make(seed, part);
        size_t chosen[ORACLE_SIMPLEX_MOST], found;
        xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
        world w;
        world_make(&w, &r, (world_size){40, 30, 16});
        unsigned char *valid = world_valid(&w);
        o.n = (size_t)test_random_in(&r, 1, 6);
        xta_array *array = world_array(&w, w.lo, w.hi);
        xta_scene *scene = world_scene(&w, array, &plain);
        o.method = XTA_SIMPLEX_VCA;
        o.seed = 9;
        xta_endmembers e = select_once(scene, &o);
        found = directions_of(&w, 9, o.n, valid, chosen);
        same_pixels(&w, &e, found, chosen, part, "VCA");
        xta_endmembers_free(&e);
        o.method = XTA_SIMPLEX_NFINDR;
        o.n_restarts = 3;
        e = select_once(scene, &o);
        assert_int_equal(e.best_run, best_run(&w, o.n, valid, chosen, &found));
        same_pixels(&w, &e, found, chosen, part, "N-FINDR with restarts");
        n_better += e.best_run > 0;
        xta_endmembers_free(&e);
        xta_scene_close(scene);
        ok(xta_array_close(array, &err));
        free(valid);
        world_free(&w);
    }
    assert_true(n_better > 0 || n < 50);
}

/* ---- in a basis, by determinants ---- */

static xta_basis *make_basis(xta_scene *scene, bool mnf, size_t n)
{
    xta_moments_options mo = XTA_MOMENTS_OPTIONS_INIT;
    xta_basis_options bo = XTA_BASIS_OPTIONS_INIT;
    xta_moments *moments = NULL;
    xta_basis *basis = NULL;

    mo.noise = mnf;
    bo.n_components = n;
    ok(xta_moments_new(&mo, &moments, &err));
    ok(xta_moments_update(moments, scene, &err));
    ok(mnf ? xta_mnf(moments, &bo, &basis, &err) : xta_pct(moments, &bo, &basis, &err));
    xta_moments_free(moments);
    return basis;
}

static double *points_of(const world *w, const xta_basis *basis)
{
    xta_basis_info info = xta_basis_inquire(basis);
    size_t n = world_pixels(w), d = info.n_components;
    double *points = calloc(n * d, sizeof *points);

    for (size_t k = 0; k < n * d; k++) {
        for (size_t b = 0; b < w->n_bands; b++) {
            points[k] += (w->cells[k / d * w->n_bands + b] - info.mean[b]) *
                         info.vectors[k % d * w->n_bands + b];
        }
    }
    return points;
}

static void basis_is_that_of_determinants(void **state)
{
    uint64_t seed = test_seed("test_hyper_endmembers", 52), n = test_scale(150);

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        test_random r = test_random_make(seed, part);
        size_t p = (size_t)test_random_in(&r, 2, 6), chosen[ORACLE_SIMPLEX_MOST];
        world w;
        do {
            world_make(&w, &r, (world_size){50, 40, 20});
            // Enough pixels for a basis.
            if (w.n_bands >= p && world_pixels(&w) > 100 && w.n_samples > 2) {
                break;
            }
            world_free(&w);
        } while (true);
        unsigned char *valid = world_valid(&w);
        xta_array *array = world_array(&w, w.lo, w.hi);
        xta_scene *scene = world_scene(&w, array, &plain);
        xta_basis *basis = make_basis(scene, part % 3 == 0, p - 1);
        double *points = points_of(&w, basis);
        xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
        o.n = p;
        o.basis = basis;
        o.keep_nothing = part % 2 == 0;
        size_t found = oracle_sga(world_pixels(&w), p - 1, points, valid, p, chosen);
        if (found == p) {
            oracle_nfindr_determinants(world_pixels(&w), p - 1, points, valid, p, chosen);
            xta_endmembers e = select_once(scene, &o);
            same_pixels(&w, &e, p, chosen, part, "N-FINDR in a basis");
            xta_endmembers_free(&e);
        }
        free(points);
        free(valid);
        xta_basis_free(basis);
        xta_scene_close(scene);
        ok(xta_array_close(array, &err));
        world_free(&w);
    }
}

/* ---- scenes that break naive code ---- */

/* Opens the world, selects, and closes it. */
static xta_endmembers select_in(world *w, const xta_simplex_options *o)
{
    xta_array *array = world_array(w, w->lo, w->hi);
    xta_scene *scene = world_scene(w, array, &plain);
    xta_endmembers e = select_once(scene, o);

    xta_scene_close(scene);
    ok(xta_array_close(array, &err));
    world_free(w);
    return e;
}

/* All pixels equal: one endmember, the first pixel. */
static void all_alike(const xta_simplex_options *o, double value)
{
    world w;

    world_blank(&w, -3, 40, 5, 6, XTA_I16, value);
    xta_endmembers e = select_in(&w, o);
    assert_int_equal(e.n, 1);
    assert_int_equal(e.line[0], -3);
    assert_int_equal(e.sample[0], 0);
    assert_true(e.log_volume == 0 && e.converged);
    xta_endmembers_free(&e);
}

/* Two kinds of pixels, however similar: two endmembers, however many are requested. */
static void two_kinds(const xta_simplex_options *o, double difference)
{
    world w;
    double other = 1 + difference;

    world_blank(&w, 0, 50, 7, 4, XTA_F64, 1);
    world_pixel(&w, 44, 3)[2] = other;
    world_pixel(&w, 47, 1)[2] = other;
    xta_endmembers e = select_in(&w, o);
    assert_int_equal(e.n, o->n < 2 ? o->n : 2);
    if (o->method != XTA_SIMPLEX_VCA) {
        assert_int_equal(e.line[0], 44);
        assert_int_equal(e.sample[0], 3);
    }
    assert_true(fabs(e.log_volume - (o->n < 2 ? 0 : log(other - 1))) < 1e-12);
    xta_endmembers_free(&e);
}

static void little_scenes(void **state)
{
    xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;

    (void)state;
    for (int method = 0; method < 3; method++) {
        for (o.n = 1; o.n < 5; o.n++) {
            o.method = (xta_simplex_method)method;
            all_alike(&o, 0);
            all_alike(&o, 100);
            two_kinds(&o, 4);
            two_kinds(&o, 1e-9);
        }
    }
}

static void no_valid_pixel(void **state)
{
    world w;
    xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
    xta_ppi_options po = XTA_PPI_OPTIONS_INIT;
    xta_simplex *simplex = NULL;
    xta_ppi *ppi = NULL;
    xta_endmembers e;
    const xta_ppi_pixel *list;
    size_t n;

    (void)state;
    // Each pixel has one band without data; no band is completely without data.
    world_blank(&w, 0, 33, 2, 2, XTA_F64, 1);
    for (int64_t line = 0; line < 33; line++) {
        world_pixel(&w, line, 0)[0] = NAN;
        world_pixel(&w, line, 1)[1] = NAN;
    }
    xta_array *array = world_array(&w, 0, 33);
    xta_scene *scene = world_scene(&w, array, &plain);
    o.n = 2;
    ok(xta_simplex_new(&o, &simplex, &err));
    assert_int_equal(xta_simplex_result(simplex, &e, &err), XTA_EARG);
    assert_int_equal(xta_simplex_update(simplex, scene, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "valid pixel"));
    assert_int_equal(xta_simplex_result(simplex, &e, &err), XTA_EARG);
    po.n_skewers = 10;
    ok(xta_ppi_new(&po, &ppi, &err));
    ok(xta_ppi_update(ppi, scene, &err));
    xta_ppi_pixels(ppi, &list, &n);
    assert_int_equal(n, 0);
    assert_int_equal(xta_ppi_select(ppi, scene, 1, &o, &e, &err), XTA_EARG);
    xta_ppi_free(ppi);
    xta_simplex_free(simplex);
    xta_scene_close(scene);
    ok(xta_array_close(array, &err));
    world_free(&w);
}

static void options_that_make_no_sense(void **state)
{
    xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
    xta_ppi_options po = XTA_PPI_OPTIONS_INIT;
    xta_simplex *simplex = NULL;
    xta_ppi *ppi = NULL;

    (void)state;
    assert_int_equal(xta_simplex_new(&o, &simplex, &err), XTA_EARG);
    o.n = 1025;
    assert_int_equal(xta_simplex_new(&o, &simplex, &err), XTA_EARG);
    o.n = 3;
    o.n_restarts = 10001;
    assert_int_equal(xta_simplex_new(&o, &simplex, &err), XTA_EARG);
    o.n_restarts = 0;
    o.method = (xta_simplex_method)7;
    assert_int_equal(xta_simplex_new(&o, &simplex, &err), XTA_EARG);
    assert_null(simplex);
    assert_int_equal(xta_ppi_new(&po, &ppi, &err), XTA_EARG);
    po.n_skewers = 3;
    po.threshold = -1;
    assert_int_equal(xta_ppi_new(&po, &ppi, &err), XTA_EARG);
    po.threshold = NAN;
    assert_int_equal(xta_ppi_new(&po, &ppi, &err), XTA_EARG);
    assert_null(ppi);
}

/* A limit on the sweeps ends the exchange and is reported. */
static void sweeps_are_bounded(void **state)
{
    test_random r = test_random_make(test_seed("test_hyper_endmembers", 57), 0);
    xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
    int n_ended = 0;

    (void)state;
    o.n = 5;
    for (int k = 0; k < 10; k++) {
        world w;
        world_make(&w, &r, (world_size){60, 40, 20});
        xta_array *array = world_array(&w, w.lo, w.hi);
        xta_scene *scene = world_scene(&w, array, &plain);
        o.max_sweeps = 0;
        xta_endmembers all = select_once(scene, &o);
        o.max_sweeps = 1;
        xta_endmembers e = select_once(scene, &o);
        assert_true(all.converged);
        assert_int_equal(e.n_sweeps, all.n_sweeps < 1 ? 0 : 1);
        assert_int_equal(e.converged, all.n_sweeps <= 1);
        assert_true(e.log_volume <= all.log_volume);
        n_ended += !e.converged;
        xta_endmembers_free(&all);
        xta_endmembers_free(&e);
        xta_scene_close(scene);
        ok(xta_array_close(array, &err));
        world_free(&w);
    }
    assert_true(n_ended > 0);
}

/* ---- candidates ---- */

static void candidates_are_chosen_among(void **state)
{
    uint64_t seed = test_seed("test_hyper_endmembers", 55), n = test_scale(100);

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        test_random r = test_random_make(seed, part);
        world w;
        world_make(&w, &r, (world_size){40, 30, 12});
        size_t n_candidates = (size_t)test_random_in(&r, 1, 300), n_marked = 0;
        int64_t *line = calloc(n_candidates, sizeof *line);
        int64_t *sample = calloc(n_candidates, sizeof *sample);
        unsigned char *valid = world_valid(&w), *marked = calloc(world_pixels(&w), 1);
        for (size_t k = 0; k < n_candidates; k++) {
            line[k] = test_random_in(&r, w.lo, w.hi - 1);
            sample[k] = test_random_in(&r, 0, (int64_t)w.n_samples - 1);
            size_t at = (size_t)(line[k] - w.lo) * w.n_samples + (size_t)sample[k];
            n_marked += valid[at];
            marked[at] = valid[at];
        }
        xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
        o.n = (size_t)test_random_in(&r, 1, 5);
        xta_array *array = world_array(&w, w.lo, w.hi);
        xta_scene *scene = world_scene(&w, array, &plain);
        xta_endmembers e;
        size_t chosen[ORACLE_SIMPLEX_MOST];
        xta_status status = xta_candidates_select(scene, n_candidates, line, sample, &o, &e, &err);
        assert_int_equal(status, n_marked > 0 ? XTA_OK : XTA_EARG);
        if (status == XTA_OK) {
            size_t found = oracle_sga(world_pixels(&w), w.n_bands, w.cells, marked, o.n, chosen);
            oracle_nfindr(world_pixels(&w), w.n_bands, w.cells, marked, found, chosen);
            same_pixels(&w, &e, found, chosen, part, "candidates");
            xta_endmembers_free(&e);
        }
        line[0] = w.hi;
        assert_int_equal(xta_candidates_select(scene, n_candidates, line, sample, &o, &e, &err),
                         XTA_EBOX);
        assert_null(e.spectra);
        xta_scene_close(scene);
        ok(xta_array_close(array, &err));
        free(line);
        free(sample);
        free(valid);
        free(marked);
        world_free(&w);
    }
}

/* Spectra in memory: the rows of the naive method, fewer if they span fewer dimensions. */
static void spectra_are_chosen_among(void **state)
{
    uint64_t seed = test_seed("test_hyper_endmembers", 56), n = test_scale(100);

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        test_random r = test_random_make(seed, part);
        size_t n_pixels = (size_t)test_random_in(&r, 1, 400), d = (size_t)test_random_in(&r, 1, 30);
        size_t rank = (size_t)test_random_in(&r, 1, 5), p = (size_t)test_random_in(&r, 1, 7);
        double *x = calloc(n_pixels * d, sizeof *x), directions[5 * 30];
        size_t chosen[ORACLE_SIMPLEX_MOST], expected[ORACLE_SIMPLEX_MOST], n_chosen;
        xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
        for (size_t k = 0; k < 5 * 30; k++) {
            directions[k] = (double)test_random_in(&r, -1000, 1000);
        }
        for (size_t k = 0; k < n_pixels * rank; k++) {
            double part_of = (double)test_random_in(&r, 0, 1 << 20) / (1 << 20);
            for (size_t b = 0; b < d; b++) {
                x[k / rank * d + b] += part_of * directions[k % rank * 30 + b];
            }
        }
        o.n = p;
        size_t found = oracle_sga(n_pixels, d, x, NULL, p, expected);
        oracle_nfindr(n_pixels, d, x, NULL, found, expected);
        ok(xta_simplex_of_pixels(n_pixels, d, x, &o, chosen, &n_chosen, &err));
        assert_int_equal(n_chosen, found);
        assert_true(n_chosen <= rank + 1 && n_chosen <= d + 1);
        assert_memory_equal(chosen, expected, found * sizeof *chosen);
        free(x);
    }
}

/* ---- real scenes ---- */

/* Endmembers of a real scene equal those of the naive method; their distance from the reference is
 * checked. */
static double real_scene(const test_real_scene *t, size_t p, xta_simplex_method method)
{
    world w = {.hi = (int64_t)t->n_lines,
               .n_samples = t->n_samples,
               .n_bands = t->n_bands,
               .type = t->whole ? XTA_I16 : XTA_F64,
               .cells = t->cells};
    size_t chosen[ORACLE_SIMPLEX_MOST];
    xta_array *array = world_array(&w, 0, w.hi);
    xta_scene *scene = NULL;
    xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
    double sum = 0;

    ok(xta_scene_open(array, NULL, &scene, &err));
    o.n = p;
    o.method = method;
    xta_endmembers e = select_once(scene, &o);
    oracle_sga(world_pixels(&w), w.n_bands, w.cells, NULL, p, chosen);
    if (method == XTA_SIMPLEX_NFINDR) {
        oracle_nfindr(world_pixels(&w), w.n_bands, w.cells, NULL, p, chosen);
    }
    same_pixels(&w, &e, p, chosen, 0, "real scene");
    for (size_t k = 0; k < t->p; k++) {
        double least = 9;
        for (size_t j = 0; j < e.n; j++) {
            const double *a = t->endmembers + k * t->n_bands, *b = e.spectra + j * t->n_bands;
            double ab = 0, aa = 0, bb = 0;
            for (size_t band = 0; band < t->n_bands; band++) {
                ab += a[band] * b[band];
                aa += a[band] * a[band];
                bb += b[band] * b[band];
            }
            least = fmin(least, acos(fmin(1, ab / sqrt(aa * bb))));
        }
        sum += least / (double)t->p;
    }
    xta_endmembers_free(&e);
    xta_scene_close(scene);
    ok(xta_array_close(array, &err));
    return sum;
}

static void real_scenes(void **state)
{
    test_real_scene t;

    (void)state;
    if (test_samson(&t)) {
        double nfindr = real_scene(&t, 3, XTA_SIMPLEX_NFINDR),
               sga = real_scene(&t, 3, XTA_SIMPLEX_SGA);
        printf("Samson, mean angle to the reference: N-FINDR %.4f, SGA %.4f\n", nfindr, sga);
        assert_true(nfindr < 0.0703 && sga < 0.0643);
        test_real_scene_free(&t);
    }
    if (test_salinas_a(&t)) {
        real_scene(&t, 5, XTA_SIMPLEX_NFINDR);
        real_scene(&t, 12, XTA_SIMPLEX_SGA);
        test_real_scene_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pixels_are_those_of_the_long_way),
                                       cmocka_unit_test(directions_and_restarts),
                                       cmocka_unit_test(basis_is_that_of_determinants),
                                       cmocka_unit_test(little_scenes),
                                       cmocka_unit_test(no_valid_pixel),
                                       cmocka_unit_test(options_that_make_no_sense),
                                       cmocka_unit_test(sweeps_are_bounded),
                                       cmocka_unit_test(candidates_are_chosen_among),
                                       cmocka_unit_test(spectra_are_chosen_among),
                                       cmocka_unit_test(real_scenes)};

    return test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
