/* xta export: write a box of an array to a foreign file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats_loader.h"
#include "kit/cells/choice.h"
#include "kit/folder.h"
#include "kit/print/json.h"
#include "progress_meter.h"
#include "references.h"
#include "whole_file.h"

/* Values of the options. */
typedef struct export_options {
    cli_choice cells;
    const char *format;
    xta_order order;
    const char *interleave;
    uint64_t memory_bytes;
    bool replace;
    bool force;
    bool no_coordinates;
    bool allow_unfinished;
    bool json;
    bool no_history;
    int64_t as_of;
    const char *url;
    int64_t zarr;
} export_options;

static const cli_option options[] = {
    CLI_CELLS(export_options, "what to export (everything)"),
    CLI_STRING(export_options, format, "format", "F",
               "raw, npy, netcdf, matlab, hdf5, nifti, fits, gdal, the name of a GDAL driver, or "
               "kerchunk; without it by suffix"),
    CLI_PARSED(export_options, order, "order", "ORDER", cli_parse_memory_order_value,
               "of raw and npy: row (default) or column"),
    CLI_STRING(export_options, interleave, "interleave", "I",
               "of ENVI and GeoTIFF: bsq, bil or bip"),
    CLI_BYTES(export_options, memory_bytes, "memory", "SIZE", "limit of the buffers (64MiB)"),
    CLI_FLAG(export_options, replace, "replace",
             "replace the variable of that name, or an existing file of the same format that holds "
             "one array"),
    CLI_FLAG(export_options, force, "force",
             "replace whatever file DST is, with all that is in it"),
    CLI_FLAG(export_options, no_coordinates, "no-coordinates",
             "write no coordinates; those that DST has for the dimensions are accepted"),
    CLI_FLAG(export_options, allow_unfinished, "allow-unfinished",
             "also if work on A was interrupted, so that cells are missing"),
    CLI_FLAG(export_options, json, "json", "print one JSON object"),
    CLI_FLAG(export_options, no_history, "no-history",
             "do not add this command to the history of a NetCDF or HDF5 file"),
    CLI_AS_OF(export_options),
    CLI_STRING(export_options, url, "url", "PREFIX",
               "of kerchunk: what precedes the names of the data files (the path of their folder)"),
    CLI_INT(export_options, zarr, "zarr", "VERSION", 2, 3,
            "is no version of Zarr here; take 2 or 3",
            "of kerchunk: the version of the metadata, 2 (default) or 3"),
};

static const export_options *values_of(const cli_args *args)
{
    return args->values;
}

static xta_overwrite overwrite_of(const cli_args *args)
{
    return values_of(args)->force     ? XTA_OVERWRITE_ANY
           : values_of(args)->replace ? XTA_OVERWRITE_SAME
                                      : XTA_OVERWRITE_NEVER;
}

/* Options of single arrays have no meaning for a data set. */
static xta_status export_whole(const cli_args *args, cli_error *err)
{
    static const char *const allowed[] = {"sel",   "format",           "memory",     "replace",
                                          "force", "allow-unfinished", "no-history", "json"};
    xta_dataset_export_options chosen = XTA_DATASET_EXPORT_OPTIONS_INIT;

    for (int k = 0; k < args->n_given; k++) {
        bool good = false;
        for (size_t j = 0; j < CLI_COUNT(allowed); j++) {
            good = good || strcmp(args->given[k].option->name, allowed[j]) == 0;
        }
        if (!good) {
            return cli_usage(err, "--%s is for one array, and %s is a data set; leave it out",
                             args->given[k].option->name, args->words[0]);
        }
    }
    chosen.select = values_of(args)->cells.sel;
    chosen.format = values_of(args)->format;
    chosen.overwrite = overwrite_of(args);
    chosen.allow_unfinished = values_of(args)->allow_unfinished;
    chosen.memory_bytes = cli_has(args, "memory") ? values_of(args)->memory_bytes : 0;
    xta_status status = cli_export_whole_file(args, &chosen, err);
    if (status == XTA_OK && values_of(args)->json) {
        fputs("{\"folder\": ", stdout);
        cli_json_text(stdout, args->words[0]);
        fputs(", \"file\": ", stdout);
        cli_json_text(stdout, args->words[1]);
        fputs("}\n", stdout);
    }
    return status;
}

static bool wants_references(const cli_args *args)
{
    return values_of(args)->format != NULL && strcmp(values_of(args)->format, "kerchunk") == 0;
}

static void print_note(void *user, const char *text)
{
    fprintf(stderr, "xta export: %s: note: %s\n", (const char *)user, text);
}

static xta_status export_references(const cli_args *args, cli_error *err)
{
    xta_references_options chosen = XTA_REFERENCES_OPTIONS_INIT;

    chosen.version = (int)values_of(args)->zarr;
    chosen.url = values_of(args)->url;
    chosen.note = print_note;
    chosen.note_user = (void *)args->words[0];
    chosen.overwrite = overwrite_of(args);
    chosen.allow_unfinished = values_of(args)->allow_unfinished;
    return cli_export_references(args, &chosen, err);
}

/* What was exported. */
static void print_json(const cli_args *args, const char *file, const char *variable,
                       const xta_box *exported)
{
    fputs("{\"array\": ", stdout);
    cli_json_text(stdout, args->words[0]);
    fputs(", \"file\": ", stdout);
    cli_json_text(stdout, file);
    if (variable != NULL) {
        fputs(", \"variable\": ", stdout);
        cli_json_text(stdout, variable);
    }
    fputs(", \"shape\": [", stdout);
    for (int axis = 0; axis < exported->ndim; axis++) {
        printf("%s%" PRId64, axis > 0 ? ", " : "", exported->hi[axis] - exported->lo[axis]);
    }
    fputs("]}\n", stdout);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    xta_export_options chosen = XTA_EXPORT_OPTIONS_INIT;
    xta_array *array = NULL;
    char *file = NULL, *line = NULL;
    cli_meter meter = {0};
    cli_formats formats;
    xta_box box;
    xta_status status = XTA_OK;

    if (wants_references(args)) {
        return export_references(args, err);
    }
    if (cli_has(args, "url") || cli_has(args, "zarr")) {
        return cli_usage(err, "--%s is for --format kerchunk; leave it out",
                         cli_has(args, "url") ? "url" : "zarr");
    }
    if (cli_is_folder(args->words[0])) {
        return export_whole(args, err);
    }
    XTA_TRY(cli_split_variable(args->words[1], &file, &chosen.variable, err));
    XTA_TRY(cli_open(args, args->words[0], &array, err));
    chosen.format = values_of(args)->format;
    chosen.interleave = values_of(args)->interleave;
    XTA_TRY(cli_choose_cells(&values_of(args)->cells, &array, &box, err));
    chosen.box = cli_chosen(&values_of(args)->cells) ? &box : NULL;
    if (cli_has(args, "order")) {
        chosen.order = values_of(args)->order;
    }
    chosen.no_coordinates = values_of(args)->no_coordinates;
    chosen.allow_unfinished = values_of(args)->allow_unfinished;
    chosen.overwrite = overwrite_of(args);
    if (cli_has(args, "memory")) {
        chosen.memory_bytes = values_of(args)->memory_bytes;
    }
    if (!values_of(args)->no_history) {
        chosen.history = line = cli_command_line(args);
    }
    XTA_TRY(cli_formats_load(&formats, &err->error));
    chosen.progress = cli_meter_begin(&meter, file);
    XTA_TRY(formats.export(array, file, &chosen, &err->error));
    cli_meter_end(&meter);
    if (values_of(args)->json) {
        print_json(args, file, chosen.variable, &box);
    }
done:
    cli_meter_end(&meter);
    free(file);
    free(line);
    return cli_close(array, status, err);
}

static const cli_command export_command = {
    .name = "export",
    .summary =
        "write a box of an array as a NumPy, NetCDF, HDF5, MATLAB, NIfTI, FITS, raster or raw file",
    .usage = "A DST[:VARIABLE] [--box LO:HI,...] [--sel AXIS=LABELS,...] [--format F] [--order "
             "row|column] "
             "[--interleave bsq|bil|bip] [--memory SIZE] [--replace | --force] [--no-coordinates] "
             "[--allow-unfinished] [--no-history] [--json] [--as-of STEP] | DIR DST [--sel "
             "AXIS=LABELS,...] "
             "[--format F] "
             "[--memory SIZE] "
             "[--replace | --force] [--allow-unfinished] [--no-history] [--json] | A|DIR DST "
             "--format kerchunk [--url PREFIX] [--zarr 2|3] [--replace | --force] "
             "[--allow-unfinished] [--json] [--as-of STEP]",
    .details =
        "Writes DST, whose suffix says the format if --format does not. Attributes, axis names "
        "and units, the fill value and a georeference go along where the format has a "
        "place for them. A NetCDF or HDF5 file that exists gets one more variable; what is "
        "there already is replaced only with --replace or --force, and only when the export has "
        "succeeded. A folder DIR is a data set, and becomes a NetCDF file with all its variables, "
        "groups, dimensions, coordinates and attributes. A new NetCDF or HDF5 file gets this "
        "command "
        "as the first line of its attribute history, as NCO does. With --format kerchunk DST gets "
        "references (JSON) by which fsspec and Zarr read the data files in place; no cell is "
        "copied.",
    .example = "  xta export runs runs.npy --box :,0:2,0",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(export_options),
    .min_words = 2,
    .max_words = 2,
    .run = run,
};

int main(int argc, char *argv[])
{
    return cli_verb_program(&export_command, argc, argv);
}
