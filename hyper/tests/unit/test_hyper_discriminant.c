/* Discriminants against Gaussian scores computed naively: means, covariances, elimination.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "classification/discriminant.h"
#include "support/random.h"

enum { MOST = 6, ROWS = 64 };

static uint64_t seed;

static double normal(test_random *random)
{
    double sum = 0;
    for (int k = 0; k < 12; k++) {
        sum += (double)test_random_in(random, 0, 1000000) / 1e6;
    }
    return sum - 6;
}

/* ln |S| and x' S^-1 x by elimination without pivots, which a positive definite matrix allows. */
static long double solve(size_t d, const long double *s, const long double *x, long double *log_det)
{
    long double a[MOST][MOST + 1], square = 0, solution[MOST];
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++) {
            a[i][j] = s[i * d + j];
        }
        a[i][d] = x[i];
    }
    *log_det = 0;
    for (size_t k = 0; k < d; k++) {
        *log_det += logl(a[k][k]);
        for (size_t i = k + 1; i < d; i++) {
            long double by = a[i][k] / a[k][k];
            for (size_t j = k; j <= d; j++) {
                a[i][j] -= by * a[k][j];
            }
        }
    }
    for (size_t k = d; k-- > 0;) {
        solution[k] = a[k][d];
        for (size_t j = k + 1; j < d; j++) {
            solution[k] -= a[k][j] * solution[j];
        }
        solution[k] /= a[k][k];
        square += solution[k] * x[k];
    }
    return square;
}

/* Covariance of one class, or the pooled one, and the means. */
static void naive_moments(const training *t, size_t only, long double *mean, long double *s)
{
    size_t d = t->d;
    long double n[MOST] = {0}, used = 0;
    memset(mean, 0, t->n_classes * d * sizeof *mean);
    memset(s, 0, d * d * sizeof *s);
    for (size_t k = 0; k < t->n; k++) {
        n[t->class_of[k]] += 1;
        for (size_t j = 0; j < d; j++) {
            mean[t->class_of[k] * d + j] += t->features[k * d + j];
        }
    }
    for (size_t k = 0; k < t->n_classes * d; k++) {
        mean[k] /= n[k / d];
    }
    for (size_t k = 0; k < t->n; k++) {
        if (only != SIZE_MAX && t->class_of[k] != only) {
            continue;
        }
        used += 1;
        for (size_t i = 0; i < d * d; i++) {
            const long double *m = mean + t->class_of[k] * d;
            s[i] +=
                (t->features[k * d + i / d] - m[i / d]) * (t->features[k * d + i % d] - m[i % d]);
        }
    }
    long double freedom = used - (only == SIZE_MAX ? (long double)t->n_classes : 1);
    for (size_t i = 0; i < d * d; i++) {
        s[i] /= freedom;
    }
}

static size_t class_size(const training *t, size_t c)
{
    size_t n = 0;
    for (size_t k = 0; k < t->n; k++) {
        n += t->class_of[k] == c;
    }
    return n;
}

static long double naive_score(const training *t, xta_classifier_method method, bool equal,
                               size_t c, const double *f)
{
    long double mean[MOST * MOST], s[MOST * MOST], left[MOST], log_det;
    size_t n = class_size(t, c);
    bool own = method == XTA_GAUSSIAN_ML && n > t->d + 1;
    naive_moments(t, own ? c : SIZE_MAX, mean, s);
    for (size_t j = 0; j < t->d; j++) {
        left[j] = f[j] - mean[c * t->d + j];
    }
    long double square = solve(t->d, s, left, &log_det);
    long double prior = equal ? 0 : logl((long double)n / (long double)t->n);
    return prior - (method == XTA_LDA ? 0 : log_det / 2) - square / 2;
}

/* One random problem: labels are the naive ones, except where two scores are nearly equal. */
static void check_problem(test_random *random, xta_classifier_method method)
{
    size_t d = (size_t)test_random_in(random, 1, MOST), classes, n = 0;
    double features[400 * MOST], rows[ROWS * MOST], scratch[ROWS * 2 * MOST];
    size_t class_of[400], label[ROWS];
    bool equal = test_random_chance(random, 50);
    classes = (size_t)test_random_in(random, 2, 5);
    for (size_t c = 0; c < classes; c++) {
        size_t count = (size_t)test_random_in(random, c == 0 ? 40 : (int64_t)1, 60);
        double centre = (double)test_random_in(random, -30, 30) / 10;
        double spread = (double)test_random_in(random, 5, 20) / 10;
        for (size_t k = 0; k < count; k++, n++) {
            class_of[n] = c;
            for (size_t j = 0; j < d; j++) {
                features[n * d + j] = centre * (j % 2 == 0 ? 1 : -0.5) + spread * normal(random);
            }
        }
    }
    for (size_t k = 0; k < ROWS * d; k++) {
        rows[k] = 3 * normal(random);
    }
    training t = {n, d, classes, features, class_of};
    discriminant model;
    assert_int_equal(xta__discriminant_train(&t, method, equal, &model, NULL), XTA_OK);
    xta__discriminant_label(&model, ROWS, rows, scratch, label);
    for (size_t k = 0; k < ROWS; k++) {
        long double mine = naive_score(&t, method, equal, label[k], rows + k * d);
        for (size_t c = 0; c < classes; c++) {
            long double other = naive_score(&t, method, equal, c, rows + k * d);
            assert_true(other <= mine + 1e-5L * (1 + fabsl(mine)));
        }
    }
    xta__discriminant_clear(&model);
}

static void test_linear(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 100; round++) {
        test_random random = test_random_make(seed, round);
        check_problem(&random, XTA_LDA);
    }
}

static void test_quadratic(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 100; round++) {
        test_random random = test_random_make(seed, 1000 + round);
        check_problem(&random, XTA_GAUSSIAN_ML);
    }
}

/* A constant component, and training pixels that are all equal, still give a result. */
static void test_constant(void **state)
{
    (void)state;
    const double features[] = {1, 5, 2, 5, 8, 5, 9, 5}, same[] = {1, 1, 1, 1, 2, 2, 2, 2};
    const size_t class_of[] = {0, 0, 1, 1};
    double scratch[4 * 4];
    size_t label[4];
    for (int method = 0; method < 2; method++) {
        discriminant model;
        training t = {4, 2, 2, features, class_of}, alike = {4, 2, 2, same, class_of};
        assert_int_equal(
            xta__discriminant_train(&t, (xta_classifier_method)method, false, &model, NULL),
            XTA_OK);
        xta__discriminant_label(&model, 4, features, scratch, label);
        assert_memory_equal(label, class_of, sizeof class_of);
        xta__discriminant_clear(&model);
        assert_int_equal(
            xta__discriminant_train(&alike, (xta_classifier_method)method, false, &model, NULL),
            XTA_OK);
        xta__discriminant_label(&model, 4, same, scratch, label);
        assert_memory_equal(label, class_of, sizeof class_of);
        xta__discriminant_clear(&model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_quadratic),
        cmocka_unit_test(test_constant),
    };
    seed = test_seed("hyper_discriminant", 20261103);
    return cmocka_run_group_tests_name("hyper_discriminant", tests, NULL, NULL);
}
