/* xta export: a box of an array into a foreign file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/program.h"

#include <stdlib.h>

#include "kit/cells.h"
#include "progress_meter.h"

static const cli_option options[] = {
    {"box", "LO:HI,...",
     "what to export (everything); an omitted limit is that of the bounds, \":\" is a whole axis, "
     "\"3\" one coordinate",
     false},
    {"format", "F",
     "raw, npy, netcdf, matlab, hdf5, nifti, fits, gdal, or the name of a GDAL driver; without it "
     "by "
     "suffix",
     false},
    {"order", "ORDER", "of raw and npy: row (default) or column", false},
    {"interleave", "I", "of ENVI and GeoTIFF: bsq, bil or bip", false},
    {"memory", "SIZE", "limit of the buffers (64MiB)", false},
    {"replace", NULL,
     "replace the variable of that name, or an existing file of the same format that holds one "
     "array",
     false},
    {"force", NULL, "replace whatever file DST is, with all that is in it", false},
    {"no-coordinates", NULL,
     "write no coordinates; those that DST has for the dimensions are accepted", false},
    {"allow-unfinished", NULL, "also if work on A was interrupted, so that cells are missing",
     false},
    CLI_OPTION_AS_OF,
};

static xta_status run(const cli_args *args, cli_error *err)
{
    xta_export_options chosen = XTA_EXPORT_OPTIONS_INIT;
    xta_array *array = NULL;
    char *file = NULL;
    cli_meter meter = {0};
    xta_box bounds;
    xta_box box;
    xta_status status = XTA_OK;

    CLI_TRY(cli_split_variable(args->words[1], &file, &chosen.variable, err));
    CLI_TRY(cli_open(args, args->words[0], &array, err));
    chosen.format = cli_get(args, "format");
    chosen.interleave = cli_get(args, "interleave");
    if (cli_has(args, "box")) {
        bounds = xta_array_bounds(array);
        CLI_TRY(cli_parse_box(cli_get(args, "box"), &bounds, &box, err));
        CLI_TRY(cli_check_box(args->words[0], &bounds, &box, err));
        chosen.box = &box;
    }
    if (cli_has(args, "order")) {
        CLI_TRY(cli_parse_memory_order(cli_get(args, "order"), &chosen.order, err));
    }
    chosen.no_coordinates = cli_has(args, "no-coordinates");
    chosen.allow_unfinished = cli_has(args, "allow-unfinished");
    chosen.overwrite = cli_has(args, "force")     ? XTA_OVERWRITE_ANY
                       : cli_has(args, "replace") ? XTA_OVERWRITE_SAME
                                                  : XTA_OVERWRITE_NEVER;
    if (cli_has(args, "memory")) {
        CLI_TRY(cli_parse_bytes(cli_get(args, "memory"), "--memory", &chosen.memory_bytes, err));
    }
    chosen.progress = cli_meter_begin(&meter, file);
    CLI_TRY(xta_export(array, file, &chosen, &err->error));
done:
    cli_meter_end(&meter);
    free(file);
    return cli_close(array, status, err);
}

static const cli_command export_command = {
    .name = "export",
    .summary =
        "write a box of an array as a NumPy, NetCDF, HDF5, MATLAB, NIfTI, FITS, raster or raw file",
    .usage = "A DST[:VARIABLE] [--box LO:HI,...] [--format F] [--order row|column] "
             "[--interleave bsq|bil|bip] [--memory SIZE] [--replace | --force] [--no-coordinates] "
             "[--allow-unfinished] [--as-of STEP]",
    .details =
        "Writes DST, whose suffix says the format if --format does not. Attributes, axis names "
        "and units, the fill value and a georeference go along where the format has a "
        "place for them. A NetCDF or HDF5 file that exists gets one more variable; what is "
        "there already is replaced only with --replace or --force, and only when the export has "
        "succeeded.",
    .example = "  xta export runs runs.npy --box :,0:2,0",
    .options = options,
    .n_options = CLI_COUNT(options),
    .min_words = 2,
    .max_words = 2,
    .run = run,
};

int main(int argc, char *argv[])
{
    return cli_verb_program(&export_command, argc, argv);
}
