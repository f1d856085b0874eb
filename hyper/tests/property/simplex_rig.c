/* Random scenes that grow; see simplex_rig.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "simplex_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIXED = 6 };

void rig_ok(xta_status status, const xta_error *err, const char *what)
{
    if (status != XTA_OK) {
        fprintf(stderr, "%s: %s: %s\n", what, xta_status_name(status), err->text);
        exit(1);
    }
}

static double uniform(test_random *r)
{
    return (double)test_random_in(r, 0, 1 << 30) / (1 << 30);
}

void world_blank(world *w, int64_t lo, int64_t hi, size_t n_samples, size_t n_bands, xta_type type,
                 double value)
{
    *w = (world){.lo = lo, .hi = hi, .n_samples = n_samples, .n_bands = n_bands, .type = type};
    w->cells = calloc(world_pixels(w) * n_bands, sizeof *w->cells);
    if (w->cells == NULL) {
        exit(1);
    }
    for (size_t k = 0; k < world_pixels(w) * n_bands; k++) {
        w->cells[k] = value;
    }
}

size_t world_pixels(const world *w)
{
    return (size_t)(w->hi - w->lo) * w->n_samples;
}

double *world_pixel(const world *w, int64_t line, int64_t sample)
{
    return w->cells + ((size_t)(line - w->lo) * w->n_samples + (size_t)sample) * w->n_bands;
}

/* The largest cell value that a mixture should have. */
static double range_of(xta_type type)
{
    switch (type) {
    case XTA_U8:
        return 250;
    case XTA_I8:
        return 120;
    case XTA_U16:
        return 60000;
    case XTA_F32:
    case XTA_F64:
        return 1;
    default:
        return 30000;
    }
}

static bool is_real(xta_type type)
{
    return type == XTA_F32 || type == XTA_F64;
}

/* A cell as the type can hold it. */
static double as_type(xta_type type, double v)
{
    if (type == XTA_F32) {
        return (double)(float)v;
    }
    return type == XTA_F64 ? v : floor(v);
}

static void mix(const world *w, test_random *r, const double *materials, double noise, double *x)
{
    double part[MIXED], sum = 0;

    for (size_t m = 0; m < MIXED; m++) {
        part[m] = uniform(r);
        part[m] *= part[m] * part[m];
        sum += part[m];
    }
    for (size_t b = 0; b < w->n_bands; b++) {
        double v = noise * (uniform(r) - 0.5);
        for (size_t m = 0; m < MIXED; m++) {
            v += part[m] / sum * materials[m * w->n_bands + b];
        }
        x[b] = as_type(w->type, v);
    }
}

/* Pixels that are not like the others. */
static void disturb(world *w, test_random *r, int kind, size_t k)
{
    double *x = w->cells + k * w->n_bands;
    double *other =
        w->cells + (size_t)test_random_in(r, 0, (int64_t)world_pixels(w) - 1) * w->n_bands;
    size_t band = (size_t)test_random_in(r, 0, (int64_t)w->n_bands - 1);

    if (kind == 1 && test_random_chance(r, 30)) {
        memmove(x, other, w->n_bands * sizeof *x);
    } else if (kind == 2 && test_random_chance(r, 10)) {
        memset(x, 0, w->n_bands * sizeof *x);
    } else if (kind == 3 && test_random_chance(r, 20)) {
        x[band] = is_real(w->type) ? (test_random_chance(r, 50) ? NAN : INFINITY) : w->nodata;
    }
}

void world_make(world *w, test_random *r, world_size most)
{
    static const xta_type types[] = {XTA_I16, XTA_U8,  XTA_I8,  XTA_U16,
                                     XTA_F32, XTA_F64, XTA_I32, XTA_I16};
    int64_t lo = -test_random_in(r, 0, most.lines / 2);
    int64_t hi = test_random_in(r, 1, most.lines - most.lines / 2);
    size_t n_samples = (size_t)test_random_in(r, 1, most.samples);
    size_t n_bands = (size_t)test_random_in(r, 1, most.bands);
    xta_type type = types[test_random_in(r, 0, 7)];
    double materials[MIXED * 64], range = range_of(type);
    double noise = range * (test_random_chance(r, 50) ? 0.02 : 0.3);
    int kind = (int)test_random_in(r, 0, 4);

    world_blank(w, lo, hi, n_samples, n_bands < 64 ? n_bands : 64, type, 0);
    w->nodata = kind == 3 ? 77 : 0;
    for (size_t k = 0; k < MIXED * w->n_bands; k++) {
        materials[k] = range * (0.35 + 0.45 * uniform(r));
    }
    for (size_t k = 0; k < world_pixels(w); k++) {
        mix(w, r, materials, noise, w->cells + k * w->n_bands);
    }
    for (size_t k = 0; k < world_pixels(w); k++) {
        // A band without data in line 0 would be omitted.
        if (kind != 3 || k / w->n_samples != (size_t)-lo) {
            disturb(w, r, kind, k);
        }
    }
}

void world_free(world *w)
{
    free(w->cells);
    *w = (world){0};
}

unsigned char *world_valid(const world *w)
{
    unsigned char *valid = malloc(world_pixels(w));

    if (valid == NULL) {
        exit(1);
    }
    for (size_t k = 0; k < world_pixels(w); k++) {
        valid[k] = 1;
        for (size_t b = 0; b < w->n_bands; b++) {
            double v = w->cells[k * w->n_bands + b];
            if (!isfinite(v) || (w->nodata != 0 && v == w->nodata)) {
                valid[k] = 0;
            }
        }
    }
    return valid;
}

xta_array *world_array(const world *w, int64_t lo, int64_t hi)
{
    static const char *const names[] = {"line", "sample", "band"};
    const int64_t length[] = {hi, (int64_t)w->n_samples, (int64_t)w->n_bands};
    static const int64_t chunk[] = {7, 10, 5};
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;

    o.names = names;
    o.chunk = chunk;
    rig_ok(xta_array_new(w->type, 3, length, &o, &array, &err), &err, "new array");
    xta_box box = xta_array_bounds(array);
    io.type = XTA_F64;
    rig_ok(xta_array_write(array, &box, &io, world_pixel(w, 0, 0), &err), &err, "write");
    if (lo < 0) {
        world_grow(w, array, XTA_FRONT, -lo);
    }
    return array;
}

void world_grow(const world *w, xta_array *array, xta_side side, int64_t by)
{
    xta_box box = xta_array_bounds(array);
    const xta_growth growth = {.axis = 0, .side = side, .by = by};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_error err;

    io.type = XTA_F64;
    int64_t line = side == XTA_FRONT ? box.lo[0] - by : box.hi[0];
    rig_ok(xta_array_append(array, &growth, &io, world_pixel(w, line, 0), NULL, &err), &err,
           "append");
}

xta_scene *world_scene(const world *w, xta_array *array, const world_view *view)
{
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    int64_t use[64];
    xta_scene *scene = NULL;
    xta_error err;

    for (size_t k = 0; k < w->n_bands; k++) {
        use[k] = (int64_t)k;
    }
    o.use = use;
    o.n_use = w->n_bands;
    o.n_threads = view->n_threads;
    o.communicator = view->communicator;
    o.nodata = w->nodata != 0 ? &w->nodata : NULL;
    o.n_nodata = w->nodata != 0;
    if (view->short_of_memory) {
        // The minimum that a scene needs, without memory for strips; results get a quarter of it.
        o.memory_bytes = (uint64_t)view->n_threads * 1024 * (w->n_bands * 16 + 1) + 4096;
    }
    rig_ok(xta_scene_open(array, &o, &scene, &err), &err, "open scene");
    return scene;
}
