/* xta draw: the allocated box with its addresses, cells, or a plan.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

#include <limits.h>
#include <string.h>

#include "kit/print/json.h"
#include "plan_draw.h"
#include "rechunk.h"

static const cli_option options[] = {
    CLI_STRING(draw_options, out, "out", "F",
               "picture to write; its suffix, .png or .svg, says the format; - is standard output"),
    CLI_STRING(draw_options, format, "format", "F", "of --out -: png (default) or svg"),
    CLI_STRING(draw_options, rows, "rows", "AXIS",
               "axis that runs down: a name, or a number from 0"),
    CLI_STRING(draw_options, columns, "columns", "AXIS", "axis that runs to the right"),
    CLI_STRING(draw_options, at, "at", "C,C,...",
               "allocation map: chunk coordinates, one for each axis; those of the two axes that "
               "are drawn do not matter"),
    CLI_STRING(draw_options, title, "title", "TEXT", "title; without it the name of the array"),
    CLI_FLAG(draw_options, quicklook, "quicklook", "draw cells instead of the allocation map"),
    CLI_CELLS(draw_options, "quicklook, panels, series: what to draw (everything)"),
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
    CLI_FLAG(draw_options, cell_axes, "cell-axes",
             "quicklook: axes count cells, even if they have coordinates"),
    CLI_FLAG(draw_options, no_graticule, "no-graticule",
             "quicklook: no meridians and parallels where there are latitudes and longitudes"),
    CLI_STRING(draw_options, panels, "panels", "AXIS",
               "small multiples: a quicklook for each cell of this axis, with one colour scale"),
    CLI_STRING(draw_options, hovmoeller, "hovmoeller", "ROWS,COLUMNS",
               "quicklook of two axes, such as time and latitude: the mean over all others"),
    CLI_STRING(draw_options, series, "series", "AXIS",
               "draw cells along this axis as lines, such as a time series at a point"),
    CLI_LIST("point", "AXIS=C,...",
             "series: where a line runs, by cell numbers (lat=3) or labels (lat=12.5~, "
             "time=2015-03-01); "
             "the first of the box on axes that are not named. May be given several times"),
    CLI_FLAG(draw_options, bad_bands_too, "bad-bands-too",
             "series: draw also bands that bbl marks as bad, or in which water vapour absorbs the "
             "light"),
    CLI_STRING(draw_options, plan, "plan", "FILE",
               "draw a plan in place of an array: what xta rechunk --plan --json has printed; - is "
               "standard input"),
    CLI_FLAG(draw_options, json, "json", "print one JSON object"),
    CLI_AS_OF(draw_options),
};

static xta_status draw_map(const cli_args *args, xta_array *array, const char *out, cli_error *err)
{
    static const char *const foreign[] = {
        "box",     "sel",  "bands",  "band", "band-axis",  "colormap",  "range",
        "percent", "flip", "legend", "zoom", "max-pixels", "cell-axes", "no-graticule"};
    xta_map_options map = XTA_MAP_OPTIONS_INIT;
    int64_t at[XTA_MAX_NDIM];
    xta_status status = XTA_OK;

    for (size_t k = 0; k < CLI_COUNT(foreign); k++) {
        if (cli_has(args, foreign[k])) {
            return cli_usage(err, "--%s belongs to --quicklook, which is missing", foreign[k]);
        }
    }
    map.rows = draw_values(args)->rows;
    map.columns = draw_values(args)->columns;
    map.title = draw_values(args)->title;
    if (draw_values(args)->at != NULL) {
        XTA_TRY(cli_parse_coords_of(draw_values(args)->at, "--at", xta_array_ndim(array), at, err));
        map.at = at;
    }
    XTA_TRY(xta_picture_allocation(array, &map, out, &err->error));
done:
    return status;
}

/* Draw a plan. It has axes by number, and the other options do not apply to it. */
static xta_status draw_plan(const cli_args *args, const char *out, cli_error *err)
{
    static const char *const fitting[] = {"out",  "rows",   "columns", "title",
                                          "plan", "format", "json"};
    const cli_plan_style style = {draw_values(args)->rows, draw_values(args)->columns,
                                  draw_values(args)->title};
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
    XTA_TRY(cli_plan_read(draw_values(args)->plan, &file, err));
    XTA_TRY(xta_rechunk_plan_new(&file.problem, &plan, &err->error));
    XTA_TRY(cli_plan_draw(&file.problem, plan, &style, out, err));
done:
    xta_rechunk_plan_free(plan);
    cli_plan_file_clear(&file);
    return status;
}

static xta_status draw_quicklook(const cli_args *args, xta_array *array, const char *out,
                                 cli_error *err)
{
    xta_quicklook_options style = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_box box;
    xta_status status = XTA_OK;

    XTA_TRY(draw_quicklook_style(args, array, &style, &box, err));
    XTA_TRY(xta_picture_quicklook(array, &style, out, &err->error));
done:
    return status;
}

/* An array is drawn in one way, and --at belongs to the allocation map. */
static xta_status check_kinds(const cli_args *args, cli_error *err)
{
    static const char *const kinds[] = {"series", "panels", "hovmoeller"};
    const char *found = NULL;

    for (size_t k = 0; k < CLI_COUNT(kinds); k++) {
        if (!cli_has(args, kinds[k])) {
            continue;
        }
        if (found != NULL) {
            return cli_usage(err, "--%s and --%s exclude one another", found, kinds[k]);
        }
        found = kinds[k];
    }
    bool cells = found != NULL || draw_values(args)->quicklook;
    if (cells && draw_values(args)->at != NULL) {
        return cli_usage(err, "--at belongs to the allocation map; cells have --box%s",
                         draw_values(args)->series != NULL ? " and --point" : "");
    }
    static const char *const of_series[] = {"point", "bad-bands-too"};
    for (size_t k = 0; k < CLI_COUNT(of_series) && draw_values(args)->series == NULL; k++) {
        if (cli_has(args, of_series[k])) {
            return cli_usage(err, "--%s belongs to --series, which is missing", of_series[k]);
        }
    }
    return XTA_OK;
}

static xta_status draw_array(const cli_args *args, xta_array *array, const char *out,
                             cli_error *err)
{
    const draw_options *o = draw_values(args);

    return o->series != NULL       ? draw_series(args, array, out, err)
           : o->panels != NULL     ? draw_panels(args, array, out, err)
           : o->hovmoeller != NULL ? draw_hovmoeller(args, array, out, err)
           : o->quicklook          ? draw_quicklook(args, array, out, err)
                                   : draw_map(args, array, out, err);
}

/* What was drawn. */
static void print_json(const cli_args *args)
{
    const draw_options *o = draw_values(args);
    const char *kind = o->plan != NULL         ? "plan"
                       : o->series != NULL     ? "series"
                       : o->panels != NULL     ? "panels"
                       : o->hovmoeller != NULL ? "hovmoeller"
                       : o->quicklook          ? "quicklook"
                                               : "allocation";

    printf("{\"kind\": \"%s\", \"%s\": ", kind, o->plan != NULL ? "plan" : "array");
    cli_json_text(stdout, o->plan != NULL ? o->plan : args->words[0]);
    fputs(", \"out\": ", stdout);
    cli_json_text(stdout, o->out);
    fputs("}\n", stdout);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    draw_output output = {NULL, NULL};
    xta_array *array = NULL;
    xta_status status = XTA_OK;

    if (args->n_words == 0 && draw_values(args)->plan == NULL) {
        return cli_usage(err, "an argument is missing: xta draw %s", args->command->usage);
    }
    XTA_TRY(cli_need(args, "out", err));
    XTA_TRY(draw_output_begin(args, &output, err));
    if (draw_values(args)->plan != NULL) {
        XTA_TRY(draw_plan(args, output.path, err));
        goto done;
    }
    XTA_TRY(check_kinds(args, err));
    XTA_TRY(cli_open(args, args->words[0], &array, err));
    status = draw_array(args, array, output.path, err);
done:
    status = cli_close(array, draw_output_end(&output, status, err), err);
    if (status == XTA_OK && draw_values(args)->json) {
        print_json(args);
    }
    return status;
}

static const cli_command draw_command = {
    .name = "draw",
    .summary = "draw an allocation map, a quicklook or a plan",
    .usage = "A --out F.png|F.svg|- [--format F] [--rows AXIS] [--columns AXIS] [--at C,C,...] "
             "[--quicklook | --panels AXIS | --hovmoeller ROWS,COLUMNS | --series AXIS "
             "[--point AXIS=C,...]] [--box LO:HI,...] [--sel AXIS=LABELS,...] [--bands R,G,B | "
             "--band B] ... | "
             "--plan FILE --out F.png|F.svg|- [--format F] [--json]",
    .details =
        "Draws the allocation map: a square for each chunk with its address, coloured by "
        "segment. With --quicklook draws cells: three bands as red, green and blue, or one with "
        "a colour map; fill values are transparent. --panels draws a quicklook for each cell of an "
        "axis, --hovmoeller the mean over all but two axes, --series cells along an axis as lines. "
        "With --plan draws how xta rechunk would go "
        "about it: what is read and written when, and how much is held.",
    .example = "  xta draw runs --out runs.svg --rows t --columns y\n"
               "  xta draw tos --out sst.png --quicklook --legend\n"
               "  xta draw tos --out sst.svg --series time --point y=10,x=20 --point y=30,x=20",
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
