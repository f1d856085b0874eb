/* xta query: questions to a cube.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cube_job.h"

#include "kit/program.h"

#include <stdlib.h>
#include <string.h>

#include "util/checked.h"
#include "util/try.h"

/* Values of the options. */
typedef struct query_options {
    const char *sel;
    const char *box;
    const char *measure;
    const char *by;
    const char *over;
    const char *pivot;
    bool json;
    bool explain;
} query_options;

static const cli_option options[] = {
    CLI_STRING(query_options, sel, "sel", "AXIS=LABELS,...",
               "the cells, by their coordinates: time=2014-03:2015-06,lat=10:90 (everything)"),
    CLI_STRING(query_options, box, "box", "LO:HI,...",
               "the cells, by their numbers; an omitted limit is that of the bounds"),
    CLI_STRING(query_options, measure, "measure", "NAME,...", "mean, sum, count, min, max (mean)"),
    CLI_STRING(query_options, by, "by", "G,...",
               "groups: day, month, season, year, month-of-year, season-of-year of the axis with "
               "times; AXIS:G; AXIS:N: blocks of N cells"),
    CLI_STRING(query_options, over, "over", "AXIS,...",
               "the axes to reduce (all without groups); \"none\": no axis"),
    CLI_STRING(query_options, pivot, "pivot", "AXIS",
               "a column for each coordinate of this axis, of one measure"),
    CLI_FLAG(query_options, json, "json", "print one JSON object instead of CSV"),
    CLI_FLAG(query_options, explain, "explain",
             "also say what was read of each combination of levels"),
};

static const query_options *values_of(const cli_args *args)
{
    return args->values;
}

/* The next word of a list, which is changed; NULL: no more. */
static char *next_word(char **rest)
{
    char *word = *rest;

    if (word != NULL) {
        *rest = strchr(word, ',');
        if (*rest != NULL) {
            *(*rest)++ = '\0';
        }
    }
    return word;
}

static xta_status add_measure(cli_query *query, xta_cube_question *q, const char *name,
                              cli_error *err)
{
    const char *names[CLI_QUERY_MOST_MEASURES];

    for (int m = 0; m < CLI_QUERY_MOST_MEASURES; m++) {
        names[m] = cli_query_measure_name(m);
        if (strcmp(name, names[m]) != 0) {
            continue;
        }
        for (int k = 0; k < query->n_measures; k++) {
            if (query->measures[k] == m) {
                return cli_usage(err, "--measure: %s is given twice", name);
            }
        }
        query->measures[query->n_measures++] = m;
        q->measures |= m == CLI_QUERY_MEAN ? 1U << XTA_CUBE_SUM : 1U << m;
        return XTA_OK;
    }
    const char *nearest = cli_nearest(name, names, CLI_QUERY_MOST_MEASURES);
    return cli_usage(err, "--measure: \"%s\" is no measure; want mean, sum, count, min or max%s%s",
                     name, nearest != NULL ? "; nearest: " : "", nearest != NULL ? nearest : "");
}

static xta_status parse_measures(cli_query *query, xta_cube_question *q, const char *text,
                                 cli_error *err)
{
    char *copy = xta__strdup(text != NULL ? text : "mean"), *rest = copy, *word;
    xta_status status = XTA_OK;

    if (copy == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for a list");
    }
    while (status == XTA_OK && (word = next_word(&rest)) != NULL) {
        status = add_measure(query, q, word, err);
    }
    free(copy);
    return status;
}

static xta_status parse_over(cli_query *query, xta_cube_question *q, int over[], const char *text,
                             cli_error *err)
{
    char *copy = text != NULL ? xta__strdup(text) : NULL, *rest = copy, *word;
    xta_status status = XTA_OK;

    q->over = over;
    if (text == NULL) {
        return XTA_OK;
    }
    if (strcmp(text, "none") == 0) {
        q->keep_all = true;
        free(copy);
        return XTA_OK;
    }
    if (copy == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for a list");
    }
    while ((word = next_word(&rest)) != NULL) {
        int axis = 0;
        XTA_TRY(xta_axis_find(xta_cube_base(query->cube), word, &axis, &err->error));
        for (int k = 0; k < q->n_over; k++) {
            if (over[k] == axis) {
                XTA_TRY(cli_usage(err, "--over: axis %s is given twice", word));
            }
        }
        over[q->n_over++] = axis;
    }
done:
    free(copy);
    return status;
}

/* The axis of the answer that --pivot names. */
static xta_status parse_pivot(const cli_args *args, cli_query *query, cli_error *err)
{
    const char *text = values_of(args)->pivot;
    int axis = 0;

    query->pivot = -1;
    if (text == NULL) {
        return XTA_OK;
    }
    xta_status status = xta_axis_find(xta_cube_base(query->cube), text, &axis, &err->error);
    if (status != XTA_OK) {
        return status;
    }
    for (int k = 0; k < xta_cube_answer_ndim(query->answer); k++) {
        query->pivot = xta_cube_answer_axis(query->answer, k) == axis ? k : query->pivot;
    }
    if (query->pivot < 0) {
        return cli_usage(err,
                         "--pivot: axis %s is reduced; give it groups with --by, or leave it "
                         "out of --over",
                         text);
    }
    if (query->n_measures != 1 || values_of(args)->json) {
        return cli_usage(err, "--pivot: a table of one measure, as CSV");
    }
    return XTA_OK;
}

static xta_status ask(const cli_args *args, cli_query *query, cli_error *err)
{
    const query_options *v = values_of(args);
    xta_cube_question q = XTA_CUBE_QUESTION_INIT;
    xta_selection selection = {0};
    xta_box box;
    int over[XTA_MAX_NDIM];
    xta_status status = XTA_OK;

    if (v->sel != NULL && v->box != NULL) {
        XTA_TRY(cli_usage(err, "--sel and --box both say which cells; give one"));
    }
    XTA_TRY(parse_measures(query, &q, v->measure, err));
    XTA_TRY(parse_over(query, &q, over, v->over, err));
    if (v->sel != NULL) {
        XTA_TRY(xta_box_select(xta_cube_base(query->cube), v->sel, &selection, &err->error));
        q.selection = &selection;
    }
    if (v->box != NULL) {
        xta_box bounds = xta_array_bounds(xta_cube_base(query->cube));
        XTA_TRY(cli_parse_box(v->box, &bounds, &box, err));
        q.box = &box;
    }
    q.by = v->by;
    XTA_TRY(xta_cube_query(query->cube, &q, &query->answer, &err->error));
done:
    xta_selection_clear(&selection);
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const query_options *v = values_of(args);
    cli_query query = {.path = args->words[0]};
    xta_status status = XTA_OK;

    XTA_TRY(xta_cube_open(query.path, &query.cube, &err->error));
    XTA_TRY(ask(args, &query, err));
    XTA_TRY(parse_pivot(args, &query, err));
    if (v->json) {
        cli_query_json(stdout, &query, v->explain);
    } else if (query.pivot >= 0) {
        cli_query_pivot(stdout, &query);
    } else {
        cli_query_csv(stdout, &query);
    }
    if (v->explain && !v->json) {
        cli_query_explain(stdout, &query);
    }
    if (ferror(stdout)) {
        status = cli_fail(err, XTA_EIO, 0, "the answer cannot be written");
    }
done:
    xta_cube_answer_free(query.answer);
    xta_status closed = xta_cube_close(query.cube, status == XTA_OK ? &err->error : NULL);
    return status == XTA_OK ? closed : status;
}

static const cli_command query_command = {
    .name = "query",
    .summary = "answer from a cube",
    .usage = "C [--sel AXIS=LABELS,... | --box LO:HI,...] [--measure NAME,...] [--by G,...] "
             "[--over AXIS,...] [--pivot AXIS] [--json] [--explain]",
    .details =
        "Answers from the coarsest groups of the cube C that lie within the cells asked for, and "
        "reads cells of its array only at the rim of the box. The answer is that of the array as "
        "it is now, also if it has grown since the last update of the cube.",
    .example = "  xta query c --sel time=2014-03:2015-06,lat=10:90 --by year\n"
               "  xta query c --by year,y:64 --pivot y --measure max",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(query_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};

int main(int argc, char *argv[])
{
    return cli_verb_program(&query_command, argc, argv);
}
