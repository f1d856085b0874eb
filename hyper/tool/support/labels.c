/* Maps of classes on a command line: opening or importing them, placing them over a scene, and
 * counting.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "support/labels.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xta/attribute.h>

#include "formats_loader.h"

/* Number of labels that are counted at once, but at least one line. */
#define LABELS_AT_ONCE ((int64_t)1 << 18)

static bool is_png(const char *file)
{
    const char *dot = strrchr(file, '.');

    return dot != NULL && (strcmp(dot, ".png") == 0 || strcmp(dot, ".PNG") == 0);
}

/* Import into a temporary folder, then read into memory. */
static xta_status import(const char *text, bool labels, xta_array **array, cli_error *err)
{
    xta_import_options options = XTA_IMPORT_OPTIONS_INIT;
    const char *parent = getenv("TMPDIR");
    char folder[4096], path[4096 + 16];
    bool made = false, imported = false;
    char *file = NULL;
    cli_formats bridges;
    xta_status status = XTA_OK;

    snprintf(folder, sizeof folder, "%s/xta-XXXXXX", parent != NULL ? parent : "/tmp");
    XTA_TRY(cli_split_variable(text, &file, &options.variable, err));
    if (labels && is_png(file)) {
        options.format = "labels"; // Otherwise it would be read as a picture with three bands.
    }
    XTA_TRY(cli_formats_load(&bridges, &err->error));
    if (mkdtemp(folder) == NULL) {
        status = cli_fail(err, XTA_EIO, errno,
                          "%s: no folder can be made to import it into: %s; set TMPDIR", text,
                          strerror(errno));
        goto done;
    }
    made = true;
    snprintf(path, sizeof path, "%s/map", folder);
    XTA_TRY(bridges.import(file, path, &options, NULL, &err->error));
    imported = true;
    XTA_TRY(xta_array_load(path, array, &err->error));
done:
    if (imported) {
        xta_error ignored;
        (void)!xta_array_delete(path, &ignored);
    }
    if (made) {
        rmdir(folder);
    }
    free(file);
    return status;
}

static xta_status open_or_import(const char *text, bool labels, xta_array **array, cli_error *err)
{
    char *file = NULL;
    const char *variable = NULL;
    bool foreign;
    xta_status status = xta_array_open(text, NULL, array, &err->error);

    if (status == XTA_OK || (status != XTA_ENOENT && status != XTA_EFORMAT)) {
        return status;
    }
    status = cli_split_variable(text, &file, &variable, err);
    if (status != XTA_OK) {
        return status;
    }
    foreign = access(file, F_OK) == 0;
    free(file);
    if (!foreign) {
        return cli_fail(err, XTA_ENOENT, ENOENT,
                        "%s: there is no such array and no such file; check the path", text);
    }
    return import(text, labels, array, err);
}

xta_status cli_open_any(const char *text, xta_array **array, cli_error *err)
{
    return open_or_import(text, false, array, err);
}

/* Find the axes of lines and samples: the two that remain when axes of one cell are left out,
 * beginning with the first, until two axes remain. */
static xta_status find_area(const char *text, xta_array *array, cli_area *area, cli_error *err)
{
    xta_box bounds = xta_array_bounds(array);
    int axes[2], n = 0, n_extra = bounds.ndim - 2;

    for (int axis = 0; axis < bounds.ndim; axis++) {
        if (bounds.hi[axis] - bounds.lo[axis] == 1 && n_extra > 0) {
            n_extra--;
        } else if (n < 2) {
            axes[n++] = axis;
        } else {
            n++;
        }
    }
    if (n != 2) {
        return cli_fail(
            err, XTA_EARG, 0,
            "%s: has %d axes; a map of classes has two, of lines and of samples, and others "
            "of one cell at most",
            text, bounds.ndim);
    }
    *area = (cli_area){{bounds.lo[axes[0]], bounds.hi[axes[0]]},
                       {bounds.lo[axes[1]], bounds.hi[axes[1]]}};
    return XTA_OK;
}

xta_status cli_labels_open(const char *text, xta_label_map *map, cli_area *area, cli_error *err)
{
    xta_status status = XTA_OK;

    *map = (xta_label_map){0};
    XTA_TRY(open_or_import(text, true, &map->array, err));
    XTA_TRY(find_area(text, map->array, area, err));
done:
    return status;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool same_size(const cli_area *a, const cli_area *b)
{
    return a->lines[1] - a->lines[0] == b->lines[1] - b->lines[0] &&
           a->samples[1] - a->samples[0] == b->samples[1] - b->samples[0];
}

xta_status cli_same_area(xta_array *map, const char *name, const cli_area *own, const char *under,
                         const cli_area *area, cli_error *err)
{
    bool imported = xta_array_path(map)[0] == '\0';

    // An array may be placed elsewhere by its own coordinates; a file has none.
    if (memcmp(own, area, sizeof *own) == 0 || (same_size(own, area) && !imported)) {
        return XTA_OK;
    }
    return cli_fail(err, XTA_EBOX, 0,
                    "%s: has the lines %" PRId64 ":%" PRId64 " and samples %" PRId64 ":%" PRId64
                    ", %s has %" PRId64 ":%" PRId64 " and %" PRId64 ":%" PRId64
                    "; say with --truth-at LINE,SAMPLE where its first cell lies",
                    name, own->lines[0], own->lines[1], own->samples[0], own->samples[1], under,
                    area->lines[0], area->lines[1], area->samples[0], area->samples[1]);
}

static xta_status place(const cli_args *args, const char *text, const cli_area *own,
                        const cli_area *scene, xta_label_map *map, cli_error *err)
{
    const char *at = cli_get(args, "truth-at");
    int64_t corner[XTA_MAX_NDIM] = {scene->lines[0], scene->samples[0]};
    xta_status status = XTA_OK;

    if (at == NULL) {
        return cli_same_area(map->array, text, own, "the scene", scene, err);
    }
    if (strcmp(at, "scene") != 0) {
        XTA_TRY(cli_parse_coords_of(at, "--truth-at", 2, corner, err));
    } else if (!same_size(own, scene)) {
        status =
            cli_fail(err, XTA_EBOX, 0,
                     "%s: has %" PRId64 " x %" PRId64 " cells, the scene %" PRId64 " x %" PRId64
                     "; say with --truth-at LINE,SAMPLE where its first cell lies",
                     text, own->lines[1] - own->lines[0], own->samples[1] - own->samples[0],
                     scene->lines[1] - scene->lines[0], scene->samples[1] - scene->samples[0]);
        goto done;
    }
    map->line_shift = corner[0] - own->lines[0];
    map->sample_shift = corner[1] - own->samples[0];
done:
    return status;
}

xta_status cli_truth_open(const cli_args *args, const char *text, const cli_area *scene,
                          xta_label_map *map, cli_error *err)
{
    cli_area own;
    xta_status status = XTA_OK;

    XTA_TRY(cli_labels_open(text, map, &own, err));
    XTA_TRY(place(args, text, &own, scene, map, err));
    if (least(own.lines[1] + map->line_shift, scene->lines[1]) <=
            greatest(own.lines[0] + map->line_shift, scene->lines[0]) ||
        least(own.samples[1] + map->sample_shift, scene->samples[1]) <=
            greatest(own.samples[0] + map->sample_shift, scene->samples[0])) {
        status = cli_fail(err, XTA_EBOX, 0,
                          "%s: its lines %" PRId64 ":%" PRId64 " and samples %" PRId64 ":%" PRId64
                          " have no pixel in common with the scene's lines %" PRId64 ":%" PRId64
                          " and samples %" PRId64 ":%" PRId64 "; see --truth-at",
                          text, own.lines[0] + map->line_shift, own.lines[1] + map->line_shift,
                          own.samples[0] + map->sample_shift, own.samples[1] + map->sample_shift,
                          scene->lines[0], scene->lines[1], scene->samples[0], scene->samples[1]);
    }
done:
    return status;
}

const char *cli_class_names(xta_array *array)
{
    xta_attribute attribute;

    if (array == NULL ||
        xta_attribute_get(array, XTA_ON_ARRAY, "class_names", &attribute, NULL) != XTA_OK ||
        attribute.type != XTA_TEXT) {
        return NULL;
    }
    return attribute.values;
}

const char *cli_class_name(const char *names, int32_t k, char name[64])
{
    for (int32_t line = 0; names != NULL && line < k; line++) {
        names = strchr(names, '\n');
        names = names != NULL ? names + 1 : NULL;
    }
    if (names == NULL || *names == '\0' || *names == '\n') {
        return NULL;
    }
    snprintf(name, 64, "%.*s", (int)strcspn(names, "\n"), names);
    return name;
}

xta_status cli_labels_count(const xta_label_map *labels, const xta_label_map *truth,
                            const cli_area *area, xta_confusion *confusion, cli_error *err)
{
    size_t width = (size_t)(area->samples[1] - area->samples[0]);
    int64_t step = greatest(1, LABELS_AT_ONCE / greatest(1, (int64_t)width));
    int32_t *cells = malloc((2 * (size_t)step * width + 1) * sizeof *cells);
    xta_status status = XTA_OK;

    if (cells == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for lines of %zu labels", width);
    }
    for (int64_t line = area->lines[0]; line < area->lines[1]; line += step) {
        int64_t lines[2] = {line, least(line + step, area->lines[1])};
        size_t n = (size_t)(lines[1] - lines[0]) * width;
        XTA_TRY(xta_label_map_read(labels, lines, area->samples, cells, &err->error));
        XTA_TRY(xta_label_map_read(truth, lines, area->samples, cells + n, &err->error));
        XTA_TRY(xta_confusion_add(confusion, cells + n, cells, n, &err->error));
    }
done:
    free(cells);
    return status;
}

cli_area cli_scene_area(const cli_scene *scene)
{
    const xta_scene_info *info = &scene->info;

    return (cli_area){{info->line_lo, info->line_hi}, {info->sample_lo, info->sample_hi}};
}
