/* A synthetic scene, written into an array a few lines at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/synth.h>

#include <math.h>
#include <stdlib.h>

#include <xta/classify.h>

/* A block of lines has fewer cells than this. */
#define BLOCK_CELLS ((size_t)1 << 21)

/* The range of a type of whole numbers; false for other types. */
static bool range_of(xta_type type, double *low, double *high)
{
    switch (type) {
    case XTA_BOOL:
        *low = 0, *high = 1;
        return true;
    case XTA_I8:
        *low = INT8_MIN, *high = INT8_MAX;
        return true;
    case XTA_U8:
        *low = 0, *high = UINT8_MAX;
        return true;
    case XTA_I16:
        *low = INT16_MIN, *high = INT16_MAX;
        return true;
    case XTA_U16:
        *low = 0, *high = UINT16_MAX;
        return true;
    case XTA_I32:
        *low = INT32_MIN, *high = INT32_MAX;
        return true;
    case XTA_U32:
        *low = 0, *high = UINT32_MAX;
        return true;
    case XTA_I64:
        *low = -0x1p53, *high = 0x1p53;
        return true;
    case XTA_U64:
        *low = 0, *high = 0x1p53;
        return true;
    default:
        return false;
    }
}

void xta_synth_round(xta_type type, double *cells, size_t n)
{
    double low, high;
    if (!range_of(type, &low, &high)) {
        return;
    }
    for (size_t k = 0; k < n; k++) {
        cells[k] = fmin(fmax(rint(cells[k]), low), high);
    }
}

static xta_status check_axis(xta_array *array, const char *what, int axis, int64_t have,
                             int64_t need, xta_error *err)
{
    if (have == need) {
        return XTA_OK;
    }
    return xta_error_set(err, XTA_EARG, 0, "%s: axis %d has %lld %s, not %lld",
                         xta_array_path(array), axis, (long long)have, what, (long long)need);
}

static xta_status check_bounds(xta_array *scene, xta_array *truth, size_t n_materials,
                               size_t n_bands, xta_error *err)
{
    xta_box s = xta_array_bounds(scene);
    if (s.ndim != 3) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: a made scene has the axes line, sample, band; this array has %d",
                             xta_array_path(scene), s.ndim);
    }
    xta_status status = check_axis(scene, "bands", 2, s.hi[2] - s.lo[2], (int64_t)n_bands, err);
    if (status != XTA_OK || truth == NULL) {
        return status;
    }
    xta_box t = xta_array_bounds(truth);
    if (t.ndim != 3) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: abundances have the axes material, line, sample; this array has "
                             "%d",
                             xta_array_path(truth), t.ndim);
    }
    status = check_axis(truth, "materials", 0, t.hi[0] - t.lo[0], (int64_t)n_materials, err);
    for (int axis = 0; status == XTA_OK && axis < 2; axis++) {
        if (t.lo[axis + 1] != s.lo[axis] || t.hi[axis + 1] != s.hi[axis]) {
            status =
                xta_error_set(err, XTA_EARG, 0, "%s: axis %d is not where axis %d of the scene is",
                              xta_array_path(truth), axis + 1, axis);
        }
    }
    return status;
}

/* Write a block of abundances, which are ordered by pixel, then by material. */
static xta_status write_truth(xta_array *truth, const xta_box *scene, size_t n_materials,
                              const double *abundances, xta_error *err)
{
    xta_box box = xta_array_bounds(truth);
    int64_t cell = (int64_t)sizeof *abundances;
    int64_t samples = scene->hi[1] - scene->lo[1];
    int64_t strides[3] = {cell, samples * (int64_t)n_materials * cell, (int64_t)n_materials * cell};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.type = XTA_F64;
    io.strides = strides;
    for (int axis = 0; axis < 2; axis++) {
        box.lo[axis + 1] = scene->lo[axis];
        box.hi[axis + 1] = scene->hi[axis];
    }
    return xta_array_write(truth, &box, &io, abundances, err);
}

xta_status xta_synth_scene(xta_array *scene, xta_array *truth, const xta_label_map *labels,
                           size_t n_materials, size_t n_bands, const double *library,
                           const xta_synth_options *options, const int64_t lines[2], xta_error *err)
{
    xta_status status = check_bounds(scene, truth, n_materials, n_bands, err);
    if (status != XTA_OK) {
        return status;
    }
    xta_box box = xta_array_bounds(scene);
    int64_t from = lines != NULL ? lines[0] : box.lo[0];
    int64_t end = lines != NULL ? lines[1] : box.hi[0];
    if (from < box.lo[0] || end > box.hi[0]) {
        return xta_error_set(err, XTA_EBOX, 0, "%s: lines %lld to %lld leave axis 0, %lld to %lld",
                             xta_array_path(scene), (long long)from, (long long)end,
                             (long long)box.lo[0], (long long)box.hi[0]);
    }
    const int64_t samples[2] = {box.lo[1], box.hi[1]};
    size_t width = (size_t)(samples[1] - samples[0]);
    size_t step = width > 0 ? BLOCK_CELLS / (width * n_bands) : 1;
    step = step > 0 ? step : 1;
    double *cells = calloc(step * width * n_bands + 1, sizeof *cells);
    double *abundances = calloc(truth ? step * width * n_materials + 1 : 1, sizeof *abundances);
    if (cells == NULL || abundances == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu lines of a scene", step);
    }
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.type = XTA_F64;
    for (int64_t line = from; status == XTA_OK && line < end; line += (int64_t)step) {
        int64_t end_line = line + (int64_t)step < end ? line + (int64_t)step : end;
        const int64_t block[2] = {line, end_line};
        box.lo[0] = line;
        box.hi[0] = end_line;
        status = xta_synth_pixels(labels, n_materials, n_bands, library, options, block, samples,
                                  cells, truth ? abundances : NULL, err);
        if (status == XTA_OK) {
            size_t n = (size_t)(end_line - line) * width;
            xta_synth_round(xta_array_type(scene), cells, n * n_bands);
            status = xta_array_write(scene, &box, &io, cells, err);
        }
        if (status == XTA_OK && truth != NULL) {
            status = write_truth(truth, &box, n_materials, abundances, err);
        }
    }
    free(cells);
    free(abundances);
    return status;
}
