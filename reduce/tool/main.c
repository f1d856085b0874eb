/* xta extract: statistics or cells of many regions, in one pass over the array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/cells/output.h"
#include "kit/print/json.h"
#include "regions.h"
#include "util/checked.h"

/* Values of the options. */
typedef struct extract_options {
    const char *regions;
    const char *mask;
    int64_t background;
    const char *axes;
    const char *spacing;
    bool clip;
    const char *out;
    bool json;
    const char *cells;
    const char *as;
    uint64_t memory_bytes;
    int64_t as_of;
} extract_options;

static const cli_option options[] = {
    CLI_STRING(
        extract_options, regions, "regions", "F",
        "boxes, by cells or by labels, and spheres, a region a line; \"-\" is standard input"),
    CLI_STRING(extract_options, mask, "mask", "M",
               "labels: an array of whole numbers, or a .npy file; every label is a region"),
    CLI_INT(extract_options, background, "background", "N", INT64_MIN, INT64_MAX, NULL,
            "the label that is no region (0)"),
    CLI_STRING(
        extract_options, axes, "axes", "K,K,...",
        "which axes of A those of the regions are (all; of a mask, those whose lengths fit)"),
    CLI_STRING(extract_options, spacing, "spacing", "S,S,...",
               "length of a cell on each axis of the regions, for spheres (1)"),
    CLI_FLAG(extract_options, clip, "clip",
             "cut boxes to the bounds instead of refusing those that leave them"),
    CLI_STRING(extract_options, out, "out", "F",
               "file for the statistics instead of standard output"),
    CLI_FLAG(extract_options, json, "json", "print one JSON object instead of CSV"),
    CLI_STRING(
        extract_options, cells, "cells", "DIR",
        "put the cells of each region into this new folder; without --out no statistics are made"),
    CLI_STRING(extract_options, as, "as", "FORM", "of the cells: npy (default) or xta"),
    CLI_BYTES(extract_options, memory_bytes, "memory", "SIZE", "the most to allocate (256MiB)"),
    CLI_AS_OF(extract_options),
};

static const extract_options *values_of(const cli_args *args)
{
    return args->values;
}

/* "0,2" or names of axes. */
static xta_status parse_axes(const cli_args *args, cli_extraction *job, cli_error *err)
{
    const char *text = values_of(args)->axes;
    char *copy = NULL, *name, *rest;
    int ndim = xta_array_ndim(job->array);
    xta_status status = XTA_OK;

    job->has_axes = text != NULL;
    if (text == NULL) {
        for (job->n_axes = 0; job->n_axes < ndim; job->n_axes++) {
            job->axes[job->n_axes] = job->n_axes;
        }
        return XTA_OK;
    }
    copy = xta__strdup(text);
    if (copy == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the axes");
    }
    for (rest = copy; rest != NULL;) {
        name = rest;
        rest = strchr(name, ',');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        if (job->n_axes == ndim) {
            XTA_TRY(cli_usage(err, "--axes: \"%s\" names more axes than the array has, %d", text,
                              ndim));
        }
        XTA_TRY(xta_axis_find(job->array, name, &job->axes[job->n_axes], &err->error));
        if (job->n_axes > 0 && job->axes[job->n_axes] <= job->axes[job->n_axes - 1]) {
            XTA_TRY(cli_usage(err, "--axes: \"%s\": give different axes in ascending order", text));
        }
        job->n_axes++;
    }
done:
    free(copy);
    return status;
}

static xta_status take_spacing(const cli_args *args, cli_extraction *job, cli_error *err)
{
    const char *text = values_of(args)->spacing;
    const char *at = text;

    job->has_spacing = text != NULL;
    for (int k = 0; text != NULL && k < job->n_axes; k++) {
        char *end;
        job->spacing[k] = strtod(at, &end);
        if (end == at || *end != (k + 1 < job->n_axes ? ',' : '\0') || !(job->spacing[k] > 0)) {
            return cli_usage(err, "--spacing: \"%s\": want %d numbers above 0, joined by commas",
                             text, job->n_axes);
        }
        at = end + 1;
    }
    return XTA_OK;
}

static xta_status read_regions(const cli_args *args, cli_extraction *job, cli_error *err)
{
    xta_status status = XTA_OK;

    if ((values_of(args)->regions != NULL) == (values_of(args)->mask != NULL)) {
        return cli_usage(err, "give either --regions or --mask");
    }
    if (cli_has(args, "background") && values_of(args)->mask == NULL) {
        return cli_usage(err, "--background belongs to --mask");
    }
    if ((values_of(args)->mask != NULL) &&
        ((values_of(args)->spacing != NULL) || values_of(args)->clip)) {
        return cli_usage(err, "--spacing and --clip belong to --regions");
    }
    job->clip = values_of(args)->clip;
    XTA_TRY(parse_axes(args, job, err));
    XTA_TRY(take_spacing(args, job, err));
    status = (values_of(args)->mask != NULL)
                 ? cli_regions_mask(job, values_of(args)->mask, values_of(args)->background, err)
                 : cli_regions_read(job, values_of(args)->regions, err);
    if (status == XTA_OK && job->has_axes && job->n_axes != xta_regions_ndim(job->regions)) {
        return cli_usage(err, "--axes: \"%s\" names %d axes; the mask has %d",
                         values_of(args)->axes, job->n_axes, xta_regions_ndim(job->regions));
    }
done:
    return status;
}

static xta_status begin_cells(const cli_args *args, cli_extraction *job, cli_region_cells **cells,
                              xta_extract_options *options_of, cli_error *err)
{
    const char *folder = values_of(args)->cells;
    const char *form = values_of(args)->as;
    xta_status status = XTA_OK;

    if (form != NULL && folder == NULL) {
        return cli_usage(err, "--as belongs to --cells");
    }
    if (form != NULL && strcmp(form, "npy") != 0 && strcmp(form, "xta") != 0) {
        return cli_usage(err, "--as: \"%s\" is no form of cells; want npy or xta", form);
    }
    if (folder == NULL) {
        return XTA_OK;
    }
    options_of->no_statistics = values_of(args)->out == NULL;
    XTA_TRY(cli_cells_begin(job, folder, form != NULL && form[0] == 'x', cells, err));
    options_of->region = cli_cells_region;
    options_of->piece = cli_cells_piece;
    options_of->user = *cells;
done:
    return status;
}

static xta_status print(const cli_args *args, const cli_extraction *job,
                        const xta_extraction *extraction, cli_error *err)
{
    cli_output output = {0};
    xta_status status = XTA_OK;

    XTA_TRY(cli_output_begin(&output, values_of(args)->out, err));
    status = values_of(args)->json ? cli_regions_json(output.file, job, extraction, err)
                                   : cli_regions_csv(output.file, job, extraction, err);
done:
    return cli_output_end(&output, status, err);
}

/* Where the cells are. */
static void print_cells_json(const cli_args *args, size_t n_regions)
{
    const char *out = values_of(args)->out;

    if (out != NULL && strcmp(out, "-") == 0) {
        return; // the object is that of the statistics
    }
    fputs("{\"array\": ", stdout);
    cli_json_text(stdout, args->words[0]);
    fputs(", \"cells\": ", stdout);
    cli_json_text(stdout, values_of(args)->cells);
    printf(", \"n_regions\": %zu}\n", n_regions);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    cli_extraction job = {.path = args->words[0]};
    xta_extract_options how = XTA_EXTRACT_OPTIONS_INIT;
    xta_extraction *extraction = NULL;
    cli_region_cells *cells = NULL;
    size_t n_regions = 0;
    xta_status status = XTA_OK;

    XTA_TRY(cli_open(args, job.path, &job.array, err));
    XTA_TRY(read_regions(args, &job, err));
    if (cli_has(args, "memory")) {
        how.memory_bytes = values_of(args)->memory_bytes;
    }
    how.axes = job.has_axes ? job.axes : NULL;
    how.clip = job.clip;
    XTA_TRY(begin_cells(args, &job, &cells, &how, err));
    status = xta_extract(job.array, job.regions, &how, &extraction, &err->error);
    if (status == XTA_ECANCELLED && cells != NULL) {
        status = cli_cells_status(cells);
    }
    if (status == XTA_OK && !how.no_statistics) {
        status = print(args, &job, extraction, err);
    }
    n_regions = status == XTA_OK ? xta_extraction_facts(extraction)->n_regions : 0;
done:
    status = cli_cells_end(cells, status, err);
    xta_extraction_free(extraction);
    xta_regions_free(job.regions);
    status = cli_close(job.mask, status, err);
    status = cli_close(job.array, status, err);
    if (status == XTA_OK && values_of(args)->json && values_of(args)->cells != NULL) {
        print_cells_json(args, n_regions);
    }
    return status;
}

static const cli_command extract_command = {
    .name = "extract",
    .summary = "take many regions out of an array",
    .usage = "A --regions F | --mask M [--background N] [--axes K,K,...] [--spacing S,S,...] "
             "[--clip] [--out F] [--json] [--cells DIR] [--as FORM] [--memory SIZE] "
             "[--as-of STEP]",
    .details =
        "Reads the chunks that the regions touch once, in file order, and prints count, least, "
        "greatest, mean and sum of each region. Cells that are NaN are counted apart. A file of "
        "regions has lines \"box LO:HI,... [NAME]\", \"sel AXIS=LABELS,... [NAME]\" and \"sphere "
        "C,C,... RADIUS [NAME]\"; regions "
        "may overlap. If A has more axes than the regions, every position on the other axes has a "
        "line of its own. --cells makes a file for each region: a box as an array of its shape, a "
        "sphere or label as the list of its cells in row-major order with one of their "
        "coordinates.",
    .example = "  xta extract bold --mask labels --out means.csv",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(extract_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};

int main(int argc, char *argv[])
{
    return cli_verb_program(&extract_command, argc, argv);
}
