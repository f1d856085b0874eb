/* The sections of a report that show maps.
 *
 * Every picture is drawn into the page and, with --pictures, into a separate file, so that the two
 * are always the same. Small scenes are enlarged by whole pixels, long ones are sampled.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/wavelength.h>

#include "support/maps.h"
#include "util/text.h"
#include "util/vector.h"

#define LARGE_PIXELS 900 /* the longer side of a map shown alone */
#define SMALL_PIXELS 380 /* the longer side of one of several maps */
#define MOST_PIXELS  1400
#define MOST_MARKS   8 /* number of marks on a small map */

/* ---- tables ---- */

void cli_cells_add(cli_cells *cells, const char *format, ...)
{
    xta__text text = {0};
    va_list values;

    va_start(values, format);
    xta__text_vprintf(&text, format, values);
    va_end(values);
    char *cell = xta__text_detach(&text);
    if (cell == NULL || !XTA__RESERVE(cells->text, cells->capacity, cells->n + 1)) {
        free(cell);
        cells->failed = true;
        return;
    }
    cells->text[cells->n++] = cell;
}

xta_status cli_cells_end(cli_cells *cells, cli_report *report, xta_report_table *table,
                         cli_error *err)
{
    xta_status status;

    table->struct_size = sizeof *table;
    table->cells = (const char *const *)cells->text;
    table->n_rows = cells->n / table->n_columns;
    if (cells->failed) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for a table of the report");
    } else {
        status = xta_report_add_table(report->page, table, &err->error);
    }
    for (size_t k = 0; k < cells->n; k++) {
        free(cells->text[k]);
    }
    free(cells->text);
    *cells = (cli_cells){0};
    return status;
}

/* ---- pictures ---- */

/* Pixels for each cell, so that the longer side is close to `wanted`; 0: the scene is long
 * enough. */
static int zoom_for(xta_array *array, int not_shown, int wanted)
{
    xta_box bounds = xta_array_bounds(array);
    int64_t longest = 1;

    for (int axis = 0; axis < bounds.ndim; axis++) {
        int64_t n = bounds.hi[axis] - bounds.lo[axis];
        longest = axis != not_shown && n > longest ? n : longest;
    }
    return (int)((wanted + longest / 2) / longest);
}

xta_status cli_report_path(const cli_report *report, const char *name, char path[4096],
                           cli_error *err)
{
    int n = snprintf(path, 4096, "%s/%s.png", report->pictures, name);

    if (n < 0 || n >= 4096) {
        return cli_fail(err, XTA_EARG, 0, "--pictures: %s: the path is too long", report->pictures);
    }
    return XTA_OK;
}

/* `bands`: the axis that is not shown, or -1. */
static xta_status show_numbers(cli_report *report, xta_array *array, int bands,
                               xta_quicklook_options *style, const char *name,
                               const xta_report_figure *figure, cli_error *err)
{
    char path[4096];
    xta_status status = XTA_OK;

    style->legend = true;
    style->cell_axes = true; // lines and samples, as in the tables
    style->zoom = zoom_for(array, bands, figure->small ? SMALL_PIXELS : LARGE_PIXELS);
    style->max_pixels = style->zoom > 0 ? 0 : figure->small ? LARGE_PIXELS : MOST_PIXELS;
    XTA_TRY(xta_report_add_quicklook(report->page, array, style, figure, &err->error));
    if (report->pictures != NULL) {
        XTA_TRY(cli_report_path(report, name, path, err));
        XTA_TRY(xta_picture_quicklook(array, style, path, &err->error));
    }
done:
    return status;
}

/* Labels without names get the names of the endmembers, from 1. */
static void name_labels(const cli_report *report, xta_classes_options *style)
{
    if (report->label_names != NULL && cli_class_names(report->labels.array) == NULL) {
        style->names = report->label_names;
        style->n_classes = report->endmembers.n + 1;
    }
}

static bool has_colours(xta_array *array, xta_attribute *colours)
{
    return xta_attribute_get(array, XTA_ON_ARRAY, "class_colours", colours, NULL) == XTA_OK &&
           colours->type == XTA_U8;
}

/* Classes of a truth without colours get the colours of the labels matched to them, so that the two
 * maps can be compared; classes without a label get further colours. */
static xta_status match_colours(const cli_report *report, unsigned char **colours,
                                size_t *n_classes, cli_error *err)
{
    const xta_accuracy *a = &report->accuracy;
    xta_attribute given = {0};
    int32_t last_class = 0, last_label = 0;

    if (a->n_classes == 0 || has_colours(report->truth.array, &given)) {
        return XTA_OK;
    }
    for (size_t k = 0; k < a->n_classes; k++) {
        last_class = a->class_number[k] > last_class ? a->class_number[k] : last_class;
        last_label = a->label_of[k] > last_label ? a->label_of[k] : last_label;
    }
    *n_classes = (size_t)last_class + 1;
    *colours = calloc(*n_classes, 3);
    if (*colours == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the colours of %zu classes", *n_classes);
    }
    bool named = has_colours(report->labels.array, &given);
    for (size_t k = 0; k < a->n_classes; k++) {
        unsigned char *rgb = *colours + 3 * (size_t)a->class_number[k];
        size_t label = (size_t)(a->label_of[k] > 0 ? a->label_of[k] : ++last_label);
        if (named && a->label_of[k] > 0 && 3 * label + 2 < given.count) {
            memcpy(rgb, (const unsigned char *)given.values + 3 * label, 3);
        } else {
            xta_class_colour(label, rgb);
        }
    }
    return XTA_OK;
}

static xta_status show_classes(cli_report *report, xta_array *array, const char *title,
                               const char *name, const xta_report_figure *figure, cli_error *err)
{
    xta_classes_options style = XTA_CLASSES_OPTIONS_INIT;
    unsigned char *colours = NULL;
    char path[4096];
    xta_status status = XTA_OK;

    style.legend = true;
    style.cell_axes = true;
    style.title = title;
    if (array == report->labels.array) {
        name_labels(report, &style);
    } else {
        XTA_TRY(match_colours(report, &colours, &style.n_classes, err));
        style.colours = colours;
    }
    style.zoom = zoom_for(array, -1, figure->small ? SMALL_PIXELS : LARGE_PIXELS * 2 / 3);
    style.max_pixels = style.zoom > 0 ? 0 : MOST_PIXELS;
    XTA_TRY(xta_report_add_classes(report->page, array, &style, figure, &err->error));
    if (report->pictures != NULL) {
        XTA_TRY(cli_report_path(report, name, path, err));
        XTA_TRY(xta_picture_classes(array, &style, path, &err->error));
    }
done:
    free(colours);
    return status;
}

static size_t n_marks(const cli_report *report)
{
    return report->marks != NULL ? report->endmembers.n : 0;
}

/* The number of marks on a small map: none if many rings would hide its few pixels. */
static size_t n_marks_small(const cli_report *report)
{
    return n_marks(report) <= MOST_MARKS ? n_marks(report) : 0;
}

/* ---- the scene ---- */

static xta_status add_scene(cli_report *report, cli_error *err)
{
    const xta_scene_info *info = &report->scene.info;
    xta_report_table table = {.n_columns = 2};
    cli_cells cells = {0};

    cli_cells_add(&cells, "array");
    cli_cells_add(&cells, "%.400s", info->name);
    cli_cells_add(&cells, "lines");
    cli_cells_add(&cells, "%" PRId64 " (%" PRId64 " to %" PRId64 ")", info->line_hi - info->line_lo,
                  info->line_lo, info->line_hi - 1);
    cli_cells_add(&cells, "samples");
    cli_cells_add(&cells, "%" PRId64 " (%" PRId64 " to %" PRId64 ")",
                  info->sample_hi - info->sample_lo, info->sample_lo, info->sample_hi - 1);
    cli_cells_add(&cells, "bands in use");
    cli_cells_add(&cells, "%zu of %" PRId64, info->n_bands, info->band_hi - info->band_lo);
    if (info->wavelength != NULL) {
        cli_cells_add(&cells, "wavelengths");
        const char *unit = info->wavelength_unit;
        unit = strcmp(unit, "Nanometers") == 0 ? "nm" : unit;
        const char *guess = xta_wavelength_guess(info->wavelength, info->n_bands);
        bool stated = unit[0] != '\0' || guess == NULL;
        cli_cells_add(&cells, "%g to %g %s%s", info->wavelength[0],
                      info->wavelength[info->n_bands - 1], stated ? unit : guess,
                      stated ? "" : " (by their magnitude; no unit is stated)");
    }
    cli_cells_add(&cells, "cells");
    cli_cells_add(&cells, "%s", xta_type_name(xta_array_type(report->scene.array)));
    return cli_cells_end(&cells, report, &table, err);
}

/* A scene treats axes without names as line, sample and band, a quicklook does not; and without
 * wavelengths a quicklook would show a single band. */
static void choose_style(const cli_report *report, xta_quicklook_options *style)
{
    const xta_scene_info *info = &report->scene.info;
    xta_array *array = report->scene.array;
    bool named = false;

    style->rows = cli_get(report->args, "lines");
    style->columns = cli_get(report->args, "samples");
    style->bands = cli_get(report->args, "bands");
    for (int axis = 0; axis < xta_array_ndim(array); axis++) {
        named = named || xta_axis_name(array, axis)[0] != '\0';
    }
    if (!named && xta_array_ndim(array) == 3) {
        style->rows = style->rows != NULL ? style->rows : "0";
        style->columns = style->columns != NULL ? style->columns : "1";
        style->bands = style->bands != NULL ? style->bands : "2";
    }
    if (info->wavelength == NULL && info->n_bands >= 3) {
        style->n_rgb = 3;
        for (size_t k = 0; k < 3; k++) { // usually the first bands are blue
            style->rgb[k] = info->band[(2 * (2 - k) + 1) * info->n_bands / 6];
        }
    }
}

/* The axis of bands, or -1. */
static int find_bands(const cli_report *report, const xta_quicklook_options *style)
{
    int axis = -1;

    if (xta_axis_find(report->scene.array, style->bands != NULL ? style->bands : "band", &axis,
                      NULL) != XTA_OK) {
        return -1;
    }
    return axis;
}

xta_status cli_report_scene(cli_report *report, cli_error *err)
{
    xta_quicklook_options style = XTA_QUICKLOOK_OPTIONS_INIT;
    const xta_scene_info *info = &report->scene.info;
    char alt[256];
    xta_report_figure figure = {alt, NULL, false};
    xta_status status = XTA_OK;

    if (report->scene.array == NULL) {
        return XTA_OK;
    }
    XTA_TRY(xta_report_section(report->page, "Scene", &err->error));
    snprintf(alt, sizeof alt,
             "The scene as an image: %" PRId64 " lines of %" PRId64 " samples, each band stretched "
             "between its 2 and 98 percent points",
             info->line_hi - info->line_lo, info->sample_hi - info->sample_lo);
    figure.caption = n_marks(report) > 0
                         ? "Three bands as red, green and blue, 2 % cut off at either end of each; "
                           "rings are the pixels of the endmembers."
                         : "Three bands as red, green and blue, 2 % cut off at either end of each.";
    style.title = "Scene";
    choose_style(report, &style);
    style.marks = report->marks;
    style.n_marks = n_marks(report);
    XTA_TRY(show_numbers(report, report->scene.array, find_bands(report, &style), &style, "scene",
                         &figure, err));
    XTA_TRY(add_scene(report, err));
done:
    return status;
}

/* ---- abundances ---- */

/* The name of layer or endmember `k`, from 0. Writes it into `name`. */
static const char *layer_name(const cli_report *report, size_t k, char name[64])
{
    xta_attribute a;

    if (report->endmembers.n == report->n_layers && report->endmembers.names != NULL) {
        snprintf(name, 64, "%s", report->endmembers.names[k]);
        return name;
    }
    if (xta_attribute_get(report->abundances, report->layer_axis, "gdal/description", &a, NULL) ==
            XTA_OK &&
        a.type == XTA_TEXT && cli_class_name(a.values, (int32_t)k, name) != NULL) {
        return name;
    }
    snprintf(name, 64, "endmember %zu", k + 1);
    return name;
}

static xta_status show_layer(cli_report *report, size_t k, cli_error *err)
{
    xta_quicklook_options style = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_box bounds = xta_array_bounds(report->abundances);
    char name[64], title[96], file[32], alt[192], caption[192], axis[16];
    xta_report_figure figure = {alt, caption, true};

    layer_name(report, k, name);
    snprintf(title, sizeof title, "%zu  %s", k + 1, name);
    snprintf(alt, sizeof alt, "Map of the abundance of %s, from 0 to 1", name);
    if (report->mean != NULL && !isnan(report->mean[k])) {
        snprintf(caption, sizeof caption, "Abundance of %s, %.4f in the mean.", name,
                 report->mean[k]);
    } else {
        snprintf(caption, sizeof caption, "Abundance of %s.", name);
    }
    snprintf(file, sizeof file, "abundance-%zu", k + 1);
    if (bounds.ndim > 2) {
        snprintf(axis, sizeof axis, "%d", report->layer_axis);
        style.bands = axis;
        style.n_rgb = 1;
        style.rgb[0] = bounds.lo[report->layer_axis] + (int64_t)k;
    }
    style.high = 1;
    style.fill_is_data = true;
    style.title = title;
    style.label = "abundance";
    return show_numbers(report, report->abundances, bounds.ndim > 2 ? report->layer_axis : -1,
                        &style, file, &figure, err);
}

xta_status cli_report_abundances(cli_report *report, cli_error *err)
{
    xta_quicklook_options style = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_report_figure figure = {"Map of what the abundances leave of each pixel",
                                "What the abundances leave over: the root of the mean square over "
                                "the bands.",
                                true};
    xta_status status = XTA_OK;

    if (report->abundances == NULL) {
        return XTA_OK;
    }
    XTA_TRY(xta_report_section(report->page, "Abundances", &err->error));
    for (size_t k = 0; k < report->n_layers; k++) {
        XTA_TRY(show_layer(report, k, err));
    }
    if (report->residual != NULL) {
        style.colormap = "magma";
        style.fill_is_data = true;
        style.title = "Residual";
        style.label = "residual [cell values]";
        XTA_TRY(show_numbers(report, report->residual, -1, &style, "residual", &figure, err));
    }
done:
    return status;
}

/* ---- purity ---- */

static xta_status show_ppi(cli_report *report, cli_error *err)
{
    xta_quicklook_options style = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_report_figure figure = {"Map of the pixel purity index: how often each pixel is an extreme",
                                "How often a pixel is an extreme among all on a random direction, "
                                "on a logarithmic scale.",
                                true};

    style.log_counts = true;
    style.fill_is_data = true;
    style.colormap = "magma";
    style.title = "Pixel purity index";
    style.label = "count";
    style.marks = report->marks;
    style.n_marks = n_marks_small(report);
    return show_numbers(report, report->ppi, -1, &style, "ppi", &figure, err);
}

static xta_status show_mei(cli_report *report, cli_error *err)
{
    xta_quicklook_options style = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_report_figure figure = {"Map of the morphological eccentricity index",
                                "Morphological eccentricity: the angle between the purest and the "
                                "most mixed pixel of a window, at the purest.",
                                true};

    style.fill_is_data = true;
    style.colormap = "magma";
    style.title = "Morphological eccentricity index";
    style.label = "angle [rad]";
    style.marks = report->marks;
    style.n_marks = n_marks_small(report);
    return show_numbers(report, report->mei, -1, &style, "mei", &figure, err);
}

xta_status cli_report_purity(cli_report *report, cli_error *err)
{
    xta_status status = XTA_OK;

    if (report->ppi == NULL && report->mei == NULL) {
        return XTA_OK;
    }
    XTA_TRY(xta_report_section(report->page, "Purity", &err->error));
    if (report->ppi != NULL) {
        XTA_TRY(show_ppi(report, err));
    }
    if (report->mei != NULL) {
        XTA_TRY(show_mei(report, err));
    }
done:
    return status;
}

/* ---- classes ---- */

xta_status cli_report_classes(cli_report *report, cli_error *err)
{
    xta_report_figure figure = {"Map of the labels given to the pixels",
                                "Labels; shares are of the labelled pixels shown.", false};
    char moved[256];
    xta_report_figure truth = {"Map of the classes in truth",
                               "Classes in truth; shares are of the labelled pixels shown.", false};
    xta_status status = XTA_OK;

    if (report->labels.array == NULL && report->truth.array == NULL) {
        return XTA_OK;
    }
    figure.small = truth.small = report->labels.array != NULL && report->truth.array != NULL;
    if (report->accuracy.n_classes > 0) {
        truth.caption = "Classes in truth, in the colours of the labels taken for them; shares are "
                        "of the labelled pixels shown.";
    }
    XTA_TRY(xta_report_section(report->page, "Classes", &err->error));
    if (report->labels.array != NULL) {
        XTA_TRY(show_classes(report, report->labels.array, "Labels", "labels", &figure, err));
    }
    if (report->truth.line_shift != 0 || report->truth.sample_shift != 0) {
        snprintf(moved, sizeof moved,
                 "Classes in truth, in the colours of the labels taken for them. Coordinates are "
                 "their own: 0, 0 is line %" PRId64 ", sample %" PRId64 " of the scene.",
                 report->truth.line_shift, report->truth.sample_shift);
        truth.caption = moved;
    }
    if (report->truth.array != NULL) {
        XTA_TRY(show_classes(report, report->truth.array, "Truth", "truth", &truth, err));
    }
done:
    return status;
}
