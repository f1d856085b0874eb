/* xta stat: count, extremes and where they are, mean and standard deviation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "stat_job.h"

#include "kit/program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kit/cells/choice.h"
#include "kit/folder.h"
#include "kit/print/json.h"
#include "util/checked.h"

#define MOST_RESULT_BYTES ((uint64_t)512 << 20)

/* Values of the options. */
typedef struct stat_options {
    const char *over;
    cli_choice cells;
    const char *missing;
    int64_t ddof;
    bool json;
    int64_t threads;
    int64_t as_of;
} stat_options;

static const cli_option options[] = {
    CLI_STRING(stat_options, over, "over", "AXIS,...",
               "the axes to reduce (all); a line for each coordinate of the others"),
    CLI_CELLS(stat_options, "the cells to use (everything)"),
    CLI_STRING(stat_options, missing, "missing", "VALUE",
               "cells with this value do not count; \"fill\": those with the fill value; \"none\": "
               "all cells count (the value of an attribute such as _FillValue)"),
    CLI_INT(stat_options, ddof, "ddof", "N", 0, INT64_MAX, NULL,
            "divide the variance by the count less N (0)"),
    CLI_FLAG(stat_options, json, "json", "print one JSON object"),
    CLI_INT(stat_options, threads, "threads", "N", 1, 1024, NULL,
            "threads that compute (all processors); they do not change the results"),
    CLI_AS_OF(stat_options),
};

static const stat_options *values_of(const cli_args *args)
{
    return args->values;
}

/* ---- the command line ---- */

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static xta_status add_axis(cli_stat *stat, const char *name, cli_error *err)
{
    int axis = 0;
    xta_status status = xta_axis_find(stat->array, name, &axis, &err->error);

    for (int k = 0; status == XTA_OK && k < stat->options.n_axes; k++) {
        if (stat->axes[k] == axis) {
            return cli_usage(err, "--over: axis %s is given twice", name);
        }
    }
    if (status == XTA_OK) {
        stat->axes[stat->options.n_axes++] = axis;
    }
    return status;
}

static xta_status parse_over(cli_stat *stat, const char *text, cli_error *err)
{
    char *copy = text != NULL ? xta__strdup(text) : NULL, *rest = copy;
    xta_status status = XTA_OK;

    stat->options.axes = stat->axes;
    if (text == NULL) {
        for (int axis = 0; axis < xta_array_ndim(stat->array); axis++) {
            stat->axes[stat->options.n_axes++] = axis;
        }
        return XTA_OK;
    }
    if (copy == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for a list");
    }
    while (rest != NULL && status == XTA_OK) {
        char *word = rest;
        rest = strchr(word, ',');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        status = add_axis(stat, word, err);
    }
    qsort(stat->axes, (size_t)stat->options.n_axes, sizeof stat->axes[0], ascending);
    free(copy);
    return status;
}

/* The value that attributes say is missing, as xta draw understands them. */
static xta_status find_missing(cli_stat *stat, cli_error *err)
{
    static const char *const names[] = {"_FillValue", "missing_value", "nodata",
                                        "data ignore value"};
    xta_type type = xta_array_type(stat->array);
    size_t bytes = xta_array_cell_bytes(stat->array);
    uint8_t value[8];

    for (size_t k = 0; k < CLI_COUNT(names); k++) {
        xta_attribute a;
        if (xta_attribute_get(stat->array, XTA_ON_ARRAY, names[k], &a, NULL) != XTA_OK ||
            a.count != 1 || xta_type_convert(a.type, a.values, type, value, 1, NULL) != XTA_OK) {
            continue; // no number that a cell can have
        }
        if (stat->options.missing != NULL && memcmp(stat->missing, value, bytes) != 0) {
            return cli_fail(err, XTA_EARG, 0,
                            "%s: attribute %s says another missing value than the others; choose "
                            "one with --missing",
                            stat->name, names[k]);
        }
        memcpy(stat->missing, value, bytes);
        stat->options.missing = stat->missing;
    }
    return XTA_OK;
}

static xta_status parse_missing(cli_stat *stat, const char *text, cli_error *err)
{
    size_t bytes = xta_array_cell_bytes(stat->array);

    if (bytes > sizeof stat->missing || (text != NULL && strcmp(text, "none") == 0)) {
        return XTA_OK; // longer cells have no statistics
    }
    if (text == NULL) {
        return find_missing(stat, err);
    }
    stat->options.missing = stat->missing;
    if (strcmp(text, "fill") == 0) {
        memcpy(stat->missing, xta_array_fill_value(stat->array), bytes);
        return XTA_OK;
    }
    return cli_value_parse(text, "--missing", xta_array_type(stat->array), bytes, stat->missing,
                           err);
}

static xta_status plan_stat(const cli_args *args, cli_stat *stat, cli_error *err)
{
    static const xta_reduce_options defaults = XTA_REDUCE_OPTIONS_INIT;
    const stat_options *values = values_of(args);
    const xta_box bounds = xta_array_bounds(stat->array);
    xta_type type = xta_array_type(stat->array);
    xta_status status = XTA_OK;

    stat->options = defaults;
    XTA_TRY(cli_choose_box(&values->cells, stat->array, &stat->box, err));
    XTA_TRY(cli_check_box(stat->name, &bounds, &stat->box, err));
    stat->options.box = &stat->box;
    XTA_TRY(parse_over(stat, values->over, err));
    XTA_TRY(parse_missing(stat, values->missing, err));
    stat->options.ddof = (uint64_t)values->ddof;
    stat->options.threads = (int)values->threads;
    stat->wide = type == XTA_F16 || type == XTA_F32 || type == XTA_F64 ? XTA_F64
                 : type == XTA_I8 || type == XTA_I16 || type == XTA_I32 || type == XTA_I64
                     ? XTA_I64
                     : XTA_U64;
done:
    return status;
}

/* ---- computing ---- */

static const xta_reduce_statistic statistics[STAT_STATISTICS] = {
    [STAT_COUNT] = XTA_REDUCE_COUNT, [STAT_MIN] = XTA_REDUCE_MIN, [STAT_MAX] = XTA_REDUCE_MAX,
    [STAT_MEAN] = XTA_REDUCE_MEAN,   [STAT_VAR] = XTA_REDUCE_VAR,
};

/* A list of 8 bytes for each result. */
static void *new_list(const cli_stat *stat)
{
    return calloc((size_t)stat->n_results + 1, 8);
}

static xta_status count_results(cli_stat *stat, cli_error *err)
{
    uint64_t n = 0;

    stat->bounds = xta_array_bounds(stat->results[0]);
    if (xta_box_cells(&stat->bounds, &stat->n_results) != XTA_OK ||
        xta_box_cells(&stat->box, &n) != XTA_OK ||
        stat->n_results > MOST_RESULT_BYTES / (STAT_STATISTICS + 7) / 8) {
        return cli_fail(err, XTA_ENOMEM, 0,
                        "%s: too many results to print; xta reduce --out writes them into arrays",
                        stat->name);
    }
    stat->n_cells = 1;
    for (int k = 0; k < stat->options.n_axes; k++) {
        int axis = stat->axes[k];
        stat->n_cells *= (uint64_t)(stat->box.hi[axis] - stat->box.lo[axis]);
    }
    stat->count = new_list(stat);
    stat->least = new_list(stat);
    stat->most = new_list(stat);
    stat->mean = new_list(stat);
    stat->deviation = new_list(stat);
    stat->least_at = new_list(stat);
    stat->most_at = new_list(stat);
    return stat->count != NULL && stat->least != NULL && stat->most != NULL && stat->mean != NULL &&
                   stat->deviation != NULL && stat->least_at != NULL && stat->most_at != NULL
               ? XTA_OK
               : cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %" PRIu64 " results", stat->name,
                          stat->n_results);
}

/* Results as lists. Where no cell counts, there is no value, and extremes are 0. */
static xta_status read_results(cli_stat *stat, cli_error *err)
{
    const struct {
        int statistic;
        xta_type type;
        void *list;
    } lists[] = {{STAT_COUNT, XTA_U64, stat->count},
                 {STAT_MIN, stat->wide, stat->least},
                 {STAT_MAX, stat->wide, stat->most},
                 {STAT_MEAN, XTA_F64, stat->mean},
                 {STAT_VAR, XTA_F64, stat->deviation}};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_status status = XTA_OK;

    for (size_t k = 0; status == XTA_OK && k < CLI_COUNT(lists); k++) {
        io.type = lists[k].type;
        status = xta_array_read(stat->results[lists[k].statistic], &stat->bounds, &io,
                                lists[k].list, &err->error);
    }
    for (uint64_t k = 0; status == XTA_OK && k < stat->n_results; k++) {
        stat->deviation[k] = sqrt(stat->deviation[k]);
    }
    return status;
}

/* Whether the type has no statistics is known when the first result is created: XTA_ETYPE. */
static xta_status compute(cli_stat *stat, cli_error *err)
{
    xta_status status = XTA_OK;

    for (int s = 0; s < STAT_STATISTICS; s++) {
        XTA_TRY(xta_reduce_create(stat->array, &stat->options, statistics[s], NULL,
                                  &stat->results[s], &err->error));
    }
    XTA_TRY(count_results(stat, err));
    XTA_TRY(xta_reduce(stat->array, &stat->options, statistics, STAT_STATISTICS, stat->results,
                       NULL, &err->error));
    XTA_TRY(read_results(stat, err));
    status = cli_stat_find_places(stat, err);
done:
    return status;
}

static xta_status stat_clear(cli_stat *stat, xta_status status, cli_error *err)
{
    for (int s = 0; s < STAT_STATISTICS; s++) {
        status = cli_close(stat->results[s], status, err);
    }
    free(stat->count);
    free(stat->least);
    free(stat->most);
    free(stat->mean);
    free(stat->deviation);
    free(stat->least_at);
    free(stat->most_at);
    return cli_close(stat->array, status, err);
}

/* ---- one array, or a folder of them ---- */

typedef struct folder_job {
    const cli_args *args;
    const char *folder;
    bool any; // an array was printed
} folder_job;

static xta_status print_one(const cli_args *args, const cli_stat *stat, bool in_folder,
                            const char *why, cli_error *err)
{
    if (values_of(args)->json) {
        return cli_stat_json(stdout, stat, why, err);
    }
    if (in_folder) {
        cli_stat_print_line(stdout, stat, why);
        return XTA_OK;
    }
    return cli_stat_print(stdout, stat, err);
}

static xta_status stat_array(const cli_args *args, const char *path, const char *name,
                             bool in_folder, cli_error *err)
{
    cli_stat stat = {.name = name};
    xta_status status = XTA_OK;

    XTA_TRY(cli_open(args, path, &stat.array, err));
    XTA_TRY(plan_stat(args, &stat, err));
    status = compute(&stat, err);
    if (status == XTA_ETYPE && in_folder) {
        status = print_one(args, &stat, true, "cells of this type have no statistics", err);
    } else if (status == XTA_OK) {
        status = print_one(args, &stat, in_folder, NULL, err);
    }
done:
    return stat_clear(&stat, status, err);
}

static xta_status visit_member(void *user, const cli_member *member, cli_error *err)
{
    folder_job *job = user;
    char *path = NULL;
    xta_status status = XTA_OK;

    if (!member->array) {
        return XTA_OK;
    }
    XTA_TRY(cli_join(job->folder, member->name, &path, err));
    if (values_of(job->args)->json && job->any) {
        fputc(',', stdout);
    }
    job->any = true;
    status = stat_array(job->args, path, member->name, true, err);
done:
    free(path);
    return status;
}

static xta_status stat_folder(const cli_args *args, const char *folder, cli_error *err)
{
    static const char *const single[] = {"over", "box", "sel", "as-of"};
    folder_job job = {.args = args, .folder = folder};

    for (size_t k = 0; k < CLI_COUNT(single); k++) {
        if (cli_has(args, single[k])) {
            return cli_usage(err, "--%s belongs to a single array; %s is a folder", single[k],
                             folder);
        }
    }
    if (!values_of(args)->json) {
        cli_stat_print_line(stdout, NULL, NULL);
    }
    return cli_members_visit(folder, true, visit_member, &job, err);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    bool json = values_of(args)->json;
    const char *path = args->words[0];
    xta_status status = XTA_OK;

    if (json) {
        fputs("{\"arrays\": [", stdout);
    }
    XTA_TRY(cli_is_folder(path) ? stat_folder(args, path, err)
                                : stat_array(args, path, path, false, err));
    if (json) {
        fputs("\n]}\n", stdout);
    }
done:
    return status;
}

static const cli_command stat_command = {
    .name = "stat",
    .summary = "count, extremes and where they are, mean, deviation",
    .usage = "A [--over AXIS,...] [--box LO:HI,...] [--sel AXIS=LABELS,...] [--missing VALUE] "
             "[--ddof N] [--json] "
             "[--threads N] [--as-of STEP]",
    .details =
        "Prints how many cells there are, how many count and how many are missing, minimum and "
        "maximum with the coordinates of the first cell that has them, mean and standard "
        "deviation. NaN cells are missing, and those with the value that an attribute _FillValue, "
        "missing_value, nodata or \"data ignore value\" of the array gives. Values are those of "
        "the cells, without scale_factor and add_offset. If A is a folder, it prints a line for "
        "each array in it and in the folders in it.",
    .example = "  xta stat rain --over lat,lon",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(stat_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};

int main(int argc, char *argv[])
{
    return cli_verb_program(&stat_command, argc, argv);
}
