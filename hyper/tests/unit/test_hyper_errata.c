/* The cases of docs/ERRATA.md 4: the results of Algorithms 8 to 11 of [CXA] as printed, and the
 * right ones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

#include <xta/endmembers.h>
#include <xta/moments.h>
#include <xta/score.h>

/* A scene of one line in memory. */
static xta_status read_line(void *context, const int64_t lo[3], const int64_t hi[3], double *cells,
                            xta_error *err)
{
    const double *all = ((double **)context)[0];
    int64_t bands = (int64_t)((double **)context)[1][0];
    (void)err;
    for (int64_t s = lo[1]; s < hi[1]; s++) {
        for (int64_t b = lo[2]; b < hi[2]; b++) {
            *cells++ = all[s * bands + b];
        }
    }
    return XTA_OK;
}

static xta_scene *line_scene(double *context[2], int64_t n_pixels)
{
    xta_scene *scene = NULL;
    xta_scene_source source = {.struct_size = sizeof source,
                               .context = context,
                               .name = "a line",
                               .hi = {1, n_pixels, (int64_t)context[1][0]},
                               .type = XTA_I16,
                               .read = read_line};
    assert_int_equal(xta_scene_of_source(&source, NULL, &scene, NULL), XTA_OK);
    return scene;
}

static void test_pct(void **state)
{
    (void)state;
    double pixels[] = {0, 0, 10, 10}, n_bands[] = {1}, *context[2] = {pixels, n_bands};
    double within = 0, covariance = 0;
    for (int slab = 0; slab < 2; slab++) {
        double mean = (pixels[2 * slab] + pixels[2 * slab + 1]) / 2;
        within += pow(pixels[2 * slab] - mean, 2) + pow(pixels[2 * slab + 1] - mean, 2);
    }
    xta_scene *scene = line_scene(context, 4);
    xta_moments *moments = NULL;
    assert_int_equal(xta_moments_new(NULL, &moments, NULL), XTA_OK);
    assert_int_equal(xta_moments_update(moments, scene, NULL), XTA_OK);
    assert_int_equal(xta_moments_covariance(moments, &covariance, NULL), XTA_OK);
    assert_true(within == 0);
    assert_true(fabs(covariance - 100.0 / 3) < 1e-12);
    xta_moments_free(moments);
    xta_scene_close(scene);
}

static void test_ppi(void **state)
{
    (void)state;
    double pixels[] = {10, 10, 9, 0, 0, 9}, n_bands[] = {2}, *context[2] = {pixels, n_bands};
    const double skewer[] = {1, -1};
    size_t farthest = 0, n = 0;
    double most = -1;
    for (size_t k = 0; k < 3; k++) {
        const double *x = pixels + 2 * k;
        double along = (x[0] - x[1]) / sqrt(2),
               off = sqrt(x[0] * x[0] + x[1] * x[1] - along * along);
        if (off > most) {
            most = off;
            farthest = k;
        }
    }
    assert_int_equal(farthest, 0);

    xta_scene *scene = line_scene(context, 3);
    xta_ppi *ppi = NULL;
    xta_ppi_options o = XTA_PPI_OPTIONS_INIT;
    const xta_ppi_pixel *found = NULL;
    o.n_skewers = 1;
    o.skewers = skewer;
    o.n_dims = 2;
    assert_int_equal(xta_ppi_new(&o, &ppi, NULL), XTA_OK);
    assert_int_equal(xta_ppi_update(ppi, scene, NULL), XTA_OK);
    xta_ppi_pixels(ppi, &found, &n);
    assert_int_equal(n, 2);
    assert_int_equal(found[0].sample, 1);
    assert_int_equal(found[1].sample, 2);
    xta_ppi_free(ppi);
    xta_scene_close(scene);
}

static void test_nfindr(void **state)
{
    (void)state;
    double pixels[] = {0, 1, 9, 10}, n_bands[] = {1}, *context[2] = {pixels, n_bands};
    double slabs = fmax(pixels[1] - pixels[0], pixels[3] - pixels[2]);
    xta_scene *scene = line_scene(context, 4);
    xta_simplex *simplex = NULL;
    xta_endmembers e = {0};
    xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
    o.n = 2;
    assert_int_equal(xta_simplex_new(&o, &simplex, NULL), XTA_OK);
    assert_int_equal(xta_simplex_update(simplex, scene, NULL), XTA_OK);
    assert_int_equal(xta_simplex_result(simplex, &e, NULL), XTA_OK);
    assert_int_equal(e.n, 2);
    assert_true(slabs == 1);
    assert_true(fabs(fabs(e.spectra[0] - e.spectra[1]) - 10) < 1e-12);
    assert_true(fabs(e.log_volume - log(10)) < 1e-12);
    xta_endmembers_free(&e);
    xta_simplex_free(simplex);
    xta_scene_close(scene);
}

static void test_amee(void **state)
{
    (void)state;
    const double x[] = {1, 2}, y[] = {2, 1};
    double above = x[0] * y[0] + x[1] * y[1];
    double below = fabs(x[0]) * fabs(y[0]) + fabs(x[1]) * fabs(y[1]);
    assert_true(above / below == 1);
    assert_true(fabs(cos(xta_spectral_angle(x, y, 2)) - 0.8) < 1e-12);
}

/* The totals by which the tables divide, and the score that only counts. */
static void test_tables(void **state)
{
    (void)state;
    static const int64_t salinas[16] = {2009, 3726, 1976, 1394, 2678, 3959, 3579, 11271,
                                        6203, 3278, 1068, 1927, 916,  1070, 7268, 1807};
    const int64_t two[3] = {2, 2, 2};
    int64_t total = 0;
    for (int c = 0; c < 16; c++) {
        total += salinas[c];
    }
    assert_int_equal(total, 54129);
    assert_int_equal(total - 3726 + 726, 51129);
    assert_true(xta_class_size_score(3, two, two, 0) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pct),  cmocka_unit_test(test_ppi),    cmocka_unit_test(test_nfindr),
        cmocka_unit_test(test_amee), cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests_name("hyper_errata", tests, NULL, NULL);
}
