/* xta history: how a data set or an array was made, and where its cells came from.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "inquiry/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kit/escape.h"
#include "kit/folder.h"
#include "kit/print/json.h"

/* Values of the options. */
typedef struct history_options {
    bool files;
    bool json;
} history_options;

static const cli_option options[] = {
    CLI_FLAG(history_options, files, "files",
             "of a folder: which cells came from which source, and when"),
    CLI_FLAG(history_options, json, "json", "print one JSON object, with the sources"),
};

/* What is printed. */
typedef struct report {
    const char *path;
    const char *text; // the attribute, not terminated
    size_t bytes;
    xta_dataset_source *sources; // by dimension, then by cell
    size_t n;
} report;

/* ---- lines of the attribute ---- */

static void print_lines(const report *r, bool json)
{
    size_t at = 0;

    while (at < r->bytes) {
        const char *end = memchr(r->text + at, '\n', r->bytes - at);
        size_t n = end != NULL ? (size_t)(end - r->text) - at : r->bytes - at;
        if (json) {
            fputs(at > 0 ? ",\n  " : "\n  ", stdout);
            cli_json_bytes(stdout, r->text + at, n);
        } else {
            cli_print_escaped(stdout, r->text + at, n);
            fputc('\n', stdout);
        }
        at += n + 1;
    }
}

/* ---- sources ---- */

static int by_cell(const void *a, const void *b)
{
    const xta_dataset_source *x = a, *y = b;
    int order = strcmp(x->dimension, y->dimension);

    order = order != 0 ? order : (x->lo > y->lo) - (x->lo < y->lo);
    return order != 0 ? order : (x->time > y->time) - (x->time < y->time);
}

static void time_text(int64_t seconds, char text[64])
{
    time_t when = (time_t)seconds;
    struct tm t = {0};

    if (gmtime_r(&when, &t) == NULL) {
        snprintf(text, 64, "%" PRId64, seconds);
        return;
    }
    snprintf(text, 64, "%04d-%02d-%02dT%02d:%02d:%02dZ", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
             t.tm_hour, t.tm_min, t.tm_sec);
}

static void print_source(const xta_dataset_source *s)
{
    char when[64];

    time_text(s->time, when);
    cli_print_name(stdout, s->dimension);
    printf("\t%" PRId64 ":%" PRId64 "\t%s\t", s->lo, s->hi, when);
    cli_print_name(stdout, s->source);
    fputc('\n', stdout);
}

static void print_gap(const char *dimension, int64_t lo, int64_t hi)
{
    if (lo < hi) {
        cli_print_name(stdout, dimension);
        printf("\t%" PRId64 ":%" PRId64 "\t-\tno source is noted\n", lo, hi);
    }
}

/* The sources of each dimension, and its cells without one. */
static xta_status print_sources(const report *r, xta_dataset *set, cli_error *err)
{
    xta_dimension d = {.hi = 0};
    int64_t next = 0;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < r->n; k++) {
        const xta_dataset_source *s = &r->sources[k];
        bool first = k == 0 || strcmp(s[-1].dimension, s->dimension) != 0;
        if (first) {
            XTA_TRY(xta_dataset_dimension(set, s->dimension, &d, &err->error));
            next = d.lo;
        }
        print_gap(s->dimension, next, s->lo);
        print_source(s);
        next = s->hi > next ? s->hi : next;
        if (k + 1 == r->n || strcmp(s[1].dimension, s->dimension) != 0) {
            print_gap(s->dimension, next, d.hi);
        }
    }
done:
    return status;
}

static void print_json(const report *r, bool with_sources)
{
    fputs("{\"path\": ", stdout);
    cli_json_text(stdout, r->path);
    fputs(", \"history\": [", stdout);
    print_lines(r, true);
    fputs("]", stdout);
    for (size_t k = 0; k < r->n; k++) {
        const xta_dataset_source *s = &r->sources[k];
        fputs(k > 0 ? ",\n  {\"dimension\": " : ", \"sources\": [\n  {\"dimension\": ", stdout);
        cli_json_text(stdout, s->dimension);
        printf(", \"lo\": %" PRId64 ", \"hi\": %" PRId64 ", \"time\": %" PRId64 ", \"source\": ",
               s->lo, s->hi, s->time);
        cli_json_text(stdout, s->source);
        fputc('}', stdout);
    }
    fputs(!with_sources ? "}\n" : r->n > 0 ? "\n]}\n" : ", \"sources\": []}\n", stdout);
}

/* ---- a folder, an array ---- */

static xta_status read_sources(xta_dataset *set, report *r, cli_error *err)
{
    size_t n = xta_dataset_source_count(set);
    xta_status status = XTA_OK;

    r->sources = calloc(n + 1, sizeof r->sources[0]);
    if (r->sources == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu sources", r->path, n);
    }
    for (; r->n < n; r->n++) {
        XTA_TRY(xta_dataset_source_at(set, r->n, &r->sources[r->n], &err->error));
    }
    qsort(r->sources, n, sizeof r->sources[0], by_cell);
done:
    return status;
}

static void set_text(report *r, const xta_attribute *attribute)
{
    r->text = attribute->type == XTA_TEXT ? attribute->values : "";
    r->bytes = attribute->type == XTA_TEXT ? attribute->count : 0;
}

static xta_status report_folder(const history_options *values, const char *path, cli_error *err)
{
    report r = {.path = path};
    xta_dataset *set = NULL;
    xta_attribute attribute;
    xta_status status = XTA_OK;

    XTA_TRY(xta_dataset_open(path, NULL, &set, &err->error));
    if (xta_dataset_attribute(set, NULL, "history", &attribute, NULL) == XTA_OK) {
        set_text(&r, &attribute);
    }
    XTA_TRY(read_sources(set, &r, err));
    if (values->json) {
        print_json(&r, true);
    } else if (values->files) {
        status = print_sources(&r, set, err);
    } else {
        print_lines(&r, false);
    }
done:
    free(r.sources);
    xta_dataset_close(set, NULL);
    return status;
}

static xta_status report_array(const history_options *values, const char *path, cli_error *err)
{
    report r = {.path = path};
    xta_array *array = NULL;
    xta_attribute attribute;
    xta_status status = XTA_OK;

    if (values->files) {
        return cli_usage(err, "--files belongs to a folder, and %s is an array", path);
    }
    XTA_TRY(xta_array_open(path, NULL, &array, &err->error));
    if (xta_attribute_get(array, XTA_ON_ARRAY, "history", &attribute, NULL) == XTA_OK) {
        set_text(&r, &attribute);
    }
    if (values->json) {
        print_json(&r, false);
    } else {
        print_lines(&r, false);
    }
done:
    return cli_close(array, status, err);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const history_options *values = args->values;
    const char *path = args->words[0];

    return cli_is_folder(path) ? report_folder(values, path, err) : report_array(values, path, err);
}

const cli_command cli_history = {
    .name = "history",
    .summary = "how a data set was made, and where its cells came from",
    .usage = "DIR|A [--files] [--json]",
    .details =
        "Prints the attribute \"history\" of the data set in a folder, or of an array: a line for "
        "each command that has made it from others, the newest first, as NCO writes them. With "
        "--files it prints where the cells of each dimension came from, in the order of the cells: "
        "dimension, cells, time, source; cells without a note are listed, too. Growth, shrinking "
        "and other steps of an array are in xta info.",
    .example = "  xta history ocean/ --files",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(history_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
