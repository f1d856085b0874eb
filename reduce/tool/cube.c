/* xta cube: aggregates of a growing array at every combination of levels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L // nanosleep
#include "cube_job.h"

#include "kit/program.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "kit/history.h"
#include "kit/interrupt.h"
#include "kit/print/json.h"
#include "util/try.h"

/* Values of the options. */
typedef struct cube_options {
    const char *levels;
    const char *measures;
    const char *missing;
    const char *nan;
    bool update;
    bool follow;
    double every;
    bool json;
    bool no_history;
} cube_options;

static const cli_option options[] = {
    CLI_STRING(cube_options, levels, "levels", "AXIS:L>L>...,...",
               "levels of each axis, from fine to coarse: cells of a block (1 is the array's own "
               "cells), or day, month, year of its times"),
    CLI_STRING(cube_options, measures, "measures", "NAME,...",
               "what is kept: sum, count, min, max (all); a mean is made of sum and count"),
    CLI_STRING(cube_options, missing, "missing", "VALUE",
               "cells with this value do not count; \"fill\": those with the fill value"),
    CLI_STRING(cube_options, nan, "nan", "RULE",
               "skip: NaN cells do not count (default); propagate: they make the result NaN"),
    CLI_FLAG(cube_options, update, "update",
             "bring C up to date, as without A; an error if there is an A"),
    CLI_FLAG(cube_options, follow, "follow",
             "go on bringing C up to date whenever A has grown, until SIGINT or SIGTERM"),
    CLI_REAL(cube_options, every, "every", "SECONDS",
             "with --follow: how often to look whether A has grown (1)"),
    CLI_FLAG(cube_options, json, "json", "print one JSON object, with --follow one in each line"),
    CLI_NO_HISTORY(cube_options),
};

static const cube_options *values_of(const cli_args *args)
{
    return args->values;
}

static xta_status parse_missing(const cli_args *args, uint8_t missing[8], xta_cube_options *o,
                                cli_error *err)
{
    const char *text = values_of(args)->missing;
    xta_array *base = NULL;
    xta_status status = XTA_OK;

    if (text == NULL) {
        return XTA_OK;
    }
    XTA_TRY(xta_array_open(args->words[0], NULL, &base, &err->error));
    size_t bytes = xta_array_cell_bytes(base);
    if (bytes > 8) {
        goto done; // the library says that there are no cubes of this type
    }
    o->missing = missing;
    if (strcmp(text, "fill") == 0) {
        memcpy(missing, xta_array_fill_value(base), bytes);
    } else {
        XTA_TRY(cli_value_parse(text, "--missing", xta_array_type(base), bytes, missing, err));
    }
done:
    return cli_close(base, status, err);
}

static xta_status create(const cli_args *args, cli_error *err)
{
    const cube_options *v = values_of(args);
    xta_cube_options o = XTA_CUBE_OPTIONS_INIT;
    uint8_t missing[8];
    xta_status status = XTA_OK;

    if (v->update) {
        XTA_TRY(
            cli_usage(err, "--update takes a cube alone: xta cube --update %s", args->words[1]));
    }
    XTA_TRY(cli_need(args, "levels", err));
    if (v->nan != NULL && strcmp(v->nan, "skip") != 0 && strcmp(v->nan, "propagate") != 0) {
        XTA_TRY(cli_usage(err, "--nan: \"%s\" is no rule; want skip or propagate", v->nan));
    }
    o.levels = v->levels;
    o.measures = v->measures;
    o.propagate_nan = v->nan != NULL && v->nan[0] == 'p';
    XTA_TRY(parse_missing(args, missing, &o, err));
    XTA_TRY(xta_cube_create(args->words[0], args->words[1], &o, &err->error));
    if (!v->no_history) {
        XTA_TRY(cli_add_history(args, args->words[1], err));
    }
done:
    return status;
}

static xta_status check_update(const cli_args *args, cli_error *err)
{
    static const char *const of_creation[] = {"levels", "measures", "missing", "nan"};

    for (size_t k = 0; k < CLI_COUNT(of_creation); k++) {
        if (cli_has(args, of_creation[k])) {
            return cli_usage(err,
                             "--%s belongs to a new cube: xta cube A C; the cube %s keeps what "
                             "it has",
                             of_creation[k], args->words[0]);
        }
    }
    return XTA_OK;
}

static void print(const cli_args *args, const char *path, const xta_cube_facts *f)
{
    if (!values_of(args)->json) {
        printf("%s: cells ", path);
        cli_print_box(stdout, &f->bounds);
        printf("; %" PRIu64 " groups of %" PRIu64 " combinations from %" PRIu64
               " cells and %" PRIu64 " groups\n",
               f->n_groups, f->n_combinations, f->n_base_cells, f->n_cube_cells);
        return;
    }
    fputs("{\"cube\": ", stdout);
    cli_json_text(stdout, path);
    fputs(", \"before\": ", stdout);
    cli_json_box(stdout, &f->before);
    fputs(", \"bounds\": ", stdout);
    cli_json_box(stdout, &f->bounds);
    printf(", \"combinations\": %" PRIu64 ", \"groups\": %" PRIu64 ", \"base_cells\": %" PRIu64
           ", \"cube_cells\": %" PRIu64 "}\n",
           f->n_combinations, f->n_groups, f->n_base_cells, f->n_cube_cells);
}

/* ---- following ---- */

/* Wait, or until a signal asks to stop. */
static void wait_for(double seconds)
{
    struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};

    while (!cli_interrupted() && nanosleep(&pause, &pause) != 0) {}
}

static xta_status follow(const cli_args *args, const char *path, cli_error *err)
{
    double every = cli_has(args, "every") ? values_of(args)->every : 1;
    xta_cube *cube = NULL;
    xta_cube_facts facts;
    xta_status status = XTA_OK;

    XTA_TRY(xta_cube_open(path, &cube, &err->error));
    while (!cli_interrupted()) {
        XTA_TRY(xta_cube_refresh(cube, NULL, &err->error));
        if (!xta_cube_is_current(cube)) {
            XTA_TRY(xta_cube_update(path, &facts, &err->error));
            print(args, path, &facts);
        }
        if (fflush(stdout) != 0) {
            XTA_TRY(cli_fail(err, XTA_EIO, 0, "the report cannot be written"));
        }
        wait_for(every);
    }
done:
    if (cube != NULL) {
        xta_status closed = xta_cube_close(cube, status == XTA_OK ? &err->error : NULL);
        status = status == XTA_OK ? closed : status;
    }
    return status;
}

static xta_status check_follow(const cli_args *args, cli_error *err)
{
    double every = values_of(args)->every;

    if (cli_has(args, "every") && !values_of(args)->follow) {
        return cli_usage(err, "--every belongs to --follow");
    }
    if (cli_has(args, "every") && !(every >= 0.01 && every <= 86400)) {
        return cli_usage(err, "--every: want 0.01 to 86400 seconds");
    }
    return XTA_OK;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const char *path = args->words[args->n_words - 1];
    xta_cube_facts facts;
    xta_status status = XTA_OK;

    XTA_TRY(check_follow(args, err));
    if (values_of(args)->follow) {
        cli_interrupt_watch();
    }
    XTA_TRY(args->n_words == 2 ? create(args, err) : check_update(args, err));
    XTA_TRY(xta_cube_update(path, &facts, &err->error));
    print(args, path, &facts);
    if (values_of(args)->follow) {
        XTA_TRY(follow(args, path, err));
    }
done:
    return status;
}

static const cli_command cube_command = {
    .name = "cube",
    .summary = "keep aggregates of a growing array",
    .usage = "[A] C [--levels AXIS:L>L>...,...] [--measures NAME,...] [--missing VALUE] "
             "[--nan RULE] [--update] [--follow [--every SECONDS]] [--json] [--no-history]",
    .details =
        "Makes the cube C of the array A: a folder with count, sum, minimum and maximum of A at "
        "every combination of levels. With C alone, brings it up to date after A has grown, on any "
        "side; that costs the new cells. A cube that has grown equals a cube made afresh. xta "
        "query answers from it. --follow does so again and again, and ends with exit code 0 when "
        "it is interrupted.",
    .example = "  xta cube t c --levels 'time:1>month>year,y:1>8>64,x:1>8>64'\n"
               "  xta cube c --follow",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(cube_options),
    .min_words = 1,
    .max_words = 2,
    .run = run,
};

int main(int argc, char *argv[])
{
    return cli_verb_program(&cube_command, argc, argv);
}
