/* Scenes: the meaning of axes, which bands are used, which pixels are valid, tiles, strips in
 * memory, refreshing, and errors of one member of a communicator.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/attribute.h>

#include "scene/coverage.h"
#include "scene/scan.h"
#include "scene/scene.h"
#include "scene_rig.h"
#include "util/kept_memory.h"

/* An array of the named axes; cells are value_at. */
static xta_array *make(xta_type type, int ndim, const char *const names[], const int64_t length[],
                       const int64_t chunk[], const int role[3])
{
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;
    uint64_t n;

    o.names = names;
    o.chunk = chunk;
    ok(xta_array_new(type, ndim, length, &o, &array, &err), &err);
    xta_box box = xta_array_bounds(array);
    ok(xta_box_cells(&box, &n), NULL);
    double *cells = malloc(n * sizeof *cells);
    int64_t at[XTA_MAX_NDIM] = {0};
    for (uint64_t k = 0; k < n; k++) {
        cells[k] = value_at(at[role[0]], at[role[1]], role[2] >= 0 ? at[role[2]] : 0);
        for (int axis = ndim - 1; axis >= 0 && ++at[axis] == length[axis]; axis--) {
            at[axis] = 0;
        }
    }
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.type = XTA_F64;
    ok(xta_array_write(array, &box, &io, cells, &err), &err);
    free(cells);
    return array;
}

static void check_cells(xta_scene *scene)
{
    xta_scene_info info = xta_scene_inquire(scene);
    const int64_t lines[2] = {info.line_lo, info.line_hi};
    const int64_t samples[2] = {info.sample_lo, info.sample_hi};
    size_t n = (size_t)((lines[1] - lines[0]) * (samples[1] - samples[0]));
    double *x = malloc(n * info.n_bands * sizeof *x), *at = x;
    unsigned char *valid = malloc(n);
    xta_error err;

    ok(xta_scene_read(scene, lines, samples, x, valid, &err), &err);
    for (int64_t line = lines[0]; line < lines[1]; line++) {
        for (int64_t sample = samples[0]; sample < samples[1]; sample++) {
            for (size_t b = 0; b < info.n_bands; b++) {
                assert_true(*at++ == value_at(line, sample, info.band[b]));
            }
        }
    }
    assert_null(memchr(valid, 0, n));
    free(x);
    free(valid);
}

static void axes_are_found(void **state)
{
    static const struct {
        int ndim;
        const char *names[4];
        int64_t length[4];
        int64_t chunk[4];
        int role[3];
    } cases[] = {
        {3, {"band", "y", "x"}, {5, 40, 37}, {2, 7, 64}, {1, 2, 0}},
        {3, {"y", "x", "band"}, {40, 37, 5}, {32, 32, 5}, {0, 1, 2}},
        {3, {NULL, NULL, NULL}, {33, 3, 4}, {5, 2, 3}, {0, 1, 2}},
        {3, {"x", "wavelength", "line"}, {6, 4, 35}, {3, 3, 3}, {2, 0, 1}},
        {2, {"y", "x"}, {40, 41}, {16, 16}, {0, 1, -1}},
        {2, {"x", "y"}, {40, 41}, {16, 16}, {1, 0, -1}},
        {4, {NULL, "bands", "lines", "samples"}, {1, 3, 5, 6}, {1, 2, 2, 2}, {2, 3, 1}},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        xta_array *array = make(XTA_I16, cases[k].ndim, cases[k].names, cases[k].length,
                                cases[k].chunk, cases[k].role);
        xta_scene *scene = NULL;
        xta_error err;
        ok(xta_scene_open(array, NULL, &scene, &err), &err);
        xta_scene_info info = xta_scene_inquire(scene);
        assert_int_equal(info.line_hi, cases[k].length[cases[k].role[0]]);
        assert_int_equal(info.sample_hi, cases[k].length[cases[k].role[1]]);
        assert_int_equal(info.n_bands,
                         cases[k].role[2] < 0 ? 1 : cases[k].length[cases[k].role[2]]);
        assert_true(info.whole);
        check_cells(scene);
        xta_scene_close(scene);
        ok(xta_array_close(array, &err), &err);
    }
}

static void axes_that_cannot_be_told(void **state)
{
    static const char *const names[] = {"time", "band", "y", "x"};
    static const int64_t length[] = {2, 3, 4, 5}, chunk[] = {1, 1, 4, 4};
    static const int role[] = {2, 3, 1};
    xta_array *array = make(XTA_F32, 4, names, length, chunk, role);
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_scene *scene = NULL;
    xta_error err;

    (void)state;
    assert_int_equal(xta_scene_open(array, NULL, &scene, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "'time' (2)"));
    assert_null(scene);
    o.lines = "band";
    o.bands = "1";
    assert_int_equal(xta_scene_open(array, &o, &scene, &err), XTA_EARG);
    o.lines = "nobody";
    assert_int_equal(xta_scene_open(array, &o, &scene, &err), XTA_EARG);
    o = (xta_scene_options)XTA_SCENE_OPTIONS_INIT;
    o.struct_size = 4;
    assert_int_equal(xta_scene_open(array, &o, &scene, &err), XTA_EARG);
    o = (xta_scene_options)XTA_SCENE_OPTIONS_INIT;
    o.n_threads = -1;
    assert_int_equal(xta_scene_open(array, &o, &scene, &err), XTA_EARG);
    assert_int_equal(xta_scene_open(NULL, NULL, &scene, &err), XTA_EARG);
    ok(xta_array_close(array, &err), &err);

    const int64_t two[] = {3, 3};
    xta_array *complex_cells = NULL;
    ok(xta_array_new(XTA_C64, 2, two, NULL, &complex_cells, &err), &err);
    assert_int_equal(xta_scene_open(complex_cells, NULL, &scene, &err), XTA_ETYPE);
    ok(xta_array_close(complex_cells, &err), &err);
}

/* Axes may be assigned against their names. */
static void axes_that_are_named(void **state)
{
    static const char *const names[] = {"y", "x", "band"};
    static const int64_t length[] = {4, 5, 6}, chunk[] = {4, 4, 4};
    static const int role[] = {1, 2, 0};
    xta_array *array = make(XTA_F32, 3, names, length, chunk, role);
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_scene *scene = NULL;
    xta_error err;

    (void)state;
    o.lines = "x";
    o.samples = "band";
    o.bands = "0";
    ok(xta_scene_open(array, &o, &scene, &err), &err);
    assert_int_equal(xta_scene_inquire(scene).line_hi, 5);
    assert_int_equal(xta_scene_inquire(scene).n_bands, 4);
    check_cells(scene);
    xta_scene_close(scene);
    ok(xta_array_close(array, &err), &err);
}

/* ---- bands ---- */

static xta_array *of_bands(xta_type type, int64_t n_lines, int64_t n_samples, int64_t n_bands)
{
    static const char *const names[] = {"band", "y", "x"};
    static const int64_t chunk[] = {3, 8, 8};
    static const int role[] = {1, 2, 0};
    const int64_t length[] = {n_bands, n_lines, n_samples};

    return make(type, 3, names, length, chunk, role);
}

static void set_list(xta_array *array, const char *name, const double *values, size_t n)
{
    const xta_attribute a = {.name = name, .type = XTA_F64, .count = n, .values = values};
    xta_error err;

    ok(xta_attribute_set(array, 0, &a, &err), &err);
}

static void expect_bands(xta_array *array, const xta_scene_options *o, size_t n,
                         const int64_t *band)
{
    xta_scene *scene = NULL;
    xta_error err;

    ok(xta_scene_open(array, o, &scene, &err), &err);
    xta_scene_info info = xta_scene_inquire(scene);
    assert_int_equal(info.n_bands, n);
    assert_memory_equal(info.band, band, n * sizeof *band);
    xta_scene_close(scene);
}

static void bands_are_chosen(void **state)
{
    static const double bbl[] = {1, 0, 1, 1, 0, 1};
    static const int64_t good[] = {0, 2, 3, 5}, shifted[] = {0, 1, 3, 4, 6, 7};
    static const int64_t all[] = {0, 1, 2, 3, 4, 5}, asked[] = {1, 2, 5}, rest[] = {2, 5};
    static const int64_t wrong[] = {2, 2}, outside[] = {3, 6}, bad[] = {1, 4};
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_scene *scene = NULL;
    xta_error err;
    xta_array *array = of_bands(XTA_I16, 40, 9, 6);

    (void)state;
    expect_bands(array, NULL, 6, all);
    set_list(array, "bbl", bbl, 6);
    expect_bands(array, NULL, 4, good);
    o.bad_bands_too = true;
    expect_bands(array, &o, 6, all);
    o.use = asked;
    o.n_use = 3;
    expect_bands(array, &o, 3, asked);
    o.bad_bands_too = false;
    expect_bands(array, &o, 2, rest);
    o.n_use = 2;
    o.use = wrong;
    assert_int_equal(xta_scene_open(array, &o, &scene, &err), XTA_EARG);
    o.use = outside;
    assert_int_equal(xta_scene_open(array, &o, &scene, &err), XTA_EARG);
    o.use = bad;
    assert_int_equal(xta_scene_open(array, &o, &scene, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "none of its 6 bands"));

    // The array gets two more bands, and the list stays that of bands 1 to 6.
    const xta_growth growth = {0, XTA_BACK, 2};
    const int64_t box[] = {3, 9, 1, 7};
    const xta_attribute a = {.name = "bbl//box", .type = XTA_I64, .count = 4, .values = box};
    ok(xta_array_extend(array, &growth, 1, NULL, &err), &err);
    ok(xta_attribute_set(array, 0, &a, &err), &err);
    expect_bands(array, NULL, 6, shifted);
    ok(xta_array_close(array, &err), &err);
}

static void put(xta_array *array, int64_t band, int64_t line, int64_t sample, double value)
{
    const int64_t lo[] = {band, line, sample}, hi[] = {band + 1, line + 1, sample + 1};
    xta_box box = xta_box_make(3, lo, hi);
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_error err;

    io.type = XTA_F64;
    ok(xta_array_write(array, &box, &io, &value, &err), &err);
}

/* A band without data in the anchor line is omitted; the other values mark pixels. */
static void nodata_marks_bands_and_pixels(void **state)
{
    static const int64_t left[] = {0, 1, 3};
    static const double more = -5;
    xta_array *array = of_bands(XTA_F32, 40, 9, 4);
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_scene *scene = NULL;
    unsigned char valid[9];
    double pixels[9 * 4];
    xta_error err;

    (void)state;
    // More digits than a cell holds, and as text.
    ok(xta_attribute_set_f64(array, XTA_ON_ARRAY, "_FillValue", 1.1e10 / 3, &err), &err);
    ok(xta_attribute_set_text(array, XTA_ON_ARRAY, "data ignore value", " -9999 ", &err), &err);
    for (int64_t s = 0; s < 9; s++) {
        put(array, 2, 0, s, s % 2 == 0 ? 1.1e10 / 3 : -9999);
    }
    put(array, 0, 0, 4, -9999); // one pixel only
    put(array, 1, 0, 5, NAN);
    put(array, 3, 0, 6, INFINITY);
    put(array, 2, 1, 7, -9999); // of the omitted band
    put(array, 3, 1, 2, -5);
    o.nodata = &more;
    o.n_nodata = 1;
    expect_bands(array, &o, 3, left);
    ok(xta_scene_open(array, &o, &scene, &err), &err);
    const int64_t first[2] = {0, 1}, second[2] = {1, 2}, samples[2] = {0, 9};
    ok(xta_scene_read(scene, first, samples, pixels, valid, &err), &err);
    assert_memory_equal(valid, ((unsigned char[]){1, 1, 1, 1, 0, 0, 0, 1, 1}), 9);
    ok(xta_scene_read(scene, second, samples, pixels, valid, &err), &err);
    assert_memory_equal(valid, ((unsigned char[]){1, 1, 0, 1, 1, 1, 1, 1, 1}), 9);
    const int64_t beyond[2] = {39, 41};
    assert_int_equal(xta_scene_read(scene, beyond, samples, pixels, valid, &err), XTA_EBOX);
    xta_scene_close(scene);
    ok(xta_array_close(array, &err), &err);
}

/* If all of the anchor line is no-data, no band is omitted. */
static void an_empty_anchor_line(void **state)
{
    static const int64_t all[] = {0, 1};
    xta_array *array = of_bands(XTA_I16, 3, 4, 2);
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    static const double nodata = 7777;
    xta_error err;

    (void)state;
    for (int64_t k = 0; k < 8; k++) {
        put(array, k % 2, 0, k / 2, nodata);
    }
    o.nodata = &nodata;
    o.n_nodata = 1;
    expect_bands(array, &o, 2, all);
    ok(xta_array_close(array, &err), &err);
}

static void wavelengths(void **state)
{
    static const double nm[] = {400, 500, 600, 700}, bbl[] = {1, 0, 1, 1};
    xta_array *array = of_bands(XTA_U16, 3, 4, 4);
    xta_scene *scene = NULL;
    xta_error err;

    (void)state;
    set_list(array, "wavelength", nm, 4);
    set_list(array, "bbl", bbl, 4);
    ok(xta_attribute_set_text(array, 0, "wavelength_units", "Micrometers \nnm\n", &err), &err);
    ok(xta_scene_open(array, NULL, &scene, &err), &err);
    xta_scene_info info = xta_scene_inquire(scene);
    assert_int_equal(info.n_bands, 3);
    assert_true(info.wavelength[0] == 400 && info.wavelength[1] == 600 &&
                info.wavelength[2] == 700);
    assert_string_equal(info.wavelength_unit, "Micrometers");
    xta_scene_close(scene);
    ok(xta_attribute_set_text(array, XTA_ON_ARRAY, "wavelength_units", "nm", &err), &err);
    ok(xta_scene_open(array, NULL, &scene, &err), &err);
    assert_string_equal(xta_scene_inquire(scene).wavelength_unit, "nm");
    xta_scene_close(scene);
    ok(xta_array_close(array, &err), &err);
}

/* ---- tiles ---- */

/* For any limit of memory: strips kept, read in one go, or tile by tile; twice, the second time
 * from memory if they fit. */
static void tiles_are_cut(void **state)
{
    static const uint64_t limits[] = {0, 300000, 60000};
    xta_array *array = of_bands(XTA_I16, 100, 70, 3);
    const xta_growth growth = {1, XTA_FRONT, 40};
    xta_error err;

    (void)state;
    ok(xta_array_extend(array, &growth, 1, NULL, &err), &err);
    for (int64_t k = 0; k < 40 * 70 * 3; k++) {
        int64_t line = -1 - k / 210, sample = k % 70, band = k / 70 % 3;
        put(array, band, line, sample, value_at(line, sample, band));
    }
    for (int k = 0; k < 24; k++) {
        xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
        expected e = {k % 4 < 2 ? (line_range){-40, 100} : (line_range){-33, 65}, {0, 70}};
        seen parts[3] = {{0}};
        scan_job job = {.what = "look",
                        .user = &e,
                        .tile = inspect_tile,
                        .strip = inspect_strip,
                        .partials = parts,
                        .partial_bytes = sizeof parts[0]};
        xta_scene *scene = NULL;
        o.n_threads = k % 2 == 0 || k % 3 == 2 ? 1 : 3;
        o.memory_bytes = limits[k % 3];
        ok(xta_scene_open(array, &o, &scene, &err), &err);
        ok(xta__scan(scene, e.lines, &job, &err), &err);
        ok(xta__scan(scene, e.lines, &job, &err), &err);
        uint64_t n_valid = 0, n_strips = 0;
        for (int p = 0; p < 3; p++) {
            n_valid += parts[p].n_valid;
            n_strips += parts[p].n_strips;
            assert_int_equal(parts[p].n_tiles, 3 * parts[p].n_strips);
            assert_false(parts[p].wrong);
        }
        assert_int_equal(n_valid, 2 * 70 * (e.lines.hi - e.lines.lo));
        assert_int_equal(n_strips, 2 * (k % 4 < 2 ? 6 : 5));
        const line_range outside = {-41, 3};
        assert_int_equal(xta__scan(scene, outside, &job, &err), XTA_EBOX);
        xta_scene_close(scene);
    }
    ok(xta_array_close(array, &err), &err);
}

static void strips_in_memory_are_renewed(void **state)
{
    xta_array *array = of_bands(XTA_I16, 50, 10, 2);
    xta_scene *scene = NULL;
    bool changed = true;
    xta_error err;

    (void)state;
    ok(xta_scene_open(array, NULL, &scene, &err), &err);
    check_cells(scene);
    ok(xta_scene_refresh(scene, &changed, &err), &err);
    assert_false(changed);
    check_cells(scene);
    for (int k = 0; k < 6; k++) {
        const xta_growth growth = {1, k % 2 == 0 ? XTA_BACK : XTA_FRONT, 3 + 7 * k};
        xta_box before = xta_array_bounds(array), after;
        ok(xta_array_extend(array, &growth, 1, &after, &err), &err);
        for (int64_t line = after.lo[1]; line < after.hi[1]; line++) {
            for (int64_t c = 0; c < 20 && (line < before.lo[1] || line >= before.hi[1]); c++) {
                put(array, c % 2, line, c / 2, value_at(line, c / 2, c % 2));
            }
        }
        ok(xta_scene_refresh(scene, &changed, &err), &err);
        assert_true(changed);
        assert_int_equal(xta_scene_inquire(scene).line_lo, after.lo[1]);
        assert_int_equal(xta_scene_inquire(scene).line_hi, after.hi[1]);
        check_cells(scene);
    }
    // More bands: every tile differs.
    uint64_t before = xta__coverage_of(scene).signature;
    const xta_growth growth = {0, XTA_FRONT, 1};
    ok(xta_array_extend(array, &growth, 1, NULL, &err), &err);
    ok(xta_scene_refresh(scene, &changed, &err), &err);
    assert_true(changed);
    assert_int_equal(xta_scene_inquire(scene).band_lo, -1);
    assert_true(xta__coverage_of(scene).signature != before);
    xta_scene_close(scene);
    ok(xta_array_close(array, &err), &err);
}

static void scratch_memory_is_kept_for_large_budgets(void **state)
{
    static const uint64_t budgets[] = {0, 16 * (uint64_t)XTA__MOST_KEPT,
                                       16 * (uint64_t)XTA__MOST_KEPT - 1, 60000};
    xta_array *array = of_bands(XTA_I16, 100, 70, 3);
    xta_error err;

    (void)state;
    for (int k = 0; k < 4; k++) {
        expected e = {{0, 100}, {0, 70}};
        seen part = {0};
        scan_job job = {.what = "look", .user = &e, .tile = inspect_tile, .partials = &part};
        xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
        xta_scene *scene = NULL;
        (void)!xta__kept_release();
        o.memory_bytes = budgets[k];
        ok(xta_scene_open(array, &o, &scene, &err), &err);
        ok(xta__scan(scene, e.lines, &job, &err), &err);
        xta_scene_close(scene);
        assert_false(part.wrong);
        size_t kept = xta__kept_release();
        // At least the strips as they are stored, and a tile of doubles.
        assert_true(k < 2 ? kept >= 100 * 70 * 3 * 2 + TILE_PIXELS * 3 * sizeof(double)
                          : kept == 0);
    }
    ok(xta_array_close(array, &err), &err);
}

static void what_is_covered(void **state)
{
    xta_array *array = of_bands(XTA_I16, 50, 10, 2);
    xta_scene *scene = NULL;
    line_range fresh[2];
    xta_error err;

    (void)state;
    ok(xta_scene_open(array, NULL, &scene, &err), &err);
    coverage all = xta__coverage_of(scene), none = {0}, some = all;
    assert_int_equal(xta__coverage_new(&all, scene, fresh), 0);
    assert_int_equal(xta__coverage_new(&none, scene, fresh), 1);
    assert_true(fresh[0].lo == 0 && fresh[0].hi == 50);
    some.line_lo = 3;
    some.line_hi = 40;
    assert_int_equal(xta__coverage_new(&some, scene, fresh), 2);
    assert_true(fresh[0].lo == 0 && fresh[0].hi == 3 && fresh[1].lo == 40 && fresh[1].hi == 50);
    some.line_hi = 51;
    assert_int_equal(xta__coverage_new(&some, scene, fresh), -1);
    all.signature++;
    assert_int_equal(xta__coverage_new(&all, scene, fresh), -1);
    xta_scene_close(scene);
    ok(xta_array_close(array, &err), &err);
}

/* ---- progress ---- */

typedef struct meter {
    int n;
    int stop_at;
    uint64_t done, total;
} meter;

static bool count_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    meter *m = user;

    assert_string_equal(what, "look");
    assert_true(done <= total);
    m->done = done;
    m->total = total;
    return ++m->n != m->stop_at;
}

static void progress_is_told_and_may_stop(void **state)
{
    xta_array *array = of_bands(XTA_F32, 330, 10, 2);
    expected e = {{0, 330}, {0, 10}};
    xta_error err;

    (void)state;
    for (int stop = 0; stop < 2; stop++) {
        seen part = {0};
        scan_job job = {.what = "look", .user = &e, .tile = inspect_tile, .partials = &part};
        meter m = {.stop_at = 4 * stop};
        xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
        xta_scene *scene = NULL;
        o.progress = count_progress;
        o.progress_user = &m;
        ok(xta_scene_open(array, &o, &scene, &err), &err);
        xta_status status = xta__scan(scene, e.lines, &job, &err);
        assert_int_equal(status, stop ? XTA_ECANCELLED : XTA_OK);
        assert_int_equal(m.n, stop ? 4 : 12);
        assert_int_equal(m.total, 11);
        assert_int_equal(m.done, stop ? 3 : 11);
        xta_scene_close(scene);
    }
    ok(xta_array_close(array, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_are_found),
        cmocka_unit_test(axes_that_cannot_be_told),
        cmocka_unit_test(axes_that_are_named),
        cmocka_unit_test(bands_are_chosen),
        cmocka_unit_test(nodata_marks_bands_and_pixels),
        cmocka_unit_test(an_empty_anchor_line),
        cmocka_unit_test(wavelengths),
        cmocka_unit_test(tiles_are_cut),
        cmocka_unit_test(strips_in_memory_are_renewed),
        cmocka_unit_test(scratch_memory_is_kept_for_large_budgets),
        cmocka_unit_test(what_is_covered),
        cmocka_unit_test(progress_is_told_and_may_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
