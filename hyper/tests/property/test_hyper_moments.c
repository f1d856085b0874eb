/* Moments against their definitions; and the same bits for any history of the scene and any
 * distribution of the sums.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/hyper_moments.h"
#include "parallel/communicator.h"
#include "state/blob.h"
#include "statistics/basis.h"
#include "statistics/moments.h"
#include "support/grown_scene.h"
#include "support/random.h"
#include "support/thread_communicator.h"
#include "util/try.h"

static void ok(xta_status status, const xta_error *err)
{
    if (status != XTA_OK) {
        fail_msg("%s: %s", xta_status_name(status), err->text);
    }
}

static double near(double a, double b, double scale)
{
    return fabs(a - b) <= scale;
}

/* ---- against the definitions ---- */

static void compare(const xta_moments *m, const naive_moments *naive, size_t n_bands)
{
    double *found = malloc(n_bands * n_bands * sizeof *found);
    double relative = 1e-11;
    xta_error err;

    xta_moments_info info = xta_moments_inquire(m);
    assert_int_equal(info.n_pixels, naive->n);
    assert_int_equal(info.n_differences, naive->n_pairs);
    assert_int_equal(info.n_bands, n_bands);
    ok(xta_moments_mean(m, found, &err), &err);
    for (size_t b = 0; b < n_bands; b++) {
        assert_true(near(found[b], naive->mean[b], relative * fabs(naive->mean[b])));
    }
    ok(xta_moments_correlation(m, found, &err), &err);
    for (size_t k = 0; k < n_bands * n_bands; k++) {
        assert_true(near(found[k], naive->correlation[k], relative * fabs(naive->correlation[k])));
    }
    ok(xta_moments_covariance(m, found, &err), &err);
    for (size_t k = 0; k < n_bands * n_bands; k++) {
        double scale = sqrt(naive->covariance[k / n_bands * (n_bands + 1)] *
                            naive->covariance[k % n_bands * (n_bands + 1)]);
        assert_true(near(found[k], naive->covariance[k], 1e-9 * (scale + 1e-3)));
        assert_true(found[k] == found[k % n_bands * n_bands + k / n_bands]);
    }
    ok(xta_moments_noise(m, found, &err), &err);
    for (size_t k = 0; k < n_bands * n_bands; k++) {
        double scale = sqrt(naive->noise[k / n_bands * (n_bands + 1)] *
                            naive->noise[k % n_bands * (n_bands + 1)]);
        assert_true(near(found[k], naive->noise[k], 1e-9 * (scale + 1e-3)));
    }
    free(found);
}

static void moments_are_what_they_are_called(void **state)
{
    static const xta_type types[] = {XTA_I16, XTA_F32, XTA_F64};
    xta_error err;

    (void)state;
    for (int k = 0; k < 12; k++) {
        grown_scene g = {.type = types[k % 3],
                         .layout = k % 4,
                         .n_samples = 30 + 13 * (k % 5),
                         .n_bands = 3 + k % 6,
                         .seed = (uint64_t)k,
                         .holes = k % 2 == 1};
        xta_array *array = grown_make(&g, NULL, 40 + k);
        grown_extend(&g, array, XTA_FRONT, 7);
        xta_scene *scene = NULL;
        ok(xta_scene_open(array, NULL, &scene, &err), &err);
        xta_scene_info info = xta_scene_inquire(scene);
        assert_int_equal(info.n_bands, g.holes ? g.n_bands - 1 : g.n_bands);
        const int64_t lines[2] = {info.line_lo, info.line_hi}, samples[2] = {0, g.n_samples};
        size_t n = (size_t)((lines[1] - lines[0]) * g.n_samples);
        double *pixels = malloc(n * info.n_bands * sizeof *pixels);
        unsigned char *valid = malloc(n);
        ok(xta_scene_read(scene, lines, samples, pixels, valid, &err), &err);
        naive_moments naive;
        naive_moments_of(pixels, valid, n / (size_t)g.n_samples, (size_t)g.n_samples, info.n_bands,
                         &naive);
        assert_true(g.holes ? naive.n < n : naive.n == n);
        xta_moments *m = NULL;
        xta_moments_options o = XTA_MOMENTS_OPTIONS_INIT;
        o.noise = true;
        ok(xta_moments_new(&o, &m, &err), &err);
        ok(xta_moments_update(m, scene, &err), &err);
        compare(m, &naive, info.n_bands);
        naive_moments_clear(&naive);
        xta_moments_free(m);
        xta_scene_close(scene);
        ok(xta_array_close(array, &err), &err);
        free(pixels);
        free(valid);
    }
}

/* ---- the same bits ---- */

enum { MOST_SWATHS = 50, TOTAL_LINES = 230 };

typedef struct run {
    const grown_scene *g;
    int n_swaths;
    int n_threads;
    uint64_t memory_bytes;
    xta_array *array;
    // One of each member.
    blob bytes[TEST_MEMBERS_MAX];
    uint64_t basis[TEST_MEMBERS_MAX];
    xta_error err[TEST_MEMBERS_MAX];
    xta_status status[TEST_MEMBERS_MAX];
    int64_t n_lines_read;
    bool restarted;
} run;

static xta_status follow(run *r, xta_scene *scene, xta_moments *m,
                         const xta_communicator *communicator, xta_error *err)
{
    int64_t lines[MOST_SWATHS];
    xta_status status = XTA_OK;

    grown_swaths(TOTAL_LINES, r->n_swaths, lines);
    for (int k = 0; k < r->n_swaths; k++) {
        if (xta_communicator_rank(communicator) == 0 && k > 0) {
            grown_extend(r->g, r->array, k % 3 == 1 ? XTA_FRONT : XTA_BACK, lines[k]);
        }
        XTA_TRY(xta__agree(communicator, XTA_OK, err));
        XTA_TRY(xta_scene_refresh(scene, NULL, err));
        XTA_TRY(xta_moments_update(m, scene, err));
        if (xta_communicator_rank(communicator) == 0) {
            xta_moments_info info = xta_moments_inquire(m);
            r->n_lines_read += info.n_lines_read;
            r->restarted = r->restarted || info.restarted;
        }
    }
done:
    return status;
}

static void member(void *user, const xta_communicator *communicator)
{
    run *r = user;
    int rank = xta_communicator_rank(communicator);
    xta_error *err = &r->err[rank];
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_moments_options mo = XTA_MOMENTS_OPTIONS_INIT;
    xta_scene *scene = NULL;
    xta_moments *m = NULL;
    xta_basis *basis = NULL;
    xta_status status = XTA_OK;

    o.communicator = communicator;
    o.n_threads = r->n_threads;
    o.memory_bytes = r->memory_bytes;
    mo.noise = true;
    XTA_TRY(xta_scene_open(r->array, &o, &scene, err));
    XTA_TRY(xta_moments_new(&mo, &m, err));
    XTA_TRY(follow(r, scene, m, communicator, err));
    xta__moments_put(m, &r->bytes[rank]);
    XTA_TRY(xta_mnf(m, NULL, &basis, err));
    r->basis[rank] = xta__basis_identity(basis);
done:
    r->status[rank] = status;
    xta_basis_free(basis);
    xta_moments_free(m);
    xta_scene_close(scene);
}

static run go(const grown_scene *g, int n_swaths, int n_threads, int n_members,
              uint64_t memory_bytes)
{
    static int64_t lines[MOST_SWATHS];
    run r = {.g = g, .n_swaths = n_swaths, .n_threads = n_threads, .memory_bytes = memory_bytes};
    xta_error err;

    grown_swaths(TOTAL_LINES, n_swaths, lines);
    r.array = grown_make(g, NULL, lines[0]);
    test_members_run(n_members, member, &r);
    ok(xta_array_close(r.array, &err), &err);
    for (int k = 0; k < (n_members > 0 ? n_members : 1); k++) {
        ok(r.status[k], &r.err[k]);
        assert_int_equal(r.bytes[k].n, r.bytes[0].n);
        assert_memory_equal(r.bytes[k].bytes, r.bytes[0].bytes, r.bytes[0].n);
        assert_int_equal(r.basis[k], r.basis[0]);
    }
    return r;
}

static void clear(run *r)
{
    for (int k = 0; k < TEST_MEMBERS_MAX; k++) {
        xta__blob_clear(&r->bytes[k]);
    }
}

/* The final moments of a history, computed from the start by one thread. The front grows by swaths,
 * so line 0 has another position after every number of swaths. */
static run from_start(const grown_scene *g, int n_swaths)
{
    int64_t lines[MOST_SWATHS], front = 0;
    run r = {.g = g, .n_swaths = 1, .n_threads = 1};
    xta_error err;

    grown_swaths(TOTAL_LINES, n_swaths, lines);
    for (int k = 1; k < n_swaths; k++) {
        front += k % 3 == 1 ? lines[k] : 0;
    }
    r.array = grown_make(g, NULL, TOTAL_LINES - front);
    if (front > 0) {
        grown_extend(g, r.array, XTA_FRONT, front);
    }
    test_members_run(0, member, &r);
    ok(r.status[0], &r.err[0]);
    ok(xta_array_close(r.array, &err), &err);
    return r;
}

static void the_same_bits(xta_type type, int layout)
{
    static const int swaths[] = {1, 2, 7, 50};
    grown_scene g = {.type = type,
                     .layout = layout,
                     .n_samples = 45,
                     .n_bands = 7,
                     .seed = test_seed("hyper moments", 5),
                     .holes = true};

    for (int s = 0; s < 4; s++) {
        run scratch = from_start(&g, swaths[s]);
        for (int threads = 1; threads <= 2; threads++) {
            for (int members = 0; members <= 4; members++) {
                // The second limit is too small for a strip in memory.
                run r = go(&g, swaths[s], threads, members, members == 3 ? 900000 : 0);
                assert_int_equal(r.bytes[0].n, scratch.bytes[0].n);
                assert_memory_equal(r.bytes[0].bytes, scratch.bytes[0].bytes, r.bytes[0].n);
                assert_int_equal(r.basis[0], scratch.basis[0]);
                assert_false(r.restarted);
                // New lines, and incomplete blocks at the two ends.
                assert_true(r.n_lines_read <= TOTAL_LINES + 64 * (swaths[s] - 1));
                clear(&r);
            }
        }
        clear(&scratch);
    }
}

static void whole_scenes_grow_exactly(void **state)
{
    (void)state;
    the_same_bits(XTA_I16, 0);
    the_same_bits(XTA_I16, 2);
}

static void real_scenes_grow_exactly(void **state)
{
    (void)state;
    the_same_bits(XTA_F32, 1);
    the_same_bits(XTA_F64, 3);
}

/* ---- the odd cases ---- */

static xta_moments *moments_of(xta_array *array, const xta_scene_options *o, bool noise)
{
    xta_moments_options mo = XTA_MOMENTS_OPTIONS_INIT;
    xta_moments *m = NULL;
    xta_scene *scene = NULL;
    xta_error err;

    mo.noise = noise;
    ok(xta_scene_open(array, o, &scene, &err), &err);
    ok(xta_moments_new(&mo, &m, &err), &err);
    ok(xta_moments_update(m, scene, &err), &err);
    xta_scene_close(scene);
    return m;
}

static void too_few_pixels(void **state)
{
    grown_scene g = {.type = XTA_I16, .n_samples = 1, .n_bands = 4};
    double matrix[16];
    xta_basis *basis = NULL;
    xta_error err;
    size_t n;

    (void)state;
    for (int64_t lines = 0; lines <= 1; lines++) {
        xta_array *array = grown_make(&g, NULL, lines);
        xta_moments *m = moments_of(array, NULL, true);
        assert_int_equal(xta_moments_inquire(m).n_pixels, lines);
        assert_int_equal(xta_moments_covariance(m, matrix, &err), XTA_EARG);
        assert_int_equal(xta_moments_noise(m, matrix, &err), XTA_EARG);
        assert_int_equal(xta_moments_mean(m, matrix, &err), lines == 1 ? XTA_OK : XTA_EARG);
        assert_int_equal(xta_pct(m, NULL, &basis, &err), XTA_EARG);
        assert_null(basis);
        assert_int_equal(xta_mnf(m, NULL, &basis, &err), XTA_EARG);
        assert_int_equal(xta_count_hfc(m, 1e-3, &n, &err), XTA_EARG);
        assert_non_null(strstr(err.text, "at least 2"));
        xta_moments_free(m);
        ok(xta_array_close(array, &err), &err);
    }
}

static void another_scene_starts_again(void **state)
{
    grown_scene g = {.type = XTA_I16, .n_samples = 33, .n_bands = 5};
    const int64_t use[] = {0, 2, 3};
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_scene *all = NULL, *some = NULL;
    xta_moments *m = NULL;
    xta_error err;

    (void)state;
    xta_array *array = grown_make(&g, NULL, 70);
    ok(xta_scene_open(array, NULL, &all, &err), &err);
    o.use = use;
    o.n_use = 3;
    ok(xta_scene_open(array, &o, &some, &err), &err);
    ok(xta_moments_new(NULL, &m, &err), &err);
    ok(xta_moments_update(m, all, &err), &err);
    ok(xta_moments_update(m, all, &err), &err);
    assert_int_equal(xta_moments_inquire(m).n_lines_read, 0);
    ok(xta_moments_update(m, some, &err), &err);
    assert_true(xta_moments_inquire(m).restarted);
    assert_int_equal(xta_moments_inquire(m).n_bands, 3);
    assert_int_equal(xta_moments_inquire(m).n_lines_read, 70);
    xta_moments_free(m);
    xta_scene_close(all);
    xta_scene_close(some);
    ok(xta_array_close(array, &err), &err);
}

/* Loading and storing give the same bytes; every shorter length is refused and leaves empty
 * moments. */
static void kept_bytes(void **state)
{
    grown_scene g = {.type = XTA_F32, .n_samples = 40, .n_bands = 3};
    xta_moments *back = NULL;
    blob bytes = {0}, again = {0};
    xta_error err;

    (void)state;
    xta_array *array = grown_make(&g, NULL, 100);
    xta_moments *m = moments_of(array, NULL, false);
    xta__moments_put(m, &bytes);
    ok(xta_moments_new(NULL, &back, &err), &err);
    for (size_t n = 0; n < bytes.n; n++) {
        blob_reader cut = {.bytes = bytes.bytes, .n = n};
        assert_int_equal(xta__moments_get(back, &cut, &err), XTA_ESTATE);
        assert_int_equal(xta_moments_inquire(back).n_bands, 0);
    }
    blob_reader r = {.bytes = bytes.bytes, .n = bytes.n};
    ok(xta__moments_get(back, &r, &err), &err);
    xta__moments_put(back, &again);
    assert_int_equal(again.n, bytes.n);
    assert_memory_equal(again.bytes, bytes.bytes, bytes.n);
    xta__blob_clear(&bytes);
    xta__blob_clear(&again);
    xta_moments_free(m);
    xta_moments_free(back);
    ok(xta_array_close(array, &err), &err);
}

static void memory_limit(void **state)
{
    grown_scene g = {.type = XTA_I16, .n_samples = 40, .n_bands = 40};
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_moments *m = NULL;
    xta_scene *scene = NULL;
    xta_error err;

    (void)state;
    xta_array *array = grown_make(&g, NULL, 100);
    o.memory_bytes = 100000;
    assert_int_equal(xta_scene_open(array, &o, &scene, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "bytes are needed"));
    assert_null(scene);
    o.memory_bytes = 500000;
    o.n_threads = 2;
    assert_int_equal(xta_scene_open(array, &o, &scene, &err), XTA_EARG);
    o.n_threads = 1;
    ok(xta_scene_open(array, &o, &scene, &err), &err);
    xta_moments_options mo = XTA_MOMENTS_OPTIONS_INIT;
    mo.noise = true;
    ok(xta_moments_new(&mo, &m, &err), &err);
    assert_int_equal(xta_moments_update(m, scene, &err), XTA_ENOMEM);
    assert_non_null(strstr(err.text, "memory limit"));
    xta_moments_free(m);
    xta_scene_close(scene);
    ok(xta_array_close(array, &err), &err);
}

/* ---- a read that fails ---- */

/* Cells of a grown scene; on member 1 the fail_at-th read fails. */
typedef struct fragile {
    const grown_scene *g;
    int rank, fail_at, n;
    int64_t line_hi;
} fragile;

static xta_status read_fragile(void *context, const int64_t lo[3], const int64_t hi[3],
                               double *cells, xta_error *err)
{
    fragile *f = context;

    if (f->rank == 1 && ++f->n == f->fail_at) {
        return xta_error_set(err, XTA_EIO, 5, "read %d of member 1", f->n);
    }
    for (int64_t line = lo[0]; line < hi[0]; line++) {
        for (int64_t sample = lo[1]; sample < hi[1]; sample++) {
            for (int64_t band = lo[2]; band < hi[2]; band++) {
                *cells++ = grown_cell(f->g, line, sample, band);
            }
        }
    }
    return XTA_OK;
}

static xta_status refresh_fragile(void *context, int64_t lo[3], int64_t hi[3], xta_error *err)
{
    const fragile *f = context;

    (void)lo;
    (void)err;
    hi[0] = f->line_hi;
    return XTA_OK;
}

typedef struct attempt {
    const grown_scene *g;
    int fail_at;
    xta_status failed[TEST_MEMBERS_MAX], status[TEST_MEMBERS_MAX];
    int64_t covered[TEST_MEMBERS_MAX]; // after the failure
    blob bytes[TEST_MEMBERS_MAX];
} attempt;

/* Forty lines, then a hundred, where a read fails; then once more, where none does. */
static void try_twice(void *user, const xta_communicator *communicator)
{
    attempt *a = user;
    int rank = xta_communicator_rank(communicator);
    fragile f = {.g = a->g, .rank = rank, .line_hi = 40};
    xta_scene_source source = {.struct_size = sizeof source,
                               .context = &f,
                               .hi = {40, a->g->n_samples, a->g->n_bands},
                               .type = a->g->type,
                               .read = read_fragile,
                               .refresh = refresh_fragile};
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_scene *scene = NULL;
    xta_moments *m = NULL;
    xta_status status = XTA_OK;

    o.communicator = communicator;
    XTA_TRY(xta_scene_of_source(&source, &o, &scene, NULL));
    XTA_TRY(xta_moments_new(NULL, &m, NULL));
    XTA_TRY(xta_moments_update(m, scene, NULL));
    f.line_hi = 100;
    f.n = 0;
    f.fail_at = a->fail_at;
    a->failed[rank] = xta_scene_refresh(scene, NULL, NULL);
    if (a->failed[rank] == XTA_OK) {
        a->failed[rank] = xta_moments_update(m, scene, NULL);
    }
    a->covered[rank] = xta_moments_inquire(m).line_hi;
    f.fail_at = 0;
    XTA_TRY(xta_scene_refresh(scene, NULL, NULL));
    XTA_TRY(xta_moments_update(m, scene, NULL));
    xta__moments_put(m, &a->bytes[rank]);
done:
    a->status[rank] = status;
    xta_moments_free(m);
    xta_scene_close(scene);
}

static void a_read_that_fails_changes_nothing(void **state)
{
    grown_scene g = {.type = XTA_F64, .n_samples = 70, .n_bands = 3};
    attempt good = {.g = &g};
    int n_failed = 0;

    (void)state;
    test_members_run(3, try_twice, &good);
    assert_int_equal(good.failed[0], XTA_OK);
    for (int fail_at = 1; fail_at < 12; fail_at++) {
        attempt a = {.g = &g, .fail_at = fail_at};
        test_members_run(3, try_twice, &a);
        n_failed += a.failed[0] == XTA_EIO;
        for (int r = 0; r < 3; r++) {
            assert_int_equal(a.failed[r], a.failed[0]);
            assert_int_equal(a.status[r], XTA_OK);
            assert_int_equal(a.covered[r], a.failed[r] == XTA_OK ? 100 : 40);
            assert_int_equal(a.bytes[r].n, good.bytes[0].n);
            assert_memory_equal(a.bytes[r].bytes, good.bytes[0].bytes, good.bytes[0].n);
            xta__blob_clear(&a.bytes[r]);
        }
    }
    assert_true(n_failed >= 2);
    for (int r = 0; r < 3; r++) {
        xta__blob_clear(&good.bytes[r]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_what_they_are_called),
        cmocka_unit_test(whole_scenes_grow_exactly),
        cmocka_unit_test(real_scenes_grow_exactly),
        cmocka_unit_test(too_few_pixels),
        cmocka_unit_test(another_scene_starts_again),
        cmocka_unit_test(kept_bytes),
        cmocka_unit_test(memory_limit),
        cmocka_unit_test(a_read_that_fails_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
