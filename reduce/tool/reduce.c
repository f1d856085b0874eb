/* xta reduce: statistics over whole axes of an array, in one pass.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduce_job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/cells/choice.h"
#include "kit/cells/output.h"
#include "kit/history.h"
#include "kit/print/json.h"
#include "kit/program.h"
#include "util/checked.h"
#include "util/text.h"

/* Values of the options. */
typedef struct reduce_options {
    cli_choice cells;
    const char *over;
    const char *with;
    const char *groups;
    const char *by;
    const char *missing;
    int64_t min_count;
    int64_t ddof;
    const char *nan;
    const char *out;
    bool json;
    int64_t threads;
    uint64_t memory_bytes;
    bool no_history;
    int64_t as_of;
} reduce_options;

static const cli_option options[] = {
    CLI_CELLS(reduce_options, "the cells to reduce (all)"),
    CLI_STRING(reduce_options, over, "over", "AXIS,...", "the axes to reduce (all)"),
    CLI_STRING(reduce_options, with, "with", "NAME,...",
               "statistics: count, sum, mean, min, max, var (mean)"),
    CLI_STRING(
        reduce_options, groups, "groups", "G",
        "AXIS:N: groups of N coordinates; or a .npy file with a label for each coordinate of "
        "a reduced axis, after AXIS: if their number does not determine which"),
    CLI_STRING(reduce_options, by, "by", "G",
               "groups by the calendar of the axis with times, which is reduced: day, month, "
               "season (December belongs to the next year's DJF), year, month-of-year, "
               "season-of-year; AXIS:G"),
    CLI_STRING(reduce_options, missing, "missing", "VALUE",
               "cells with this value do not count; \"fill\": those with the fill value"),
    CLI_INT(reduce_options, min_count, "min-count", "N", 0, INT64_MAX, NULL,
            "where fewer than N cells count there is no result (0)"),
    CLI_INT(reduce_options, ddof, "ddof", "N", 0, INT64_MAX, NULL,
            "divide the variance by the count less N (0)"),
    CLI_STRING(reduce_options, nan, "nan", "RULE",
               "skip: NaN cells do not count (default); propagate: they make the result NaN"),
    CLI_STRING(reduce_options, out, "out", "B",
               "new array for the results instead of standard output; of several statistics, a new "
               "folder with an array for each"),
    CLI_FLAG(reduce_options, json, "json", "print one JSON object instead of CSV"),
    CLI_INT(reduce_options, threads, "threads", "N", 1, 1024, NULL,
            "threads that compute (all processors); they do not change the results"),
    CLI_BYTES(reduce_options, memory_bytes, "memory", "SIZE",
              "the most to allocate, with results that are printed (512MiB)"),
    CLI_NO_HISTORY(reduce_options),
    CLI_AS_OF(reduce_options),
};

static const reduce_options *values_of(const cli_args *args)
{
    return args->values;
}

/* ---- the command line ---- */

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static xta_status add_axis(cli_reduction *job, const char *name, cli_error *err)
{
    int axis = 0;
    xta_status status = xta_axis_find(job->array, name, &axis, &err->error);

    if (status != XTA_OK) {
        return status;
    }
    for (int k = 0; k < job->options.n_axes; k++) {
        if (job->axes[k] == axis) {
            return cli_usage(err, "--over: axis %s is given twice", name);
        }
    }
    job->axes[job->options.n_axes++] = axis;
    return XTA_OK;
}

static xta_status add_statistic(cli_reduction *job, const char *name, cli_error *err)
{
    const char *names[XTA_REDUCE_STATISTICS];

    for (int s = 0; s < XTA_REDUCE_STATISTICS; s++) {
        names[s] = xta_reduce_statistic_name((xta_reduce_statistic)s);
        if (strcmp(name, names[s]) != 0) {
            continue;
        }
        for (int k = 0; k < job->n_statistics; k++) {
            if (job->statistics[k] == (xta_reduce_statistic)s) {
                return cli_usage(err, "--with: %s is given twice", name);
            }
        }
        job->statistics[job->n_statistics++] = (xta_reduce_statistic)s;
        return XTA_OK;
    }
    const char *nearest = cli_nearest(name, names, XTA_REDUCE_STATISTICS);
    return cli_usage(err,
                     "--with: \"%s\" is no statistic; want count, sum, mean, min, max or var%s%s",
                     name, nearest != NULL ? "; nearest: " : "", nearest != NULL ? nearest : "");
}

/* Call `add` for each word of a list. */
static xta_status each_word(cli_reduction *job, const char *text,
                            xta_status (*add)(cli_reduction *, const char *, cli_error *),
                            cli_error *err)
{
    char *copy = xta__strdup(text), *rest;
    xta_status status = XTA_OK;

    if (copy == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for a list");
    }
    for (rest = copy; rest != NULL && status == XTA_OK;) {
        char *word = rest;
        rest = strchr(word, ',');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        status = add(job, word, err);
    }
    free(copy);
    return status;
}

static xta_status parse_cells(const cli_args *args, cli_reduction *job, cli_error *err)
{
    const reduce_options *o = values_of(args);
    size_t bytes = xta_array_cell_bytes(job->array);

    if (o->nan != NULL && strcmp(o->nan, "skip") != 0 && strcmp(o->nan, "propagate") != 0) {
        return cli_usage(err, "--nan: \"%s\" is no rule; want skip or propagate", o->nan);
    }
    job->options.propagate_nan = o->nan != NULL && o->nan[0] == 'p';
    if (o->missing == NULL || bytes > sizeof job->missing) {
        return XTA_OK; // longer cells have no statistics
    }
    job->options.missing = job->missing;
    if (strcmp(o->missing, "fill") == 0) {
        memcpy(job->missing, xta_array_fill_value(job->array), bytes);
        return XTA_OK;
    }
    return cli_value_parse(o->missing, "--missing", xta_array_type(job->array), bytes, job->missing,
                           err);
}

static xta_status parse_all(const cli_args *args, cli_reduction *job, cli_error *err)
{
    const reduce_options *o = values_of(args);
    xta_status status = XTA_OK;

    job->options = (xta_reduce_options)XTA_REDUCE_OPTIONS_INIT;
    job->options.axes = job->axes;
    job->options.box = &job->box;
    if (o->over != NULL) {
        XTA_TRY(each_word(job, o->over, add_axis, err));
        qsort(job->axes, (size_t)job->options.n_axes, sizeof job->axes[0], ascending);
    } else {
        for (int axis = 0; axis < xta_array_ndim(job->array); axis++) {
            job->axes[job->options.n_axes++] = axis;
        }
    }
    XTA_TRY(each_word(job, o->with != NULL ? o->with : "mean", add_statistic, err));
    XTA_TRY(parse_cells(args, job, err));
    if (o->groups != NULL) {
        XTA_TRY(cli_reduce_groups(job, o->groups, err));
    }
    if (o->by != NULL && o->groups != NULL) {
        XTA_TRY(cli_usage(err, "--by and --groups both make groups; give one"));
    }
    if (o->by != NULL) {
        XTA_TRY(cli_reduce_by(job, o->by, err));
    }
    if (o->out != NULL && strcmp(o->out, "-") == 0) {
        XTA_TRY(cli_usage(err, "--out -: an array cannot be a stream; leave out --out, and the "
                               "results are printed"));
    }
    job->options.min_count = (uint64_t)o->min_count;
    job->options.ddof = (uint64_t)o->ddof;
    job->options.threads = (int)o->threads;
    job->options.memory_bytes = o->memory_bytes;
done:
    return status;
}

/* ---- results ---- */

/* Integers have no value of their own for "no result": what is printed is decided by the count. */
static void add_count(cli_reduction *job, bool prints)
{
    job->n_computed = job->n_statistics;
    job->count_at = -1;
    for (int s = 0; s < job->n_statistics; s++) {
        job->count_at = job->statistics[s] == XTA_REDUCE_COUNT ? s : job->count_at;
    }
    if (prints && job->count_at < 0) {
        job->count_at = job->n_computed++;
        job->statistics[job->count_at] = XTA_REDUCE_COUNT;
    }
}

/* The path of the results of a statistic; NULL if out of memory. */
static char *path_of(const cli_reduction *job, const char *out, int s)
{
    return job->n_statistics == 1
               ? xta__strdup(out)
               : xta__string("%s/%s", out, xta_reduce_statistic_name(job->statistics[s]));
}

/* Create the arrays of all statistics: in memory, or as `out`. */
static xta_status create_results(cli_reduction *job, const char *out, bool *has_folder,
                                 cli_error *err)
{
    xta_status status = XTA_OK;

    if (out != NULL && job->n_statistics > 1) {
        if (mkdir(out, 0777) != 0) {
            return cli_fail(err, errno == EEXIST ? XTA_EEXIST : XTA_EIO, errno,
                            "%s: cannot be made: %s; name a new folder", out, strerror(errno));
        }
        *has_folder = true;
    }
    for (int s = 0; status == XTA_OK && s < job->n_computed; s++) {
        char *path = out != NULL ? path_of(job, out, s) : NULL;
        status = out != NULL && path == NULL
                     ? cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", out)
                     : xta_reduce_create(job->array, &job->options, job->statistics[s], path,
                                         &job->results[s], &err->error);
        free(path);
        if (status == XTA_OK && out != NULL && job->by != 0) {
            status = cli_reduce_by_coordinates(job, job->results[s], err);
        }
    }
    return status;
}

/* Results that are printed stay in memory: they count in the budget. *bytes: theirs. */
static xta_status charge_results(cli_reduction *job, uint64_t *bytes, cli_error *err)
{
    uint64_t budget =
        job->options.memory_bytes > 0 ? job->options.memory_bytes : XTA_REDUCE_MEMORY_BYTES;

    *bytes = 0;
    for (int s = 0; s < job->n_computed; s++) {
        xta_box bounds = xta_array_bounds(job->results[s]);
        uint64_t n = 0, cell = xta_array_cell_bytes(job->results[s]);
        if (xta_box_cells(&bounds, &n) != XTA_OK || n > (UINT64_MAX - *bytes) / cell) {
            n = (UINT64_MAX - *bytes) / cell;
        }
        *bytes += n * cell;
    }
    if (*bytes >= budget) {
        return cli_fail(err, XTA_ENOMEM, 0,
                        "%s: the results take %" PRIu64 " bytes, --memory allows %" PRIu64
                        "; write them into arrays with --out, or allow more",
                        job->path, *bytes, budget);
    }
    job->options.memory_bytes = budget - *bytes;
    return XTA_OK;
}

/* Reduce within what the results leave of the budget. */
static xta_status reduce(cli_reduction *job, bool prints, cli_error *err)
{
    uint64_t bytes = 0;
    xta_status status = prints ? charge_results(job, &bytes, err) : XTA_OK;

    if (status != XTA_OK) {
        return status;
    }
    status = xta_reduce(job->array, &job->options, job->statistics, job->n_computed, job->results,
                        NULL, &err->error);
    if (status == XTA_ENOMEM && bytes > 0) {
        xta_error why = err->error;
        xta_error_set(&err->error, status, why.os_errno, "%s, besides %" PRIu64 " for the results",
                      why.text, bytes);
    }
    return status;
}

/* Close the results; if something has failed, nothing of them is left. */
static xta_status end_results(cli_reduction *job, const char *out, bool has_folder,
                              xta_status status, cli_error *err)
{
    bool created[XTA_REDUCE_STATISTICS] = {false};

    for (int s = 0; s < job->n_computed; s++) {
        created[s] = job->results[s] != NULL;
        status = cli_close(job->results[s], status, err);
    }
    for (int s = 0; status != XTA_OK && out != NULL && s < job->n_statistics; s++) {
        char *path = created[s] ? path_of(job, out, s) : NULL;
        xta_error other;
        if (path != NULL) {
            (void)!xta_array_delete(path, &other);
        }
        free(path);
    }
    if (status != XTA_OK && has_folder) {
        rmdir(out);
    }
    return status;
}

static xta_status print(const cli_args *args, const cli_reduction *job, cli_error *err)
{
    return values_of(args)->json ? cli_reduce_json(stdout, job, err)
                                 : cli_reduce_csv(stdout, job, err);
}

/* Where the results are. */
static void print_out(const cli_reduction *job, const char *out)
{
    fputs("{\"array\": ", stdout);
    cli_json_text(stdout, job->path);
    fputs(", \"out\": ", stdout);
    cli_json_text(stdout, out);
    fputs(", \"statistics\": [", stdout);
    for (int s = 0; s < job->n_statistics; s++) {
        printf("%s\"%s\"", s > 0 ? ", " : "", xta_reduce_statistic_name(job->statistics[s]));
    }
    fputs("]}\n", stdout);
}

/* The command, in the history of each result. */
static xta_status add_history(const cli_args *args, const cli_reduction *job, cli_error *err)
{
    char *line = cli_command_line(args);
    xta_status status = XTA_OK;

    if (line == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the history");
    }
    for (int s = 0; s < job->n_statistics && status == XTA_OK; s++) {
        status = xta_array_add_history(job->results[s], line, &err->error);
    }
    free(line);
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const char *out = values_of(args)->out;
    cli_reduction job = {.path = args->words[0]};
    bool has_folder = false;
    xta_status status = XTA_OK;

    XTA_TRY(cli_open(args, job.path, &job.array, err));
    XTA_TRY(cli_choose_cells(&values_of(args)->cells, &job.array, &job.box, err));
    XTA_TRY(parse_all(args, &job, err));
    add_count(&job, out == NULL);
    XTA_TRY(create_results(&job, out, &has_folder, err));
    XTA_TRY(reduce(&job, out == NULL, err));
    if (out == NULL) {
        XTA_TRY(print(args, &job, err));
    } else if (!values_of(args)->no_history) {
        XTA_TRY(add_history(args, &job, err));
    }
done:
    status = end_results(&job, out, has_folder, status, err);
    if (status == XTA_OK && out != NULL && values_of(args)->json) {
        print_out(&job, out);
    }
    free(job.labels);
    free(job.distinct);
    free(job.by_unit_text);
    return cli_close(job.array, status, err);
}

static const cli_command reduce_command = {
    .name = "reduce",
    .summary = "statistics over whole axes",
    .usage = "A [--box LO:HI,...] [--sel AXIS=LABELS,...] [--over AXIS,...] [--with NAME,...] "
             "[--groups G | --by G] [--missing VALUE] "
             "[--min-count N] [--ddof N] [--nan RULE] [--out B] [--json] [--threads N] "
             "[--memory SIZE] [--no-history] [--as-of STEP]",
    .details =
        "Reads every cell once, with all processors, and prints a line for each coordinate of the "
        "axes that remain, or writes an array that has these axes. Sums are defined by the "
        "coordinates of their cells: chunks, threads and the order in which the array has grown "
        "do not change a bit of them.",
    .example = "  xta reduce t --over time --with mean,var --groups time:8 --out by8\n"
               "  xta reduce t --over time --by month --out monthly",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(reduce_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};

int main(int argc, char *argv[])
{
    return cli_verb_program(&reduce_command, argc, argv);
}
