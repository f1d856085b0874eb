/* Endmembers of a scene that grows: the same bytes as from scratch, for any history, communicator
 * and number of threads, and however little memory there is; and the stored state can be reloaded
 * at any step.
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

#include "endmembers/ppi/ppi.h"
#include "simplex_rig.h"
#include "state/blob.h"
#include "support/thread_communicator.h"

enum { MOST_SWATHS = 64 };

static xta_error err;

/* The history by which one object reads a world. */
typedef struct history {
    const world *w;
    int64_t start;           // lines [0, start) exist at first
    int64_t by[MOST_SWATHS]; // below 0: at the front
    size_t n;
    size_t updates; // an update after every this many swaths, and after the last
    bool through_bytes;
    world_view view;
} history;

/* The specification: one of these. */
typedef struct quest {
    const xta_ppi_options *ppi;
    const xta_simplex_options *simplex;
} quest;

typedef struct outcome {
    blob bytes[TEST_MEMBERS_MAX]; // of each member
    xta_endmembers_work work;     // of rank 0, of the last update
    uint64_t kept, rescanned;     // of all its updates
} outcome;

typedef struct running {
    const history *h;
    const quest *spec;
    outcome *out;
} running;

static void put_endmembers(const xta_endmembers *e, blob *b)
{
    xta__blob_u64(b, e->n);
    xta__blob_f64s(b, e->spectra, e->n * e->n_bands);
    xta__blob_f64s(b, e->score, e->n);
    xta__blob_f64s(b, &e->log_volume, 1);
    xta__blob_put(b, e->line, e->n * sizeof *e->line);
    xta__blob_put(b, e->sample, e->n * sizeof *e->sample);
    xta__blob_u64(b, e->n_steps);
    xta__blob_u64(b, e->n_sweeps);
    xta__blob_u64(b, e->converged);
    xta__blob_u64(b, e->best_run);
}

static void put_pixels(const xta_ppi *ppi, blob *b)
{
    const xta_ppi_pixel *list;
    size_t n;

    xta_ppi_pixels(ppi, &list, &n);
    xta__blob_u64(b, n);
    xta__blob_put(b, list, n * sizeof *list);
}

/* A new object loaded with the bytes stored by the old one. */
static void revive(const quest *spec, xta_ppi **ppi, xta_simplex **simplex)
{
    blob b = {0};
    xta_error e;

    if (*ppi != NULL) {
        xta__ppi_put(*ppi, &b);
        xta_ppi_free(*ppi);
        rig_ok(xta_ppi_new(spec->ppi, ppi, &e), &e, "new");
    } else {
        xta__simplex_put(*simplex, &b);
        xta_simplex_free(*simplex);
        rig_ok(xta_simplex_new(spec->simplex, simplex, &e), &e, "new");
    }
    blob_reader r = {.bytes = b.bytes, .n = b.n};
    rig_ok(*ppi != NULL ? xta__ppi_get(*ppi, &r, &e) : xta__simplex_get(*simplex, &r, &e), &e,
           "get");
    if (r.at != r.n) {
        fprintf(stderr, "%zu bytes are left over\n", r.n - r.at);
        exit(1);
    }
    xta__blob_clear(&b);
}

static void live(void *user, const xta_communicator *communicator)
{
    const running *run = user;
    const history *h = run->h;
    int rank = xta_communicator_rank(communicator);
    world_view view = h->view;
    xta_ppi *ppi = NULL;
    xta_simplex *simplex = NULL;
    xta_error e;
    blob *b = &run->out->bytes[rank];

    view.communicator = communicator;
    xta_array *array = world_array(h->w, 0, h->start);
    xta_scene *scene = world_scene(h->w, array, &view);
    rig_ok(run->spec->ppi != NULL ? xta_ppi_new(run->spec->ppi, &ppi, &e)
                                  : xta_simplex_new(run->spec->simplex, &simplex, &e),
           &e, "new");
    for (size_t k = 0; k <= h->n; k++) {
        if (k > 0) {
            world_grow(h->w, array, h->by[k - 1] < 0 ? XTA_FRONT : XTA_BACK,
                       h->by[k - 1] < 0 ? -h->by[k - 1] : h->by[k - 1]);
            rig_ok(xta_scene_refresh(scene, NULL, &e), &e, "refresh");
        }
        if (k < h->n && k % h->updates != 0) {
            continue;
        }
        rig_ok(ppi != NULL ? xta_ppi_update(ppi, scene, &e)
                           : xta_simplex_update(simplex, scene, &e),
               &e, "update");
        if (rank == 0) {
            run->out->work = ppi != NULL ? xta_ppi_work(ppi) : xta_simplex_work(simplex);
            run->out->kept += run->out->work.steps_kept;
            run->out->rescanned += run->out->work.steps_rescanned;
        }
        if (h->through_bytes) {
            revive(run->spec, &ppi, &simplex);
        }
    }
    if (ppi != NULL) {
        put_pixels(ppi, b);
        xta__ppi_put(ppi, b);
    } else {
        xta_endmembers found;
        rig_ok(xta_simplex_result(simplex, &found, &e), &e, "result");
        put_endmembers(&found, b);
        xta_endmembers_free(&found);
        xta__simplex_put(simplex, b);
    }
    xta_ppi_free(ppi);
    xta_simplex_free(simplex);
    xta_scene_close(scene);
    rig_ok(xta_array_close(array, &e), &e, "close");
}

static outcome run(const history *h, const quest *spec, int n_members)
{
    outcome out = {0};
    running r = {h, spec, &out};

    test_members_run(n_members, live, &r);
    return out;
}

static void outcome_clear(outcome *out)
{
    for (size_t k = 0; k < TEST_MEMBERS_MAX; k++) {
        xta__blob_clear(&out->bytes[k]);
    }
}

static void same_bytes(const outcome *a, const outcome *b, int n_members, uint64_t part,
                       const char *what)
{
    for (int k = 0; k < (n_members < 1 ? 1 : n_members); k++) {
        if (a->bytes[0].n != b->bytes[k].n ||
            memcmp(a->bytes[0].bytes, b->bytes[k].bytes, a->bytes[0].n) != 0) {
            fail_msg("part %llu, %s: member %d has other bytes than from scratch",
                     (unsigned long long)part, what, k);
        }
    }
}

/* Everything at once: the whole world, one member, one thread. */
static history scratch(const world *w)
{
    history h = {.w = w, .start = w->hi, .updates = 1, .view = {.n_threads = 1}};

    if (w->lo < 0) {
        // The scene is opened after growth at the front; the update comes after that.
        h.by[0] = w->lo;
        h.n = 1;
        h.updates = SIZE_MAX;
    }
    return h;
}

/* Swaths of odd lengths at both ends, until the world is complete. */
static history swaths(const world *w, test_random *r, size_t n)
{
    history h = {.w = w, .view = {.n_threads = (int)test_random_in(r, 1, 2)}};
    int64_t front = -w->lo, back;

    h.start = test_random_in(r, 1, w->hi);
    back = w->hi - h.start;
    while (front + back > 0 && h.n < MOST_SWATHS - 2 && h.n + 2 < n) {
        bool at_front = back == 0 || (front > 0 && test_random_chance(r, 50));
        int64_t most = 2 * (front + back) / (int64_t)(n - h.n) + 1;
        int64_t by = test_random_in(r, 1, most);
        int64_t *rest = at_front ? &front : &back;
        by = by < *rest ? by : *rest;
        h.by[h.n++] = at_front ? -by : by;
        *rest -= by;
    }
    if (front > 0) {
        h.by[h.n++] = -front;
    }
    if (back > 0) {
        h.by[h.n++] = back;
    }
    h.updates = (size_t)test_random_in(r, 1, 3);
    h.through_bytes = test_random_chance(r, 50);
    h.view.short_of_memory = test_random_chance(r, 30);
    return h;
}

/* One specification under many histories. */
static void try_histories(const world *w, test_random *r, const quest *spec, uint64_t part,
                          const char *what)
{
    static const size_t counts[] = {1, 2, 7, 50};
    history all = scratch(w);
    outcome first = run(&all, spec, 0);

    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        int n_members = (int)test_random_in(r, 0, 4);
        history h = swaths(w, r, counts[k]);
        // Pixels within a threshold must fit into memory.
        h.view.short_of_memory &= spec->ppi == NULL || spec->ppi->threshold == 0;
        outcome out = run(&h, spec, n_members);
        same_bytes(&first, &out, n_members, part, what);
        outcome_clear(&out);
    }
    outcome_clear(&first);
}

static void simplex_grows(void **state)
{
    uint64_t seed = test_seed("test_hyper_endmembers_grow", 61), n = test_scale(80);

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        static const char *const names[] = {"N-FINDR", "SGA", "VCA"};
        test_random r = test_random_make(seed, part);
        xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
        world w;
        world_make(&w, &r, (world_size){180, 45, 12});
        o.n = (size_t)test_random_in(&r, 1, 6);
        o.method = (xta_simplex_method)(part % 3);
        o.seed = part;
        o.n_restarts = (uint32_t)test_random_in(&r, 0, 2);
        o.keep_nothing = test_random_chance(&r, 30);
        try_histories(&w, &r, &(quest){.simplex = &o}, part, names[part % 3]);
        world_free(&w);
    }
}

static void counts_grow(void **state)
{
    uint64_t seed = test_seed("test_hyper_endmembers_grow", 62), n = test_scale(60);

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        test_random r = test_random_make(seed, part);
        xta_ppi_options o = XTA_PPI_OPTIONS_INIT;
        world w;
        do {
            world_make(&w, &r, (world_size){180, 45, 40});
            // With one band every second pixel is an extreme, too many for little memory.
            if (w.n_bands >= 8) {
                break;
            }
            world_free(&w);
        } while (true);
        o.n_skewers = (size_t)test_random_in(&r, 1, 50);
        o.seed = part;
        o.threshold = part % 2 == 0 ? 0 : w.type == XTA_F32 || w.type == XTA_F64 ? 0.01 : 0.9;
        try_histories(&w, &r, &(quest){.ppi = &o}, part, "PPI");
        world_free(&w);
    }
}

/* In a basis frozen after the first lines. */
static void frozen_basis_grows(void **state)
{
    uint64_t seed = test_seed("test_hyper_endmembers_grow", 63), n = test_scale(40);

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        test_random r = test_random_make(seed, part);
        world w = {0};
        do {
            world_free(&w);
            world_make(&w, &r, (world_size){180, 45, 20});
        } while (w.n_bands < 8 || w.hi * (int64_t)w.n_samples <= 50);
        xta_moments *moments = NULL;
        xta_basis *basis = NULL;
        xta_basis_options bo = XTA_BASIS_OPTIONS_INIT;
        xta_array *array = world_array(&w, 0, w.hi);
        xta_scene *scene = world_scene(&w, array, &(world_view){.n_threads = 1});
        bo.n_components = (size_t)test_random_in(&r, 4, 8);
        rig_ok(xta_moments_new(NULL, &moments, &err), &err, "moments");
        rig_ok(xta_moments_update(moments, scene, &err), &err, "moments");
        rig_ok(xta_pct(moments, &bo, &basis, &err), &err, "basis");
        xta_scene_close(scene);
        rig_ok(xta_array_close(array, &err), &err, "close");
        xta_simplex_options so = XTA_SIMPLEX_OPTIONS_INIT;
        xta_ppi_options po = XTA_PPI_OPTIONS_INIT;
        so.n = (size_t)test_random_in(&r, 2, 5);
        so.basis = basis;
        so.keep_nothing = part % 3 == 0;
        po.n_skewers = 30;
        po.basis = basis;
        try_histories(&w, &r, &(quest){.simplex = &so}, part, "N-FINDR in a basis");
        try_histories(&w, &r, &(quest){.ppi = &po}, part, "PPI in a basis");
        xta_basis_free(basis);
        xta_moments_free(moments);
        world_free(&w);
    }
}

/* ---- swaths made to beat a step, or none ---- */

/* Every pixel of [from, to) is the mean of two pixels of the first lines: inside every simplex. */
static void fill_inside(world *w, test_random *r, int64_t from, int64_t to)
{
    for (int64_t line = from; line < to; line++) {
        for (size_t s = 0; s < w->n_samples; s++) {
            const double *a = world_pixel(w, test_random_in(r, 0, 19),
                                          test_random_in(r, 0, (int64_t)w->n_samples - 1));
            const double *b = world_pixel(w, test_random_in(r, 0, 19),
                                          test_random_in(r, 0, (int64_t)w->n_samples - 1));
            for (size_t k = 0; k < w->n_bands; k++) {
                world_pixel(w, line, (int64_t)s)[k] = 0.25 * a[k] + 0.75 * b[k];
            }
        }
    }
}

typedef enum trick {
    BEATS_NONE,
    BEATS_FIRST,
    BEATS_LAST,
    TIES_BEHIND,
    TIES_BEFORE,
    N_TRICKS
} trick;

/* Lines [-20, 0) and [20, 40) are ordinary; one pixel in line `at` is made to beat a step of a
 * selection of p endmembers of the lines before. */
static void play(world *w, trick t, const xta_endmembers *before, int64_t at)
{
    double *x = world_pixel(w, at, 3);
    size_t last = before->n - 1, b = before->n_bands;

    if (t == BEATS_FIRST) {
        for (size_t k = 0; k < b; k++) {
            x[k] = 3 * before->spectra[k];
        }
    } else if (t == BEATS_LAST) {
        // Farther than the last one, the same way, but no longer than the first.
        for (size_t k = 0; k < b; k++) {
            double mean = 0;
            for (size_t j = 0; j < last; j++) {
                mean += before->spectra[j * b + k] / (double)last;
            }
            x[k] = mean + 1.02 * (before->spectra[last * b + k] - mean);
        }
    } else if (t == TIES_BEHIND || t == TIES_BEFORE) {
        memcpy(x, before->spectra + last * b, b * sizeof *x);
    }
}

static xta_endmembers first_lines(const world *w, const xta_simplex_options *o)
{
    xta_array *array = world_array(w, 0, 20);
    xta_scene *scene = world_scene(w, array, &(world_view){.n_threads = 1});
    xta_simplex *simplex = NULL;
    xta_endmembers e;

    rig_ok(xta_simplex_new(o, &simplex, &err), &err, "new");
    rig_ok(xta_simplex_update(simplex, scene, &err), &err, "update");
    rig_ok(xta_simplex_result(simplex, &e, &err), &err, "result");
    xta_simplex_free(simplex);
    xta_scene_close(scene);
    rig_ok(xta_array_close(array, &err), &err, "close");
    return e;
}

static void check_trick(const world *w, const xta_simplex_options *o, trick t, int64_t at,
                        uint64_t part)
{
    history h = {.w = w, .start = 20, .updates = 1, .view = {.n_threads = 2}};
    history all = scratch(w);
    const quest looked_for = {.simplex = o};

    h.n = 1;
    h.by[0] = at < 0 ? w->lo : w->hi - 20;
    outcome first = run(&all, &looked_for, 0), out = run(&h, &looked_for, 2);
    same_bytes(&first, &out, 2, part, "a trick");
    if (t == BEATS_NONE || t == TIES_BEHIND) {
        assert_int_equal(out.work.steps_rescanned, 0);
        assert_int_equal(out.work.lines_read, out.work.lines_new);
    } else if (t == BEATS_FIRST) {
        // The step itself is known from the old winner and the new pixels.
        assert_int_equal(out.work.steps_kept, 1);
        assert_true(out.work.steps_rescanned > 0);
    } else if (o->method == XTA_SIMPLEX_SGA) {
        // The last step was beaten, and there is no step after it.
        assert_int_equal(out.work.steps_rescanned, 0);
    }
    assert_false(out.work.from_start);
    outcome_clear(&first);
    outcome_clear(&out);
}

/* Twenty random lines and twenty whose pixels are mixtures of theirs. */
static void make_ordinary(world *w, test_random *r, bool front)
{
    world_blank(w, front ? -20 : 0, front ? 20 : 40, 37, 9, XTA_F64, 0);
    for (size_t k = 0; k < (size_t)20 * 37 * 9; k++) {
        world_pixel(w, 0, 0)[k] = 1 + (double)test_random_in(r, 0, 1 << 20) / 1e6;
    }
    // Four pixels far out, each less so than the one before.
    for (size_t k = 0; k < 4; k++) {
        world_pixel(w, test_random_in(r, 0, 19), (int64_t)k)[k] += 40 - 10 * (double)k;
    }
    fill_inside(w, r, front ? -20 : 20, front ? 0 : 40);
}

static void tricks(void **state)
{
    uint64_t seed = test_seed("test_hyper_endmembers_grow", 64), n = test_scale(60);

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        test_random r = test_random_make(seed, part);
        trick t = (trick)(part % N_TRICKS);
        int64_t at = t == TIES_BEFORE || (t != TIES_BEHIND && part % 2 == 0) ? -7 : 33;
        xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
        world w;
        o.n = 4;
        o.method = part / N_TRICKS % 2 == 0 ? XTA_SIMPLEX_SGA : XTA_SIMPLEX_NFINDR;
        make_ordinary(&w, &r, at < 0);
        xta_endmembers before = first_lines(&w, &o);
        play(&w, t, &before, at);
        check_trick(&w, &o, t, at, part);
        xta_endmembers_free(&before);
        world_free(&w);
    }
}

/* A different set of samples or bands, or removed lines: everything is done again, which is
 * reported. */
static void another_scene_starts_again(void **state)
{
    test_random r = test_random_make(test_seed("test_hyper_endmembers_grow", 65), 0);
    xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
    xta_ppi_options po = XTA_PPI_OPTIONS_INIT;
    xta_simplex *simplex = NULL;
    xta_ppi *ppi = NULL;

    (void)state;
    o.n = 3;
    po.n_skewers = 10;
    rig_ok(xta_simplex_new(&o, &simplex, &err), &err, "new");
    rig_ok(xta_ppi_new(&po, &ppi, &err), &err, "new");
    for (int k = 0; k < 3; k++) {
        world w = {0};
        do {
            world_free(&w);
            world_make(&w, &r, (world_size){60, 40, 20});
        } while (w.nodata != 0 || w.type == XTA_F32 || w.type == XTA_F64);
        xta_array *array = world_array(&w, w.lo, w.hi);
        xta_scene *scene = world_scene(&w, array, &(world_view){.n_threads = 1});
        rig_ok(xta_simplex_update(simplex, scene, &err), &err, "update");
        rig_ok(xta_ppi_update(ppi, scene, &err), &err, "update");
        assert_true(xta_simplex_work(simplex).from_start);
        assert_true(xta_ppi_work(ppi).from_start);
        // Once more, without new lines.
        rig_ok(xta_simplex_update(simplex, scene, &err), &err, "update");
        rig_ok(xta_ppi_update(ppi, scene, &err), &err, "update");
        assert_false(xta_simplex_work(simplex).from_start);
        assert_int_equal(xta_simplex_work(simplex).lines_read, 0);
        assert_int_equal(xta_simplex_work(simplex).steps_rescanned, 0);
        assert_int_equal(xta_ppi_work(ppi).lines_read, 0);
        xta_scene_close(scene);
        rig_ok(xta_array_close(array, &err), &err, "close");
        world_free(&w);
    }
    xta_simplex_free(simplex);
    xta_ppi_free(ppi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplex_grows), cmocka_unit_test(counts_grow),
        cmocka_unit_test(frozen_basis_grows), cmocka_unit_test(tricks),
        cmocka_unit_test(another_scene_starts_again)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
