/* Bases and counts: their promises, in files, and projected into arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "numeric/philox.h"
#include "statistics/basis.h"
#include "statistics/moments.h"
#include "support/folder.h"
#include "support/grown_scene.h"
#include "support/thread_communicator.h"
#include "util/os.h"
#include "util/try.h"

static void ok(xta_status status, const xta_error *err)
{
    if (status != XTA_OK) {
        fail_msg("%s: %s", xta_status_name(status), err->text);
    }
}

/* A scene with its moments. */
typedef struct subject {
    xta_array *array;
    xta_scene *scene;
    xta_moments *moments;
    size_t n;
} subject;

static subject begin(const grown_scene *g, int64_t n_lines)
{
    xta_moments_options o = XTA_MOMENTS_OPTIONS_INIT;
    subject s = {.array = grown_make(g, NULL, n_lines)};
    xta_error err;

    o.noise = true;
    ok(xta_scene_open(s.array, NULL, &s.scene, &err), &err);
    ok(xta_moments_new(&o, &s.moments, &err), &err);
    ok(xta_moments_update(s.moments, s.scene, &err), &err);
    s.n = xta_moments_inquire(s.moments).n_bands;
    return s;
}

static void end(subject *s)
{
    xta_error err;

    xta_moments_free(s->moments);
    xta_scene_close(s->scene);
    ok(xta_array_close(s->array, &err), &err);
}

/* a^T M b */
static double form(const double *a, const double *matrix, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            sum += a[i] * matrix[i * n + j] * b[j];
        }
    }
    return sum;
}

/* v_i^T M v_j is `diagonal[i]` where i == j, else 0, measured against the largest. */
static void check_forms(const xta_basis_info *b, const double *matrix, const double *diagonal,
                        double tolerance)
{
    for (size_t i = 0; i < b->n_components; i++) {
        for (size_t j = 0; j < b->n_components; j++) {
            double found =
                form(b->vectors + i * b->n_bands, matrix, b->vectors + j * b->n_bands, b->n_bands);
            double want = i != j ? 0 : diagonal != NULL ? diagonal[i] : 1;
            double scale = diagonal != NULL ? fabs(diagonal[0]) : 1;
            assert_true(fabs(found - want) <= tolerance * scale);
        }
    }
}

static void check_signs(const xta_basis_info *b)
{
    for (size_t k = 0; k < b->n_components; k++) {
        const double *v = b->vectors + k * b->n_bands;
        size_t most = 0;
        for (size_t j = 1; j < b->n_bands; j++) {
            most = fabs(v[j]) > fabs(v[most]) ? j : most;
        }
        assert_true(v[most] > 0);
        assert_true(k == 0 || b->eigenvalues[k] <= b->eigenvalues[k - 1]);
    }
}

static void principal_components(void **state)
{
    grown_scene g = {.type = XTA_I16, .n_samples = 50, .n_bands = 9};
    subject s = begin(&g, 60);
    double *matrix = malloc(s.n * s.n * sizeof *matrix);
    xta_basis_options o = XTA_BASIS_OPTIONS_INIT;
    xta_basis *basis = NULL;
    xta_error err;

    (void)state;
    ok(xta_pct(s.moments, NULL, &basis, &err), &err);
    xta_basis_info b = xta_basis_inquire(basis);
    assert_int_equal(b.n_components, s.n);
    assert_string_equal(b.name, "pct");
    ok(xta_moments_covariance(s.moments, matrix, &err), &err);
    check_forms(&b, matrix, b.eigenvalues, 1e-12);
    check_signs(&b);
    // The constant band contributes to no component but the last, whose variance is 0.
    assert_true(fabs(b.eigenvalues[s.n - 1]) < 1e-6);
    assert_true(fabs(b.vectors[s.n * s.n - 1] - 1) < 1e-9);
    xta_basis_free(basis);

    o.uncentred = true;
    o.n_components = 3;
    o.name = "angles";
    ok(xta_pct(s.moments, &o, &basis, &err), &err);
    b = xta_basis_inquire(basis);
    assert_string_equal(b.name, "angles");
    assert_string_equal(b.kind, "pct-uncentred");
    assert_int_equal(b.n_components, 3);
    ok(xta_moments_correlation(s.moments, matrix, &err), &err);
    check_forms(&b, matrix, b.eigenvalues, 1e-12);
    check_signs(&b);
    assert_true(b.mean[0] == 0);
    xta_basis_free(basis);

    o.n_components = s.n + 1;
    assert_int_equal(xta_pct(s.moments, &o, &basis, &err), XTA_EARG);
    assert_null(basis);
    free(matrix);
    end(&s);
}

static void minimum_noise_fraction(void **state)
{
    grown_scene g = {.type = XTA_F64, .n_samples = 50, .n_bands = 8};
    subject s = begin(&g, 60);
    double *matrix = malloc(s.n * s.n * sizeof *matrix);
    xta_basis_options o = XTA_BASIS_OPTIONS_INIT;
    xta_basis *basis = NULL;
    xta_error err;

    (void)state;
    o.n_components = s.n - 1;
    ok(xta_mnf(s.moments, &o, &basis, &err), &err);
    xta_basis_info b = xta_basis_inquire(basis);
    assert_string_equal(b.kind, "mnf");
    check_signs(&b);
    ok(xta_moments_noise(s.moments, matrix, &err), &err);
    // The ridge is 1e-9 of the mean variance.
    check_forms(&b, matrix, NULL, 1e-7);
    ok(xta_moments_covariance(s.moments, matrix, &err), &err);
    check_forms(&b, matrix, b.eigenvalues, 1e-9);
    xta_basis_free(basis);
    free(matrix);

    xta_moments *without = NULL;
    ok(xta_moments_new(NULL, &without, &err), &err);
    ok(xta_moments_update(without, s.scene, &err), &err);
    assert_int_equal(xta_mnf(without, NULL, &basis, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "noise"));
    xta_moments_free(without);
    end(&s);
}

/* Pixels that are all equal have neither variance nor noise. */
static void one_spectrum_everywhere(void **state)
{
    const int64_t bounds[3] = {40, 40, 3};
    xta_moments_options mo = XTA_MOMENTS_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_scene *scene = NULL;
    xta_moments *m = NULL;
    xta_basis *basis = NULL;
    size_t n;
    xta_error err;

    (void)state;
    ok(xta_array_new(XTA_I16, 3, bounds, NULL, &array, &err), &err);
    mo.noise = true;
    ok(xta_scene_open(array, NULL, &scene, &err), &err);
    ok(xta_moments_new(&mo, &m, &err), &err);
    ok(xta_moments_update(m, scene, &err), &err);
    ok(xta_pct(m, NULL, &basis, &err), &err);
    assert_true(xta_basis_inquire(basis).eigenvalues[0] == 0);
    xta_basis_free(basis);
    assert_int_equal(xta_mnf(m, NULL, &basis, &err), XTA_EARG);
    assert_int_equal(xta_count_hysime(m, &n, &err), XTA_EARG);
    ok(xta_count_hfc(m, 1e-3, &n, &err), &err);
    assert_int_equal(n, 0);
    assert_int_equal(xta_count_hfc(m, 0, &n, &err), XTA_EARG);
    assert_int_equal(xta_count_hfc(m, 1, &n, &err), XTA_EARG);
    xta_moments_free(m);
    xta_scene_close(scene);
    ok(xta_array_close(array, &err), &err);
}

/* ---- counts ---- */

enum { MIXED_BANDS = 24 };

/* Four spectra mixed, with noise far below them. */
static double mixed_cell(uint64_t pixel, int64_t band)
{
    double share[4], sum = 0, value = 0;

    for (uint64_t k = 0; k < 4; k++) {
        share[k] = -log(1 - xta__uniform(1, k, pixel));
        sum += share[k];
    }
    for (int k = 0; k < 4; k++) {
        double spectrum = 1000 + 800 * sin(0.3 * (double)((k + 1) * band) + k);
        value += share[k] / sum * spectrum;
    }
    double noise = 0;
    for (uint64_t k = 0; k < 12; k++) {
        noise += xta__uniform(2, pixel, (uint64_t)band * 12 + k) - 0.5;
    }
    return value + noise;
}

static xta_status read_mixed(void *context, const int64_t lo[3], const int64_t hi[3], double *cells,
                             xta_error *err)
{
    (void)context;
    (void)err;
    for (int64_t line = lo[0]; line < hi[0]; line++) {
        for (int64_t sample = lo[1]; sample < hi[1]; sample++) {
            for (int64_t band = lo[2]; band < hi[2]; band++) {
                *cells++ = mixed_cell((uint64_t)(line * 64 + sample), band);
            }
        }
    }
    return XTA_OK;
}

static void four_materials_are_counted(void **state)
{
    xta_scene_source source = {.struct_size = sizeof source,
                               .hi = {64, 64, MIXED_BANDS},
                               .type = XTA_F64,
                               .read = read_mixed};
    xta_scene *scene = NULL;
    xta_moments *m = NULL;
    size_t n = 0;
    xta_error err;

    (void)state;
    ok(xta_scene_of_source(&source, NULL, &scene, &err), &err);
    ok(xta_moments_new(NULL, &m, &err), &err);
    ok(xta_moments_update(m, scene, &err), &err);
    ok(xta_count_hysime(m, &n, &err), &err);
    assert_int_equal(n, 4);
    ok(xta_count_hfc(m, 1e-3, &n, &err), &err);
    assert_true(n >= 1 && n <= 4);
    xta_moments_free(m);
    xta_scene_close(scene);
}

/* ---- files ---- */

static void files_keep_every_bit(void **state)
{
    grown_scene g = {.type = XTA_F32, .n_samples = 40, .n_bands = 6};
    subject s = begin(&g, 40);
    test_folder folder;
    char path[TEST_PATH_BYTES], cut[TEST_PATH_BYTES];
    xta_basis *basis = NULL, *back = NULL, *copy = NULL;
    xta_error err;

    (void)state;
    test_folder_make(&folder);
    test_folder_join(&folder, "a.basis", path);
    test_folder_join(&folder, "cut.basis", cut);
    ok(xta_mnf(s.moments, NULL, &basis, &err), &err);
    ok(xta_basis_write(basis, path, &err), &err);
    ok(xta_basis_read(path, &back, &err), &err);
    assert_int_equal(xta__basis_identity(back), xta__basis_identity(basis));
    xta_basis_info a = xta_basis_inquire(basis), b = xta_basis_inquire(back);
    assert_string_equal(a.name, b.name);
    assert_string_equal(a.kind, b.kind);
    assert_memory_equal(a.eigenvalues, b.eigenvalues, a.n_bands * sizeof(double));
    ok(xta__basis_copy(back, &copy, &err), &err);
    assert_int_equal(xta__basis_identity(copy), xta__basis_identity(basis));
    xta_basis_free(copy);
    xta_basis_free(back);

    size_t n;
    uint8_t *bytes = test_file_read(path, &n);
    for (size_t k = 0; k < n; k += k < 100 ? 1 : 37) {
        test_file_write(cut, bytes, k);
        xta_status status = xta_basis_read(cut, &back, &err);
        assert_true(status == XTA_ECORRUPT || status == XTA_EFORMAT);
        assert_null(back);
    }
    bytes[n / 2] ^= 4;
    test_file_write(cut, bytes, n);
    assert_int_equal(xta_basis_read(cut, &back, &err), XTA_ECORRUPT);
    free(bytes);
    assert_int_equal(xta_basis_read(test_folder_join(&folder, "nothing", cut), &back, &err),
                     XTA_ENOENT);
    test_folder_join(&folder, "nowhere/a.basis", cut);
    assert_int_not_equal(xta_basis_write(basis, cut, &err), XTA_OK);
    xta_basis_free(basis);
    test_folder_remove(&folder);
    end(&s);
}

static ssize_t write_nothing(int fd, const void *bytes, size_t n, off_t offset)
{
    (void)fd, (void)bytes, (void)n, (void)offset;
    return 0;
}

static void a_disk_that_takes_nothing_is_full(void **state)
{
    grown_scene g = {.type = XTA_F32, .n_samples = 40, .n_bands = 6};
    subject s = begin(&g, 40);
    xta__os_calls calls = *xta__os();
    test_folder folder;
    char path[TEST_PATH_BYTES], temporary[TEST_PATH_BYTES];
    xta_basis *basis = NULL, *back = NULL;
    xta_error err;

    (void)state;
    test_folder_make(&folder);
    test_folder_join(&folder, "a.basis", path);
    test_folder_join(&folder, "a.basis.new", temporary);
    ok(xta_mnf(s.moments, NULL, &basis, &err), &err);
    ok(xta_basis_write(basis, path, &err), &err);
    calls.write_at = write_nothing;
    xta__os_replace(&calls);
    alarm(60); // Instead of an endless loop.
    assert_int_equal(xta_basis_write(basis, path, &err), XTA_ENOSPC);
    alarm(0);
    xta__os_replace(NULL);
    assert_int_equal(err.os_errno, ENOSPC);
    assert_int_not_equal(access(temporary, F_OK), 0);
    ok(xta_basis_read(path, &back, &err), &err); // The old file is there.
    xta_basis_free(back);
    xta_basis_free(basis);
    test_folder_remove(&folder);
    end(&s);
}

/* ---- projection ---- */

typedef struct job {
    xta_array *in, *out;
    bool last;
    xta_status status[TEST_MEMBERS_MAX];
    xta_error err[TEST_MEMBERS_MAX];
} job;

static void project(void *user, const xta_communicator *communicator)
{
    job *j = user;
    int rank = xta_communicator_rank(communicator);
    xta_error *err = &j->err[rank];
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_basis_project_options po = XTA_BASIS_PROJECT_OPTIONS_INIT;
    xta_basis_options bo = XTA_BASIS_OPTIONS_INIT;
    xta_scene *scene = NULL;
    xta_moments *m = NULL;
    xta_basis *basis = NULL;
    xta_status status = XTA_OK;

    o.communicator = communicator;
    o.n_threads = 2;
    bo.n_components = 3;
    po.components_last = j->last;
    XTA_TRY(xta_scene_open(j->in, &o, &scene, err));
    XTA_TRY(xta_moments_new(NULL, &m, err));
    XTA_TRY(xta_moments_update(m, scene, err));
    XTA_TRY(xta_pct(m, &bo, &basis, err));
    XTA_TRY(xta_basis_project(basis, scene, &po, j->out, err));
done:
    j->status[rank] = status;
    xta_basis_free(basis);
    xta_moments_free(m);
    xta_scene_close(scene);
}

static double *all_of(xta_array *array, bool last)
{
    xta_box box = xta_array_bounds(array);
    int64_t lines = box.hi[last ? 0 : 1] - box.lo[last ? 0 : 1];
    int64_t samples = box.hi[last ? 1 : 2] - box.lo[last ? 1 : 2];
    const int64_t of_last[3] = {samples * 24, 24, 8}, of_first[3] = {8, samples * 24, 24};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    double *cells = malloc((size_t)(lines * samples) * 24);
    xta_error err;

    io.type = XTA_F64;
    io.strides = last ? of_last : of_first;
    ok(xta_array_read(array, &box, &io, cells, &err), &err);
    return cells;
}

/* Scores against the definition, and the same in both layouts and with every communicator. */
static void scenes_are_projected(void **state)
{
    grown_scene g = {.type = XTA_I16, .n_samples = 45, .n_bands = 7, .layout = 1, .holes = true};
    subject s = begin(&g, 80);
    const int64_t first[3] = {3, 80, 45}, last[3] = {80, 45, 3};
    xta_basis_options bo = XTA_BASIS_OPTIONS_INIT;
    xta_basis *basis = NULL;
    size_t n = 80 * 45, n_nan = 0;
    double *pixels = malloc(n * s.n * sizeof *pixels), *naive = malloc(n * 3 * sizeof *naive);
    double *before = NULL;
    unsigned char *valid = malloc(n);
    xta_error err;

    (void)state;
    bo.n_components = 3;
    ok(xta_pct(s.moments, &bo, &basis, &err), &err);
    xta_basis_info b = xta_basis_inquire(basis);
    ok(xta_scene_read(s.scene, (int64_t[]){0, 80}, (int64_t[]){0, 45}, pixels, valid, &err), &err);
    xta_basis_apply(basis, n, pixels, naive);
    for (int k = 0; k < 6; k++) {
        job j = {.in = s.array, .last = k % 2 == 1};
        ok(xta_array_new(XTA_F64, 3, j.last ? last : first, NULL, &j.out, &err), &err);
        test_members_run(k / 2, project, &j);
        ok(j.status[0], &j.err[0]);
        double *scores = all_of(j.out, j.last);
        for (size_t p = 0; p < n * 3; p++) {
            double sum = 0;
            for (size_t i = 0; i < s.n; i++) {
                sum += b.vectors[p % 3 * s.n + i] * (pixels[p / 3 * s.n + i] - b.mean[i]);
            }
            assert_true(valid[p / 3] ? fabs(scores[p] - sum) < 1e-8 : isnan(scores[p]));
            assert_true(!valid[p / 3] || fabs(naive[p] - sum) < 1e-8);
            n_nan += isnan(scores[p]);
        }
        assert_true(before == NULL || memcmp(scores, before, n * 3 * sizeof *scores) == 0);
        free(before);
        before = scores;
        ok(xta_array_close(j.out, &err), &err);
    }
    assert_true(n_nan > 0);
    free(before);
    free(pixels);
    free(naive);
    free(valid);
    xta_basis_free(basis);
    end(&s);
}

static void projections_that_do_not_fit(void **state)
{
    grown_scene g = {.type = XTA_I16, .n_samples = 20, .n_bands = 4};
    subject s = begin(&g, 40);
    const int64_t good[3] = {4, 40, 20}, short_one[3] = {4, 39, 20}, flat[2] = {40, 20};
    const int64_t use[2] = {0, 3}, lines[2] = {5, 41};
    xta_basis_project_options po = XTA_BASIS_PROJECT_OPTIONS_INIT;
    xta_scene_options so = XTA_SCENE_OPTIONS_INIT;
    xta_basis *basis = NULL;
    xta_scene *other = NULL;
    xta_array *out = NULL;
    xta_error err;

    (void)state;
    ok(xta_pct(s.moments, NULL, &basis, &err), &err);
    ok(xta_array_new(XTA_I16, 3, good, NULL, &out, &err), &err);
    assert_int_equal(xta_basis_project(basis, s.scene, NULL, out, &err), XTA_ETYPE);
    ok(xta_array_close(out, &err), &err);
    ok(xta_array_new(XTA_F32, 3, short_one, NULL, &out, &err), &err);
    assert_int_equal(xta_basis_project(basis, s.scene, NULL, out, &err), XTA_EARG);
    ok(xta_array_close(out, &err), &err);
    ok(xta_array_new(XTA_F32, 2, flat, NULL, &out, &err), &err);
    assert_int_equal(xta_basis_project(basis, s.scene, NULL, out, &err), XTA_EARG);
    ok(xta_array_close(out, &err), &err);
    ok(xta_array_new(XTA_F32, 3, good, NULL, &out, &err), &err);
    po.lines = lines;
    assert_int_equal(xta_basis_project(basis, s.scene, &po, out, &err), XTA_EARG);
    so.use = use;
    so.n_use = 2;
    ok(xta_scene_open(s.array, &so, &other, &err), &err);
    assert_int_equal(xta_basis_project(basis, other, NULL, out, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "4 bands"));
    xta_scene_close(other);
    ok(xta_basis_project(basis, s.scene, NULL, out, &err), &err);
    ok(xta_array_close(out, &err), &err);
    xta_basis_free(basis);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(principal_components),
        cmocka_unit_test(minimum_noise_fraction),
        cmocka_unit_test(one_spectrum_everywhere),
        cmocka_unit_test(four_materials_are_counted),
        cmocka_unit_test(files_keep_every_bit),
        cmocka_unit_test(a_disk_that_takes_nothing_is_full),
        cmocka_unit_test(scenes_are_projected),
        cmocka_unit_test(projections_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
