/* Writing the results of a tile into arrays beside the scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/map_tiles.h"

static long long ll(int64_t value)
{
    return (long long)value;
}

xta_status xta__lines_asked(const xta_scene *scene, const int64_t lines[2], line_range *range,
                            xta_error *err)
{
    xta_scene_info info = xta_scene_inquire(scene);

    *range = (line_range){info.line_lo, info.line_hi};
    if (lines == NULL) {
        return XTA_OK;
    }
    if (lines[0] < info.line_lo || lines[1] > info.line_hi || lines[0] > lines[1]) {
        return xta_error_set(err, XTA_EARG, 0, "%s: lines %lld to %lld of a scene of %lld to %lld",
                             info.name, ll(lines[0]), ll(lines[1]), ll(info.line_lo),
                             ll(info.line_hi));
    }
    *range = (line_range){lines[0], lines[1]};
    return XTA_OK;
}

xta_status xta__map_fits(const xta_scene *scene, line_range lines, xta_array *map, const char *what,
                         size_t layers, xta_error *err)
{
    if (map == NULL || lines.lo == lines.hi) {
        return XTA_OK;
    }
    xta_scene_info info = xta_scene_inquire(scene);
    xta_box box = xta_array_bounds(map);
    int at = layers > 0 ? 1 : 0;
    if (box.ndim != at + 2) {
        return xta_error_set(err, XTA_EARG, 0, "%s for %s has %d axes, not %d", xta_array_path(map),
                             what, box.ndim, at + 2);
    }
    if (layers > 0 && (box.lo[0] != 0 || box.hi[0] != (int64_t)layers)) {
        return xta_error_set(err, XTA_EARG, 0, "%s for %s has %lld layers from %lld on, not %zu",
                             xta_array_path(map), what, ll(box.hi[0] - box.lo[0]), ll(box.lo[0]),
                             layers);
    }
    if (box.lo[at] > lines.lo || box.hi[at] < lines.hi || box.lo[at + 1] > info.sample_lo ||
        box.hi[at + 1] < info.sample_hi) {
        return xta_error_set(
            err, XTA_EARG, 0,
            "%s for %s covers lines %lld to %lld and samples %lld to %lld: extend it to the scene",
            xta_array_path(map), what, ll(box.lo[at]), ll(box.hi[at]), ll(box.lo[at + 1]),
            ll(box.hi[at + 1]));
    }
    return XTA_OK;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The pixels of a tile that are asked for, as a box of the map. */
static xta_box box_of_tile(const xta_scene *scene, line_range lines, const hyper_tile *tile,
                           size_t layers)
{
    xta_scene_info info = xta_scene_inquire(scene);
    int64_t lo[3], hi[3];
    int at = 0;

    if (layers > 0) {
        lo[0] = 0;
        hi[0] = (int64_t)layers;
        at = 1;
    }
    lo[at] = larger(tile->line, lines.lo);
    hi[at] = smaller(tile->line + TILE_LINES, lines.hi);
    lo[at + 1] = larger(tile->sample, info.sample_lo);
    hi[at + 1] = smaller(tile->sample + TILE_SAMPLES, info.sample_hi);
    return xta_box_make(at + 2, lo, hi);
}

xta_status xta__map_put_tile(const xta_scene *scene, line_range lines, const hyper_tile *tile,
                             xta_array *map, size_t layers, const double *cells, double *scratch,
                             xta_error *err)
{
    if (map == NULL) {
        return XTA_OK;
    }
    xta_box box = box_of_tile(scene, lines, tile, layers);
    size_t n_layers = layers > 0 ? layers : 1, n = 0;
    const int64_t *lo = box.lo + (layers > 0), *hi = box.hi + (layers > 0);
    /* Numbers that a float cannot hold become infinite, as in any computation with floats. */
    bool single = xta_array_type(map) == XTA_F32;

    for (size_t k = 0; k < n_layers; k++) {
        for (int64_t line = lo[0]; line < hi[0]; line++) {
            int64_t row = (line - tile->line) * TILE_SAMPLES - tile->sample;
            for (int64_t sample = lo[1]; sample < hi[1]; sample++) {
                double value = cells[(size_t)(row + sample) * n_layers + k];
                scratch[n++] = single ? (double)(float)value : value;
            }
        }
    }
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    options.type = XTA_F64;
    options.threads = 1;
    return xta_array_write(map, &box, &options, scratch, err);
}
