/* xta draw --series, --panels and --hovmoeller.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/reduce.h>
#include <xta/select.h>

/* A usage error if an option was given that is not in the list. */
static xta_status allow_only(const cli_args *args, const char *kind, const char *const fitting[],
                             size_t n, cli_error *err)
{
    for (int k = 0; k < args->n_given; k++) {
        bool fits = false;
        for (size_t j = 0; j < n; j++) {
            fits = fits || strcmp(args->given[k].option->name, fitting[j]) == 0;
        }
        if (!fits) {
            return cli_usage(err, "--%s has no meaning for --%s", args->given[k].option->name,
                             kind);
        }
    }
    return XTA_OK;
}

/* ---- series ---- */

/* The only cell of an axis that `entry`, AXIS=LABEL, selects. */
static xta_status find_label(xta_array *array, const char *entry, int axis, int64_t *cell,
                             cli_error *err)
{
    xta_selection found;
    xta_status status = xta_box_select(array, entry, &found, &err->error);

    if (status != XTA_OK) {
        return status;
    }
    int64_t n = found.n_list[axis];
    if (found.list[axis] == NULL) {
        n = (found.box.hi[axis] - found.box.lo[axis] - 1) / found.step[axis] + 1;
    }
    *cell = found.list[axis] != NULL ? found.list[axis][0] : found.box.lo[axis];
    xta_selection_clear(&found);
    return n == 1 ? XTA_OK
                  : cli_usage(err, "--point: \"%s\" is %lld cells; want one", entry, (long long)n);
}

/* "AXIS=C,...": numbers of cells, or labels. */
static xta_status parse_point(const char *text, xta_array *array, int64_t point[], cli_error *err)
{
    xta_status status = XTA_OK;
    const char *next = NULL;
    char *entry = NULL;

    for (const char *at = text; at != NULL; at = next) {
        char name[XTA_SELECTION_AXIS_BYTES];
        char *end = NULL;
        size_t n = 0;
        int axis;
        if (xta_selection_entry(at, name, &n, &next, NULL) != XTA_OK) {
            XTA_TRY(cli_usage(err, "--point: \"%s\": want AXIS=C,...", text));
        }
        free(entry);
        entry = strndup(at, n);
        if (entry == NULL) {
            XTA_TRY(cli_fail(err, XTA_ENOMEM, 0, "no memory for a point"));
        }
        XTA_TRY(xta_axis_find(array, name, &axis, &err->error));
        const char *value = strchr(entry, '=') + 1;
        (void)!strtoll(value, &end, 10);
        if (end != value && *end == '\0') {
            XTA_TRY(cli_parse_int(value, "--point", &point[axis], err));
        } else {
            XTA_TRY(find_label(array, entry, axis, &point[axis], err));
        }
    }

done:
    free(entry);
    return status;
}

static xta_status parse_points(const cli_args *args, xta_array *array, const xta_box *box,
                               int64_t **points, size_t *n, cli_error *err)
{
    size_t ndim = (size_t)box->ndim;
    xta_status status = XTA_OK;

    *n = 0;
    *points = calloc(((size_t)args->n_given + 1) * ndim, sizeof **points);
    if (*points == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %d points", args->n_given);
    }
    for (int k = 0; k < args->n_given; k++) {
        if (strcmp(args->given[k].option->name, "point") == 0) {
            memcpy(*points + *n * ndim, box->lo, ndim * sizeof **points);
            XTA_TRY(parse_point(args->given[k].value, array, *points + *n * ndim, err));
            ++*n;
        }
    }
done:
    return status;
}

xta_status draw_series(const cli_args *args, xta_array *array, const char *out, cli_error *err)
{
    static const char *const fitting[] = {"out",   "series",        "point", "box",    "sel",
                                          "title", "bad-bands-too", "as-of", "format", "json"};
    xta_series_options options = XTA_SERIES_OPTIONS_INIT;
    xta_box box;
    int64_t *points = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(allow_only(args, "series", fitting, CLI_COUNT(fitting), err));
    XTA_TRY(cli_choose_box(&draw_values(args)->cells, array, &box, err));
    XTA_TRY(parse_points(args, array, &box, &points, &options.n_points, err));
    options.axis = draw_values(args)->series;
    options.box = &box;
    options.points = points;
    options.title = draw_values(args)->title;
    options.bad_bands_too = draw_values(args)->bad_bands_too;
    XTA_TRY(xta_picture_series(array, &options, out, &err->error));
done:
    free(points);
    return status;
}

/* ---- panels ---- */

xta_status draw_panels(const cli_args *args, xta_array *array, const char *out, cli_error *err)
{
    xta_panels_options options = XTA_PANELS_OPTIONS_INIT;
    xta_quicklook_options style = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_box box;
    xta_status status = XTA_OK;

    if (cli_has(args, "zoom")) {
        return cli_usage(err, "--zoom has no meaning for --panels; they have --max-pixels");
    }
    XTA_TRY(draw_quicklook_style(args, array, &style, &box, err));
    options.axis = draw_values(args)->panels;
    options.quicklook = &style;
    XTA_TRY(xta_picture_panels(array, &options, out, &err->error));
done:
    return status;
}

/* ---- Hovmoeller diagrams ---- */

/* "ROWS,COLUMNS": two axes. */
static xta_status parse_two_axes(const char *text, xta_array *array, int shown[2], cli_error *err)
{
    const char *comma = strchr(text, ',');
    char first[256];
    xta_status status = XTA_OK;

    if (comma == NULL || (size_t)(comma - text) >= sizeof first) {
        return cli_usage(err, "--hovmoeller: \"%s\": want two axes, ROWS,COLUMNS", text);
    }
    memcpy(first, text, (size_t)(comma - text));
    first[comma - text] = '\0';
    XTA_TRY(xta_axis_find(array, first, &shown[0], &err->error));
    XTA_TRY(xta_axis_find(array, comma + 1, &shown[1], &err->error));
    if (shown[0] == shown[1]) {
        return cli_usage(err, "--hovmoeller: \"%s\": want two different axes", text);
    }
done:
    return status;
}

/* The number that means no data, as a cell: an attribute's, else the fill value. */
static void find_missing(xta_array *array, unsigned char cell[16])
{
    static const char *const names[] = {"nodata", "missing_value", "_FillValue"};
    unsigned char value[16];
    size_t bytes = xta_array_cell_bytes(array);
    xta_attribute a;

    if (bytes > 16) { // texts, which are refused later
        return;
    }
    memcpy(cell, xta_array_fill_value(array), bytes);
    for (size_t k = 0; k < CLI_COUNT(names); k++) {
        if (xta_attribute_get(array, XTA_ON_ARRAY, names[k], &a, NULL) == XTA_OK && a.count > 0 &&
            a.type != XTA_TEXT && a.type != XTA_BYTES &&
            xta_type_convert(a.type, a.values, xta_array_type(array), value, 1, NULL) == XTA_OK) {
            memcpy(cell, value, bytes);
        }
    }
}

/* Copy what a picture shows of the array: names, units and scales. */
static xta_status copy_meaning(xta_array *from, xta_array *to, cli_error *err)
{
    static const char *const names[] = {"long_name",  "standard_name",
                                        "units",      "scale_factor",
                                        "add_offset", "reflectance_scale_factor"};
    xta_attribute a;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < CLI_COUNT(names); k++) {
        if (xta_attribute_get(from, XTA_ON_ARRAY, names[k], &a, NULL) == XTA_OK) {
            XTA_TRY(xta_attribute_set(to, XTA_ON_ARRAY, &a, &err->error));
        }
    }
done:
    return status;
}

/* Copy the attributes of an axis, its coordinates among them. */
static xta_status copy_axis(xta_array *from, int axis, xta_array *to, int target, cli_error *err)
{
    xta_attribute a;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < xta_attribute_count(from, axis); k++) {
        XTA_TRY(xta_attribute_at(from, axis, k, &a, &err->error));
        XTA_TRY(xta_attribute_set(to, target, &a, &err->error));
    }
done:
    return status;
}

/* The chosen cells: on the two axes that remain what is drawn, on the others what the mean is
 * over. */
static xta_status split_box(const cli_args *args, xta_array *array, const int kept[2],
                            xta_box *drawn, xta_box *averaged, cli_error *err)
{
    const xta_box bounds = xta_array_bounds(array);
    xta_status status = cli_choose_box(&draw_values(args)->cells, array, averaged, err);

    if (status != XTA_OK) {
        return status;
    }
    *drawn = (xta_box){.ndim = 2};
    for (int k = 0; k < 2; k++) {
        int axis = kept[k];
        drawn->lo[k] = averaged->lo[axis];
        drawn->hi[k] = averaged->hi[axis];
        averaged->lo[axis] = bounds.lo[axis];
        averaged->hi[axis] = bounds.hi[axis];
    }
    return cli_check_box(xta_array_path(array), &bounds, averaged, err);
}

/* The mean over all axes but two, ascending, as an array in memory that is described as the first
 * one is. */
static xta_status make_mean(xta_array *array, const int kept[2], const xta_box *box,
                            xta_array **mean, cli_error *err)
{
    const xta_reduce_statistic statistic = XTA_REDUCE_MEAN;
    xta_reduce_options options = XTA_REDUCE_OPTIONS_INIT;
    unsigned char missing[16];
    int axes[XTA_MAX_NDIM];
    xta_status status = XTA_OK;

    for (int axis = 0; axis < xta_array_ndim(array); axis++) {
        if (axis != kept[0] && axis != kept[1]) {
            axes[options.n_axes++] = axis;
        }
    }
    find_missing(array, missing);
    options.axes = axes;
    options.missing = missing;
    options.box = box;
    XTA_TRY(xta_reduce_create(array, &options, statistic, NULL, mean, &err->error));
    XTA_TRY(xta_reduce(array, &options, &statistic, 1, mean, NULL, &err->error));
    XTA_TRY(copy_meaning(array, *mean, err));
    for (int k = 0; k < 2; k++) {
        XTA_TRY(copy_axis(array, kept[k], *mean, k, err));
        XTA_TRY(xta_coordinates_copy(array, kept[k], NULL, *mean, k, &err->error));
    }
done:
    return status;
}

/* Draw an array of the two axes that `shown` names, rows first. */
static xta_status draw_two_axes(const cli_args *args, xta_array *array, const int shown[2],
                                xta_quicklook_options *style, const char *out, cli_error *err)
{
    const char *path = args->words[0];
    const char *slash = strrchr(path, '/');
    char rows[8], columns[8], title[256];

    snprintf(rows, sizeof rows, "%d", shown[0] < shown[1] ? 0 : 1);
    snprintf(columns, sizeof columns, "%d", shown[0] < shown[1] ? 1 : 0);
    snprintf(title, sizeof title, "%.240s, mean", slash != NULL ? slash + 1 : path);
    style->rows = rows;
    style->columns = columns;
    style->bands = NULL;
    style->title = draw_values(args)->title != NULL ? draw_values(args)->title : title;
    return xta_picture_quicklook(array, style, out, &err->error);
}

xta_status draw_hovmoeller(const cli_args *args, xta_array *array, const char *out, cli_error *err)
{
    static const char *const foreign[] = {"rows", "columns", "band", "bands", "band-axis", "zoom"};
    xta_quicklook_options style = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_array *mean = NULL;
    xta_box box, given, averaged;
    int shown[2], kept[2];
    xta_status status = XTA_OK;

    for (size_t k = 0; k < CLI_COUNT(foreign); k++) {
        if (cli_has(args, foreign[k])) {
            return cli_usage(err, "--%s has no meaning for --hovmoeller", foreign[k]);
        }
    }
    XTA_TRY(parse_two_axes(draw_values(args)->hovmoeller, array, shown, err));
    kept[0] = shown[0] < shown[1] ? shown[0] : shown[1];
    kept[1] = shown[0] < shown[1] ? shown[1] : shown[0];
    XTA_TRY(draw_quicklook_style(args, array, &style, &given, err));
    XTA_TRY(split_box(args, array, kept, &box, &averaged, err));
    style.box = &box;
    style.legend = true;
    style.free_aspect = true;
    if (xta_array_ndim(array) == 2) { // nothing is averaged
        style.rows = style.columns = NULL;
        return draw_two_axes(args, array, shown, &style, out, err);
    }
    XTA_TRY(make_mean(array, kept, &averaged, &mean, err));
    status = draw_two_axes(args, mean, shown, &style, out, err);
done:
    return cli_close(mean, status, err);
}
