/* xta hyper follow: results beside a scene, kept up to date while it grows.
 *
 * This file has the loop and the output; support/follow.c reads the options.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "verbs/verbs.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kit/print/describe.h"
#include "support/follow.h"
#include "support/maps.h"
#include "util/text.h"

/* Values of the options. */
typedef struct follow_options {
    cli_follow_values follow;
    double interval;
    bool once;
    int64_t until_lines;
    bool again;
    const char *report;
    const char *data;
    cli_scene_values scene_values;
} follow_options;

static const cli_option options[] = {
    CLI_FOLLOW_OPTIONS(follow_options),
    CLI_REAL(follow_options, interval, "interval", "S",
             "seconds between two looks at the scene (1)"),
    CLI_FLAG(follow_options, once, "once", "bring the results up to date once, and end"),
    CLI_INT(follow_options, until_lines, "until-lines", "N", 1, INT64_MAX, NULL,
            "end when so many lines are covered"),
    CLI_FLAG(follow_options, again, "again", "forget what OUT holds and start over"),
    CLI_STRING(follow_options, report, "report", "FILE",
               "after each update write the page of xta hyper report"),
    CLI_STRING(follow_options, data, "data", "FILE",
               "with --report: its texts, tables and pictures as data, too, a .json"),
    CLI_SCENE_OPTIONS(follow_options),
};

static const follow_options *values_of(const cli_args *args)
{
    return args->values;
}

/* ---- stopping on a signal ---- */

static volatile sig_atomic_t told_to_stop;

/* After the first signal the current update is finished; a second signal has its default effect,
 * which is harmless as well. */
static void stop(int number)
{
    told_to_stop = 1;
    signal(number, SIG_DFL);
}

/* Whether any process has received a signal. Collective. */
static xta_status stopped(bool *stop_now, cli_error *err)
{
    const xta_communicator *communicator = cli_hyper_communicator();
    unsigned char mine = told_to_stop != 0, *all;
    xta_status status;

    *stop_now = mine != 0;
    if (communicator == NULL) {
        return XTA_OK;
    }
    all = calloc((size_t)communicator->size, 1);
    status = cli_hyper_agree(all != NULL ? XTA_OK : cli_fail(err, XTA_ENOMEM, 0, "no memory"), err);
    if (status == XTA_OK) {
        status = communicator->gather(communicator->context, &mine, 1, all, &err->error);
        *stop_now = status == XTA_OK && memchr(all, 1, (size_t)communicator->size) != NULL;
    }
    free(all);
    return status;
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Sleep until the interval is over or a signal arrives. */
static void rest(double interval)
{
    const double end = seconds_now() + interval;

    for (double left = interval; left > 0 && !told_to_stop; left = end - seconds_now()) {
        const double nap = left < 0.1 ? left : 0.1;
        const struct timespec time = {0, (long)(nap * 1e9)};
        nanosleep(&time, NULL);
    }
}

/* ---- output ---- */

static const char *const fates[] = {"kept", "continued", "again", "absent"};

/* In the first update nothing is computed again. */
static const char *fate_of(const xta_follow_report *r, const xta_follow_result *one)
{
    const bool first = r->from_start && r->why[0] == '\0' && one->fate == XTA_FOLLOW_AGAIN;

    return first ? "made" : fates[one->fate];
}

static void print_text(const xta_follow_report *r, int64_t n_wanted)
{
    printf("lines %" PRId64 ":%" PRId64 ", %" PRIu64 " new, %.2f s", r->line_lo, r->line_hi,
           r->lines_new, r->seconds);
    if (r->why[0] != '\0') {
        printf("; %s", r->why);
    }
    printf("\n");
    for (size_t k = 0; k < r->n_results; k++) {
        const xta_follow_result *one = &r->result[k];
        printf("  %-10s %s, %" PRIu64 " lines, %.2f s", one->name, fate_of(r, one), one->n_lines,
               one->seconds);
        if (one->why[0] != '\0' && strcmp(one->why, r->why) != 0) {
            printf("; %s", one->why);
        }
        printf("\n");
    }
    if (r->n_endmembers > 0 && (int64_t)r->n_endmembers < n_wanted) {
        printf("  %" PRId64 " endmembers were asked for; the pixels span no more than %zu\n",
               n_wanted, r->n_endmembers);
    }
}

static void print_result_json(const xta_follow_report *r, const xta_follow_result *one)
{
    printf("{\"name\": \"%s\", \"fate\": \"%s\", \"lines\": %" PRIu64 ", \"seconds\": ", one->name,
           fate_of(r, one), one->n_lines);
    cli_json_real(stdout, one->seconds);
    printf(", \"why\": ");
    cli_json_text(stdout, one->why);
    printf("}");
}

static void print_json(const cli_args *args, const cli_scene *scene, const cli_notes *notes,
                       const xta_follow_report *r)
{
    printf("{");
    cli_json_head(stdout, args, scene);
    printf("\"out\": ");
    cli_json_text(stdout, args->words[1]);
    printf(", \"lines\": [%" PRId64 ", %" PRId64 "], \"lines_new\": %" PRIu64
           ", \"changed\": %s, \"from_start\": %s, \"why\": ",
           r->line_lo, r->line_hi, r->lines_new, r->changed ? "true" : "false",
           r->from_start ? "true" : "false");
    cli_json_text(stdout, r->why);
    printf(", \"endmembers\": %zu, \"endmembers_changed\": %s, \"seconds\": ", r->n_endmembers,
           r->endmembers_changed ? "true" : "false");
    cli_json_real(stdout, r->seconds);
    printf(", ");
    cli_notes_json(stdout, notes);
    printf(", \"results\": [");
    for (size_t k = 0; k < r->n_results; k++) {
        printf(k > 0 ? ", " : "");
        print_result_json(r, &r->result[k]);
    }
    printf("]}\n");
}

static void print(const cli_args *args, cli_scene *scene, const cli_notes *notes,
                  const xta_follow_report *r)
{
    const char *count = cli_get(args, "count");

    if (!cli_hyper_leads()) {
        return;
    }
    cli_hyper_meter_end(&scene->meter);
    if (values_of(args)->scene_values.json) {
        print_json(args, scene, notes, r);
    } else if (!r->changed) {
        printf("lines %" PRId64 ":%" PRId64 ", nothing new\n", r->line_lo, r->line_hi);
    } else {
        print_text(r, count != NULL ? strtoll(count, NULL, 10) : 0);
    }
    // A reader of a pipe sees each update at once.
    fflush(stdout);
}

/* ---- the page ---- */

/* Collective. `xta hyper report FILE --scene SCENE --follow OUT [--data FILE]`, as on a command
 * line. */
static xta_status write_page(const cli_args *args, cli_error *err)
{
    char follow[] = "--follow", scene[] = "--scene", title[] = "--title", data[] = "--data";
    const follow_options *given = values_of(args);
    char *words[] = {(char *)given->report,  scene, (char *)args->words[0], follow,
                     (char *)args->words[1], title, (char *)args->words[0], data,
                     (char *)given->data};
    int n_words = (int)CLI_COUNT(words) - (given->data == NULL ? 2 : 0);
    const cli_command *report = &cli_hyper_report;
    cli_args typed = {0};
    xta_status status = XTA_OK;

    status = cli_args_parse(&typed, report, n_words, words, err);
    status = cli_hyper_agree(status, err);
    if (status == XTA_OK) {
        status = report->run(&typed, err);
    }
    cli_args_clear(&typed);
    return status;
}

/* Every process has the same words, and so the same answer. */
static xta_status check_page(const follow_options *given, cli_error *err)
{
    if (given->data != NULL && given->report == NULL) {
        return cli_usage(err, "--data %s needs --report FILE, the page that it holds as data",
                         given->data);
    }
    if (given->data != NULL && !xta__ends_with(given->data, ".json")) {
        return cli_usage(err, "--data %s: the name must end in .json", given->data);
    }
    return XTA_OK;
}

/* ---- names and colours of the labels ---- */

static size_t n_lines_of(const xta_attribute *text)
{
    size_t n = text->count > 0;

    for (size_t k = 0; k < text->count; k++) {
        n += ((const char *)text->values)[k] == '\n';
    }
    return n;
}

/* Rank 0: give the labels names and colours, unless they already have them for this number of
 * endmembers. */
static xta_status name_labels(const cli_args *args, const cli_follow *wanted, size_t n,
                              cli_error *err)
{
    char path[4096];
    xta_attribute names;
    xta_array *labels = NULL;
    xta_status status = XTA_OK;
    int length = snprintf(path, sizeof path, "%s/labels", args->words[1]);

    if (length < 0 || (size_t)length >= sizeof path ||
        cli_open_writable(path, &labels, err) != XTA_OK) {
        // Labels are not kept, or there are no endmembers.
        return XTA_OK;
    }
    if (xta_attribute_get(labels, XTA_ON_ARRAY, "class_names", &names, NULL) != XTA_OK ||
        n_lines_of(&names) != n + 1) {
        char(*text)[24] = calloc(n + 1, sizeof *text);
        const char **name = calloc(n + 1, sizeof *name);
        for (size_t k = 0; k < n && text != NULL && name != NULL; k++) {
            snprintf(text[k], sizeof text[k], "em%zu", k + 1);
            name[k] = k < wanted->given.n ? wanted->given.names[k] : text[k];
        }
        status = cli_map_classes(labels, n, name, err);
        free(name);
        free(text);
    }
    return cli_close(labels, status, err);
}

/* ---- the loop ---- */

/* Collective. Do one update; *end: it was the last. */
static xta_status update(const cli_args *args, const cli_follow *wanted, cli_scene *scene,
                         xta_follow *follow, bool *end, cli_error *err)
{
    xta_follow_report report = {0};
    xta_status status = XTA_OK;

    XTA_TRY(xta_follow_update(follow, &report, &err->error));
    scene->info = xta_scene_inquire(scene->scene);
    if (report.changed || wanted->once) {
        print(args, scene, &wanted->given.notes, &report);
    }
    if (report.changed && cli_hyper_leads()) {
        status = name_labels(args, wanted, report.n_endmembers, err);
    }
    XTA_TRY(cli_hyper_agree(status, err));
    if (report.changed && (values_of(args)->report != NULL)) {
        XTA_TRY(write_page(args, err));
    }
    *end = wanted->once ||
           (wanted->until_lines > 0 && report.line_hi - report.line_lo >= wanted->until_lines);
done:
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const struct sigaction action = {.sa_handler = stop};
    cli_follow wanted = {0};
    cli_scene scene = {0};
    xta_follow *follow = NULL;
    bool end = false;
    xta_status status = XTA_OK;

    XTA_TRY(check_page(values_of(args), err));
    XTA_TRY(cli_hyper_agree(cli_follow_take(args, &wanted, err), err));
    XTA_TRY(
        cli_scene_open_with(args, args->words[0], values_of(args)->follow.endmembers, &scene, err));
    XTA_TRY(cli_follow_prepare(args, &scene, &wanted, err));
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    XTA_TRY(xta_follow_open(scene.scene, args->words[1], &wanted.options, &follow, &err->error));
    while (!end) {
        XTA_TRY(update(args, &wanted, &scene, follow, &end, err));
        if (!end) {
            rest(wanted.interval);
            XTA_TRY(stopped(&end, err));
        }
    }
done:
    xta_follow_close(follow);
    cli_follow_clear(&wanted);
    return cli_scene_close(&scene, status, err);
}

const cli_command cli_hyper_follow = {
    .name = "hyper follow",
    .summary = "results beside a scene, kept up to date while it grows",
    .usage = "SCENE OUT [--count P] [--method M] [--keep LIST] [--once | --until-lines N] "
             "[--interval S] [--report FILE [--data FILE]] [--json] ...",
    .details =
        "Keeps the folder OUT up to date with a scene that grows at either end: endmembers.csv, "
        "arrays labels, abundances, residual, ppi and mei, and bases, whatever --keep names. An "
        "update costs what is new where the mathematics allows, and leaves the same results, cell "
        "for cell, as a run from nothing on the grown scene. It can be killed at any time; the "
        "next one goes on. It "
        "ends with --once, when --until-lines are covered, or, its update finished, on SIGINT or "
        "SIGTERM. Swaths have to come with their cells, as xta import --append brings them; cells "
        "written later into lines that are covered are not noticed: use --again then. Other bands "
        "or samples make it start over by itself.",
    .example = "  xta hyper follow scene results --count 4 \\\n"
               "      --keep labels,abundances --interval 5",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(follow_options),
    .min_words = 2,
    .max_words = 2,
    .run = run,
};
