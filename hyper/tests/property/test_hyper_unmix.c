/* Unmixing and labels of pixels in memory, against all subsets of endmembers.
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

#include <xta/unmix.h>

#include "oracle/hyper_unmix.h"
#include "support/random.h"
#include "support/real_scene.h"
#include "support/skip.h"

enum { MOST_BANDS = 40, MOST_P = 8 };

static xta_error err;

static double uniform(test_random *r)
{
    return (double)test_random_in(r, 0, 1 << 30) / (1 << 30);
}

/* The largest difference between the library's abundances and those of the naive method, relative
 * to the largest abundance if that is above 1. */
static double worst(xta_unmix_method method, size_t p, size_t n_bands, const double *e, size_t n,
                    const double *x)
{
    xta_unmix_options options = XTA_UNMIX_OPTIONS_INIT;
    xta_unmixer *unmixer = NULL;
    double *ours = malloc(n * p * sizeof *ours), theirs[ORACLE_UNMIX_MOST], largest = 0;
    bool sum = method == XTA_FCLS || method == XTA_SCLS;

    options.method = method;
    if (xta_unmixer_new(p, n_bands, e, &options, &unmixer, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(xta_unmix_pixels(unmixer, n, x, ours, NULL, &err), XTA_OK);
    for (size_t k = 0; k < n; k++) {
        const double *pixel = x + k * n_bands;
        bool good = method == XTA_FCLS || method == XTA_NNLS
                        ? oracle_unmix_not_negative(p, n_bands, e, pixel, sum, theirs)
                        : oracle_unmix_free(p, n_bands, e, pixel, sum, theirs);
        assert_true(good);
        double size = 1;
        for (size_t i = 0; i < p; i++) {
            size = fmax(size, fabs(theirs[i]));
        }
        for (size_t i = 0; i < p; i++) {
            largest = fmax(largest, fabs(ours[k * p + i] - theirs[i]) / size);
        }
    }
    free(ours);
    xta_unmixer_free(unmixer);
    return largest;
}

/* Endmembers of all kinds except dependent ones. */
static void make_endmembers(test_random *r, size_t p, size_t n_bands, double *e)
{
    int kind = (int)test_random_in(r, 0, 3);

    for (size_t k = 0; k < p * n_bands; k++) {
        double value = uniform(r);
        e[k] = kind == 0 ? value : kind == 1 ? floor(value * 8000) : value - 0.5;
    }
    /* Similar, like materials of one site: they differ by one percent. */
    for (size_t k = n_bands; kind == 3 && k < p * n_bands; k++) {
        e[k] = e[k % n_bands] + 0.01 * e[k];
    }
}

/* A pixel: inside the simplex, on its border, outside, zero, very bright, an endmember. */
static void make_pixel(test_random *r, size_t p, size_t n_bands, const double *e, double *x)
{
    int kind = (int)test_random_in(r, 0, 6);
    double share[MOST_P], sum = 0;

    for (size_t i = 0; i < p; i++) {
        share[i] = kind == 1 && test_random_chance(r, 50) ? 0 : uniform(r);
        share[i] = kind == 2 ? share[i] - 0.4 : share[i];
        sum += share[i];
    }
    for (size_t b = 0; b < n_bands; b++) {
        x[b] = 0;
        for (size_t i = 0; i < p; i++) {
            x[b] += kind < 2 && sum > 0 ? share[i] / sum * e[i * n_bands + b]
                                        : share[i] * e[i * n_bands + b];
        }
        x[b] += kind == 3 ? fabs(e[b]) * (uniform(r) - 0.5) : 0;
        x[b] = kind == 4 ? 0 : kind == 5 ? 1000 * x[b] : kind == 6 ? e[b] : x[b];
    }
}

static void random_scenes(void **state)
{
    static const xta_unmix_method methods[] = {XTA_FCLS, XTA_NNLS, XTA_SCLS, XTA_UCLS};
    enum { PIXELS = 40 };
    double e[MOST_P * MOST_BANDS], x[PIXELS * MOST_BANDS], most[4] = {0};
    uint64_t seed = test_seed("hyper_unmix", 1);
    (void)state;

    for (uint64_t part = 0; part < test_scale(150); part++) {
        test_random r = test_random_make(seed, part);
        size_t p = (size_t)test_random_in(&r, 1, MOST_P);
        /* Nearly square systems of random numbers can be arbitrarily ill-conditioned. */
        size_t n_bands = (size_t)test_random_in(&r, 2 * (int64_t)p, MOST_BANDS);
        make_endmembers(&r, p, n_bands, e);
        for (size_t k = 0; k < PIXELS; k++) {
            make_pixel(&r, p, n_bands, e, x + k * n_bands);
        }
        for (int m = 0; m < 4; m++) {
            double d = worst(methods[m], p, n_bands, e, PIXELS, x);
            most[m] = fmax(most[m], d);
            if (!(d < 1e-10)) {
                fail_msg("part %d: %s with %zu endmembers in %zu bands is off by %g", (int)part,
                         xta_unmix_method_name(methods[m]), p, n_bands, d);
            }
        }
    }
    printf("largest difference: fcls %.2g, nnls %.2g, scls %.2g, ucls %.2g\n", most[0], most[1],
           most[2], most[3]);
}

/* As many endmembers as a simplex can have, one of them zero: only the constraint that the sum is
 * one makes the solution unique. */
static void full_simplex(void **state)
{
    enum { BANDS = 5, P = BANDS + 1, PIXELS = 60 };
    double e[P * BANDS], x[PIXELS * BANDS];
    test_random r = test_random_make(test_seed("hyper_unmix simplex", 2), 0);
    (void)state;

    for (size_t k = 0; k < sizeof e / sizeof *e; k++) {
        e[k] = k < BANDS ? 0 : uniform(&r);
    }
    for (size_t k = 0; k < PIXELS; k++) {
        make_pixel(&r, P, BANDS, e, x + k * BANDS);
    }
    assert_true(worst(XTA_FCLS, P, BANDS, e, PIXELS, x) < 1e-10);
    assert_true(worst(XTA_SCLS, P, BANDS, e, PIXELS, x) < 1e-10);
}

/* p pixels spread over a scene, as endmembers that are not corners: most pixels lie outside. */
static void check_real(const test_real_scene *scene, size_t p, size_t step)
{
    size_t n_pixels = scene->n_lines * scene->n_samples, n_bands = scene->n_bands, n = 0;
    double *e = malloc(p * n_bands * sizeof *e);
    double *x = malloc(n_pixels / step * n_bands * sizeof *x + 1);

    for (size_t i = 0; i < p; i++) {
        memcpy(e + i * n_bands, scene->cells + (i * n_pixels / p + 17) * n_bands,
               n_bands * sizeof *e);
    }
    for (size_t k = 0; k + step <= n_pixels; k += step) {
        memcpy(x + n++ * n_bands, scene->cells + k * n_bands, n_bands * sizeof *x);
    }
    for (int m = 0; m < 4; m++) {
        double d = worst((xta_unmix_method)m, p, n_bands, e, n, x);
        printf("%zu pixels, %zu endmembers, %s: %.2g\n", n, p,
               xta_unmix_method_name((xta_unmix_method)m), d);
        assert_true(d < 1e-10);
    }
    free(e);
    free(x);
}

static void real_scenes(void **state)
{
    test_real_scene scene;
    (void)state;

    if (test_samson(&scene)) {
        check_real(&scene, 3, 5);
        check_real(&scene, 6, 23);
        test_real_scene_free(&scene);
    }
    if (test_salinas_a(&scene)) {
        check_real(&scene, 6, 23);
        check_real(&scene, 8, 41);
        test_real_scene_free(&scene);
    }
}

/* Too many endmembers for all subsets: the Kuhn-Tucker conditions show whether it is the minimum.
 * With g_i = e_i . (x - sum a_j e_j), less their common value if the sum must be one: g_i = 0 where
 * a_i > 0, else g_i <= 0. */
static void check_conditions(size_t p, size_t n_bands, const double *e, const double *x,
                             const double *a, bool sum_is_one)
{
    double g[XTA_UNMIX_MAX], common = 0, total = 0, size = 0;
    double *rest = malloc(n_bands * sizeof *rest);

    for (size_t b = 0; b < n_bands; b++) {
        rest[b] = x[b];
        for (size_t i = 0; i < p; i++) {
            rest[b] -= a[i] * e[i * n_bands + b];
        }
    }
    for (size_t i = 0; i < p; i++) {
        g[i] = 0;
        for (size_t b = 0; b < n_bands; b++) {
            g[i] += e[i * n_bands + b] * rest[b];
            size += fabs(e[i * n_bands + b] * x[b]) / (double)p;
        }
        total += a[i];
        common += sum_is_one ? a[i] * g[i] : 0;
    }
    for (size_t i = 0; i < p; i++) {
        assert_true(a[i] >= 0 && g[i] - common < 1e-11 * (size + 1));
        assert_true(a[i] < 1e-9 || g[i] - common > -1e-11 * (size + 1));
    }
    assert_true(!sum_is_one || fabs(total - 1) < 1e-12);
    free(rest);
}

static void many_endmembers(void **state)
{
    static const size_t counts[] = {17, 64, 65, 130, XTA_UNMIX_MAX};
    enum { PIXELS = 25 };
    (void)state;

    for (size_t c = 0; c < 5; c++) {
        test_random r = test_random_make(test_seed("hyper_unmix many", 4), c);
        size_t p = counts[c], n_bands = p + 30;
        double *e = malloc(p * n_bands * sizeof *e), *x = calloc(PIXELS * n_bands, sizeof *x);
        double *a = malloc(PIXELS * p * sizeof *a);
        for (size_t k = 0; k < p * n_bands; k++) {
            e[k] = uniform(&r);
        }
        for (size_t k = 0; k < PIXELS * n_bands; k++) {
            size_t pixel = k / n_bands, b = k % n_bands;
            for (size_t i = 0; i < pixel + 1; i++) {
                x[k] += e[(i * 7 + pixel) % p * n_bands + b] / (double)(pixel + 1);
            }
            x[k] += pixel % 2 == 0 ? 0.2 * uniform(&r) : 0;
        }
        for (int m = XTA_FCLS; m <= XTA_NNLS; m++) {
            xta_unmix_options options = XTA_UNMIX_OPTIONS_INIT;
            xta_unmixer *unmixer = NULL;
            options.method = (xta_unmix_method)m;
            assert_int_equal(xta_unmixer_new(p, n_bands, e, &options, &unmixer, &err), XTA_OK);
            assert_int_equal(xta_unmix_pixels(unmixer, PIXELS, x, a, NULL, &err), XTA_OK);
            for (size_t k = 0; k < PIXELS; k++) {
                check_conditions(p, n_bands, e, x + k * n_bands, a + k * p, m == XTA_FCLS);
            }
            xta_unmixer_free(unmixer);
        }
        free(e);
        free(x);
        free(a);
    }
}

/* The value of the residual, and independence of brightness where it is promised. */
static void residual_and_brightness(void **state)
{
    enum { BANDS = 12, P = 4, PIXELS = 1500 };
    double e[P * BANDS], *x = malloc(PIXELS * BANDS * sizeof *x), a[PIXELS * P], b[PIXELS * P],
                         residual[PIXELS];
    test_random r = test_random_make(test_seed("hyper_unmix residual", 3), 0);
    xta_unmix_options options = XTA_UNMIX_OPTIONS_INIT;
    xta_unmixer *unmixer = NULL;
    (void)state;

    for (size_t k = 0; k < P * BANDS; k++) {
        e[k] = uniform(&r);
    }
    for (size_t k = 0; k < PIXELS * BANDS; k++) {
        x[k] = uniform(&r);
    }
    assert_int_equal(xta_unmixer_new(P, BANDS, e, NULL, &unmixer, &err), XTA_OK);
    assert_int_equal(xta_unmixer_count(unmixer), P);
    assert_int_equal(xta_unmix_pixels(unmixer, PIXELS, x, a, residual, &err), XTA_OK);
    for (size_t k = 0; k < PIXELS; k++) {
        double squares = 0, sum = 0;
        for (size_t c = 0; c < BANDS; c++) {
            double d = x[k * BANDS + c];
            for (size_t i = 0; i < P; i++) {
                d -= a[k * P + i] * e[i * BANDS + c];
            }
            squares += d * d;
        }
        for (size_t i = 0; i < P; i++) {
            assert_true(a[k * P + i] >= 0);
            sum += a[k * P + i];
        }
        assert_true(fabs(sum - 1) < 1e-13);
        assert_true(fabs(residual[k] - sqrt(squares / BANDS)) < 1e-13);
    }
    xta_unmixer_free(unmixer);

    options.normalise = true;
    assert_int_equal(xta_unmixer_new(P, BANDS, e, &options, &unmixer, &err), XTA_OK);
    assert_int_equal(xta_unmix_pixels(unmixer, PIXELS, x, a, NULL, &err), XTA_OK);
    for (size_t k = 0; k < PIXELS * BANDS; k++) {
        x[k] *= 64 + (double)(k / BANDS);
    }
    assert_int_equal(xta_unmix_pixels(unmixer, PIXELS, x, b, NULL, &err), XTA_OK);
    for (size_t k = 0; k < PIXELS * P; k++) {
        assert_true(fabs(a[k] - b[k]) < 1e-12);
    }
    xta_unmixer_free(unmixer);
    free(x);
}

/* Pixels without abundances, and with one endmember only. */
static void odd_pixels(void **state)
{
    static const double e[] = {1, 2, 3, 3, 2, 1};
    static const double x[] = {0, 0, 0, NAN, 1, 1, 1, INFINITY, 1, -1, -2, -3, 2, 4, 6};
    double a[10], residual[5];
    xta_unmix_options options = XTA_UNMIX_OPTIONS_INIT;
    xta_unmixer *unmixer = NULL;
    (void)state;

    options.normalise = true;
    assert_int_equal(xta_unmixer_new(2, 3, e, &options, &unmixer, &err), XTA_OK);
    assert_int_equal(xta_unmix_pixels(unmixer, 5, x, a, residual, &err), XTA_OK);
    for (size_t k = 0; k < 6; k++) {
        assert_true(isnan(a[k]));
    }
    assert_true(isnan(residual[0]) && isnan(residual[1]) && isnan(residual[2]));
    assert_true(a[8] == 1 && a[9] == 0);
    xta_unmixer_free(unmixer);

    options = (xta_unmix_options)XTA_UNMIX_OPTIONS_INIT;
    options.method = XTA_NNLS;
    assert_int_equal(xta_unmixer_new(2, 3, e, &options, &unmixer, &err), XTA_OK);
    assert_int_equal(xta_unmix_pixels(unmixer, 5, x, a, NULL, &err), XTA_OK);
    assert_true(a[0] == 0 && a[1] == 0 && isnan(a[2]) && isnan(a[4]) && a[6] == 0 && a[7] == 0);
    assert_true(fabs(a[8] - 2) < 1e-14 && fabs(a[9]) < 1e-14);
    xta_unmixer_free(unmixer);

    assert_int_equal(xta_unmixer_new(1, 3, e, NULL, &unmixer, &err), XTA_OK);
    assert_int_equal(xta_unmix_pixels(unmixer, 5, x, a, residual, &err), XTA_OK);
    assert_true(a[0] == 1 && isnan(a[1]) && a[3] == 1 && a[4] == 1);
    assert_true(fabs(residual[4] - sqrt(14.0 / 3)) < 1e-15);
    xta_unmixer_free(unmixer);
}

static void refuse(size_t p, size_t n_bands, const double *e, xta_unmix_method method,
                   const char *word)
{
    static const char *const names[] = {"soil", "tree", "water", NULL};
    xta_unmix_options options = XTA_UNMIX_OPTIONS_INIT;
    xta_unmixer *unmixer = NULL;

    options.method = method;
    options.names = names;
    assert_int_equal(xta_unmixer_new(p, n_bands, e, &options, &unmixer, &err), XTA_EARG);
    assert_null(unmixer);
    if (strstr(err.text, word) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", err.text, word);
    }
}

static void refused(void **state)
{
    static const double twice[] = {1, 2, 3, 5, 2, 8, 1, 2, 3};
    static const double between[] = {1, 1, 1, 3, 5, 7, 2, 3, 4};
    static const double zero[] = {1, 1, 1, 0, 0, 0, 5, 1, 5};
    static const double odd[] = {1, 1, 1, 1, NAN, 2, 5, 1, 5};
    static const double many[] = {1, 2, 3, 4, 5, 7, 2, 9};
    xta_unmix_method method = XTA_UCLS;
    (void)state;

    for (int m = 0; m < 4; m++) {
        refuse(3, 3, twice, (xta_unmix_method)m, "endmembers 1 (soil) and 3 (water) are the same");
        refuse(3, 3, between, (xta_unmix_method)m, "is a mixture of the others");
        refuse(3, 3, odd, (xta_unmix_method)m, "2 (tree) is not finite");
        refuse(4, 2, many, (xta_unmix_method)m, "4 endmembers in 2 bands");
    }
    refuse(3, 3, zero, XTA_NNLS, "2 (tree) is zero");
    refuse(3, 3, zero, XTA_UCLS, "2 (tree) is zero");
    refuse(0, 3, zero, XTA_FCLS, "0 endmembers");
    refuse(3, 0, zero, XTA_FCLS, "0 bands");
    refuse(3, 3, zero, (xta_unmix_method)7, "number 7");
    assert_int_equal(xta_unmix_method_parse("nnls", &method, &err), XTA_OK);
    assert_int_equal(method, XTA_NNLS);
    assert_int_equal(xta_unmix_method_parse("lasso", &method, &err), XTA_EARG);
    assert_string_equal(xta_unmix_method_name((xta_unmix_method)9), "?");
}

static void labels(void **state)
{
    static const double e[] = {1, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0, 5};
    static const double x[] = {9, 1, 0, 1, 9, 0, 0, 0, 0, NAN, 1, 1, 1, 1, 1, 0, 0, 3, -1, 0, 0};
    static const uint16_t expected[] = {1, 2, 0, 0, 1, 4, 2};
    static const double share[] = {0.2, 0.5, 0.5, 0.1}, none[] = {0, -1, NAN};
    uint16_t label[7];
    double angle[7];
    (void)state;

    assert_int_equal(xta_label_pixels(4, 3, e, 7, x, label, angle, &err), XTA_OK);
    assert_memory_equal(label, expected, sizeof expected);
    assert_true(fabs(angle[0] - atan2(1, 9)) < 1e-15 && angle[5] == 0 && isnan(angle[2]));
    assert_true(fabs(angle[6] - acos(0)) < 1e-15 && isnan(angle[3]));
    assert_int_equal(xta_label_pixels(4, 3, e, 7, x, label, NULL, &err), XTA_OK);
    assert_int_equal(xta_label_pixels(2, 3, x + 3, 7, x, label, NULL, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "endmember 2 is zero"));
    assert_int_equal(xta_label_of_abundances(4, share), 2);
    assert_int_equal(xta_label_of_abundances(3, none), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_scenes), cmocka_unit_test(full_simplex),
        cmocka_unit_test(real_scenes),   cmocka_unit_test(residual_and_brightness),
        cmocka_unit_test(odd_pixels),    cmocka_unit_test(refused),
        cmocka_unit_test(labels),        cmocka_unit_test(many_endmembers),
    };
    return test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
