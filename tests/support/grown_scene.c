/* SPDX-License-Identifier: Apache-2.0 */
#include "support/grown_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <xta/attribute.h>

static void must(xta_status status, const xta_error *err)
{
    if (status != XTA_OK) {
        fprintf(stderr, "grown scene: %s: %s\n", xta_status_name(status), err->text);
        abort();
    }
}

static uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);

    h ^= h >> 29;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return h ^ h >> 32;
}

static uint64_t hash(const grown_scene *g, int64_t line, int64_t sample, int64_t band)
{
    return mixed(mixed(mixed(g->seed + 1, (uint64_t)line), (uint64_t)sample + 77),
                 (uint64_t)band + 5);
}

double grown_cell(const grown_scene *g, int64_t line, int64_t sample, int64_t band)
{
    uint64_t pixel = hash(g, line, sample, -1), cell = hash(g, line, sample, band);
    bool real = g->type == XTA_F32 || g->type == XTA_F64;

    if (g->holes && band == g->n_bands - 2 && (line == 0 || cell % 3 == 0)) {
        return GROWN_NODATA;
    }
    if (g->holes && pixel % 29 == 0 && (cell % 3 == 0 || band == 0)) {
        return real && pixel % 2 == 0 ? NAN : GROWN_NODATA;
    }
    if (g->holes && pixel % 31 == 1) {
        return 0;
    }
    if (band == g->n_bands - 1) {
        return 1234;
    }
    // Smooth in space, different in each band, with some noise.
    double smooth = 800 * sin(0.11 * (double)line + 0.07 * (double)(band * sample % 97)) +
                    500 * cos(0.05 * (double)sample * (double)(band + 1));
    double noise = (double)(cell % 2001) / 20 - 50;
    double value = 2000 + 100 * (double)band + smooth + noise;
    return real ? value / 3 + 1e4 : floor(value);
}

/* The axes of lines, samples and bands. */
static void roles(const grown_scene *g, int role[3])
{
    static const int of[GROWN_LAYOUTS][3] = {{0, 1, 2}, {1, 2, 0}, {1, 0, 2}, {1, 2, 0}};

    for (int k = 0; k < 3; k++) {
        role[k] = of[g->layout][k];
    }
}

static void write_lines(const grown_scene *g, xta_array *array, int64_t lo, int64_t hi)
{
    int role[3];
    roles(g, role);
    xta_box box = xta_array_bounds(array);
    int64_t strides[3];
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_error err;
    size_t n = (size_t)((hi - lo) * g->n_samples * g->n_bands), at = 0;
    double *cells = malloc((n + 1) * sizeof *cells);

    box.lo[role[0]] = lo;
    box.hi[role[0]] = hi;
    strides[role[0]] = g->n_samples * g->n_bands * 8;
    strides[role[1]] = g->n_bands * 8;
    strides[role[2]] = 8;
    io.type = XTA_F64;
    io.strides = strides;
    for (int64_t line = lo; line < hi; line++) {
        for (int64_t k = 0; k < g->n_samples * g->n_bands; k++) {
            cells[at++] = grown_cell(g, line, k / g->n_bands, k % g->n_bands);
        }
    }
    if (n > 0) {
        must(xta_array_write(array, &box, &io, cells, &err), &err);
    }
    free(cells);
}

xta_array *grown_make(const grown_scene *g, const char *path, int64_t n_lines)
{
    static const char *const role_names[3] = {"line", "sample", "band"};
    static const int64_t chunks[GROWN_LAYOUTS][3] = {
        {32, 16, 8}, {2, 7, 13}, {5, 3, 7}, {1, 1, 64}};
    const int64_t lengths[3] = {n_lines, g->n_samples, g->n_bands};
    int role[3];
    roles(g, role);
    const char *names[3];
    int64_t bounds[3];
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;

    for (int k = 0; k < 3; k++) {
        names[role[k]] = role_names[k];
        bounds[role[k]] = lengths[k];
    }
    o.names = names;
    o.chunk = chunks[g->layout];
    must(path == NULL ? xta_array_new(g->type, 3, bounds, &o, &array, &err)
                      : xta_array_create(path, g->type, 3, bounds, &o, &array, &err),
         &err);
    must(xta_attribute_set_f64(array, XTA_ON_ARRAY, "nodata", GROWN_NODATA, &err), &err);
    write_lines(g, array, 0, n_lines);
    return array;
}

void grown_extend(const grown_scene *g, xta_array *array, xta_side side, int64_t by)
{
    int role[3];
    roles(g, role);
    xta_growth growth = {role[0], side, by};
    xta_box before = xta_array_bounds(array), after;
    xta_error err;

    must(xta_array_extend(array, &growth, 1, &after, &err), &err);
    if (side == XTA_BACK) {
        write_lines(g, array, before.hi[role[0]], after.hi[role[0]]);
    } else {
        write_lines(g, array, after.lo[role[0]], before.lo[role[0]]);
    }
}

void grown_swaths(int64_t total, int n, int64_t *lines)
{
    int64_t left = total;

    for (int k = 0; k < n; k++) {
        int64_t each = left / (n - k);
        // An odd number, sometimes twice as many or a single line.
        each = k % 3 == 1 ? each * 3 / 2 : k % 3 == 2 ? each / 2 : each;
        each = each % 2 == 0 ? each + 1 : each;
        each = each > left - (n - k - 1) ? left - (n - k - 1) : each;
        lines[k] = k == n - 1 ? left : each;
        left -= lines[k];
    }
}
