/* Scores against their definitions: every assignment tried, every count made one by one.
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

#include <xta/score.h>

#include "support/random.h"

enum { MOST = 7 };

static uint64_t seed;

/* The least cost of all assignments of columns to rows: row by row, each free column or, if there
 * are more rows than columns, none. */
static double least_cost(size_t row, size_t n_rows, size_t n_columns, const double *cost,
                         unsigned used, size_t spare)
{
    if (row == n_rows) {
        return 0;
    }
    double least =
        spare > 0 ? least_cost(row + 1, n_rows, n_columns, cost, used, spare - 1) : INFINITY;
    for (size_t c = 0; c < n_columns; c++) {
        if ((used >> c & 1) == 0) {
            double rest = least_cost(row + 1, n_rows, n_columns, cost, used | 1u << c, spare);
            least = fmin(least, cost[row * n_columns + c] + rest);
        }
    }
    return least;
}

static void check_assignment(size_t n_rows, size_t n_columns, const double *cost)
{
    int64_t column_of[MOST];
    double sum = 0;
    size_t n = 0;
    unsigned used = 0;
    assert_int_equal(xta_assign(n_rows, n_columns, cost, column_of, NULL), XTA_OK);
    for (size_t r = 0; r < n_rows; r++) {
        if (column_of[r] >= 0) {
            assert_true((size_t)column_of[r] < n_columns);
            assert_int_equal(used >> column_of[r] & 1, 0);
            used |= 1u << column_of[r];
            sum += cost[r * n_columns + (size_t)column_of[r]];
            n++;
        }
    }
    assert_int_equal(n, n_rows < n_columns ? n_rows : n_columns);
    size_t spare = n_rows > n_columns ? n_rows - n_columns : 0;
    double least = least_cost(0, n_rows, n_columns, cost, 0, spare);
    assert_true(fabs(sum - least) < 1e-9);
}

static void test_assignments(void **state)
{
    (void)state;
    test_random random = test_random_make(seed, 0);
    for (int round = 0; round < 600; round++) {
        double cost[MOST * MOST];
        size_t n_rows = (size_t)test_random_in(&random, 1, MOST - 1);
        size_t n_columns = (size_t)test_random_in(&random, 1, MOST - 1);
        int64_t span = round % 3 == 0 ? 3 : 1000;
        for (size_t k = 0; k < n_rows * n_columns; k++) {
            cost[k] = (double)test_random_in(&random, -span, span);
        }
        check_assignment(n_rows, n_columns, cost);
    }
}

static void test_assignment_errors(void **state)
{
    (void)state;
    xta_error err;
    int64_t column_of[2];
    const double cost[] = {1, 2, NAN, 4};
    assert_int_equal(xta_assign(2, 2, cost, column_of, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "row 1, column 0"));
    assert_int_equal(xta_assign(0, 2, cost, column_of, &err), XTA_EARG);
}

static void test_angles(void **state)
{
    (void)state;
    const double x[] = {1, 0, 0}, y[] = {0, 2, 0}, both[] = {3, 3, 0}, none[] = {0, 0, 0};
    const double minus[] = {-5, 0, 0}, bad[] = {NAN, 1, 1};
    assert_true(fabs(xta_spectral_angle(x, y, 3) - acos(0)) < 1e-15);
    assert_true(fabs(xta_spectral_angle(x, both, 3) - acos(0) / 2) < 1e-15);
    assert_true(fabs(xta_spectral_angle(x, minus, 3) - acos(-1)) < 1e-15);
    assert_true(xta_spectral_angle(both, both, 3) < 3e-8);
    assert_true(isnan(xta_spectral_angle(x, none, 3)));
    assert_true(isnan(xta_spectral_angle(x, bad, 3)));
}

/* References in another order, one endmember too many: the surplus one is not matched. */
static void test_endmembers(void **state)
{
    (void)state;
    const double endmembers[] = {0, 0, 9, 1, 0, 0, 5, 5, 5, 0, 3, 0.3};
    const double references[] = {2, 0, 0, 0, 1, 0, 0, 0, 1};
    xta_endmember_score score;
    xta_error err;
    assert_int_equal(xta_score_endmembers(4, endmembers, 3, references, 3, &score, NULL), XTA_OK);
    assert_int_equal(score.endmember_of[0], 1);
    assert_int_equal(score.endmember_of[1], 3);
    assert_int_equal(score.endmember_of[2], 0);
    assert_true(fabs(score.angle[1] - atan(0.1)) < 1e-12);
    assert_true(fabs(score.mean - atan(0.1) / 3) < 1e-12);
    assert_true(score.max == score.angle[1]);
    xta_endmember_score_clear(&score);

    const double none[] = {1, 1, 1, 0, 0, 0};
    assert_int_equal(xta_score_endmembers(2, none, 1, references, 3, &score, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "endmember 2"));
    assert_null(score.angle);
}

static void test_rms(void **state)
{
    (void)state;
    xta_rms rms = {0};
    const double a[] = {1, 2, NAN, 4}, b[] = {1, 4, 3, 0};
    assert_true(isnan(xta_rms_value(&rms)));
    xta_rms_add(&rms, a, b, 4);
    assert_int_equal(rms.n, 3);
    assert_true(fabs(xta_rms_value(&rms) - sqrt(20.0 / 3)) < 1e-15);
}

/* The naive version: the best of all renamings of labels, counted pixel by pixel. */
static uint64_t most_correct(const int32_t *truth, const int32_t *labels, size_t n,
                             int32_t class_number, int32_t n_classes, int32_t n_labels,
                             unsigned used)
{
    if (class_number > n_classes) {
        return 0;
    }
    uint64_t best = most_correct(truth, labels, n, class_number + 1, n_classes, n_labels, used);
    for (int32_t label = 1; label <= n_labels; label++) {
        uint64_t right = 0;
        if (used >> label & 1) {
            continue;
        }
        for (size_t k = 0; k < n; k++) {
            right += truth[k] == class_number && labels[k] == label;
        }
        right += most_correct(truth, labels, n, class_number + 1, n_classes, n_labels,
                              used | 1u << label);
        best = right > best ? right : best;
    }
    return best;
}

/* The figures of an accuracy, computed again from its matrix. */
static void check_figures(const xta_accuracy *a)
{
    size_t width = a->n_classes + 1;
    uint64_t n = 0, right = 0;
    double expected = 0, average = 0, off = 0, both = 0;
    for (size_t c = 0; c < a->n_classes; c++) {
        uint64_t row = 0, column = 0;
        for (size_t j = 0; j < width; j++) {
            row += a->counts[c * width + j];
        }
        for (size_t j = 0; j < a->n_classes; j++) {
            column += a->counts[j * width + c];
        }
        n += row;
        right += a->counts[c * width + c];
        expected += (double)row * (double)column;
        average += (double)a->counts[c * width + c] / (double)row;
        off += fabs((double)row - (double)column);
        both += fmin((double)row, (double)column);
    }
    expected /= (double)n * (double)n;
    assert_int_equal(a->n, n);
    assert_int_equal(a->correct, right);
    assert_true(fabs(a->overall - (double)right / (double)n) < 1e-12);
    assert_true(fabs(a->average - average / (double)a->n_classes) < 1e-12);
    if (expected < 1) {
        assert_true(fabs(a->kappa - (a->overall - expected) / (1 - expected)) < 1e-12);
    }
    assert_true(fabs(a->class_size - (1 - off / (double)n)) < 1e-12);
    assert_true(fabs(a->class_overlap - both / (double)n) < 1e-12);
}

static void test_confusions(void **state)
{
    (void)state;
    test_random random = test_random_make(seed, 1);
    for (int round = 0; round < 300; round++) {
        enum { PIXELS = 60 };
        int32_t truth[PIXELS], labels[PIXELS];
        uint64_t labelled = 0, same = 0;
        int32_t n_classes = (int32_t)test_random_in(&random, 1, 4);
        int32_t n_labels = (int32_t)test_random_in(&random, 0, 5);
        xta_confusion *c = NULL;
        xta_accuracy a;
        assert_int_equal(xta_confusion_new(&c, NULL), XTA_OK);
        for (size_t k = 0; k < PIXELS; k++) {
            truth[k] = (int32_t)test_random_in(&random, 0, n_classes);
            labels[k] = (int32_t)test_random_in(&random, 0, n_labels);
            labelled += truth[k] != 0;
            same += truth[k] != 0 && truth[k] == labels[k];
        }
        truth[0] = labelled == 0 ? 1 : truth[0];
        size_t half = (size_t)test_random_in(&random, 0, PIXELS);
        assert_int_equal(xta_confusion_add(c, truth, labels, half, NULL), XTA_OK);
        assert_int_equal(xta_confusion_add(c, truth + half, labels + half, PIXELS - half, NULL),
                         XTA_OK);
        assert_int_equal(xta_confusion_read(c, XTA_MATCH_ONE_TO_ONE, &a, NULL), XTA_OK);
        assert_int_equal(a.correct, most_correct(truth, labels, PIXELS, 1, n_classes, n_labels, 0));
        check_figures(&a);
        xta_accuracy_clear(&a);
        assert_int_equal(xta_confusion_read(c, XTA_MATCH_SAME, &a, NULL), XTA_OK);
        if (labelled > 0) {
            assert_int_equal(a.correct, same);
        }
        check_figures(&a);
        xta_accuracy_clear(&a);
        xta_confusion_free(c);
    }
}

static void test_confusion_errors(void **state)
{
    (void)state;
    xta_confusion *c = NULL;
    xta_accuracy a;
    xta_error err;
    const int32_t none[] = {0, 0}, some[] = {1, -3};
    assert_int_equal(xta_confusion_new(&c, NULL), XTA_OK);
    assert_int_equal(xta_confusion_read(c, XTA_MATCH_SAME, &a, &err), XTA_EARG);
    assert_int_equal(xta_confusion_add(c, none, some, 1, NULL), XTA_OK);
    assert_int_equal(xta_confusion_read(c, XTA_MATCH_SAME, &a, &err), XTA_EARG);
    assert_int_equal(xta_confusion_add(c, some, none, 2, &err), XTA_ERANGE);
    assert_non_null(strstr(err.text, "pixel 1"));
    xta_confusion_free(c);
}

/* Labels distributed at random in the right numbers: the class-size score is 1 and nothing is
 * right. */
static void test_class_size(void **state)
{
    (void)state;
    const int32_t truth[] = {1, 1, 2, 2, 3, 3}, turned[] = {2, 3, 1, 3, 1, 2};
    xta_confusion *c = NULL;
    xta_accuracy a;
    assert_int_equal(xta_confusion_new(&c, NULL), XTA_OK);
    assert_int_equal(xta_confusion_add(c, truth, turned, 6, NULL), XTA_OK);
    assert_int_equal(xta_confusion_read(c, XTA_MATCH_SAME, &a, NULL), XTA_OK);
    assert_true(a.class_size == 1 && a.overall == 0 && a.class_overlap == 1);
    xta_accuracy_clear(&a);
    xta_confusion_free(c);

    const int64_t found[] = {3, 1}, wanted[] = {2, 2};
    assert_true(fabs(xta_class_size_score(2, found, wanted, 0) - 0.5) < 1e-15);
    assert_true(fabs(xta_class_size_score(2, found, wanted, 8) - 0.75) < 1e-15);
    assert_true(isnan(xta_class_size_score(0, found, wanted, 0)));
    assert_non_null(strstr(xta_class_size_caveat(), "ignores where"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assignments),
        cmocka_unit_test(test_assignment_errors),
        cmocka_unit_test(test_angles),
        cmocka_unit_test(test_endmembers),
        cmocka_unit_test(test_rms),
        cmocka_unit_test(test_confusions),
        cmocka_unit_test(test_confusion_errors),
        cmocka_unit_test(test_class_size),
    };

    seed = test_seed("hyper_score", 20261101);
    return cmocka_run_group_tests_name("hyper_score", tests, NULL, NULL);
}
