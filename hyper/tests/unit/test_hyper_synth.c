/* Synthetic scenes: their components can be read back, for any distribution of the lines.
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

#include <xta/synth.h>

#include "support/random.h"

enum { LINES = 11, SAMPLES = 7, BANDS = 5, MATERIALS = 4 };

static const double library[MATERIALS * BANDS] = {1, 2, 3, 4, 5, 5, 4, 3, 2, 1,
                                                  7, 0, 7, 0, 7, 2, 2, 9, 2, 2};
static uint64_t seed;

/* A map of classes 0 to 5, with an axis of length 1 before the others if `deep`. */
static xta_array *make_map(bool deep, int32_t *classes)
{
    xta_array *map = NULL;
    const int64_t bounds[3] = {1, LINES, SAMPLES};
    test_random random = test_random_make(seed, 9);
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    for (int k = 0; k < LINES * SAMPLES; k++) {
        classes[k] = (int32_t)test_random_in(&random, 0, 5);
    }
    assert_int_equal(
        xta_array_new(XTA_U8, deep ? 3 : 2, deep ? bounds : bounds + 1, &o, &map, NULL), XTA_OK);
    xta_box box = xta_array_bounds(map);
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.type = XTA_I32;
    assert_int_equal(xta_array_write(map, &box, &io, classes, NULL), XTA_OK);
    return map;
}

static int32_t repeated(const int32_t *classes, int64_t line, int64_t sample)
{
    int64_t l = ((line % LINES) + LINES) % LINES, s = ((sample % SAMPLES) + SAMPLES) % SAMPLES;
    return classes[l * SAMPLES + s];
}

static void test_map(void **state)
{
    (void)state;
    int32_t classes[LINES * SAMPLES], got[5 * 6];
    const int64_t lines[2] = {98, 103}, samples[2] = {-12, -6};
    xta_array *array = make_map(true, classes);
    xta_label_map map = {array, 100, -10};
    assert_int_equal(xta_label_map_read(&map, lines, samples, got, NULL), XTA_OK);
    for (int k = 0; k < 5 * 6; k++) {
        int64_t line = 98 + k / 6 - 100, sample = -12 + k % 6 + 10;
        bool inside = line >= 0 && line < LINES && sample >= 0 && sample < SAMPLES;
        assert_int_equal(got[k], inside ? classes[line * SAMPLES + sample] : 0);
    }
    const int64_t far[2] = {1000, 1005};
    assert_int_equal(xta_label_map_read(&map, far, samples, got, NULL), XTA_OK);
    assert_int_equal(got[0], 0);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

static void test_map_errors(void **state)
{
    (void)state;
    xta_array *array = NULL;
    xta_error err;
    int32_t got[4];
    const int64_t deep[3] = {2, 2, 2}, flat[2] = {2, 2}, two[2] = {0, 2};
    const int16_t wrong[4] = {1, -9, 0, 2};
    assert_int_equal(xta_array_new(XTA_I16, 3, deep, NULL, &array, NULL), XTA_OK);
    xta_label_map map = {array, 0, 0};
    assert_int_equal(xta_label_map_read(&map, two, two, got, &err), XTA_EARG);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
    assert_int_equal(xta_array_new(XTA_I16, 2, flat, NULL, &map.array, NULL), XTA_OK);
    xta_box box = xta_array_bounds(map.array);
    assert_int_equal(xta_array_write(map.array, &box, NULL, wrong, NULL), XTA_OK);
    assert_int_equal(xta_label_map_read(&map, two, two, got, &err), XTA_ERANGE);
    assert_non_null(strstr(err.text, "-9"));
    assert_int_equal(xta_array_close(map.array, NULL), XTA_OK);
}

/* Without variation the abundances are the shares of the materials in the window, counted here. */
static void check_shares(const int32_t *classes, int64_t line, int64_t sample, int radius,
                         const double *a)
{
    double share[MATERIALS] = {0}, n = 0;
    for (int64_t l = line - radius; l <= line + radius; l++) {
        for (int64_t s = sample - radius; s <= sample + radius; s++) {
            int32_t c = repeated(classes, l, s);
            if (c > 0) {
                share[(c - 1) % MATERIALS] += 1;
                n += 1;
            }
        }
    }
    for (int k = 0; k < MATERIALS; k++) {
        assert_true(fabs(a[k] - share[k] / n) < 1e-12);
    }
}

static void test_abundances(void **state)
{
    (void)state;
    int32_t classes[LINES * SAMPLES];
    xta_array *array = make_map(false, classes);
    xta_label_map map = {array, 0, 0};
    const int64_t lines[2] = {-5, 20}, samples[2] = {-9, 9};
    size_t n = 25 * 18;
    double *a = calloc(n * MATERIALS, sizeof *a), *x = calloc(n * BANDS, sizeof *x);
    assert_true(a != NULL && x != NULL);
    for (int radius = 0; radius < 3; radius++) {
        xta_synth_options o = XTA_SYNTH_OPTIONS_INIT;
        o.mixing_radius = radius;
        o.scale = 3;
        assert_int_equal(
            xta_synth_pixels(&map, MATERIALS, BANDS, library, &o, lines, samples, x, a, NULL),
            XTA_OK);
        for (size_t k = 0; k < n; k++) {
            int64_t line = lines[0] + (int64_t)k / 18, sample = samples[0] + (int64_t)k % 18;
            double sum = 0, cell = 0;
            for (int m = 0; m < MATERIALS; m++) {
                assert_true(a[k * MATERIALS + (size_t)m] >= 0);
                sum += a[k * MATERIALS + (size_t)m];
                cell += 3 * a[k * MATERIALS + (size_t)m] * library[m * BANDS + 2];
            }
            assert_true(fabs(sum - 1) < 1e-12);
            assert_true(fabs(x[k * BANDS + 2] - cell) < 1e-12);
            if (repeated(classes, line, sample) > 0) {
                check_shares(classes, line, sample, radius, a + k * MATERIALS);
            }
        }
    }
    free(a);
    free(x);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

/* Any cut of the lines and samples gives the same bits; other seeds do not. */
static void test_swaths(void **state)
{
    (void)state;
    int32_t classes[LINES * SAMPLES];
    xta_array *array = make_map(false, classes);
    xta_label_map map = {array, 0, 0};
    xta_synth_options o = XTA_SYNTH_OPTIONS_INIT;
    o.mixing_radius = 1;
    o.variation = 0.4;
    o.brightness = 0.2;
    o.noise_snr_db = 20;
    o.seed = 77;
    enum { H = 30, W = 12 };
    const int64_t lines[2] = {-10, 20}, samples[2] = {-3, 9};
    double *whole = calloc(H * W * BANDS, sizeof *whole);
    double *part = calloc(H * W * BANDS, sizeof *part);
    assert_true(whole != NULL && part != NULL);
    assert_int_equal(
        xta_synth_pixels(&map, MATERIALS, BANDS, library, &o, lines, samples, whole, NULL, NULL),
        XTA_OK);
    test_random random = test_random_make(seed, 1);
    for (int round = 0; round < 50; round++) {
        int64_t l[2], s[2];
        l[0] = test_random_in(&random, lines[0], lines[1] - 1);
        l[1] = test_random_in(&random, l[0] + 1, lines[1]);
        s[0] = test_random_in(&random, samples[0], samples[1] - 1);
        s[1] = test_random_in(&random, s[0] + 1, samples[1]);
        assert_int_equal(
            xta_synth_pixels(&map, MATERIALS, BANDS, library, &o, l, s, part, NULL, NULL), XTA_OK);
        size_t width = (size_t)(s[1] - s[0]) * BANDS;
        for (int64_t line = l[0]; line < l[1]; line++) {
            const double *want = whole + ((line - lines[0]) * W + s[0] - samples[0]) * BANDS;
            assert_memory_equal(part + (size_t)(line - l[0]) * width, want, width * sizeof *want);
        }
    }
    o.seed = 78;
    assert_int_equal(
        xta_synth_pixels(&map, MATERIALS, BANDS, library, &o, lines, samples, part, NULL, NULL),
        XTA_OK);
    assert_memory_not_equal(part, whole, H * W * BANDS * sizeof *part);
    free(whole);
    free(part);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

/* Noise has the requested strength: 20 dB is a tenth of the library's mean. */
static void test_noise(void **state)
{
    (void)state;
    const uint8_t one = 1;
    const int64_t single[2] = {1, 1}, lines[2] = {0, 100}, samples[2] = {0, 100};
    xta_array *array = NULL;
    assert_int_equal(xta_array_new(XTA_U8, 2, single, NULL, &array, NULL), XTA_OK);
    xta_box box = xta_array_bounds(array);
    assert_int_equal(xta_array_write(array, &box, NULL, &one, NULL), XTA_OK);
    xta_label_map map = {array, 0, 0};
    xta_synth_options o = XTA_SYNTH_OPTIONS_INIT;
    o.noise_snr_db = 20;
    double *x = calloc(10000 * BANDS, sizeof *x);
    assert_non_null(x);
    assert_int_equal(
        xta_synth_pixels(&map, MATERIALS, BANDS, library, &o, lines, samples, x, NULL, NULL),
        XTA_OK);
    double sum = 0, squares = 0;
    for (size_t k = 0; k < 10000; k++) {
        double left = x[k * BANDS] - library[0];
        sum += left;
        squares += left * left;
    }
    double sigma = 0.1 * (1 + 5 + 7 + 2) / 4;
    assert_true(fabs(sum / 10000) < 5 * sigma / 100);
    assert_true(fabs(sqrt(squares / 10000) / sigma - 1) < 0.04);
    free(x);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

static void test_scene(void **state)
{
    (void)state;
    int32_t classes[LINES * SAMPLES];
    xta_array *array = make_map(false, classes), *scene = NULL, *truth = NULL;
    xta_label_map map = {array, 0, 0};
    const int64_t bounds[3] = {LINES, SAMPLES, BANDS}, layers[3] = {MATERIALS, LINES, SAMPLES};
    const int64_t lines[2] = {0, LINES}, samples[2] = {0, SAMPLES}, most[2] = {3, LINES};
    xta_synth_options o = XTA_SYNTH_OPTIONS_INIT;
    double cells[LINES * SAMPLES * BANDS], a[LINES * SAMPLES * MATERIALS];
    uint8_t got[LINES * SAMPLES * BANDS];
    double layer[MATERIALS * LINES * SAMPLES];
    o.mixing_radius = 1;
    o.scale = 40; /* so that 7 and 9 are clamped to 255 */
    assert_int_equal(xta_array_new(XTA_U8, 3, bounds, NULL, &scene, NULL), XTA_OK);
    assert_int_equal(xta_array_new(XTA_F64, 3, layers, NULL, &truth, NULL), XTA_OK);
    assert_int_equal(
        xta_synth_pixels(&map, MATERIALS, BANDS, library, &o, lines, samples, cells, a, NULL),
        XTA_OK);
    assert_int_equal(xta_synth_scene(scene, truth, &map, MATERIALS, BANDS, library, &o, most, NULL),
                     XTA_OK);
    xta_box box = xta_array_bounds(scene), deep = xta_array_bounds(truth);
    assert_int_equal(xta_array_read(scene, &box, NULL, got, NULL), XTA_OK);
    assert_int_equal(xta_array_read(truth, &deep, NULL, layer, NULL), XTA_OK);
    for (size_t k = 0; k < LINES * SAMPLES * BANDS; k++) {
        double want = k < 3 * SAMPLES * BANDS ? 0 : fmin(rint(cells[k]), 255);
        assert_int_equal(got[k], (int)want);
    }
    for (size_t k = 3 * SAMPLES; k < LINES * SAMPLES; k++) {
        for (size_t m = 0; m < MATERIALS; m++) {
            assert_true(layer[m * LINES * SAMPLES + k] == a[k * MATERIALS + m]);
        }
    }
    xta_error err;
    assert_int_equal(xta_synth_scene(scene, truth, &map, 3, BANDS, library, &o, NULL, &err),
                     XTA_EARG);
    assert_int_equal(xta_synth_scene(scene, NULL, &map, 3, BANDS - 1, library, &o, NULL, &err),
                     XTA_EARG);
    assert_non_null(strstr(err.text, "axis 2"));
    assert_int_equal(xta_array_close(truth, NULL), XTA_OK);
    assert_int_equal(xta_array_close(scene, NULL), XTA_OK);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

static void test_errors(void **state)
{
    (void)state;
    int32_t classes[LINES * SAMPLES];
    xta_array *array = make_map(false, classes);
    xta_label_map map = {array, 0, 0};
    const int64_t lines[2] = {0, 1}, samples[2] = {0, 1};
    double x[BANDS], odd[BANDS] = {1, NAN, 1, 1, 1};
    xta_error err;
    xta_synth_options bad[4];
    for (int k = 0; k < 4; k++) {
        bad[k] = (xta_synth_options)XTA_SYNTH_OPTIONS_INIT;
    }
    bad[0].mixing_radius = 16;
    bad[1].variation = 1.5;
    bad[2].brightness = -1;
    bad[3].scale = INFINITY;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(
            xta_synth_pixels(&map, 1, BANDS, library, bad + k, lines, samples, x, NULL, &err),
            XTA_EARG);
    }
    assert_int_equal(xta_synth_pixels(&map, 0, BANDS, library, NULL, lines, samples, x, NULL, &err),
                     XTA_EARG);
    assert_int_equal(xta_synth_pixels(&map, 1, BANDS, odd, NULL, lines, samples, x, NULL, &err),
                     XTA_EARG);
    assert_non_null(strstr(err.text, "band 1"));
    // Counts that overflow, of pixels or with their windows.
    const int64_t ranges[][2][2] = {{{0, INT64_C(1) << 61}, {0, 8}},
                                    {{0, INT64_C(1) << 34}, {0, INT64_C(1) << 30}},
                                    {{0, INT64_C(1) << 62}, {0, 0}},
                                    {{INT64_MIN, 0}, {0, 1}},
                                    {{0, 1}, {INT64_MAX - 1, INT64_MAX}}};
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        assert_int_equal(xta_synth_pixels(&map, 1, BANDS, library, NULL, ranges[k][0], ranges[k][1],
                                          x, NULL, &err),
                         XTA_EOVERFLOW);
    }
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map),        cmocka_unit_test(test_map_errors),
        cmocka_unit_test(test_abundances), cmocka_unit_test(test_swaths),
        cmocka_unit_test(test_noise),      cmocka_unit_test(test_scene),
        cmocka_unit_test(test_errors),
    };
    seed = test_seed("hyper_synth", 20261102);
    return cmocka_run_group_tests_name("hyper_synth", tests, NULL, NULL);
}
