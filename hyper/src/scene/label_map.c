/* Label maps: an array of whole numbers as classes of a scene's pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/label_map.h"

#include <string.h>

enum { LARGEST = 65535 };

/* Find the axes of lines and samples: axes of length 1 are dropped, the first ones first, until two
 * are left. */
static xta_status find_axes(const xta_label_map *map, const xta_box *bounds, int axes[2],
                            xta_error *err)
{
    int surplus = bounds->ndim - 2;
    int n = 0;
    for (int axis = 0; axis < bounds->ndim; axis++) {
        if (surplus > 0 && bounds->hi[axis] - bounds->lo[axis] == 1) {
            surplus--;
        } else if (n < 2) {
            axes[n++] = axis;
        } else {
            n++;
        }
    }
    if (n != 2) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: a label map has a line axis and a sample axis, this array has %d "
                             "axes (of which those of length 1 do not count)",
                             xta_array_path(map->array), n);
    }
    return XTA_OK;
}

xta_status xta__label_map_bounds(const xta_label_map *map, int axes[2], int64_t lo[2],
                                 int64_t hi[2], xta_error *err)
{
    xta_box bounds = xta_array_bounds(map->array);
    xta_status status = find_axes(map, &bounds, axes, err);
    for (int k = 0; status == XTA_OK && k < 2; k++) {
        int64_t shift = k == 0 ? map->line_shift : map->sample_shift;
        lo[k] = bounds.lo[axes[k]] + shift;
        hi[k] = bounds.hi[axes[k]] + shift;
    }
    return status;
}

/* Classes are small; a larger number means that this is not a label map. */
static xta_status check_classes(const xta_label_map *map, const int32_t *classes, size_t n,
                                xta_error *err)
{
    for (size_t k = 0; k < n; k++) {
        if (classes[k] < 0 || classes[k] > LARGEST) {
            return xta_error_set(err, XTA_ERANGE, 0,
                                 "%s: a class is %d; classes are 0 (not labelled) to %d",
                                 xta_array_path(map->array), classes[k], LARGEST);
        }
    }
    return XTA_OK;
}

xta_status xta_label_map_read(const xta_label_map *map, const int64_t lines[2],
                              const int64_t samples[2], int32_t *classes, xta_error *err)
{
    int axes[2] = {0, 0};
    int64_t lo[2], hi[2];
    const int64_t *want[2] = {lines, samples};
    size_t n_lines = (size_t)(lines[1] - lines[0]);
    size_t n_samples = (size_t)(samples[1] - samples[0]);
    xta_box box = xta_array_bounds(map->array);
    xta_status status = xta__label_map_bounds(map, axes, lo, hi, err);
    if (status != XTA_OK) {
        return status;
    }
    memset(classes, 0, n_lines * n_samples * sizeof *classes);
    for (int k = 0; k < 2; k++) {
        int64_t shift = k == 0 ? map->line_shift : map->sample_shift;
        int64_t from = want[k][0] > lo[k] ? want[k][0] : lo[k];
        int64_t to = want[k][1] < hi[k] ? want[k][1] : hi[k];
        if (from >= to) {
            return XTA_OK;
        }
        box.lo[axes[k]] = from - shift;
        box.hi[axes[k]] = to - shift;
    }
    int64_t strides[XTA_MAX_NDIM] = {0};
    strides[axes[0]] = (int64_t)(n_samples * sizeof *classes);
    strides[axes[1]] = (int64_t)sizeof *classes;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.type = XTA_I32;
    io.strides = strides;
    io.threads = 1;
    int32_t *first = classes + (size_t)(box.lo[axes[0]] + map->line_shift - lines[0]) * n_samples +
                     (size_t)(box.lo[axes[1]] + map->sample_shift - samples[0]);
    status = xta_array_read(map->array, &box, &io, first, err);
    return status == XTA_OK ? check_classes(map, classes, n_lines * n_samples, err) : status;
}
