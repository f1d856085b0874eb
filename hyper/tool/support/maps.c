/* Arrays of results: creating them, finishing or deleting them, and their means.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/maps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/picture.h>

xta_status cli_map_begin(cli_scene *scene, xta_scene_map_options *options, cli_map *map,
                         cli_error *err)
{
    xta_status status = XTA_OK;

    *map = (cli_map){.path = options->path};
    if (options->path == NULL) {
        return XTA_OK;
    }
    options->must_be_new = true;
    XTA_TRY(xta_scene_map_open(scene->scene, options, &map->array, &err->error));
    map->made = true;
done:
    return status;
}

xta_status cli_map_settle(cli_map *map, cli_error *err)
{
    xta_status status = XTA_OK;

    if (map->path == NULL) {
        return XTA_OK;
    }
    status = cli_close(map->array, XTA_OK, err);
    map->array = NULL;
    XTA_TRY(cli_hyper_agree(status, err));
    if (cli_hyper_leads()) {
        status = cli_open_writable(map->path, &map->array, err);
    }
    status = cli_hyper_agree(status, err);
done:
    return status;
}

xta_status cli_map_end(cli_map *map, xta_status status, cli_error *err)
{
    status = cli_close(map->array, status, err);
    map->array = NULL;
    if (map->path == NULL) {
        return status;
    }
    // No process may have the array open when it is deleted.
    status = cli_hyper_agree(status, err);
    if (status != XTA_OK && map->made && cli_hyper_leads()) {
        xta_error ignored;
        (void)!xta_array_delete(map->path, &ignored);
    }
    return status;
}

xta_type cli_label_type(size_t n_classes)
{
    return n_classes <= UINT8_MAX ? XTA_U8 : XTA_U16;
}

xta_status cli_map_classes(xta_array *labels, size_t n, const char *const names[], cli_error *err)
{
    xta_attribute colours = {"class_colours", XTA_U8, 1, 3 * (n + 1), NULL};
    size_t bytes = 16, at;
    unsigned char *rgb = NULL;
    char *text = NULL;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < n; k++) {
        bytes += (names != NULL && names[k] != NULL ? strlen(names[k]) : 0) + 32;
    }
    rgb = malloc(3 * (n + 1));
    text = malloc(bytes);
    if (rgb == NULL || text == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for the names of %zu classes", n);
        goto done;
    }
    at = (size_t)snprintf(text, bytes, "unclassified");
    xta_class_colour(0, rgb);
    for (size_t k = 0; k < n; k++) {
        if (names != NULL && names[k] != NULL) {
            at += (size_t)snprintf(text + at, bytes - at, "\n%s", names[k]);
        } else {
            at += (size_t)snprintf(text + at, bytes - at, "\nclass %zu", k + 1);
        }
        xta_class_colour(k + 1, rgb + 3 * (k + 1));
    }
    colours.values = rgb;
    XTA_TRY(xta_attribute_set_text(labels, XTA_ON_ARRAY, "class_names", text, &err->error));
    XTA_TRY(xta_attribute_set(labels, XTA_ON_ARRAY, &colours, &err->error));
done:
    free(text);
    free(rgb);
    return status;
}

/* Number of lines that fit into the memory, at least one. */
static int64_t lines_at_once(const xta_box *bounds, int line, uint64_t memory_bytes)
{
    double line_bytes = sizeof(double);

    for (int axis = 0; axis < bounds->ndim; axis++) {
        line_bytes *= axis == line ? 1 : (double)(bounds->hi[axis] - bounds->lo[axis]);
    }
    line_bytes = (double)memory_bytes / 4 / (line_bytes > 0 ? line_bytes : 1);
    return line_bytes < 1 ? 1 : line_bytes > 1e6 ? 1000000 : (int64_t)line_bytes;
}

static void add(const double *cells, size_t n, double *sum, uint64_t *count)
{
    for (size_t k = 0; k < n; k++) {
        if (!isnan(cells[k])) {
            *sum += cells[k];
            (*count)++;
        }
    }
}

xta_status cli_map_means(xta_array *map, uint64_t memory_bytes, size_t n_layers, double mean[],
                         uint64_t n_pixels[], cli_error *err)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_box bounds = xta_array_bounds(map);
    xta_box box = bounds;
    int line = bounds.ndim - 2;
    int64_t step = lines_at_once(&bounds, line, memory_bytes);
    size_t width = (size_t)(bounds.hi[line + 1] - bounds.lo[line + 1]);
    double *cells = malloc(((size_t)step * width * n_layers + 1) * sizeof *cells);
    xta_status status = XTA_OK;

    memset(mean, 0, n_layers * sizeof mean[0]);
    memset(n_pixels, 0, n_layers * sizeof n_pixels[0]);
    if (cells == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for a line; raise --memory",
                        xta_array_path(map));
    }
    io.type = XTA_F64;
    for (int64_t at = bounds.lo[line]; at < bounds.hi[line]; at += step) {
        size_t n;
        box.lo[line] = at;
        box.hi[line] = at + step < bounds.hi[line] ? at + step : bounds.hi[line];
        n = (size_t)(box.hi[line] - at) * width;
        XTA_TRY(xta_array_read(map, &box, &io, cells, &err->error));
        for (size_t k = 0; k < n_layers; k++) {
            add(cells + k * n, n, &mean[k], &n_pixels[k]);
        }
    }
    for (size_t k = 0; k < n_layers; k++) {
        mean[k] = n_pixels[k] > 0 ? mean[k] / (double)n_pixels[k] : NAN;
    }
done:
    free(cells);
    return status;
}
