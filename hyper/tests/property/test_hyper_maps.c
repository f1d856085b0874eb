/* Abundances, residuals and labels of scenes, in separate arrays: the same as of the pixels in
 * memory, and the same bytes however they were computed; and the arrays themselves.
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

#include <xta/attribute.h>
#include <xta/scene_map.h>
#include <xta/unmix.h>

#include "property/hyper_cube.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/thread_communicator.h"

enum { MOST_P = 5, BANDS = 17, N_MAPS = 5 };

static xta_error err;

/* The results for a scene: abundances, residual, labels by abundance, labels by angle, angles. */
typedef struct maps_job {
    hyper_cube *cube;
    const xta_unmixer *unmixer;
    size_t p;
    const double *endmembers;
    int n_threads;
    const char *folder;   /* NULL: in memory */
    size_t n_swaths;      /* 0: all at once */
    int64_t swath[64][2]; /* lines of the cube after each swath */
    xta_status status[TEST_MEMBERS_MAX];
    xta_array *map[N_MAPS]; /* of rank 0, to be closed */
    char text[512];
} maps_job;

static const xta_type types[N_MAPS] = {XTA_F64, XTA_F32, XTA_U8, XTA_U16, XTA_F64};

static xta_status open_maps(const maps_job *job, xta_scene *scene, xta_array **map,
                            xta_error *error)
{
    static const char *const names[] = {"soil", "tree", "water", "road", "roof"};
    xta_status status = XTA_OK;

    for (int k = 0; k < N_MAPS && status == XTA_OK; k++) {
        char path[TEST_PATH_BYTES + 16];
        xta_scene_map_options o = XTA_SCENE_MAP_OPTIONS_INIT;
        snprintf(path, sizeof path, "%s/map%d", job->folder != NULL ? job->folder : "", k);
        o.path = job->folder != NULL ? path : NULL;
        o.type = types[k];
        o.n_layers = k == 0 ? job->p : 0;
        o.layer_names = k == 0 ? names : NULL;
        status = xta_scene_map_open(scene, &o, &map[k], error);
    }
    return status;
}

static xta_status work_out(const maps_job *job, xta_scene *scene, const int64_t *lines,
                           xta_array **map, xta_error *error)
{
    xta_unmix_maps maps = XTA_UNMIX_MAPS_INIT;

    maps.abundances = map[0];
    maps.residual = map[1];
    maps.labels = map[2];
    xta_status status = xta_unmix_scene(scene, lines, job->unmixer, &maps, error);
    if (status != XTA_OK) {
        return status;
    }
    return xta_label_scene(scene, lines, job->p, job->endmembers, map[3], map[4], error);
}

/* New lines at either end, each by a separate call. */
static xta_status next_swath(const maps_job *job, xta_scene *scene, xta_array **map,
                             xta_error *error)
{
    xta_box old = xta_array_bounds(map[1]);
    xta_status status = xta_scene_refresh(scene, NULL, error);
    xta_scene_info info = xta_scene_inquire(scene);
    const int64_t front[2] = {info.line_lo, old.lo[0]}, back[2] = {old.hi[0], info.line_hi};

    for (int k = 0; k < N_MAPS && status == XTA_OK; k++) {
        status = xta_scene_map_grow(scene, map[k], error);
    }
    if (status == XTA_OK) {
        status = work_out(job, scene, front, map, error);
    }
    return status == XTA_OK ? work_out(job, scene, back, map, error) : status;
}

static void member(void *user, const xta_communicator *communicator)
{
    maps_job *job = user;
    int rank = xta_communicator_rank(communicator);
    xta_error error = {0};
    xta_array *map[N_MAPS] = {NULL};
    xta_scene *scene = hyper_cube_open(job->cube, job->n_threads, 0, communicator, &error);
    xta_status status = scene != NULL ? open_maps(job, scene, map, &error) : XTA_EARG;

    if (status == XTA_OK) {
        status = work_out(job, scene, NULL, map, &error);
    }
    /* Swaths are for one member only, since the cube is shared. */
    for (size_t k = 0; k < job->n_swaths && status == XTA_OK; k++) {
        job->cube->lo = job->swath[k][0];
        job->cube->hi = job->swath[k][1];
        status = next_swath(job, scene, map, &error);
    }
    xta_scene_close(scene);
    job->status[rank] = status;
    for (int k = 0; k < N_MAPS; k++) {
        if (rank == 0) {
            job->map[k] = map[k];
            memcpy(job->text, error.text, sizeof job->text);
        } else if (xta_array_close(map[k], &error) != XTA_OK) {
            job->status[rank] = XTA_EIO;
        }
    }
}

static unsigned char *cells_of(xta_array *map, size_t *n_bytes)
{
    xta_box box = xta_array_bounds(map);
    uint64_t n = 0;

    assert_int_equal(xta_box_cells(&box, &n), XTA_OK);
    *n_bytes = (size_t)n * xta_array_cell_bytes(map);
    unsigned char *cells = malloc(*n_bytes + 1);
    assert_int_equal(xta_array_read(map, &box, NULL, cells, &err), XTA_OK);
    return cells;
}

static void close_maps(maps_job *job)
{
    for (int k = 0; k < N_MAPS; k++) {
        assert_int_equal(xta_array_close(job->map[k], &err), XTA_OK);
        job->map[k] = NULL;
    }
}

/* In a folder, results of the others are visible after the arrays are opened again. */
static void open_again(maps_job *job)
{
    char path[TEST_PATH_BYTES + 16];

    for (int k = 0; job->folder != NULL && k < N_MAPS; k++) {
        snprintf(path, sizeof path, "%s/map%d", job->folder, k);
        assert_int_equal(xta_array_close(job->map[k], &err), XTA_OK);
        assert_int_equal(xta_array_open(path, NULL, &job->map[k], &err), XTA_OK);
    }
}

/* Run it, and compare with the results of a single member in one call. */
static void same(maps_job *job, int n_members, unsigned char *const expected[N_MAPS],
                 const char *how)
{
    test_members_run(n_members, member, job);
    for (int k = 0; k < (n_members > 0 ? n_members : 1); k++) {
        if (job->status[k] != XTA_OK) {
            fail_msg("%s, member %d: %s", how, k, job->text);
        }
    }
    open_again(job);
    for (int k = 0; k < N_MAPS; k++) {
        size_t n_bytes;
        unsigned char *cells = cells_of(job->map[k], &n_bytes);
        if (memcmp(cells, expected[k], n_bytes) != 0) {
            fail_msg("%s: map %d differs", how, k);
        }
        free(cells);
    }
    close_maps(job);
}

/* Pixel by pixel against the functions for pixels in memory. */
static void check_pixels(const maps_job *job, unsigned char *const cells[N_MAPS])
{
    const hyper_cube *c = job->cube;
    size_t n = c->n_lines * c->n_samples, p = job->p;
    double *a = malloc(n * p * sizeof *a), *residual = malloc(n * sizeof *residual);
    double *angle = malloc(n * sizeof *angle);
    uint16_t *label = malloc(n * sizeof *label);

    assert_int_equal(xta_unmix_pixels(job->unmixer, n, c->cells, a, residual, &err), XTA_OK);
    assert_int_equal(xta_label_pixels(p, BANDS, job->endmembers, n, c->cells, label, angle, &err),
                     XTA_OK);
    for (size_t k = 0; k < n; k++) {
        const double *theirs = (const double *)(const void *)cells[0];
        float theirs_residual = ((const float *)(const void *)cells[1])[k];
        double theirs_angle = ((const double *)(const void *)cells[4])[k];
        uint16_t theirs_label = ((const uint16_t *)(const void *)cells[3])[k];
        double own[MOST_P];
        bool zero = true;
        for (size_t b = 0; b < BANDS; b++) {
            zero = zero && c->cells[k * BANDS + b] == 0;
        }
        if (!c->valid[k]) {
            assert_true(isnan(theirs[k]) && isnan(theirs_residual) && isnan(theirs_angle));
            assert_true(cells[2][k] == 0 && theirs_label == 0);
            continue;
        }
        for (size_t i = 0; i < p; i++) {
            own[i] = theirs[i * n + k];
            assert_true(isnan(a[k * p + i]) ? isnan(own[i]) : fabs(own[i] - a[k * p + i]) < 1e-12);
        }
        assert_true(isnan(residual[k])
                        ? isnan(theirs_residual)
                        : fabs(theirs_residual - residual[k]) <= 1e-6 * residual[k] + 1e-9);
        assert_int_equal(cells[2][k], zero ? 0 : xta_label_of_abundances(p, own));
        assert_int_equal(theirs_label, label[k]);
        assert_true(zero ? isnan(theirs_angle) : fabs(theirs_angle - angle[k]) < 1e-9);
    }
    free(a);
    free(residual);
    free(angle);
    free(label);
}

static void make_swaths(test_random *r, maps_job *job, size_t n_swaths)
{
    hyper_cube *c = job->cube;
    int64_t n_lines = (int64_t)c->n_lines;

    job->n_swaths = n_swaths;
    for (size_t k = 0; k < n_swaths; k++) {
        bool last = k + 1 == n_swaths, front = test_random_chance(r, 50);
        int64_t by = test_random_in(r, 0, 2 * n_lines / (int64_t)n_swaths);
        int64_t lo = k > 0 ? job->swath[k - 1][0] : c->lo;
        int64_t hi = k > 0 ? job->swath[k - 1][1] : c->hi;
        lo = last ? 0 : front && lo > by ? lo - by : lo;
        hi = last ? n_lines : !front && hi + by < n_lines ? hi + by : hi;
        job->swath[k][0] = lo;
        job->swath[k][1] = hi;
    }
}

static void one_scene(test_random *r, uint64_t part, const char *folder)
{
    static const size_t swaths[] = {1, 2, 7, 50};
    hyper_cube c = hyper_cube_make(r, (size_t)test_random_in(r, 40, 90),
                                   (size_t)test_random_in(r, 1, 70), BANDS, part % 2 == 0);
    double e[MOST_P * BANDS];
    maps_job job = {.cube = &c, .p = 2 + (size_t)(part % 4), .endmembers = e, .n_threads = 1};
    xta_unmix_options options = XTA_UNMIX_OPTIONS_INIT;
    xta_unmixer *unmixer = NULL;
    unsigned char *expected[N_MAPS];
    size_t n_bytes;

    for (size_t k = 0; k < MOST_P * BANDS; k++) {
        e[k] = (double)test_random_in(r, 1, 3000) / (c.whole ? 1 : 3000);
    }
    options.method = (xta_unmix_method)(part % 3);
    options.normalise = test_random_chance(r, 40);
    assert_int_equal(xta_unmixer_new(job.p, BANDS, e, &options, &unmixer, &err), XTA_OK);
    job.unmixer = unmixer;
    c.zero = test_random_in(r, 0, (int64_t)c.n_lines - 1);
    test_members_run(0, member, &job);
    assert_int_equal(job.status[0], XTA_OK);
    for (int k = 0; k < N_MAPS; k++) {
        expected[k] = cells_of(job.map[k], &n_bytes);
    }
    close_maps(&job);
    check_pixels(&job, expected);

    job.n_threads = 2;
    same(&job, 0, expected, "two threads");
    job.folder = folder;
    same(&job, 1 + (int)(part % 4), expected, "a communicator");
    for (int k = 0; k < N_MAPS; k++) {
        char path[TEST_PATH_BYTES + 16];
        snprintf(path, sizeof path, "%s/map%d", folder, k);
        test_pair_remove(path);
    }
    job.folder = NULL;
    c.lo = c.zero;
    c.hi = c.lo + 1;
    make_swaths(r, &job, swaths[part % 4]);
    same(&job, 0, expected, "swaths");
    for (int k = 0; k < N_MAPS; k++) {
        free(expected[k]);
    }
    xta_unmixer_free(unmixer);
    hyper_cube_free(&c);
}

static void scenes(void **state)
{
    uint64_t seed = test_seed("hyper_maps", 1);
    test_folder folder;
    (void)state;

    test_folder_make_fast(&folder);
    for (uint64_t part = 0; part < test_scale(16); part++) {
        test_random r = test_random_make(seed, part);
        one_scene(&r, part, folder.path);
    }
    test_folder_remove(&folder);
}

/* ---- mismatches ---- */

static void misfits(void **state)
{
    test_random r = test_random_make(2, 0);
    hyper_cube c = hyper_cube_make(&r, 20, 10, BANDS, true);
    xta_scene *scene = hyper_cube_open(&c, 1, 0, NULL, &err);
    static const int64_t outside[2] = {10, 21}, turned[2] = {5, 4}, small[2] = {19, 10};
    double e[2 * BANDS];
    xta_unmixer *unmixer = NULL;
    xta_unmix_maps maps = XTA_UNMIX_MAPS_INIT;
    xta_scene_map_options o = XTA_SCENE_MAP_OPTIONS_INIT;
    xta_array *map = NULL, *flat = NULL;
    (void)state;

    for (size_t k = 0; k < 2 * BANDS; k++) {
        e[k] = (double)test_random_in(&r, 1, 100);
    }
    o.n_layers = 3;
    assert_int_equal(xta_scene_map_open(scene, &o, &map, &err), XTA_OK);
    assert_int_equal(xta_array_new(XTA_F64, 2, small, NULL, &flat, &err), XTA_OK);
    assert_int_equal(xta_unmixer_new(2, BANDS, e, NULL, &unmixer, &err), XTA_OK);
    maps.abundances = map;
    assert_int_equal(xta_unmix_scene(scene, NULL, unmixer, &maps, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "3 layers"));
    maps.abundances = NULL;
    maps.residual = map;
    assert_int_equal(xta_unmix_scene(scene, NULL, unmixer, &maps, &err), XTA_EARG);
    maps.residual = flat;
    assert_int_equal(xta_unmix_scene(scene, NULL, unmixer, &maps, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "extend it"));
    assert_int_equal(xta_unmix_scene(scene, outside, unmixer, &maps, &err), XTA_EARG);
    assert_int_equal(xta_unmix_scene(scene, turned, unmixer, &maps, &err), XTA_EARG);
    assert_int_equal(xta_label_scene(scene, outside, 2, e, NULL, NULL, &err), XTA_EARG);
    xta_unmixer_free(unmixer);
    assert_int_equal(xta_unmixer_new(2, BANDS - 1, e, NULL, &unmixer, &err), XTA_OK);
    assert_int_equal(xta_unmix_scene(scene, NULL, unmixer, &maps, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "bands"));
    xta_unmixer_free(unmixer);
    assert_int_equal(xta_array_close(map, &err), XTA_OK);
    assert_int_equal(xta_array_close(flat, &err), XTA_OK);
    xta_scene_close(scene);
    hyper_cube_free(&c);
}

/* ---- the arrays ---- */

static void check_map(xta_array *map, int64_t line_lo, int64_t line_hi)
{
    xta_box box = xta_array_bounds(map);

    assert_true(box.ndim == 3 && box.lo[0] == 0 && box.hi[0] == 2);
    assert_true(box.lo[1] == line_lo && box.hi[1] == line_hi);
    assert_true(box.lo[2] == -3 && box.hi[2] == 5);
}

/* A scene in an array that begins at negative coordinates, with names and a georeference. */
static xta_array *make_array(void)
{
    static const int64_t bounds[3] = {4, 20, 5};
    static const char *const names[] = {"band", "y", "x"};
    static const double place[6] = {300000, 30, 0, 6000000, 0, -30};
    static const xta_growth front[2] = {{1, XTA_FRONT, 7}, {2, XTA_FRONT, 3}};
    static const xta_attribute a = {"geotransform", XTA_F64, sizeof(double), 6, place};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    create.names = names;
    assert_int_equal(xta_array_new(XTA_I16, 3, bounds, &create, &array, &err), XTA_OK);
    assert_int_equal(xta_array_extend(array, front, 2, NULL, &err), XTA_OK);
    assert_int_equal(xta_attribute_set(array, XTA_ON_ARRAY, &a, &err), XTA_OK);
    assert_int_equal(xta_attribute_set_text(array, XTA_ON_ARRAY, "projection", "here", &err),
                     XTA_OK);
    return array;
}

static void map_arrays(void **state)
{
    static const char *const names[] = {"soil", "tree"};
    static const xta_growth more[2] = {{1, XTA_FRONT, 2}, {1, XTA_BACK, 40}};
    static const xta_growth less[1] = {{1, XTA_FRONT, 19}}, wide[1] = {{2, XTA_BACK, 1}};
    static const int64_t corner[3] = {1, -9, -3};
    xta_array *array = make_array(), *map = NULL, *other = NULL;
    xta_scene *scene = NULL;
    xta_scene_map_options o = XTA_SCENE_MAP_OPTIONS_INIT;
    xta_attribute a;
    test_folder folder;
    char path[TEST_PATH_BYTES];
    float cell;
    (void)state;

    test_folder_make_fast(&folder);
    assert_int_equal(xta_scene_open(array, NULL, &scene, &err), XTA_OK);
    o.path = test_folder_join(&folder, "abundances", path);
    o.n_layers = 2;
    o.layer_names = names;
    o.title = "abundances";
    o.must_be_new = true;
    assert_int_equal(xta_scene_map_open(scene, &o, &map, &err), XTA_OK);
    check_map(map, -7, 20);
    assert_string_equal(xta_axis_name(map, 0), "band");
    assert_string_equal(xta_axis_name(map, 1), "y");
    assert_string_equal(xta_axis_name(map, 2), "x");
    assert_int_equal(xta_attribute_get(map, XTA_ON_ARRAY, "geotransform", &a, &err), XTA_OK);
    assert_true(a.count == 6 && ((const double *)a.values)[3] == 6000000);
    assert_int_equal(xta_attribute_get(map, XTA_ON_ARRAY, "projection", &a, &err), XTA_OK);
    assert_int_equal(xta_attribute_get(map, 0, "gdal/description", &a, &err), XTA_OK);
    assert_string_equal((const char *)a.values, "soil\ntree");
    assert_int_equal(xta_attribute_get(map, XTA_ON_ARRAY, "title", &a, &err), XTA_OK);
    assert_int_equal(xta_scene_map_open(scene, &o, &other, &err), XTA_EEXIST);
    assert_null(other);

    /* Growth at both ends, and removed lines. */
    assert_int_equal(xta_array_extend(array, more, 2, NULL, &err), XTA_OK);
    assert_int_equal(xta_scene_refresh(scene, NULL, &err), XTA_OK);
    assert_int_equal(xta_scene_map_grow(scene, map, &err), XTA_OK);
    check_map(map, -9, 60);
    assert_int_equal(xta_array_get(map, corner, &cell, &err), XTA_OK);
    assert_true(isnan(cell));
    assert_int_equal(xta_array_close(map, &err), XTA_OK);
    assert_int_equal(xta_array_shrink(array, less, 1, NULL, &err), XTA_OK);
    assert_int_equal(xta_scene_refresh(scene, NULL, &err), XTA_OK);
    o.must_be_new = false;
    assert_int_equal(xta_scene_map_open(scene, &o, &map, &err), XTA_OK);
    check_map(map, 10, 60);
    assert_int_equal(xta_array_close(map, &err), XTA_OK);

    /* The existing array does not match. */
    o.type = XTA_F64;
    assert_int_equal(xta_scene_map_open(scene, &o, &map, &err), XTA_EARG);
    o.type = XTA_F32;
    o.n_layers = 3;
    assert_int_equal(xta_scene_map_open(scene, &o, &map, &err), XTA_EARG);
    o.n_layers = 0;
    assert_int_equal(xta_scene_map_open(scene, &o, &map, &err), XTA_EARG);
    o.n_layers = 2;
    assert_int_equal(xta_array_extend(array, wide, 1, NULL, &err), XTA_OK);
    assert_int_equal(xta_scene_refresh(scene, NULL, &err), XTA_OK);
    assert_int_equal(xta_scene_map_open(scene, &o, &map, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "samples"));
    assert_null(map);
    xta_scene_close(scene);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes),
        cmocka_unit_test(misfits),
        cmocka_unit_test(map_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
