/* AMEE on random scenes: MEI against the definition; the same results for any growth, threads,
 * communicators and memory; Otsu's threshold and the chosen pixels.
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

#include <xta/amee.h>

#include <xta/scene_map.h>

#include "amee/amee.h"
#include "amee/saved_state.h"
#include "oracle/hyper_amee.h"
#include "property/hyper_cube.h"
#include "state/blob.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/real_scene.h"
#include "support/skip.h"
#include "support/thread_communicator.h"

static xta_error err;

static double *mei_of(xta_amee *amee, const hyper_cube *c)
{
    const int64_t lines[2] = {c->lo - c->zero, c->hi - c->zero};
    const int64_t samples[2] = {0, (int64_t)c->n_samples};
    double *mei = malloc(c->n_lines * c->n_samples * sizeof *mei);

    if (xta_amee_read(amee, lines, samples, mei, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    return mei;
}

/* MEI computed from the start, without a communicator, on one thread, with all memory. */
static double *from_scratch(hyper_cube *c, const xta_amee_options *options)
{
    xta_amee *amee = NULL;
    xta_scene *scene = hyper_cube_open(c, 1, 0, NULL, &err);

    assert_non_null(scene);
    assert_int_equal(xta_amee_new(options, &amee, &err), XTA_OK);
    if (xta_amee_update(amee, scene, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    double *mei = mei_of(amee, c);
    xta_amee_free(amee);
    xta_scene_close(scene);
    return mei;
}

static xta_amee_options random_options(test_random *r)
{
    xta_amee_options options = XTA_AMEE_OPTIONS_INIT;

    options.radius = (int)test_random_in(r, 1, test_random_chance(r, 30) ? 3 : 1);
    options.iterations = (int)test_random_in(r, 1, 5);
    options.radius_last = test_random_chance(r, 20) ? options.radius + 2 : 0;
    return options;
}

static void definition(void **state)
{
    uint64_t seed = test_seed("hyper_amee", 1);
    double worst = 0;
    (void)state;

    for (uint64_t part = 0; part < test_scale(60); part++) {
        test_random r = test_random_make(seed, part);
        bool whole = part % 2 == 0;
        hyper_cube c = hyper_cube_make(&r, (size_t)test_random_in(&r, 1, 30),
                                       (size_t)test_random_in(&r, 1, 30),
                                       (size_t)test_random_in(&r, 2, 40), whole);
        xta_amee_options options = random_options(&r);
        size_t n = c.n_lines * c.n_samples;
        oracle_cube cube = {c.n_lines, c.n_samples, c.n_bands, c.cells, c.valid};
        double *expected = malloc(n * sizeof *expected);
        oracle_amee(&cube, options.radius, options.iterations, options.radius_last, expected);
        double *mei = from_scratch(&c, &options);
        for (size_t k = 0; k < n; k++) {
            double d = fabs(mei[k] - expected[k]);
            bool same = isnan(expected[k]) ? isnan(mei[k]) : whole ? d == 0 : d < 1e-12;
            worst = fmax(worst, isnan(d) ? 0 : d);
            if (!same) {
                fail_msg("part %d, pixel %zu of %zu x %zu: %.17g, not %.17g", (int)part, k,
                         c.n_lines, c.n_samples, mei[k], expected[k]);
            }
        }
        free(expected);
        free(mei);
        hyper_cube_free(&c);
    }
    printf("largest difference on real numbers: %.2g\n", worst);
}

/* Grow in swaths of odd numbers of lines, at random ends, and compare with one run on the whole
 * scene. */
static void grow(test_random *r, uint64_t n_swaths, bool blobs)
{
    size_t n_lines = 60 + 2 * n_swaths;
    hyper_cube c =
        hyper_cube_make(r, n_lines, (size_t)test_random_in(r, 5, 40), 12, n_swaths % 2 == 0);
    xta_amee_options options = random_options(r);
    xta_amee *amee = NULL, *other = NULL;
    int64_t reach, start = test_random_in(r, 0, (int64_t)n_lines - 1);

    c.zero = start;
    c.lo = start;
    c.hi = start + 1;
    double *mei;
    xta_scene *scene = hyper_cube_open(&c, 1 + (int)(n_swaths % 2), 0, NULL, &err);
    assert_int_equal(xta_amee_new(&options, &amee, &err), XTA_OK);
    reach = xta_amee_inquire(amee).reach;
    for (uint64_t k = 0; k <= n_swaths; k++) {
        int64_t before = c.hi - c.lo, more = test_random_in(r, 1, 2 * (60 / (int64_t)n_swaths) + 1);
        bool front = c.lo > 0 && (test_random_chance(r, 50) || c.hi == (int64_t)n_lines);
        more = k == n_swaths ? (int64_t)n_lines : more;
        int ends = k == n_swaths ? (c.lo > 0) + (c.hi < (int64_t)n_lines) : 1;
        c.lo = front || k == n_swaths ? (c.lo > more ? c.lo - more : 0) : c.lo;
        c.hi = !front || k == n_swaths
                   ? (c.hi + more < (int64_t)n_lines ? c.hi + more : (int64_t)n_lines)
                   : c.hi;
        assert_int_equal(xta_scene_refresh(scene, NULL, &err), XTA_OK);
        if (blobs && k > 0) {
            blob b = {0};
            xta__amee_put(amee, &b);
            assert_false(b.failed);
            blob_reader reader = {.bytes = b.bytes, .n = b.n};
            assert_int_equal(xta_amee_new(&options, &other, &err), XTA_OK);
            assert_int_equal(xta__amee_get(other, &reader, &err), XTA_OK);
            xta__blob_clear(&b);
            xta_amee_free(amee);
            amee = other;
        }
        if (xta_amee_update(amee, scene, &err) != XTA_OK) {
            fail_msg("%s", err.text);
        }
        xta_amee_info info = xta_amee_inquire(amee);
        assert_true(info.line_lo == c.lo - c.zero && info.line_hi == c.hi - c.zero);
        assert_false(info.restarted);
        assert_true(k == 0 || info.n_lines_computed <= c.hi - c.lo - before + ends * reach);
    }
    mei = mei_of(amee, &c);
    double *expected = from_scratch(&c, &options);
    assert_memory_equal(mei, expected, n_lines * c.n_samples * sizeof *mei);
    free(mei);
    free(expected);
    xta_amee_free(amee);
    xta_scene_close(scene);
    hyper_cube_free(&c);
}

static void growth(void **state)
{
    static const uint64_t swaths[] = {1, 2, 7, 50};
    uint64_t seed = test_seed("hyper_amee growth", 2);
    (void)state;

    for (uint64_t part = 0; part < test_scale(24); part++) {
        test_random r = test_random_make(seed, part);
        grow(&r, swaths[part % 4], part % 3 == 0);
    }
}

/* ---- members, threads, memory ---- */

typedef struct member_job {
    hyper_cube *cube;
    xta_amee_options options;
    int n_threads;
    uint64_t memory;
    const char *path; /* NULL: in memory */
    xta_status status[TEST_MEMBERS_MAX];
    double *mei[TEST_MEMBERS_MAX];
    char text[512];
} member_job;

static void member(void *user, const xta_communicator *communicator)
{
    member_job *job = user;
    const hyper_cube *c = job->cube;
    int rank = xta_communicator_rank(communicator);
    xta_error error = {0};
    xta_amee *amee = NULL;
    xta_array *map = NULL;
    xta_amee_options options = job->options;
    xta_scene *scene =
        hyper_cube_open(job->cube, job->n_threads, job->memory, communicator, &error);
    xta_status status = scene != NULL ? XTA_OK : XTA_ENOMEM;
    const int64_t lines[2] = {c->lo - c->zero, c->hi - c->zero};
    const int64_t samples[2] = {0, (int64_t)c->n_samples};

    if (status == XTA_OK && job->path != NULL) {
        xta_scene_map_options o = XTA_SCENE_MAP_OPTIONS_INIT;
        o.path = job->path;
        o.type = XTA_F64;
        status = xta_scene_map_open(scene, &o, &map, &error);
        options.map = map;
    }
    if (status == XTA_OK) {
        status = xta_amee_new(&options, &amee, &error);
    }
    if (status == XTA_OK) {
        status = xta_amee_update(amee, scene, &error);
    }
    job->mei[rank] = calloc(c->n_lines * c->n_samples, sizeof(double));
    if (status == XTA_OK) {
        status = xta_amee_read(amee, lines, samples, job->mei[rank], &error);
    }
    if (rank == 0) {
        memcpy(job->text, error.text, sizeof job->text);
    }
    job->status[rank] = status;
    xta_amee_free(amee);
    if (map != NULL && xta_array_close(map, &error) != XTA_OK) {
        job->status[rank] = XTA_EIO;
    }
    xta_scene_close(scene);
}

/* The MEI of one member equals that of the full run, or all members report too little memory. */
static void check_member(const member_job *job, int k, const double *expected, uint64_t part)
{
    const hyper_cube *c = job->cube;
    size_t n = c->n_lines * c->n_samples;

    assert_int_equal(job->status[k], job->status[0]);
    if (job->status[k] != XTA_OK) {
        assert_int_equal(job->status[k], XTA_ENOMEM);
        assert_non_null(strstr(job->text, "memory"));
        return;
    }
    for (size_t at = 0; at < n; at++) {
        if (memcmp(job->mei[k] + at, expected + at, sizeof *expected) != 0) {
            fail_msg("part %d: member %d differs at pixel %zu of %zu x %zu: %g, not %g", (int)part,
                     k, at, c->n_lines, c->n_samples, job->mei[k][at], expected[at]);
        }
    }
}

static void parts(void **state)
{
    uint64_t seed = test_seed("hyper_amee parts", 3);
    test_folder folder;
    char path[TEST_PATH_BYTES];
    (void)state;

    test_folder_make_fast(&folder);
    for (uint64_t part = 0; part < test_scale(30); part++) {
        test_random r = test_random_make(seed, part);
        hyper_cube c = hyper_cube_make(&r, (size_t)test_random_in(&r, 1, 90),
                                       (size_t)test_random_in(&r, 1, 50), 20, part % 2 == 0);
        member_job job = {.cube = &c, .options = random_options(&r)};
        int n_members = (int)(part % 5);
        c.zero = test_random_in(&r, 0, (int64_t)c.n_lines);
        double *expected = from_scratch(&c, &job.options);
        job.n_threads = 1 + (int)(part % 2);
        /* Enough for tiles, and often too little for more than a few lines. */
        job.memory = (uint64_t)test_random_in(&r, 3000, 12000) * 1000;
        job.path = part % 3 == 0 ? test_folder_join(&folder, "mei", path) : NULL;
        test_members_run(n_members, member, &job);
        for (int k = 0; k < (n_members > 0 ? n_members : 1); k++) {
            check_member(&job, k, expected, part);
            free(job.mei[k]);
        }
        if (job.path != NULL) {
            test_pair_remove(job.path);
        }
        free(expected);
        hyper_cube_free(&c);
    }
    test_folder_remove(&folder);
}

/* ---- chosen pixels ---- */

static void otsu(void **state)
{
    uint64_t counts[256] = {0};
    (void)state;

    assert_true(xta_otsu_threshold(counts, 0) == 0);
    counts[255] = 7;
    assert_true(xta_otsu_threshold(counts, 2) == 2 * 255.0 / 256);
    /* Two clusters with nothing in between: all cuts between them are equal, and the lowest is
     * chosen. */
    counts[10] = 100;
    assert_true(xta_otsu_threshold(counts, 1) == 11.0 / 256);
    /* Otsu's threshold against its definition, on random counts. */
    for (uint64_t part = 0; part < 20; part++) {
        test_random r = test_random_make(5, part);
        double best = -1, n = 0, cut = 0;
        for (size_t k = 0; k < 256; k++) {
            counts[k] = (uint64_t)test_random_in(&r, 0, 50) * (k < 60 || k > 150);
            n += (double)counts[k];
        }
        for (size_t k = 0; k < 255; k++) {
            double w[2] = {0}, m[2] = {0};
            for (size_t b = 0; b < 256; b++) {
                w[b > k] += (double)counts[b] / n;
                m[b > k] += (double)counts[b] / n * (double)b;
            }
            double d = m[0] / w[0] - m[1] / w[1], variance = w[0] * w[1] * d * d;
            if (variance > best * (1 + 1e-12)) {
                best = variance;
                cut = (double)(k + 1);
            }
        }
        assert_true(xta_otsu_threshold(counts, 3) == 3 * cut / 256);
    }
}

static double angle(const double *a, const double *b, size_t n)
{
    double ab = 0, aa = 0, bb = 0;

    for (size_t k = 0; k < n; k++) {
        ab += a[k] * b[k];
        aa += a[k] * a[k];
        bb += b[k] * b[k];
    }
    return acos(ab / sqrt(aa * bb));
}

/* Candidates are the pixels at or above the threshold, or the best of them if fewer are
 * requested. */
static void candidates(void **state)
{
    test_random r = test_random_make(test_seed("hyper_amee candidates", 6), 0);
    hyper_cube c = hyper_cube_make(&r, 70, 33, 15, true);
    xta_amee_candidates all = {0}, few = {0};
    xta_amee_result result = {0};
    xta_amee *amee = NULL;
    size_t n = 0, at = 0;
    (void)state;

    c.hi = 60;
    xta_scene *scene = hyper_cube_open(&c, 2, 0, NULL, &err);
    assert_int_equal(xta_amee_new(NULL, &amee, &err), XTA_OK);
    assert_int_equal(xta_amee_candidates_get(amee, scene, 0, &all, &err), XTA_EARG);
    assert_int_equal(xta_amee_update(amee, scene, &err), XTA_OK);
    assert_int_equal(xta_amee_inquire(amee).iterations, 3);
    double *mei = mei_of(amee, &c);
    assert_int_equal(xta_amee_candidates_get(amee, scene, 0, &all, &err), XTA_OK);
    for (size_t k = 0; k < 60 * 33; k++) {
        n += mei[k] >= all.threshold;
    }
    assert_true(n > 10 && n == all.n && n == all.n_above);
    for (size_t k = 0; k < 60 * 33; k++) {
        if (mei[k] >= all.threshold) {
            assert_true(all.line[at] == (int64_t)(k / 33) && all.sample[at] == (int64_t)(k % 33));
            assert_true(all.mei[at] == mei[k]);
            assert_memory_equal(all.spectra + at * 15, c.cells + k * 15, 15 * sizeof(double));
            at++;
        }
    }
    assert_int_equal(xta_amee_candidates_get(amee, scene, 9, &few, &err), XTA_OK);
    assert_true(few.n == 9 && few.n_above == n);
    for (size_t k = 0; k < n; k++) {
        size_t better = 0;
        bool there = false;
        for (size_t m = 0; m < n; m++) {
            better += all.mei[m] > all.mei[k] || (all.mei[m] == all.mei[k] && m < k);
        }
        for (size_t m = 0; m < 9; m++) {
            there = there || (few.line[m] == all.line[k] && few.sample[m] == all.sample[k]);
        }
        assert_true(there == (better < 9));
    }
    assert_int_equal(xta_amee_select(amee, scene, n + 1, NULL, &result, &err), XTA_EARG);
    c.hi = 70;
    assert_int_equal(xta_scene_refresh(scene, NULL, &err), XTA_OK);
    assert_int_equal(xta_amee_select(amee, scene, 2, NULL, &result, &err), XTA_EARG);
    assert_null(result.endmembers);
    xta_amee_candidates_clear(&all);
    xta_amee_candidates_clear(&few);
    free(mei);
    xta_amee_free(amee);
    xta_scene_close(scene);
    hyper_cube_free(&c);
}

/* The mean angle between found endmembers and true ones in the best order, for three of each. */
static double mean_angle(const double *found, const double *truth, size_t n_bands)
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double best = INFINITY;

    for (int k = 0; k < 6; k++) {
        double sum = 0;
        for (size_t i = 0; i < 3; i++) {
            sum += angle(found + (size_t)order[k][i] * n_bands, truth + i * n_bands, n_bands);
        }
        best = fmin(best, sum / 3);
    }
    return best;
}

static void samson(void **state)
{
    test_real_scene real;
    xta_amee_select_options options = XTA_AMEE_SELECT_INIT;
    xta_amee_result result = {0};
    xta_amee *amee = NULL;
    (void)state;

    if (!test_samson(&real)) {
        return;
    }
    hyper_cube c = {.n_lines = 95, .n_samples = 95, .n_bands = 156, .cells = real.cells, .hi = 95};
    xta_scene *scene = hyper_cube_open(&c, 2, 0, NULL, &err);
    assert_int_equal(xta_amee_new(NULL, &amee, &err), XTA_OK);
    assert_int_equal(xta_amee_update(amee, scene, &err), XTA_OK);
    assert_int_equal(xta_amee_select(amee, scene, 3, NULL, &result, &err), XTA_OK);
    double of_pixels = mean_angle(result.endmembers, real.endmembers, 156);
    assert_true(result.region[0] == 1 && of_pixels <= 0.050);
    xta_amee_result_clear(&result);
    options.regions = true;
    assert_int_equal(xta_amee_select(amee, scene, 3, &options, &result, &err), XTA_OK);
    double of_means = mean_angle(result.endmembers, real.endmembers, 156);
    assert_true(result.region[0] > 1 && of_means < of_pixels);
    printf("Samson: mean angle %.4f, of region means %.4f\n", of_pixels, of_means);
    xta_amee_result_clear(&result);
    xta_amee_free(amee);
    xta_scene_close(scene);
    test_real_scene_free(&real);
}

/* Regions by hand: two patches of one material that touch at a corner, and one that does not. */
static void regions(void **state)
{
    static const char picture[] = "aa.b."
                                  "aa.b."
                                  "..a.."
                                  "....a"
                                  "0.n.a";
    double cells[25 * 2], means[4];
    int64_t line[2] = {1, 1}, sample[2] = {1, 3};
    size_t counts[2];
    hyper_cube c = {.n_lines = 5, .n_samples = 5, .n_bands = 2, .cells = cells, .hi = 5};
    xta_region_means_options options = XTA_REGION_MEANS_INIT;
    (void)state;

    for (size_t k = 0; k < 25; k++) {
        char p = picture[k];
        double bright = 1 + (double)k;
        cells[2 * k] = p == 'a' ? bright : p == 'b' ? 0 : p == 'n' ? -9999 : p == '0' ? 0 : bright;
        cells[2 * k + 1] = p == 'a' ? 0 : p == 'b' ? 2 : p == '0' ? 0 : bright;
    }
    xta_scene *scene = hyper_cube_open(&c, 2, 0, NULL, &err);
    assert_int_equal(xta_region_means(scene, 2, line, sample, NULL, means, counts, &err), XTA_OK);
    assert_true(counts[0] == 5 && counts[1] == 2 && means[3] == 2 && means[2] == 0);
    assert_true(means[0] == (1 + 2 + 6 + 7 + 13) / 5.0 && means[1] == 0);
    options.radius = 1;
    line[0] = 0;
    sample[0] = 0;
    assert_int_equal(xta_region_means(scene, 2, line, sample, &options, means, counts, &err),
                     XTA_OK);
    assert_true(counts[0] == 4 && means[0] == 4);
    line[0] = 4;
    assert_int_equal(xta_region_means(scene, 1, line, sample, NULL, means, NULL, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "zero"));
    sample[0] = 2;
    assert_int_equal(xta_region_means(scene, 1, line, sample, NULL, means, NULL, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "not valid"));
    sample[0] = 5;
    assert_int_equal(xta_region_means(scene, 1, line, sample, NULL, means, NULL, &err), XTA_EBOX);
    xta_scene_close(scene);
}

static void misuse(void **state)
{
    static const int64_t bounds[2] = {3, 3};
    xta_amee_options options = XTA_AMEE_OPTIONS_INIT;
    xta_amee *amee = NULL;
    xta_array *map = NULL;
    blob b = {0};
    (void)state;

    options.radius = 16;
    assert_int_equal(xta_amee_new(&options, &amee, &err), XTA_EARG);
    assert_null(amee);
    options.radius = 2;
    options.iterations = 65;
    assert_int_equal(xta_amee_new(&options, &amee, &err), XTA_EARG);
    options.iterations = 2;
    assert_int_equal(xta_array_new(XTA_I16, 2, bounds, NULL, &map, &err), XTA_OK);
    options.map = map;
    assert_int_equal(xta_amee_new(&options, &amee, &err), XTA_EARG);
    options.map = NULL;
    assert_int_equal(xta_amee_new(&options, &amee, &err), XTA_OK);
    assert_int_equal(xta_amee_inquire(amee).reach, 8);

    /* Stored bytes of something else, or cut bytes, leave the object as new. */
    xta__amee_put(amee, &b);
    b.bytes[24] ^= 1;
    blob_reader other = {.bytes = b.bytes, .n = b.n}, cut = {.bytes = b.bytes, .n = b.n - 1};
    assert_int_equal(xta__amee_get(amee, &other, &err), XTA_ESTATE);
    b.bytes[24] ^= 1;
    assert_int_equal(xta__amee_get(amee, &cut, &err), XTA_ESTATE);
    assert_int_equal(xta_amee_inquire(amee).line_hi, 0);
    xta__blob_clear(&b);
    xta_amee_free(amee);
    xta_amee_free(NULL);
    assert_int_equal(xta_array_close(map, &err), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definition), cmocka_unit_test(growth),     cmocka_unit_test(parts),
        cmocka_unit_test(otsu),       cmocka_unit_test(candidates), cmocka_unit_test(samson),
        cmocka_unit_test(regions),    cmocka_unit_test(misuse),
    };
    return test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
