/* Every function that accepts a struct with a struct_size follows one rule.
 *
 * Each function gets the struct as its initialiser makes it, with another struct_size and other
 * bytes after it. Its answer must not depend on these where the rule ignores them, and must be
 * XTA_EARG, naming struct_size, where the rule refuses them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/array.h>
#include <xta/cube.h>
#include <xta/extract.h>
#include <xta/options.h>
#include <xta/rechunk.h>
#include <xta/repartition.h>
#include <xta/tune.h>
#include <xta/zones.h>
#ifdef XTA_TEST_HYPER
#include <xta/amee.h>
#include <xta/endmembers.h>
#include <xta/moments.h>
#include <xta/scene.h>
#include <xta/unmix.h>
#endif

#include "support/folder.h"

enum { MOST_BYTES = 8192, MORE = 24 };

static test_folder folder;
static char path[TEST_PATH_BYTES], other[TEST_PATH_BYTES];
static xta_array *array; /* in memory, 4 x 4 int64 */
static xta_error err;

static const int64_t bounds[2] = {4, 4};

/* ---- functions that accept a struct ---- */

static xta_status take_create(const void *options)
{
    xta_array *made = NULL;
    xta_status status = xta_array_new(XTA_I64, 2, bounds, options, &made, &err);

    xta_array_close(made, NULL);
    return status;
}

static xta_status take_create_file(const void *options)
{
    xta_array *made = NULL;
    xta_status status = xta_array_create(other, XTA_I64, 2, bounds, options, &made, &err);

    xta_array_close(made, NULL);
    if (status == XTA_OK) {
        xta_error ignored;
        (void)!xta_array_delete(other, &ignored);
    }
    return status;
}

static xta_status take_open(const void *options)
{
    xta_array *opened = NULL;
    xta_status status = xta_array_open(path, options, &opened, &err);

    xta_array_close(opened, NULL);
    return status;
}

static xta_status take_read(const void *options)
{
    int64_t cells[16];
    const xta_box box = {.ndim = 2, .hi = {4, 4}};

    return xta_array_read(array, &box, options, cells, &err);
}

static xta_status take_write(const void *options)
{
    const int64_t cells[16] = {0};
    const xta_box box = {.ndim = 2, .hi = {4, 4}};

    return xta_array_write(array, &box, options, cells, &err);
}

static xta_status take_append(const void *options)
{
    const int64_t cells[4] = {0};
    const xta_growth growth = {0, XTA_BACK, 1};
    xta_status status = xta_array_append(array, &growth, options, cells, NULL, &err);

    if (status == XTA_OK) {
        status = xta_array_shrink(array, &growth, 1, NULL, &err);
    }
    return status;
}

static xta_status take_tune(const void *problem)
{
    xta_tune_answer answer;

    return xta_tune_shape(problem, &answer, &err);
}

static xta_status take_zones(const void *distribution)
{
    const xta_box chunks = {.ndim = 2, .hi = {4, 4}};
    const int64_t chunk[2] = {2, 2};
    xta_zones *zones = NULL;
    xta_status status = xta_zones_new(&chunks, chunk, 2, distribution, &zones, &err);

    xta_zones_free(zones);
    return status;
}

/* It has no levels, so no cube is made. */
static xta_status take_cube(const void *options)
{
    return xta_cube_create(path, other, options, &err);
}

static xta_status take_rechunk(const void *problem)
{
    xta_rechunk_plan *plan = NULL;
    xta_status status = xta_rechunk_plan_new(problem, &plan, &err);

    xta_rechunk_plan_free(plan);
    return status;
}

static xta_status take_like(const void *changes)
{
    xta_array *made = NULL;
    xta_status status = xta_array_create_like(array, other, changes, &made, &err);

    xta_array_close(made, NULL);
    if (status == XTA_OK) {
        xta_error ignored;
        (void)!xta_array_delete(other, &ignored);
    }
    return status;
}

#ifdef XTA_TEST_HYPER
static xta_status take_moments(const void *options)
{
    xta_moments *moments = NULL;
    xta_status status = xta_moments_new(options, &moments, &err);

    xta_moments_free(moments);
    return status;
}

static xta_status take_amee(const void *options)
{
    xta_amee *amee = NULL;
    xta_status status = xta_amee_new(options, &amee, &err);

    xta_amee_free(amee);
    return status;
}

static xta_status take_simplex(const void *options)
{
    xta_simplex *simplex = NULL;
    xta_status status = xta_simplex_new(options, &simplex, &err);

    xta_simplex_free(simplex);
    return status;
}

static xta_status take_ppi(const void *options)
{
    xta_ppi *ppi = NULL;
    xta_status status = xta_ppi_new(options, &ppi, &err);

    xta_ppi_free(ppi);
    return status;
}

static xta_status take_unmix(const void *options)
{
    const double spectra[4] = {1, 2, 3, 1};
    xta_unmixer *unmixer = NULL;
    xta_status status = xta_unmixer_new(2, 2, spectra, options, &unmixer, &err);

    xta_unmixer_free(unmixer);
    return status;
}

static xta_status take_scene(const void *options)
{
    xta_scene *scene = NULL;
    xta_status status = xta_scene_open(array, options, &scene, &err);

    xta_scene_close(scene);
    return status;
}
#endif

/* ---- the table ---- */

static const xta_create_options of_create = XTA_CREATE_OPTIONS_INIT;
static const xta_open_options of_open = XTA_OPEN_OPTIONS_INIT;
static const xta_io_options of_io = XTA_IO_OPTIONS_INIT;
static const xta_tune_problem of_tune = XTA_TUNE_PROBLEM_INIT;
static const xta_distribution of_zones = XTA_DISTRIBUTION_INIT;
static const xta_cube_options of_cube = XTA_CUBE_OPTIONS_INIT;
static const xta_rechunk_problem of_rechunk = XTA_RECHUNK_PROBLEM_INIT;
#ifdef XTA_TEST_HYPER
static const xta_moments_options of_moments = XTA_MOMENTS_OPTIONS_INIT;
static const xta_amee_options of_amee = XTA_AMEE_OPTIONS_INIT;
static const xta_simplex_options of_simplex = XTA_SIMPLEX_OPTIONS_INIT;
static const xta_ppi_options of_ppi = XTA_PPI_OPTIONS_INIT;
static const xta_unmix_options of_unmix = XTA_UNMIX_OPTIONS_INIT;
static const xta_scene_options of_scene = XTA_SCENE_OPTIONS_INIT;
#endif

#define ROW(function, initial)                           \
    {                                                    \
#function, function, &(initial), sizeof(initial) \
    }

static const struct {
    const char *name;
    xta_status (*take)(const void *given);
    const void *initial;
    size_t bytes;
} takers[] = {
    ROW(take_create, of_create),   ROW(take_create_file, of_create), ROW(take_open, of_open),
    ROW(take_read, of_io),         ROW(take_write, of_io),           ROW(take_append, of_io),
    ROW(take_tune, of_tune),       ROW(take_zones, of_zones),        ROW(take_rechunk, of_rechunk),
    ROW(take_like, of_create),     ROW(take_cube, of_cube),
#ifdef XTA_TEST_HYPER
    ROW(take_moments, of_moments), ROW(take_amee, of_amee),          ROW(take_simplex, of_simplex),
    ROW(take_ppi, of_ppi),         ROW(take_unmix, of_unmix),        ROW(take_scene, of_scene),
#endif
};

static xta_status take_with(size_t k, size_t size, uint8_t behind)
{
    static uint8_t given[MOST_BYTES];

    assert_true(takers[k].bytes + MORE <= sizeof given);
    memset(given, 0, sizeof given);
    memcpy(given, takers[k].initial, takers[k].bytes);
    memcpy(given, &size, sizeof size);
    given[takers[k].bytes + MORE - 1] = behind;
    memset(&err, 0, sizeof err);
    return takers[k].take(given);
}

static void all_take_by_one_rule(void **state)
{
    const size_t never[] = {0, 1, 7, SIZE_MAX, SIZE_MAX / 2};
    (void)state;

    for (size_t k = 0; k < sizeof takers / sizeof takers[0]; k++) {
        size_t n = takers[k].bytes;
        xta_status plain = take_with(k, n, 1);
        xta_status longer = take_with(k, n + MORE, 0);
        xta_status unknown = take_with(k, n + MORE, 1);
        if (longer != plain || unknown != XTA_EARG || strstr(err.text, "struct_size") == NULL) {
            print_error("%s: %d, longer %d, unknown %d: %s\n", takers[k].name, (int)plain,
                        (int)longer, (int)unknown, err.text);
        }
        assert_int_equal(longer, plain);
        assert_int_equal(unknown, XTA_EARG);
        assert_non_null(strstr(err.text, "struct_size"));
        for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
            xta_status status = take_with(k, never[i], 0);
            if (status != XTA_EARG || strstr(err.text, "struct_size") == NULL) {
                print_error("%s: struct_size %zu: %d: %s\n", takers[k].name, never[i], (int)status,
                            err.text);
            }
            assert_int_equal(status, XTA_EARG);
            assert_non_null(strstr(err.text, "struct_size"));
        }
        // The struct has nothing but struct_size: all fields are zero, which may be refused, but
        // not because of struct_size.
        (void)take_with(k, sizeof(size_t), 0);
        assert_null(strstr(err.text, "struct_size"));
    }
}

static void the_rule_itself(void **state)
{
    typedef struct sample {
        size_t struct_size;
        int64_t a, b;
    } sample;
    struct {
        sample s;
        int64_t more;
    } given = {{sizeof given, 1, 2}, 0};
    sample known = {sizeof known, 10, 20};
    (void)state;

    assert_int_equal(xta_options_read(&known, sizeof known, NULL, "x", &err), XTA_OK);
    assert_int_equal(known.b, 20);
    assert_int_equal(xta_options_read(&known, sizeof known, &given, "x", &err), XTA_OK);
    assert_int_equal(known.struct_size, sizeof known);
    assert_int_equal(known.a, 1);
    assert_int_equal(known.b, 2);
    given.more = 1;
    known.b = 20;
    assert_int_equal(xta_options_read(&known, sizeof known, &given, "x", &err), XTA_EARG);
    assert_int_equal(known.b, 20);
    given.s.struct_size = offsetof(sample, b);
    assert_int_equal(xta_options_read(&known, sizeof known, &given, "x", &err), XTA_OK);
    assert_int_equal(known.a, 1);
    assert_int_equal(known.b, 0);
    assert_int_equal(xta_options_read(&known, sizeof known, &given, "x", NULL), XTA_OK);
}

static int make_arrays(void **state)
{
    (void)state;
    test_folder_make(&folder);
    test_folder_join(&folder, "a", path);
    test_folder_join(&folder, "b", other);
    xta_status status = xta_array_new(XTA_I64, 2, bounds, NULL, &array, &err);
    if (status == XTA_OK) {
        status = xta_array_save(array, path, &err);
    }
    return status != XTA_OK;
}

static int remove_arrays(void **state)
{
    (void)state;
    xta_array_close(array, NULL);
    test_folder_remove(&folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rule_itself),
        cmocka_unit_test(all_take_by_one_rule),
    };

    return cmocka_run_group_tests(tests, make_arrays, remove_arrays);
}
