/* xta import: read a foreign file into a new or an existing array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/program.h"

#include <stdlib.h>
#include <string.h>

#include "formats_loader.h"
#include "kit/cells/choice.h"
#include "kit/escape.h"
#include "kit/history.h"
#include "kit/print/json.h"
#include "kit/print/json_cells.h"
#include "kit/print/unfinished.h"
#include "progress_meter.h"
#include "whole_file.h"

/* Values of the options. */
typedef struct import_options {
    cli_choice cells;
    const char *append;
    bool front;
    const char *at;
    const char *overlap;
    const char *format;
    const char *axes;
    const char *fold;
    const char *colours;
    bool no_coordinates;
    cli_coords chunk;
    xta_order order;
    cli_cell_type type;
    cli_coords bounds;
    uint64_t memory_bytes;
    bool resume;
    const char *work;
    bool trust;
    bool describe;
    bool strict;
    bool all_listed;
    bool json;
    bool no_history;
} import_options;

static const cli_option options[] = {
    CLI_CELLS(import_options, "which cells of SRC, counted from 0 (all)"),
    CLI_STRING(import_options, append, "append", "AXIS",
               "grow A along this axis (name or number) and put the cells there; -AXIS is the same "
               "as AXIS with --front"),
    CLI_FLAG(import_options, front, "front", "append at the front of the axis"),
    CLI_STRING(import_options, at, "at", "I,J,...|auto",
               "put the first cell at these coordinates of A, which grows as needed; auto: where "
               "the georeferences of SRC and A say"),
    CLI_STRING(import_options, overlap, "overlap", "HOW",
               "of whole files: what happens to cells that are there and have other values: refuse "
               "(default), replace or skip"),
    CLI_STRING(import_options, format, "format", "F",
               "raw, npy, dra, netcdf, zarr, matlab, hdf5, nifti, fits, labels or gdal; without it "
               "by suffix, then by contents"),
    CLI_STRING(
        import_options, axes, "axes", "NAME,NAME,...",
        "names of the axes of SRC, after --fold; those of a new array, or those it is placed by"),
    CLI_STRING(import_options, fold, "fold", "AXIS=N,N,...[:ORDER]",
               "make several axes of axis number AXIS of SRC, of these lengths; row (default): the "
               "last of them is the fastest, column: the first"),
    CLI_STRING(import_options, colours, "colours", "LIST|FILE",
               "of labels: the colour of each class from 1 on (black is 0), as #rrggbb, separated "
               "by commas; or a file with one, and the class's name, on each line"),
    CLI_FLAG(import_options, no_coordinates, "no-coordinates",
             "neither compare coordinates and georeference with those of A nor take any from SRC"),
    CLI_PARSED(import_options, chunk, "chunk", "N,N,...", cli_parse_coords_value,
               "of a new array: cells of a chunk on each axis"),
    CLI_PARSED(import_options, order, "order", "ORDER", cli_parse_order_value,
               "of a new array: row, column, morton or hilbert"),
    CLI_PARSED(import_options, type, "type", "T", cli_parse_cell_type_value,
               "of a raw source: the type of its cells"),
    CLI_PARSED(import_options, bounds, "bounds", "N,N,...", cli_parse_coords_value,
               "of a raw source: its cells on each axis"),
    CLI_BYTES(import_options, memory_bytes, "memory", "SIZE", "limit of the buffers (64MiB)"),
    CLI_FLAG(import_options, resume, "resume",
             "do an import of SRC again that was interrupted, where its cells belong; with the "
             "options that it had"),
    CLI_STRING(import_options, work, "work", "ID",
               "with --resume: which one, by the first characters of its id (xta info)"),
    CLI_FLAG(
        import_options, trust, "trust",
        "open the other files and servers that SRC names, too, with every driver that GDAL has"),
    CLI_FLAG(import_options, describe, "describe",
             "print format, bounds, chunks and type of SRC, and import nothing"),
    CLI_FLAG(import_options, strict, "strict",
             "of a whole file: refuse it if anything cannot come, which is listed otherwise"),
    CLI_FLAG(import_options, all_listed, "all-listed",
             "of a whole file: keep the coordinates of every dimension as a list, also regular "
             "ones"),
    CLI_FLAG(import_options, json, "json", "print one JSON object"),
    CLI_NO_HISTORY(import_options),
};

static const import_options *values_of(const cli_args *args)
{
    return args->values;
}

typedef struct import_plan {
    xta_import_options options;
    int64_t at[XTA_MAX_NDIM];
    int64_t chunk[XTA_MAX_NDIM];
    int64_t bounds[XTA_MAX_NDIM];
    int64_t fold[XTA_MAX_NDIM];
    xta_box box;
    char *file;
    char *axis; // with a leading dash for --front
    xta_unfinished work;
} import_plan;

/* Find the import that --resume continues. */
static xta_status plan_resume(const cli_args *args, import_plan *plan, cli_error *err)
{
    static const char *const placing[] = {"append", "front", "at", "chunk", "order"};
    const unsigned verbs = 1U << XTA_WORK_IMPORT | 1U << XTA_WORK_APPEND;
    xta_array *array = NULL;
    xta_status status = XTA_OK;

    if (!values_of(args)->resume) {
        return (values_of(args)->work != NULL)
                   ? cli_usage(err, "--work belongs to --resume, which is missing")
                   : XTA_OK;
    }
    for (size_t k = 0; k < CLI_COUNT(placing); k++) {
        if (cli_has(args, placing[k])) {
            return cli_usage(err, "--%s and --resume exclude one another: the place is known",
                             placing[k]);
        }
    }
    XTA_TRY(cli_open(args, args->words[1], &array, err));
    status = cli_find_unfinished(array, values_of(args)->work, verbs, plan->file, &plan->work, err);
    plan->options.resume = plan->work.id;
done:
    return cli_close(array, status, err);
}

static xta_status plan_append(const cli_args *args, import_plan *plan, cli_error *err)
{
    const char *axis = values_of(args)->append;
    bool front = values_of(args)->front;

    if (axis == NULL) {
        return front ? cli_usage(err, "--front belongs to --append AXIS, which is missing")
                     : XTA_OK;
    }
    if (values_of(args)->at != NULL) {
        return cli_usage(err, "--append and --at exclude one another");
    }
    plan->axis = malloc(strlen(axis) + 2);
    if (plan->axis == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "--append: no memory for \"%s\"", axis);
    }
    front = front && axis[0] != '-';
    plan->axis[0] = '-';
    memcpy(plan->axis + front, axis, strlen(axis) + 1);
    plan->options.placement = XTA_PLACE_APPEND;
    plan->options.axis = plan->axis;
    return XTA_OK;
}

/* Plan where the cells go. Only the library knows the number of axes of A, so it checks --at. */
static xta_status plan_place(const cli_args *args, import_plan *plan, cli_error *err)
{
    static const char *const of_new[] = {"chunk", "order"};
    xta_status status = XTA_OK;
    int n = 0;

    XTA_TRY(plan_append(args, plan, err));
    if ((values_of(args)->at != NULL) && strcmp(values_of(args)->at, "auto") == 0) {
        plan->options.placement = XTA_PLACE_AT; // --at without coordinates: place by georeference.
    } else if (values_of(args)->at != NULL) {
        xta_array *array = NULL;
        XTA_TRY(xta_array_open(args->words[1], NULL, &array, &err->error));
        n = xta_array_ndim(array);
        xta_array_close(array, NULL);
        XTA_TRY(cli_parse_coords_of(values_of(args)->at, "--at", n, plan->at, err));
        plan->options.placement = XTA_PLACE_AT;
        plan->options.at = plan->at;
    }
    for (size_t k = 0; k < CLI_COUNT(of_new); k++) {
        if (plan->options.placement != XTA_PLACE_CREATE && cli_has(args, of_new[k])) {
            return cli_usage(err, "--%s is for new arrays; %s keeps the one it has", of_new[k],
                             args->words[1]);
        }
    }
done:
    return status;
}

/* AXIS=N,N,...[:ORDER] */
static xta_status plan_fold(const char *text, import_plan *plan, cli_error *err)
{
    xta_import_options *chosen = &plan->options;
    xta_status status = XTA_OK;
    const char *equals = strchr(text, '=');
    const char *colon = strchr(text, ':');
    char *end = NULL;
    char *lengths = NULL;
    long axis = strtol(text, &end, 10);

    if (equals == NULL || end == text || end != equals || axis < 0 || axis >= XTA_MAX_NDIM) {
        return cli_usage(err,
                         "--fold: \"%s\" is not AXIS=N,N,...[:row|column], such as "
                         "1=95,95:column",
                         text);
    }
    if (colon != NULL && strcmp(colon, ":row") != 0 && strcmp(colon, ":column") != 0) {
        return cli_usage(err, "--fold: \"%s\" is no order; want row or column", colon + 1);
    }
    chosen->fold_order = colon != NULL && colon[1] == 'c' ? XTA_COLUMN : XTA_ROW;
    size_t n = colon != NULL ? (size_t)(colon - equals - 1) : strlen(equals + 1);
    lengths = malloc(n + 1);
    if (lengths == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "--fold: no memory for \"%s\"", text);
    }
    memcpy(lengths, equals + 1, n);
    lengths[n] = '\0';
    XTA_TRY(cli_parse_coords(lengths, "--fold", plan->fold, &chosen->n_fold, err));
    chosen->fold_axis = (int)axis;
    chosen->fold = plan->fold;
done:
    free(lengths);
    return status;
}

/* The cells of SRC, whose bounds only the library knows. */
static xta_status plan_cells(const cli_choice *cells, import_plan *plan, cli_error *err)
{
    xta_box any = {.ndim = 1};

    plan->options.select = cells->sel;
    if (cells->box == NULL) {
        return XTA_OK;
    }
    for (const char *at = cells->box; (at = strchr(at, ',')) != NULL; at++) {
        any.ndim++;
    }
    if (any.ndim > XTA_MAX_NDIM) {
        return cli_usage(err, "--box: %d axes; there are at most %d", any.ndim, XTA_MAX_NDIM);
    }
    for (int axis = 0; axis < any.ndim; axis++) {
        any.lo[axis] = INT64_MIN;
        any.hi[axis] = INT64_MAX;
    }
    plan->options.box = &plan->box;
    return cli_parse_box(cells->box, &any, &plan->box, err);
}

static xta_status plan_source(const cli_args *args, import_plan *plan, cli_error *err)
{
    xta_import_options *chosen = &plan->options;
    const import_options *values = values_of(args);
    xta_status status = XTA_OK;

    chosen->format = values_of(args)->format;
    chosen->axes = values_of(args)->axes;
    chosen->colours = values_of(args)->colours;
    chosen->trust = values_of(args)->trust;
    chosen->no_coordinates = values_of(args)->no_coordinates;
    if (values_of(args)->fold != NULL) {
        XTA_TRY(plan_fold(values_of(args)->fold, plan, err));
    }
    XTA_TRY(plan_cells(&values->cells, plan, err));
    XTA_TRY(cli_split_variable(args->words[0], &plan->file, &chosen->variable, err));
    chosen->chunk = values->chunk.n > 0 ? values->chunk.at : NULL;
    if (cli_has(args, "order")) {
        chosen->order = values->order;
    }
    if (cli_has(args, "type")) {
        chosen->type = values->type.type;
    }
    if (values->bounds.n > 0) {
        chosen->ndim = values->bounds.n;
        chosen->bounds = values->bounds.at;
        if (chosen->chunk != NULL && values->chunk.n != chosen->ndim) {
            return cli_usage(err, "--chunk: %d numbers for the %d axes of --bounds",
                             values->chunk.n, chosen->ndim);
        }
    }
    if (cli_has(args, "memory")) {
        chosen->memory_bytes = values->memory_bytes;
    }
done:
    return status;
}

/* One number for each axis, separated by commas. */
static void print_numbers(const char *name, const int64_t number[], int n)
{
    printf("%-12s", name);
    cli_print_coords(stdout, number, n);
    printf("\n");
}

static void print_source(const xta_source_info *info)
{
    printf("%-12s%s\n", "format", info->format);
    print_numbers("bounds", info->bounds, info->ndim);
    if (info->chunked) {
        print_numbers("chunk", info->chunk, info->ndim);
    } else {
        printf("%-12s-\n", "chunk");
    }
    printf("%-12s%s", "type", xta_type_name(info->type));
    if (info->type == XTA_BYTES) {
        printf(":%zu", info->cell_bytes);
    }
    printf("\n%-12s", "variable");
    cli_print_name(stdout, info->variable[0] != '\0' ? info->variable : "-");
    printf("\n");
}

/* The same as an object. */
static void print_source_json(const char *source, const xta_source_info *info)
{
    fputs("{\"source\": ", stdout);
    cli_json_text(stdout, source);
    fputs(", \"format\": ", stdout);
    cli_json_text(stdout, info->format);
    fputs(", \"shape\": ", stdout);
    cli_json_coords(stdout, info->bounds, info->ndim);
    if (info->chunked) {
        fputs(", \"chunk\": ", stdout);
        cli_json_coords(stdout, info->chunk, info->ndim);
    }
    printf(", \"type\": \"%s\", \"cell_bytes\": %zu", xta_type_name(info->type), info->cell_bytes);
    if (info->variable[0] != '\0') {
        fputs(", \"variable\": ", stdout);
        cli_json_text(stdout, info->variable);
    }
    fputs("}\n", stdout);
}

/* Everything that says where cells go says nothing of the source. */
static xta_status describe(const cli_args *args, import_plan *plan, cli_error *err)
{
    static const char *const placing[] = {"append", "front",  "at",     "chunk",
                                          "order",  "memory", "resume", "work"};
    xta_source_info info = XTA_SOURCE_INFO_INIT;
    cli_formats formats;
    xta_status status = XTA_OK;

    if (args->n_words > 1) {
        return cli_usage(err, "--describe imports nothing; leave out \"%s\"", args->words[1]);
    }
    for (size_t k = 0; k < CLI_COUNT(placing); k++) {
        if (cli_has(args, placing[k])) {
            return cli_usage(err, "--describe imports nothing; leave out --%s", placing[k]);
        }
    }
    XTA_TRY(plan_source(args, plan, err));
    XTA_TRY(cli_formats_load(&formats, &err->error));
    status = formats.import_describe(plan->file, &plan->options, &info, &err->error);
    err->usage = status == XTA_EARG;
    XTA_TRY(status);
    if (values_of(args)->json) {
        print_source_json(args->words[0], &info);
    } else {
        print_source(&info);
    }
done:
    return status;
}

static xta_status check_whole_options(const cli_args *args, cli_error *err)
{
    static const char *const allowed[] = {"strict", "all-listed", "trust",     "memory",
                                          "append", "front",      "at",        "overlap",
                                          "sel",    "json",       "no-history"};

    for (int k = 0; k < args->n_given; k++) {
        bool good = false;
        for (size_t j = 0; j < CLI_COUNT(allowed); j++) {
            good = good || strcmp(args->given[k].option->name, allowed[j]) == 0;
        }
        if (!good) {
            return cli_usage(err,
                             "--%s is for one variable; leave it out, or give the name of an array "
                             "instead of a folder",
                             args->given[k].option->name);
        }
    }
    return XTA_OK;
}

static xta_status parse_overlap(const char *text, xta_overlap *out, cli_error *err)
{
    static const char *const names[] = {"refuse", "replace", "skip"};

    for (int k = 0; k < 3; k++) {
        if (text == NULL || strcmp(text, names[k]) == 0) {
            *out = (xta_overlap)k;
            return XTA_OK;
        }
    }
    return cli_usage(err, "--overlap: \"%s\" is none of refuse, replace, skip", text);
}

/* Where the files go. */
static xta_status plan_whole(const import_options *o, cli_whole_import *what, cli_error *err)
{
    const char *append = o->append;

    if (o->at != NULL && strcmp(o->at, "auto") != 0) {
        return cli_usage(err, "--at %s: whole files are placed by their coordinates: --at auto",
                         o->at);
    }
    if (append != NULL && o->at != NULL) {
        return cli_usage(err, "--append and --at exclude one another");
    }
    what->merge = append != NULL || o->at != NULL;
    what->front = o->front || (append != NULL && append[0] == '-');
    what->append = append != NULL && append[0] == '-' ? append + 1 : append;
    if (what->front && append == NULL) {
        return cli_usage(err, "--front belongs to --append DIM, which is missing");
    }
    if (!what->merge && (what->n_sources > 1 || o->overlap != NULL)) {
        return cli_usage(err, "say where the files go: --append DIM, or --at auto: where all their "
                              "coordinates say");
    }
    return parse_overlap(o->overlap, &what->overlap, err);
}

/* Whole files into the folder that the last word names. */
static xta_status import_whole(const cli_args *args, cli_error *err)
{
    const import_options *o = values_of(args);
    cli_whole_import what = {.sources = (const char *const *)args->words,
                             .n_sources = (size_t)args->n_words - 1,
                             .folder = args->words[args->n_words - 1],
                             .strict = o->strict,
                             .all_listed = o->all_listed,
                             .trust = o->trust,
                             .select = o->cells.sel,
                             .json = o->json,
                             .memory_bytes = o->memory_bytes};
    xta_status status = check_whole_options(args, err);

    if (status == XTA_OK) {
        status = plan_whole(o, &what, err);
    }
    bool is_new = !xta_dataset_exists(what.folder);
    status = status == XTA_OK ? cli_import_whole_file(&what, err) : status;
    return status == XTA_OK && is_new && !o->no_history ? cli_add_history(args, what.folder, err)
                                                        : status;
}

/* The box of the array that was written. */
static void print_written(const cli_args *args, const xta_box *written)
{
    if (!values_of(args)->json) {
        cli_print_box(stdout, written);
        printf("\n");
        return;
    }
    fputs("{\"source\": ", stdout);
    cli_json_text(stdout, args->words[0]);
    fputs(", \"array\": ", stdout);
    cli_json_text(stdout, args->words[1]);
    fputs(", \"box\": ", stdout);
    cli_json_box(stdout, written);
    fputs("}\n", stdout);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    import_plan plan = {.options = XTA_IMPORT_OPTIONS_INIT};
    cli_meter meter = {0};
    cli_formats formats;
    xta_box written;
    xta_status status = XTA_OK;

    if (values_of(args)->describe) {
        status = describe(args, &plan, err);
        goto done;
    }
    if (args->n_words < 2) {
        return cli_usage(err, "an argument is missing: xta import %s", args->command->usage);
    }
    if (cli_names_folder(args->words[args->n_words - 1])) {
        return import_whole(args, err);
    }
    if (values_of(args)->strict || values_of(args)->all_listed ||
        values_of(args)->overlap != NULL) {
        return cli_usage(err,
                         "--strict, --all-listed and --overlap are for whole files; give a folder: "
                         "%s/",
                         args->words[1]);
    }
    if (args->n_words > 2) {
        return cli_usage(err, "several files go into a data set; give a folder: %s/",
                         args->words[args->n_words - 1]);
    }
    XTA_TRY(plan_source(args, &plan, err));
    XTA_TRY(plan_resume(args, &plan, err));
    XTA_TRY(plan_place(args, &plan, err));
    XTA_TRY(cli_formats_load(&formats, &err->error));
    plan.options.progress = cli_meter_begin(&meter, plan.file);
    status = formats.import(plan.file, args->words[1], &plan.options, &written, &err->error);
    // such as a file with several variables, if none is named
    err->usage = status == XTA_EARG;
    XTA_TRY(status);
    cli_meter_end(&meter);
    print_written(args, &written);
    if (plan.options.placement == XTA_PLACE_CREATE && !values_of(args)->resume &&
        !values_of(args)->no_history) {
        XTA_TRY(cli_add_history(args, args->words[1], err));
    }
done:
    cli_meter_end(&meter);
    free(plan.file);
    free(plan.axis);
    return status;
}

static const cli_command import_command = {
    .name = "import",
    .summary =
        "bring a NumPy, NetCDF, HDF5, Zarr, MATLAB, NIfTI, FITS, raster, DRA or raw file into an "
        "array",
    .usage =
        "SRC[:VARIABLE] A [--box LO:HI,...] [--sel AXIS=LABELS,...] [--append AXIS [--front] | "
        "--at I,J,...|auto] [--format F] [--axes NAME,NAME,...] [--fold AXIS=N,N,...[:ORDER]] "
        "[--colours LIST|FILE] [--no-coordinates] [--chunk N,N,...] [--order ORDER] "
        "[--type T --bounds N,N,...] [--memory SIZE] [--trust] [--no-history] [--json] [--resume "
        "[--work ID]] | "
        "SRC[:VARIABLE] --describe | "
        "SRC... DIR/ [--append DIM [--front] | --at auto] [--overlap HOW] [--strict] "
        "[--all-listed]",
    .details =
        "Creates A from SRC, or with --append or --at puts the cells into A, growing it. Prints "
        "the box that was written. Attributes, axis names and units, the fill value and a "
        "georeference come along. Memory stays below --memory. On a terminal the progress "
        "is shown. An import that fails or is interrupted from the keyboard takes back what it "
        "did; "
        "one that is killed leaves a mark that xta info shows, and --resume or xta undo ends it. "
        "With --describe it only says what SRC is. DIR/, with its slash, is a data set that is "
        "made "
        "of a whole NetCDF or HDF5 file or Zarr store: its variables, groups, dimensions, "
        "coordinates and attributes. "
        "What cannot come is listed before anything is written. With --append DIM or --at auto the "
        "files, in any order, go into a data set that may exist: along DIM, or where all their "
        "coordinates say. --sel cuts SRC, or each file, to the cells that its own coordinates "
        "select; only these are read. A new array or data set gets this command as the first line "
        "of its "
        "attribute history (global/history where the file had one), as NCO does.",
    .example = "  xta import tos_201501.nc:tos tos --append time --front",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(import_options),
    .min_words = 1,
    .max_words = INT32_MAX,
    .run = run,
};

/* `xta version` calls this with `--formats` to list the formats of this build. */
int main(int argc, char *argv[])
{
    if (argc == 2 && strcmp(argv[1], "--formats") == 0) {
        cli_formats formats;
        if (cli_formats_load(&formats, NULL) != XTA_OK) {
            return CLI_FAILURE;
        }
        for (int k = 0; formats.bridge_name(k) != NULL; k++) {
            printf("bridge %s\n", formats.bridge_summary(k)); // The summary begins with the name.
        }
        return fflush(stdout) == 0 ? CLI_SUCCESS : CLI_FAILURE;
    }
    return cli_verb_program(&import_command, argc, argv);
}
