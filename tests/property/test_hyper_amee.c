/* AMEE on random scenes: MEI against the definition; growth, threads, teams and memory without any
 * difference; Otsu's threshold and what is chosen.
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

#include "hyper/amee.h"
#include "oracle/hyper_amee.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/thread_team.h"

static xta_error err;

/* A scene that is a window on a cube in memory: lines [lo, hi) of it. */
typedef struct cube_scene {
    size_t n_lines, n_samples, n_bands;
    double *cells;
    unsigned char *valid;
    int64_t lo, hi, zero; /* line `zero` of the cube has coordinate 0 */
    bool whole;
} cube_scene;

static xta_status read_cells(void *context, const int64_t lo[3], const int64_t hi[3], double *cells,
                             xta_error *error)
{
    const cube_scene *c = context;
    (void)error;

    for (int64_t l = lo[0]; l < hi[0]; l++) {
        for (int64_t s = lo[1]; s < hi[1]; s++) {
            size_t at = ((size_t)(l + c->zero) * c->n_samples + (size_t)s) * c->n_bands;
            size_t n = (size_t)(hi[2] - lo[2]);
            memcpy(cells, c->cells + at + (size_t)lo[2], n * sizeof *cells);
            cells += n;
        }
    }
    return XTA_OK;
}

static xta_status new_bounds(void *context, int64_t lo[3], int64_t hi[3], xta_error *error)
{
    const cube_scene *c = context;
    (void)error;

    lo[0] = c->lo - c->zero;
    hi[0] = c->hi - c->zero;
    return XTA_OK;
}

static xta_scene *open_cube(cube_scene *c, int n_threads, uint64_t memory, const xta_team *team,
                            xta_error *error)
{
    static const double nodata = -9999;
    xta_scene_options options = XTA_SCENE_OPTIONS_INIT;
    xta_scene_source source = {.struct_size = sizeof source,
                               .context = c,
                               .name = "cube",
                               .lo = {c->lo - c->zero, 0, 0},
                               .hi = {c->hi - c->zero, (int64_t)c->n_samples, (int64_t)c->n_bands},
                               .type = c->whole ? XTA_I16 : XTA_F64,
                               .read = read_cells,
                               .refresh = new_bounds};
    xta_scene *scene = NULL;

    options.n_threads = n_threads;
    options.memory_bytes = memory;
    options.team = team;
    options.nodata = &nodata;
    options.n_nodata = 1;
    if (xta_scene_of_source(&source, &options, &scene, error) != XTA_OK) {
        fprintf(stderr, "%s\n", error->text);
        return NULL;
    }
    return scene;
}

/* Patches of a few materials, mixed at their borders, with noise, no-data, zeros and, in whole numbers,
 * repetitions: there sums of angles that ought to be equal are. */
static cube_scene make_cube(test_random *r, size_t n_lines, size_t n_samples, size_t n_bands,
                            bool whole)
{
    cube_scene c = {.n_lines = n_lines, .n_samples = n_samples, .n_bands = n_bands};
    size_t n = n_lines * n_samples;
    double material[5 * 64];

    c.whole = whole;
    c.hi = (int64_t)n_lines;
    c.cells = malloc(n * n_bands * sizeof(double));
    c.valid = malloc(n);
    for (size_t k = 0; k < 5 * n_bands; k++) {
        material[k] = (double)test_random_in(r, -20, 3000);
    }
    for (size_t k = 0; k < n; k++) {
        size_t a = (k / n_samples / 5 + k % n_samples / 7) % 5;
        size_t b = (size_t)test_random_in(r, 0, 4);
        double share = test_random_chance(r, 30) ? (double)test_random_in(r, 0, 100) / 100 : 0;
        int kind = (int)test_random_in(r, 0, 99);
        c.valid[k] = kind >= 4;
        for (size_t band = 0; band < n_bands; band++) {
            double v =
                (1 - share) * material[a * n_bands + band] + share * material[b * n_bands + band];
            v += kind < 60 || !whole ? (double)test_random_in(r, -30, 30) : 0;
            v = kind < 4 ? -9999 : kind < 7 ? 0 : v;
            c.cells[k * n_bands + band] = whole ? rint(v) : v / 3000;
        }
        if (!c.valid[k]) {
            c.cells[k * n_bands] = -9999;
        }
    }
    return c;
}

static void free_cube(cube_scene *c)
{
    free(c->cells);
    free(c->valid);
}

static double *mei_of(xta_amee *amee, const cube_scene *c)
{
    const int64_t lines[2] = {c->lo - c->zero, c->hi - c->zero};
    const int64_t samples[2] = {0, (int64_t)c->n_samples};
    double *mei = malloc(c->n_lines * c->n_samples * sizeof *mei);

    if (xta_amee_read(amee, lines, samples, mei, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    return mei;
}

/* From the start, alone, on one thread, with all memory. */
static double *from_scratch(cube_scene *c, const xta_amee_options *options)
{
    xta_amee *amee = NULL;
    xta_scene *scene = open_cube(c, 1, 0, NULL, &err);

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
        cube_scene c =
            make_cube(&r, (size_t)test_random_in(&r, 1, 30), (size_t)test_random_in(&r, 1, 30),
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
        free_cube(&c);
    }
    printf("largest difference on real numbers: %.2g\n", worst);
}

/* Grow in swaths of odd numbers of lines, at random ends, and compare with the whole at once. */
static void grow(test_random *r, uint64_t n_swaths, bool blobs)
{
    size_t n_lines = 60 + 2 * n_swaths;
    cube_scene c = make_cube(r, n_lines, (size_t)test_random_in(r, 5, 40), 12, n_swaths % 2 == 0);
    xta_amee_options options = random_options(r);
    xta_amee *amee = NULL, *other = NULL;
    int64_t reach, start = test_random_in(r, 0, (int64_t)n_lines - 1);

    c.zero = start;
    c.lo = start;
    c.hi = start + 1;
    double *mei;
    xta_scene *scene = open_cube(&c, 1 + (int)(n_swaths % 2), 0, NULL, &err);
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
    free_cube(&c);
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
    cube_scene *cube;
    xta_amee_options options;
    int n_threads;
    uint64_t memory;
    const char *path; /* NULL: in memory */
    xta_status status[TEST_TEAM_MOST];
    double *mei[TEST_TEAM_MOST];
    char text[512];
} member_job;

static void member(void *user, const xta_team *team)
{
    member_job *job = user;
    const cube_scene *c = job->cube;
    int rank = xta_team_rank(team);
    xta_error error = {0};
    xta_amee *amee = NULL;
    xta_array *map = NULL;
    xta_amee_options options = job->options;
    xta_scene *scene = open_cube(job->cube, job->n_threads, job->memory, team, &error);
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

static void parts(void **state)
{
    uint64_t seed = test_seed("hyper_amee parts", 3);
    test_folder folder;
    char path[TEST_PATH_BYTES];
    (void)state;

    test_folder_make_fast(&folder);
    for (uint64_t part = 0; part < test_scale(30); part++) {
        test_random r = test_random_make(seed, part);
        cube_scene c = make_cube(&r, (size_t)test_random_in(&r, 1, 90),
                                 (size_t)test_random_in(&r, 1, 50), 20, part % 2 == 0);
        member_job job = {.cube = &c, .options = random_options(&r)};
        size_t n_bytes = c.n_lines * c.n_samples * sizeof(double);
        int n_members = (int)(part % 5);
        c.zero = test_random_in(&r, 0, (int64_t)c.n_lines);
        double *expected = from_scratch(&c, &job.options);
        job.n_threads = 1 + (int)(part % 2);
        /* Enough for tiles, and often too little for more than a few lines. */
        job.memory = (uint64_t)test_random_in(&r, 3000, 12000) * 1000;
        job.path = part % 3 == 0 ? test_folder_join(&folder, "mei", path) : NULL;
        test_team_run(n_members, member, &job);
        for (int k = 0; k < (n_members > 0 ? n_members : 1); k++) {
            assert_int_equal(job.status[k], job.status[0]);
            if (job.status[k] != XTA_OK) {
                assert_int_equal(job.status[k], XTA_ENOMEM);
                assert_non_null(strstr(job.text, "memory"));
            } else if (memcmp(job.mei[k], expected, n_bytes) != 0) {
                size_t at = 0;
                while (memcmp(job.mei[k] + at, expected + at, sizeof *expected) == 0) {
                    at++;
                }
                fail_msg("part %d: member %d of %d differs at pixel %zu of %zu x %zu: %g, not %g",
                         (int)part, k, n_members, at, c.n_lines, c.n_samples, job.mei[k][at],
                         expected[at]);
            }
            free(job.mei[k]);
        }
        if (job.path != NULL) {
            test_pair_remove(job.path);
        }
        free(expected);
        free_cube(&c);
    }
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definition),
        cmocka_unit_test(growth),
        cmocka_unit_test(parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
