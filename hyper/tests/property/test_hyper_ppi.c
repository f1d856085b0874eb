/* The pixel purity index against the naive method.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "endmembers/ppi/integer_projection.h"
#include "numeric/philox.h"
#include "oracle/hyper_simplex.h"
#include "simplex_rig.h"

static xta_error err;
static const world_view plain = {.n_threads = 1};

static void ok(xta_status status)
{
    if (status != XTA_OK) {
        fail_msg("%s: %s", xta_status_name(status), err.text);
    }
}

static void counts_are_those_of_the_long_way(void **state)
{
    uint64_t seed = test_seed("test_hyper_ppi", 53), n = test_scale(200);

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        test_random r = test_random_make(seed, part);
        world w;
        world_make(&w, &r, (world_size){60, 50, 30});
        size_t n_pixels = world_pixels(&w), d = w.n_bands;
        size_t n_skewers = (size_t)test_random_in(&r, 1, test_random_chance(&r, 80) ? 40 : 600);
        double *skewers = calloc(n_skewers * d, sizeof *skewers);
        bool given = test_random_chance(&r, 50), real = test_random_chance(&r, 30);
        // Sums that fit in 32 bits, sums that do not, and skewers that do not fit in 16.
        int64_t most = (int64_t[]){3000, 32767, 100000}[part % 3];
        for (size_t k = 0; k < n_skewers; k++) {
            xta__skewer(part, k, NULL, d, skewers + k * d);
        }
        for (size_t k = 0; given && k < n_skewers * d; k++) {
            skewers[k] = (double)test_random_in(&r, -most, most) + (real ? 0.375 : 0);
        }
        xta_ppi_options o = XTA_PPI_OPTIONS_INIT;
        o.n_skewers = n_skewers;
        o.seed = part;
        o.skewers = given ? skewers : NULL;
        o.n_dims = d;
        o.threshold =
            test_random_chance(&r, 40) ? w.type == XTA_F64 || w.type == XTA_F32 ? 0.0511 : 3.37 : 0;
        uint64_t *counts = calloc(n_pixels, sizeof *counts);
        uint32_t *image = calloc(n_pixels, sizeof *image);
        unsigned char *valid = world_valid(&w);
        oracle_ppi(n_pixels, d, w.cells, valid, n_skewers, skewers, o.threshold, counts);
        xta_array *array = world_array(&w, w.lo, w.hi);
        xta_scene *scene = world_scene(&w, array, &plain);
        xta_ppi *ppi = NULL;
        ok(xta_ppi_new(&o, &ppi, &err));
        ok(xta_ppi_update(ppi, scene, &err));
        xta_ppi_image(ppi, (int64_t[]){w.lo, w.hi}, (int64_t[]){0, (int64_t)w.n_samples}, image);
        for (size_t k = 0; k < n_pixels; k++) {
            if (image[k] != counts[k]) {
                fail_msg("part %llu: pixel %zu has count %u, not %llu", (unsigned long long)part, k,
                         image[k], (unsigned long long)counts[k]);
            }
        }
        const xta_ppi_pixel *list;
        size_t n_list, before = 0;
        xta_ppi_pixels(ppi, &list, &n_list);
        for (size_t k = 0; k < n_list; k++) {
            assert_true(k == 0 || list[k].count <= list[k - 1].count);
            before += list[k].count;
        }
        size_t all = 0;
        for (size_t k = 0; k < n_pixels; k++) {
            all += counts[k];
        }
        assert_int_equal(before, all);
        xta_ppi_free(ppi);
        xta_scene_close(scene);
        ok(xta_array_close(array, &err));
        free(skewers);
        free(counts);
        free(image);
        free(valid);
        world_free(&w);
    }
}

/* All integer multiplication kernels that this processor supports. */
static void whole_projections_agree(void **state)
{
    enum { ROWS = 40, PAIRS = 51 };
    test_random r = test_random_make(test_seed("test_hyper_ppi", 54), 0);
    int16_t pixels[ROWS * PAIRS * 2], group[PAIRS * WHOLE_GROUP * 2];
    int32_t expected[ROWS * WHOLE_GROUP], found[ROWS * WHOLE_GROUP];

    (void)state;
    for (size_t k = 0; k < ROWS * PAIRS * 2; k++) {
        pixels[k] = (int16_t)test_random_in(&r, -10000, 10000);
    }
    for (size_t k = 0; k < PAIRS * WHOLE_GROUP * 2; k++) {
        group[k] = (int16_t)test_random_in(&r, -2048, 2048);
    }
    for (size_t k = 0; k < ROWS * WHOLE_GROUP; k++) {
        int64_t sum = 0;
        for (size_t b = 0; b < 2 * PAIRS; b++) {
            sum += pixels[k / WHOLE_GROUP * 2 * PAIRS + b] *
                   group[(b / 2 * WHOLE_GROUP + k % WHOLE_GROUP) * 2 + b % 2];
        }
        expected[k] = (int32_t)sum;
    }
    for (size_t which = 0; xta__whole_project(which) != NULL; which++) {
        int32_t high[WHOLE_GROUP], low[WHOLE_GROUP];
        for (size_t c = 0; c < WHOLE_GROUP; c++) {
            high[c] = INT32_MIN;
            low[c] = INT32_MAX;
        }
        memset(found, 0, sizeof found);
        xta__whole_project(which)(pixels, ROWS, PAIRS, group, found, WHOLE_GROUP, high, low);
        assert_memory_equal(found, expected, sizeof found);
        for (size_t k = 0; k < ROWS * WHOLE_GROUP; k++) {
            assert_true(expected[k] <= high[k % WHOLE_GROUP]);
            assert_true(expected[k] >= low[k % WHOLE_GROUP]);
        }
        assert_true(which < 8);
    }
}

/* Many similar pixels within a threshold, and little memory. */
static void threshold_beyond_memory(void **state)
{
    world w;
    xta_ppi_options po = XTA_PPI_OPTIONS_INIT;
    xta_ppi *ppi = NULL;
    const world_view view = {.n_threads = 1, .short_of_memory = true};

    (void)state;
    world_blank(&w, 0, 64, 64, 8, XTA_I16, 5);
    xta_array *array = world_array(&w, 0, 64);
    xta_scene *scene = world_scene(&w, array, &view);
    po.n_skewers = 200;
    po.threshold = 1;
    ok(xta_ppi_new(&po, &ppi, &err));
    assert_int_equal(xta_ppi_update(ppi, scene, &err), XTA_ENOMEM);
    assert_non_null(strstr(err.text, "threshold"));
    xta_ppi_free(ppi);
    xta_scene_close(scene);
    ok(xta_array_close(array, &err));
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_are_those_of_the_long_way),
                                       cmocka_unit_test(whole_projections_agree),
                                       cmocka_unit_test(threshold_beyond_memory)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
