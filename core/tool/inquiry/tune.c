/* xta tune: the chunk shape with which known queries touch the fewest chunks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "inquiry/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/access.h>
#include <xta/tune.h>

#include "inquiry/foreign_source.h"
#include "kit/print/describe.h"
#include "kit/programs.h"

#define QUERIES_SHOWN 20

/* Values of the options. */
typedef struct tune_options {
    const char *log;
    const char *only;
    bool placed;
    const char *bounds;
    const char *type;
    const char *chunk;
    uint64_t chunk_bytes;
    bool powers_of_two;
    const char *apply;
    bool json;
    int64_t as_of;
} tune_options;

static const cli_option options[] = {
    CLI_LIST("query", "N,N,...[@W]",
             "cells that are read at once, on each axis, anywhere in the array; \":\" is a whole "
             "axis; W says how often (1)"),
    CLI_STRING(tune_options, log, "log", "F", "take the queries from an access log instead"),
    CLI_STRING(tune_options, only, "only", "KIND", "of the log: read or write; without it both"),
    CLI_FLAG(tune_options, placed, "placed",
             "of the log: count accesses where they were, not anywhere"),
    CLI_STRING(tune_options, bounds, "bounds", "N,N,...",
               "cells there are, or are going to be, on each axis (those of A)"),
    CLI_STRING(tune_options, type, "type", "T", "type of the cells, where there is no A"),
    CLI_STRING(tune_options, chunk, "chunk", "N,N,...", "the present shape (that of A)"),
    CLI_BYTES(tune_options, chunk_bytes, "chunk-bytes", "SIZE",
              "the most that a chunk may take (as the present one, or 1MiB)"),
    CLI_FLAG(tune_options, powers_of_two, "powers-of-two",
             "lengths that are powers of two, as Morton and Hilbert order need"),
    CLI_STRING(tune_options, apply, "apply", "DST",
               "copy A into a new array DST with the proposed shape, as xta rechunk does, or xta "
               "import"),
    CLI_FLAG(tune_options, json, "json", "print one JSON object"),
    CLI_AS_OF(tune_options),
};

static const tune_options *values_of(const cli_args *args)
{
    return args->values;
}

typedef struct tune_job {
    const char *path; // NULL: no array
    xta_array *array;
    bool foreign; // a dataset in another format, and no array
    char format[16];
    xta_box bounds;
    xta_type type;
    size_t cell_bytes;
    bool has_present;
    int64_t present[XTA_MAX_NDIM];
    double present_cost;
    uint64_t chunk_bytes;
    bool powers_of_two;
    xta_query *queries;
    size_t n_queries;
    xta_tune_answer answer;
} tune_job;

/* ---- the command line ---- */

/* A dataset is what an array is here, but that it has no order of cells. */
static xta_status take_foreign(const cli_args *args, tune_job *job, cli_error *err)
{
    static const int64_t zero[XTA_MAX_NDIM] = {0};
    foreign_source source;
    xta_status status = XTA_OK;

    if (cli_has(args, "as-of")) {
        return cli_usage(err, "--as-of: %s is no array, and has no steps", job->path);
    }
    XTA_TRY(foreign_source_describe(job->path, &source, err));
    for (int axis = 0; axis < source.ndim && !cli_has(args, "bounds"); axis++) {
        if (source.bounds[axis] < 1) {
            return cli_fail(err, XTA_EBOX, 0,
                            "%s: axis %d has no cells yet; give --bounds as they are going to be",
                            job->path, axis);
        }
    }
    job->foreign = true;
    memcpy(job->format, source.format, sizeof job->format);
    job->bounds = xta_box_make(source.ndim, zero, source.bounds);
    job->type = source.type;
    job->cell_bytes = source.cell_bytes;
    job->has_present = source.chunked;
    memcpy(job->present, source.chunk, sizeof job->present);
done:
    return status;
}

static xta_status take_array(const cli_args *args, tune_job *job, cli_error *err)
{
    xta_array_info info;
    xta_status status = XTA_OK;

    if (args->n_words == 0) {
        return XTA_OK;
    }
    job->path = args->words[0];
    // Not cli_open: this command reads the log that --log names.
    status = cli_open_quiet(args, job->path, &job->array, err);
    if (status == XTA_ENOENT && foreign_source_exists(job->path)) {
        return take_foreign(args, job, err);
    }
    XTA_TRY(status);
    XTA_TRY(xta_array_inquire(job->array, &info, &err->error));
    job->bounds = info.bounds;
    job->type = info.type;
    job->cell_bytes = info.cell_bytes;
    job->has_present = true;
    memcpy(job->present, info.chunk, sizeof job->present);
    job->powers_of_two = info.order == XTA_MORTON || info.order == XTA_HILBERT;
done:
    return status;
}

static xta_status parse_bounds(const cli_args *args, tune_job *job, cli_error *err)
{
    const char *text = values_of(args)->bounds;
    int64_t length[XTA_MAX_NDIM];
    int64_t zero[XTA_MAX_NDIM] = {0};
    int ndim = 0;
    xta_status status = XTA_OK;

    if (text == NULL && job->path == NULL) {
        return cli_usage(err, "give an array, or --bounds and --type");
    }
    if (text == NULL) {
        return XTA_OK;
    }
    XTA_TRY(cli_parse_coords(text, "--bounds", length, &ndim, err));
    for (int axis = 0; axis < ndim; axis++) {
        if (length[axis] < 1) {
            return cli_usage(err, "--bounds: axis %d: %" PRId64 " is no length; want 1 or more",
                             axis, length[axis]);
        }
    }
    if (job->path != NULL && ndim != job->bounds.ndim) {
        return cli_usage(err, "--bounds: \"%s\" has %d numbers; the array has %d axes", text, ndim,
                         job->bounds.ndim);
    }
    job->bounds = xta_box_make(ndim, zero, length);
done:
    return status;
}

static xta_status parse_shape(const cli_args *args, tune_job *job, cli_error *err)
{
    const char *text = values_of(args)->chunk;
    uint64_t bytes;
    xta_status status = XTA_OK;

    if ((values_of(args)->type != NULL) && job->path != NULL) {
        return cli_usage(err, "--type: the array has a type; leave the option out");
    }
    if (job->path == NULL) {
        XTA_TRY(cli_need(args, "type", err));
        XTA_TRY(cli_parse_type(values_of(args)->type, &job->type, &job->cell_bytes, err));
    }
    if (job->type == XTA_TEXT || job->cell_bytes == 0) {
        return cli_usage(err, "--type: no cells are of this type; want f64, i16, bytes:8 ...");
    }
    if (text != NULL) {
        XTA_TRY(cli_parse_coords_of(text, "--chunk", job->bounds.ndim, job->present, err));
        job->has_present = true;
    }
    for (int axis = 0; job->has_present && axis < job->bounds.ndim; axis++) {
        if (job->present[axis] < 1) {
            return cli_usage(err, "--chunk: axis %d: %" PRId64 " is no length; want 1 or more",
                             axis, job->present[axis]);
        }
    }
    bytes = job->has_present ? job->cell_bytes : (uint64_t)1 << 20;
    for (int axis = 0; job->has_present && axis < job->bounds.ndim; axis++) {
        bytes *= (uint64_t)job->present[axis];
    }
    job->chunk_bytes = bytes;
    if (cli_has(args, "chunk-bytes")) {
        job->chunk_bytes = values_of(args)->chunk_bytes;
    }
    if (job->chunk_bytes < job->cell_bytes) {
        return cli_usage(err, "--chunk-bytes: %" PRIu64 " bytes hold no cell of %zu; give more",
                         job->chunk_bytes, job->cell_bytes);
    }
    job->powers_of_two = job->powers_of_two || values_of(args)->powers_of_two;
done:
    return status;
}

/* "1,180,:@5" */
static xta_status parse_query(const char *text, const xta_box *bounds, xta_query *query,
                              cli_error *err)
{
    const char *at = text;
    const char *weight = strchr(text, '@');
    xta_status status = XTA_OK;
    int axis = 0;

    *query = (xta_query){.weight = 1};
    if (weight != NULL) {
        XTA_TRY(cli_parse_real(weight + 1, "--query", &query->weight, err));
        if (!(query->weight > 0 && query->weight < 1e300)) {
            return cli_usage(err, "--query: \"%s\": weight %s; want a number above 0", text,
                             weight + 1);
        }
    }
    for (;; axis++) {
        char number[32];
        size_t length = strcspn(at, ",@");
        if (axis == bounds->ndim || length == 0 || length >= sizeof number) {
            break;
        }
        memcpy(number, at, length);
        number[length] = '\0';
        query->length[axis] = bounds->hi[axis] - bounds->lo[axis];
        if (strcmp(number, ":") != 0) {
            XTA_TRY(cli_parse_int(number, "--query", &query->length[axis], err));
            if (query->length[axis] < 1) {
                return cli_usage(err, "--query: \"%s\": axis %d: %s cells; want 1 or more", text,
                                 axis, number);
            }
        }
        at += length;
        if (*at != ',') {
            break;
        }
        at++;
    }
    if (axis + 1 != bounds->ndim || (*at != '\0' && *at != '@')) {
        return cli_usage(err,
                         "--query: \"%s\": want %d numbers of cells, or \":\", one for each "
                         "axis, and @WEIGHT behind them",
                         text, bounds->ndim);
    }
done:
    return status;
}

static xta_status take_log(const cli_args *args, tune_job *job, cli_error *err)
{
    const char *only = values_of(args)->only;
    const char *path = values_of(args)->log;
    xta_access_choice choice = {.placed = values_of(args)->placed};
    xta_status status;

    if (only != NULL && strcmp(only, "read") != 0 && strcmp(only, "write") != 0) {
        return cli_usage(err, "--only: \"%s\"; want read or write", only);
    }
    choice.no_reads = only != NULL && only[0] == 'w';
    choice.no_writes = only != NULL && only[0] == 'r';
    status = xta_access_log_queries(path, &job->bounds, &choice, &job->queries, &job->n_queries,
                                    &err->error);
    if (status == XTA_OK && job->n_queries == 0) {
        return cli_fail(err, XTA_EARG, 0,
                        "%s: no %s within the bounds; record what is to be fast, or give --query",
                        path, only != NULL ? only : "access");
    }
    return status;
}

static xta_status take_queries(const cli_args *args, tune_job *job, cli_error *err)
{
    xta_status status = XTA_OK;

    if ((values_of(args)->log != NULL) == cli_has(args, "query")) {
        return cli_usage(err, "give either --query, as often as there are kinds of them, or --log");
    }
    if (values_of(args)->log != NULL) {
        return take_log(args, job, err);
    }
    if ((values_of(args)->only != NULL) || values_of(args)->placed) {
        return cli_usage(err, "--only and --placed belong to --log");
    }
    job->queries = calloc((size_t)args->n_given, sizeof job->queries[0]);
    if (job->queries == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the queries");
    }
    for (int k = 0; k < args->n_given; k++) {
        if (strcmp(args->given[k].option->name, "query") == 0) {
            XTA_TRY(parse_query(args->given[k].value, &job->bounds, &job->queries[job->n_queries],
                                err));
            job->n_queries++;
        }
    }
done:
    return status;
}

/* ---- printing the answer ---- */

static void print_lengths(FILE *out, const tune_job *job, const xta_query *query)
{
    for (int axis = 0; axis < job->bounds.ndim; axis++) {
        int64_t whole = job->bounds.hi[axis] - job->bounds.lo[axis];
        if (query->length[axis] >= whole) {
            fprintf(out, "%s:", axis > 0 ? "," : "");
        } else {
            fprintf(out, "%s%" PRId64, axis > 0 ? "," : "", query->length[axis]);
        }
    }
}

/* The cost of one query with a shape. */
static double cost_of(const tune_job *job, const int64_t chunk[], size_t k)
{
    double cost = 0;
    xta_status status = xta_tune_cost(&job->bounds, chunk, &job->queries[k], 1, &cost);

    return status == XTA_OK ? cost : 0; // The cost has already been computed with all the others.
}

static void print_shape(const char *name, const tune_job *job, const int64_t chunk[], double cost)
{
    uint64_t bytes = job->cell_bytes;

    for (int axis = 0; axis < job->bounds.ndim; axis++) {
        bytes *= (uint64_t)chunk[axis];
    }
    printf("%-12s", name);
    cli_print_coords(stdout, chunk, job->bounds.ndim);
    printf("\t%" PRIu64 " bytes\t%.6g chunks touched\n", bytes, cost);
}

/* The program of HDF5 that gives the dataset that shape in a file of its own format. */
static void print_repack(const tune_job *job)
{
    const char *colon = strrchr(job->path, ':');

    if (!job->foreign || strcmp(job->format, "hdf5") != 0 || colon == NULL) {
        return;
    }
    printf("or          h5repack -l %s:CHUNK=", colon + 1);
    for (int axis = 0; axis < job->bounds.ndim; axis++) {
        printf("%s%" PRId64, axis > 0 ? "x" : "", job->answer.chunk[axis]);
    }
    printf(" %.*s DST\n", (int)(colon - job->path), job->path);
}

static void print_text(const tune_job *job, bool applied)
{
    printf("bounds      ");
    cli_print_box(stdout, &job->bounds);
    printf("\n");
    for (size_t k = 0; k < job->n_queries && k < QUERIES_SHOWN; k++) {
        printf("query       ");
        print_lengths(stdout, job, &job->queries[k]);
        printf("\tweight %.6g\t", job->queries[k].weight);
        if (job->has_present) {
            printf("%.6g -> ", cost_of(job, job->present, k));
        }
        printf("%.6g\n", cost_of(job, job->answer.chunk, k));
    }
    if (job->n_queries > QUERIES_SHOWN) {
        printf("            and %zu more\n", job->n_queries - QUERIES_SHOWN);
    }
    if (job->has_present) {
        print_shape("present", job, job->present, job->present_cost);
    }
    print_shape("proposed", job, job->answer.chunk, job->answer.cost);
    if (job->answer.exact) {
        printf("            no shape of at most %" PRIu64 " bytes touches fewer\n",
               job->chunk_bytes);
    } else if (job->answer.lower_bound > 0) {
        printf("            no shape touches fewer than %.6g\n", job->answer.lower_bound);
    } else {
        printf("            the search was cut short: a better shape may exist\n");
    }
    if (job->path != NULL && !applied) {
        printf("then        xta %s %s DST --chunk ", job->foreign ? "import" : "rechunk",
               job->path);
        cli_print_coords(stdout, job->answer.chunk, job->bounds.ndim);
        printf("\n");
        print_repack(job);
    }
}

static void json_numbers(FILE *out, const int64_t number[], int n)
{
    for (int k = 0; k < n; k++) {
        fprintf(out, "%s%" PRId64, k > 0 ? ", " : "[", number[k]);
    }
    fputc(']', out);
}

static void json_query(FILE *out, const tune_job *job, size_t k)
{
    const xta_query *query = &job->queries[k];
    int ndim = job->bounds.ndim;

    fprintf(out, "%s\n    {\"length\": ", k > 0 ? "," : "");
    json_numbers(out, query->length, ndim);
    fputs(", \"step\": ", out);
    for (int axis = 0; axis < ndim; axis++) {
        fprintf(out, "%s%" PRId64, axis > 0 ? ", " : "[",
                query->step[axis] > 1 ? query->step[axis] : 1);
    }
    fputs("]", out);
    if (query->placed) {
        fputs(", \"lo\": ", out);
        json_numbers(out, query->lo, ndim);
    }
    fprintf(out, ", \"weight\": %.17g", query->weight);
    if (job->has_present) {
        fprintf(out, ", \"present\": %.17g", cost_of(job, job->present, k));
    }
    fprintf(out, ", \"proposed\": %.17g}", cost_of(job, job->answer.chunk, k));
}

static void print_json(FILE *out, const tune_job *job)
{
    int ndim = job->bounds.ndim;

    fputs("{\n  \"bounds\": ", out);
    for (int axis = 0; axis < ndim; axis++) {
        fprintf(out, "%s[%" PRId64 ", %" PRId64 "]", axis > 0 ? ", " : "[", job->bounds.lo[axis],
                job->bounds.hi[axis]);
    }
    fprintf(out, "],\n  \"cell_bytes\": %zu,\n  \"queries\": [", job->cell_bytes);
    for (size_t k = 0; k < job->n_queries; k++) {
        json_query(out, job, k);
    }
    fputs("\n  ],\n", out);
    if (job->has_present) {
        fputs("  \"present\": {\"chunk\": ", out);
        json_numbers(out, job->present, ndim);
        fprintf(out, ", \"touched\": %.17g},\n", job->present_cost);
    }
    fputs("  \"proposed\": {\"chunk\": ", out);
    json_numbers(out, job->answer.chunk, ndim);
    fprintf(out,
            ", \"bytes\": %" PRIu64
            ", \"touched\": %.17g, \"exact\": %s, \"at_least\": %.17g}\n}\n",
            job->answer.chunk_bytes, job->answer.cost, job->answer.exact ? "true" : "false",
            job->answer.lower_bound);
}

/* ---- handing it to rechunk ---- */

/* Run xta rechunk A DST --chunk SHAPE, or xta import, in place of this process. Returns only after
 * a failure. */
static xta_status apply(const tune_job *job, const char *target, cli_error *err)
{
    char shape[XTA_MAX_NDIM * 21 + 1];
    size_t used = 0;

    for (int axis = 0; axis < job->bounds.ndim; axis++) {
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%" PRId64,
                                 axis > 0 ? "," : "", job->answer.chunk[axis]);
    }
    char *argv[] = {(char *)(uintptr_t)job->path, (char *)(uintptr_t)target,
                    (char *)(uintptr_t) "--chunk", shape};
    const char *verb = job->foreign ? "import" : "rechunk";
    xta_status status = cli_program_exec(verb, (int)CLI_COUNT(argv), argv, err);
    if (status == XTA_ENOENT) {
        return cli_fail(err, XTA_EUNSUPPORTED, 0,
                        "--apply: xta %s, which would do it, is not installed", verb);
    }
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    tune_job job = {0};
    xta_tune_problem problem = XTA_TUNE_PROBLEM_INIT;
    const char *target = values_of(args)->apply;
    xta_status status = XTA_OK;

    XTA_TRY(take_array(args, &job, err));
    XTA_TRY(parse_bounds(args, &job, err));
    XTA_TRY(parse_shape(args, &job, err));
    if (target != NULL && (job.path == NULL || cli_has(args, "as-of"))) {
        XTA_TRY(cli_usage(err, "--apply: there is no array to copy, or only as of a step"));
    }
    XTA_TRY(take_queries(args, &job, err));
    problem.bounds = &job.bounds;
    problem.cell_bytes = job.cell_bytes;
    problem.chunk_bytes = job.chunk_bytes;
    problem.powers_of_two = job.powers_of_two;
    problem.queries = job.queries;
    problem.n_queries = job.n_queries;
    XTA_TRY(xta_tune_shape(&problem, &job.answer, &err->error));
    if (job.has_present) {
        status =
            xta_tune_cost(&job.bounds, job.present, job.queries, job.n_queries, &job.present_cost);
        if (status != XTA_OK) {
            XTA_TRY(cli_fail(err, status, 0, "the present shape cannot be judged"));
        }
    }
    if (values_of(args)->json) {
        print_json(stdout, &job);
    } else {
        print_text(&job, target != NULL);
    }
    status = cli_close(job.array, XTA_OK, err);
    job.array = NULL;
    if (status == XTA_OK && target != NULL) {
        fflush(stdout);
        status = apply(&job, target, err);
    }
done:
    free(job.queries);
    return cli_close(job.array, status, err);
}

const cli_command cli_tune = {
    .name = "tune",
    .summary = "propose a chunk shape for known queries",
    .usage = "[A | FILE:VARIABLE] --query N,N,...[@W] ... | --log F [--only KIND] [--placed] "
             "[--bounds N,N,...] "
             "[--type T] [--chunk N,N,...] [--chunk-bytes SIZE] [--powers-of-two] [--apply DST] "
             "[--json] [--as-of STEP]",
    .details =
        "Prints how many chunks the queries touch on average with the present shape, and the shape "
        "of at most --chunk-bytes that they touch least. A query is a number of cells on each "
        "axis, wherever it lies in the array; an access log, which xta read --log and programs "
        "with "
        "<xta/access.h> write, holds queries as they happened. Without A everything is computed "
        "from --bounds and --type. A dataset of an HDF5, NetCDF or other file that xta import "
        "reads may stand in the place of A.",
    .example = "  xta tune --bounds 1000,180,360 --type f32 --query 1,:,:@10 --query :,1,1",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(tune_options),
    .min_words = 0,
    .max_words = 1,
    .run = run,
};
