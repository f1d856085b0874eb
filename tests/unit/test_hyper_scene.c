/* Scenes: which axis is what, which bands take part, which pixels are valid, tiles, strips in memory,
 * refreshing, and errors of one member of a team.
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

#include "hyper/hyper.h"
#include "support/thread_team.h"

static void ok(xta_status status, const xta_error *err)
{
    if (status != XTA_OK) {
        fail_msg("%s: %s", xta_status_name(status), err->text);
    }
}

static double value_at(int64_t line, int64_t sample, int64_t band)
{
    return (double)(line * 100 + sample * 10 + band);
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
