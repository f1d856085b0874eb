/* xta draw: the allocated box with its addresses, a quicklook of cells, or a plan.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <xta/picture.h>

#include "plan_draw.h"
#include "rechunk.h"

/* Values of the options. */
typedef struct draw_options {
    const char *out;
    const char *rows;
    const char *columns;
    const char *at;
    const char *title;
    bool quicklook;
    const char *box;
    const char *bands;
    int64_t band;
    const char *band_axis;
    const char *colormap;
    const char *range;
    double percent;
    bool flip;
    bool legend;
    int64_t zoom;
    int64_t max_pixels;
    const char *plan;
    int64_t as_of;
} draw_options;

static const cli_option options[] = {
    CLI_STRING(draw_options, out, "out", "F",
               "picture to write; its suffix, .png or .svg, says the format"),
    CLI_STRING(draw_options, rows, "rows", "AXIS",
               "axis that runs down: a name, or a number from 0"),
    CLI_STRING(draw_options, columns, "columns", "AXIS", "axis that runs to the right"),
    CLI_STRING(draw_options, at, "at", "C,C,...",
               "allocation map: chunk coordinates, one for each axis; those of the two axes that "
               "are drawn do not matter"),
    CLI_STRING(draw_options, title, "title", "TEXT", "title; without it the name of the array"),
    CLI_FLAG(draw_options, quicklook, "quicklook", "draw cells instead of the allocation map"),
    CLI_STRING(draw_options, box, "box", "LO:HI,...", "quicklook: what to draw (everything)"),
    CLI_STRING(draw_options, bands, "bands", "R,G,B",
               "quicklook: coordinates on the band axis for red, green and blue"),
    CLI_INT(draw_options, band, "band", "B", INT64_MIN, INT64_MAX, NULL,
            "quicklook: one band, drawn with a colour map"),
    CLI_STRING(draw_options, band_axis, "band-axis", "AXIS", "quicklook: the axis of bands"),
    CLI_STRING(draw_options, colormap, "colormap", "NAME",
               "quicklook: viridis (default), gray, magma, turbo, coolwarm, thermal"),
    CLI_STRING(draw_options, range, "range", "LO:HI",
               "quicklook: values at the ends of the colour map; else cut at percentiles"),
    CLI_REAL(draw_options, percent, "percent", "P",
             "quicklook: what is cut at either end when no range is given (2)"),
    CLI_FLAG(draw_options, flip, "flip", "quicklook: first row at the bottom"),
    CLI_FLAG(draw_options, legend, "legend", "quicklook: with a colour bar and a title"),
    CLI_INT(draw_options, zoom, "zoom", "N", 1, INT_MAX, "is out of range; want 1 or more",
            "quicklook: N pixels for each cell"),
    CLI_INT(draw_options, max_pixels, "max-pixels", "N", 1, INT_MAX,
            "is out of range; want 1 or more",
            "quicklook: longest side of the image (1600); more cells are sampled"),
    CLI_STRING(draw_options, plan, "plan", "FILE",
               "draw a plan in place of an array: what xta rechunk --plan --json has printed"),
    CLI_AS_OF(draw_options),
};

static const draw_options *values_of(const cli_args *args)
{
    return args->values;
}

/* "lo:hi"; either may be negative. */
static xta_status parse_range(const char *text, double *low, double *high, cli_error *err)
{
    const char *colon = strchr(text, ':');
    char first[64];
    xta_status status = XTA_OK;

    if (colon == NULL || (size_t)(colon - text) >= sizeof first) {
        return cli_usage(err, "--range: \"%s\" is no range; want lo:hi", text);
    }
    memcpy(first, text, (size_t)(colon - text));
    first[colon - text] = '\0';
    XTA_TRY(cli_parse_real(first, "--range", low, err));
    XTA_TRY(cli_parse_real(colon + 1, "--range", high, err));
    if (!(*low < *high)) {
        return cli_usage(err, "--range: \"%s\" is empty; want lo:hi with lo below hi", text);
    }
done:
    return status;
}

static xta_status plan_bands(const cli_args *args, xta_quicklook_options *style, cli_error *err)
{
    const char *bands = values_of(args)->bands;
    bool one_band = cli_has(args, "band");

    style->bands = values_of(args)->band_axis;
    if (bands != NULL && one_band) {
        return cli_usage(err, "--band and --bands exclude one another");
    }
    if (bands != NULL) {
        style->n_rgb = 3;
        return cli_parse_coords_of(bands, "--bands", 3, style->rgb, err);
    }
    if (one_band) {
        style->n_rgb = 1;
        style->rgb[0] = values_of(args)->band;
    }
    return XTA_OK;
}

static xta_status plan_colours(const cli_args *args, xta_quicklook_options *style, cli_error *err)
{
    xta_status status = XTA_OK;

    style->colormap = values_of(args)->colormap;
    style->flip_rows = values_of(args)->flip;
    style->legend = values_of(args)->legend;
    if (values_of(args)->range != NULL) {
        XTA_TRY(parse_range(values_of(args)->range, &style->low, &style->high, err));
    }
    if (cli_has(args, "percent")) {
        style->percent = values_of(args)->percent;
        if (!(style->percent > 0 && style->percent < 50)) {
            return cli_usage(err,
                             "--percent: %s is out of range; want more than 0 and less than 50",
                             cli_get(args, "percent"));
        }
    }
    if (cli_has(args, "zoom")) {
        style->zoom = (int)values_of(args)->zoom;
    }
    if (cli_has(args, "max-pixels")) {
        style->max_pixels = (int)values_of(args)->max_pixels;
    }
done:
    return status;
}

static xta_status draw_quicklook(const cli_args *args, xta_array *array, const char *out,
                                 cli_error *err)
{
    xta_quicklook_options style = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_box bounds = xta_array_bounds(array);
    xta_box box;
    xta_status status = XTA_OK;

    if (values_of(args)->at != NULL) {
        return cli_usage(err, "--at belongs to the allocation map; a quicklook has --box");
    }
    style.rows = values_of(args)->rows;
    style.columns = values_of(args)->columns;
    style.title = values_of(args)->title;
    if (values_of(args)->box != NULL) {
        XTA_TRY(cli_parse_box(values_of(args)->box, &bounds, &box, err));
        style.box = &box;
    }
    XTA_TRY(plan_bands(args, &style, err));
    XTA_TRY(plan_colours(args, &style, err));
    XTA_TRY(xta_picture_quicklook(array, &style, out, &err->error));
done:
    return status;
}

static xta_status draw_map(const cli_args *args, xta_array *array, const char *out, cli_error *err)
{
    static const char *const foreign[] = {"box",      "bands", "band",      "band-axis",
                                          "colormap", "range", "percent",   "flip",
                                          "legend",   "zoom",  "max-pixels"};
    xta_map_options map = XTA_MAP_OPTIONS_INIT;
    int64_t at[XTA_MAX_NDIM];
    xta_status status = XTA_OK;

    for (size_t k = 0; k < CLI_COUNT(foreign); k++) {
        if (cli_has(args, foreign[k])) {
            return cli_usage(err, "--%s belongs to --quicklook, which is missing", foreign[k]);
        }
    }
    map.rows = values_of(args)->rows;
    map.columns = values_of(args)->columns;
    map.title = values_of(args)->title;
    if (values_of(args)->at != NULL) {
        XTA_TRY(cli_parse_coords_of(values_of(args)->at, "--at", xta_array_ndim(array), at, err));
        map.at = at;
    }
    XTA_TRY(xta_picture_allocation(array, &map, out, &err->error));
done:
    return status;
}

/* Draw a plan. It has axes by number, and the other options do not apply to it. */
static xta_status draw_plan(const cli_args *args, const char *out, cli_error *err)
{
    static const char *const fitting[] = {"out", "rows", "columns", "title", "plan"};
    const cli_plan_style style = {values_of(args)->rows, values_of(args)->columns,
                                  values_of(args)->title};
    cli_plan_file file = {0};
    xta_rechunk_plan *plan = NULL;
    xta_status status = XTA_OK;

    if (args->n_words > 0) {
        return cli_usage(err, "--plan: \"%s\" is one argument too many; a plan needs no array",
                         args->words[0]);
    }
    for (int k = 0; k < args->n_given; k++) {
        bool fits = false;
        for (size_t j = 0; j < CLI_COUNT(fitting); j++) {
            fits = fits || strcmp(args->given[k].option->name, fitting[j]) == 0;
        }
        if (!fits) {
            return cli_usage(err, "--%s has no meaning for a plan", args->given[k].option->name);
        }
    }
    XTA_TRY(cli_plan_read(values_of(args)->plan, &file, err));
    XTA_TRY(xta_rechunk_plan_new(&file.problem, &plan, &err->error));
    XTA_TRY(cli_plan_draw(&file.problem, plan, &style, out, err));
done:
    xta_rechunk_plan_free(plan);
    cli_plan_file_clear(&file);
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const char *out = values_of(args)->out;
    xta_array *array = NULL;
    xta_status status = XTA_OK;

    if (args->n_words == 0 && values_of(args)->plan == NULL) {
        return cli_usage(err, "an argument is missing: xta draw %s", args->command->usage);
    }
    XTA_TRY(cli_need(args, "out", err));
    if (values_of(args)->plan != NULL) {
        return draw_plan(args, out, err);
    }
    XTA_TRY(cli_open(args, args->words[0], &array, err));
    if (values_of(args)->quicklook) {
        XTA_TRY(draw_quicklook(args, array, out, err));
    } else {
        XTA_TRY(draw_map(args, array, out, err));
    }
done:
    return cli_close(array, status, err);
}

static const cli_command draw_command = {
    .name = "draw",
    .summary = "draw an allocation map, a quicklook or a plan",
    .usage = "A --out F.png|F.svg [--rows AXIS] [--columns AXIS] [--at C,C,...] "
             "[--quicklook [--box LO:HI,...] [--bands R,G,B | --band B] ...] | "
             "--plan FILE --out F.png|F.svg",
    .details =
        "Draws the allocation map: a square for each chunk with its address, coloured by "
        "segment. With --quicklook draws cells: three bands as red, green and blue, or one with "
        "a colour map; fill values are transparent. With --plan draws how xta rechunk would go "
        "about it: what is read and written when, and how much is held.",
    .example = "  xta draw runs --out runs.svg --rows t --columns y",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(draw_options),
    .min_words = 0,
    .max_words = 1,
    .run = run,
};

int main(int argc, char *argv[])
{
    return cli_verb_program(&draw_command, argc, argv);
}
