/* Reading the cells of a scene from its array or source, widening them to doubles, and telling
 * which pixels are valid.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/cells.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene_private.h"

/* One read for each run of adjacent bands; strides put the cells where they belong. */
static xta_status array_cells(xta_scene *scene, const int64_t lines[2], const int64_t samples[2],
                              xta_type type, unsigned char *cells, xta_error *err)
{
    int64_t cell = (int64_t)xta_type_bytes(type);
    int64_t pixel = cell * (int64_t)scene->now.n_bands;
    int64_t strides[XTA_MAX_NDIM];
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_box box = xta_array_bounds(scene->array);
    xta_status status = XTA_OK;

    for (int axis = 0; axis < box.ndim; axis++) {
        strides[axis] = cell;
        box.hi[axis] = box.lo[axis] + 1;
    }
    box.lo[scene->axis[LINES]] = lines[0];
    box.hi[scene->axis[LINES]] = lines[1];
    strides[scene->axis[LINES]] = pixel * (samples[1] - samples[0]);
    box.lo[scene->axis[SAMPLES]] = samples[0];
    box.hi[scene->axis[SAMPLES]] = samples[1];
    strides[scene->axis[SAMPLES]] = pixel;
    io.type = type;
    io.strides = strides;
    io.threads = 1; // each thread of a scan reads
    for (size_t k = 0; k < scene->now.n_runs && status == XTA_OK; k++) {
        const band_run *run = &scene->now.runs[k];
        if (scene->axis[BANDS] >= 0) {
            box.lo[scene->axis[BANDS]] = run->band;
            box.hi[scene->axis[BANDS]] = run->band + (int64_t)run->n;
        }
        status = xta_array_read(scene->array, &box, &io, cells + run->first * (size_t)cell, err);
    }
    return status;
}

/* Copy the bands in use out of pixels that have all bands from the first to the last of them. */
static void copy_bands(const xta_scene *scene, const double *from, size_t n_pixels, size_t n_all,
                       double *cells)
{
    for (size_t p = 0; p < n_pixels; p++) {
        for (size_t k = 0; k < scene->now.n_runs; k++) {
            const band_run *run = &scene->now.runs[k];
            memcpy(cells + p * scene->now.n_bands + run->first,
                   from + p * n_all + (size_t)(run->band - scene->now.runs[0].band),
                   run->n * sizeof *cells);
        }
    }
}

/* A source gives all bands between two; where some of these are not in use, it is read line by
 * line. */
static xta_status source_cells(xta_scene *scene, const int64_t lines[2], const int64_t samples[2],
                               double *cells, xta_error *err)
{
    const band_run *last = &scene->now.runs[scene->now.n_runs - 1];
    size_t n_samples = (size_t)(samples[1] - samples[0]);
    int64_t lo[3] = {lines[0], samples[0], scene->now.runs[0].band};
    int64_t hi[3] = {lines[1], samples[1], last->band + (int64_t)last->n};
    size_t n_all = (size_t)(hi[BANDS] - lo[BANDS]);
    xta_status status = XTA_OK;

    if (scene->now.n_runs == 1) {
        return scene->source.read(scene->source.context, lo, hi, cells, err);
    }
    double *line = malloc(n_samples * n_all * sizeof *line);
    if (line == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for a line of %zu cells",
                             scene->name, n_samples * n_all);
    }
    for (int64_t k = lines[0]; k < lines[1] && status == XTA_OK; k++) {
        lo[LINES] = k;
        hi[LINES] = k + 1;
        status = scene->source.read(scene->source.context, lo, hi, line, err);
        if (status == XTA_OK) {
            copy_bands(scene, line, n_samples, n_all, cells);
            cells += n_samples * scene->now.n_bands;
        }
    }
    free(line);
    return status;
}

xta_status xta__scene_cells(xta_scene *scene, const int64_t lines[2], const int64_t samples[2],
                            xta_type type, void *cells, xta_error *err)
{
    if (lines[0] >= lines[1] || samples[0] >= samples[1]) {
        return XTA_OK;
    }
    return scene->array != NULL ? array_cells(scene, lines, samples, type, cells, err)
                                : source_cells(scene, lines, samples, cells, err);
}

size_t xta__scene_kept_pixel(const xta_scene *scene)
{
    return scene->now.n_bands * xta_type_bytes(scene->kept);
}

#define WIDEN(name, TYPE)                                               \
    static void widen_##name(const void *cells, size_t n, double *into) \
    {                                                                   \
        const TYPE *from = cells;                                       \
        for (size_t k = 0; k < n; k++) {                                \
            into[k] = (double)from[k];                                  \
        }                                                               \
    }
WIDEN(i8, int8_t)
WIDEN(u8, uint8_t)
WIDEN(i16, int16_t)
WIDEN(u16, uint16_t)
WIDEN(f32, float)

void xta__scene_widen(const xta_scene *scene, const unsigned char *cells, size_t n, double *pixels)
{
    size_t n_cells = n * scene->now.n_bands;

    switch (scene->kept) {
    case XTA_I8:
        widen_i8(cells, n_cells, pixels);
        break;
    case XTA_U8:
        widen_u8(cells, n_cells, pixels);
        break;
    case XTA_I16:
        widen_i16(cells, n_cells, pixels);
        break;
    case XTA_U16:
        widen_u16(cells, n_cells, pixels);
        break;
    case XTA_F32:
        widen_f32(cells, n_cells, pixels);
        break;
    default:
        memcpy(pixels, cells, n_cells * sizeof *pixels);
        break;
    }
}

static bool has_value(const double *x, size_t n, double value)
{
    int found = 0;

    for (size_t b = 0; b < n; b++) {
        found |= x[b] == value;
    }
    return found != 0;
}

static bool all_finite(const double *x, size_t n)
{
    int bad = 0;

    for (size_t b = 0; b < n; b++) {
        bad |= !(fabs(x[b]) <= DBL_MAX);
    }
    return bad == 0;
}

size_t xta__scene_valid(const xta_scene *scene, const double *pixels, size_t n,
                        unsigned char *valid)
{
    size_t n_valid = 0;

    for (size_t p = 0; p < n; p++) {
        const double *x = pixels + p * scene->now.n_bands;
        bool good = scene->whole || all_finite(x, scene->now.n_bands);
        for (size_t k = 0; good && k < scene->now.n_nodata; k++) {
            good = !has_value(x, scene->now.n_bands, scene->now.nodata[k]);
        }
        valid[p] = good;
        n_valid += good;
    }
    return n_valid;
}
