/* Output of a rechunk run on the terminal: progress with rate and time left, and what was done.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "rechunk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/interrupt.h"

/* "2 min 5 s" */
static void print_time(FILE *out, double seconds)
{
    long whole = seconds < 1e9 ? (long)(seconds + 0.5) : 999999999;

    if (whole >= 3600) {
        fprintf(out, "%ld h ", whole / 3600);
    }
    if (whole >= 60) {
        fprintf(out, "%ld min ", whole / 60 % 60);
    }
    fprintf(out, "%ld s", whole % 60);
}

static int report(void *user, const xta_repartition_progress *progress)
{
    cli_run_meter *meter = user;
    uint64_t total = progress->bytes_total;
    char done_text[32], total_text[32], rate_text[32];

    if (cli_interrupted()) {
        return 1;
    }
    if (!meter->terminal || progress->seconds - meter->last < 0.1 || progress->seconds <= 0) {
        return 0;
    }
    meter->last = progress->seconds;
    meter->shown = true;
    double rate = (double)progress->bytes_written / progress->seconds;
    fprintf(stderr, "\r%s: %s of %s (%.0f %%), %s/s", meter->name,
            cli_bytes_text(progress->bytes_written, done_text), cli_bytes_text(total, total_text),
            total > 0 ? 100 * (double)progress->bytes_written / (double)total : 100.0,
            cli_bytes_text((uint64_t)rate, rate_text));
    if (rate > 0 && total >= progress->bytes_written) {
        fputs(", ", stderr);
        print_time(stderr, (double)(total - progress->bytes_written) / rate);
        fputs(" left", stderr);
    }
    fputs("\x1b[K", stderr);
    fflush(stderr);
    return 0;
}

void cli_run_meter_begin(cli_run_meter *meter, const char *name, xta_repartition_options *options)
{
    cli_interrupt_watch();
    *meter = (cli_run_meter){.name = name, .terminal = isatty(STDERR_FILENO) != 0};
    options->report = report;
    options->user = meter;
}

void cli_run_meter_end(cli_run_meter *meter)
{
    if (meter->shown) {
        fprintf(stderr, "\r\x1b[K");
        fflush(stderr);
        meter->shown = false;
    }
}

void cli_rechunk_options(const cli_request *request, xta_repartition_options *options)
{
    *options = (xta_repartition_options)XTA_REPARTITION_OPTIONS_INIT;
    options->strategy = request->strategy;
    options->variants = request->variants;
    options->memory_bytes = request->memory_bytes;
    options->n_threads = request->n_threads;
    options->verify = request->verify;
    options->resume = request->resume;
}

/* The groups of a variable are not folders in the file system: the resume log of "out.nc:group/v"
 * is "out.nc:group_v.resume". */
static void flatten_groups(const char *target, char *path)
{
    const char *variable = NULL;
    char *file = NULL;
    cli_error unheard = {0};

    if (cli_split_variable(target, &file, &variable, &unheard) == XTA_OK && variable != NULL) {
        for (char *c = path + (variable - file); *c != '\0'; c++) {
            *c = *c == '/' ? '_' : *c;
        }
    }
    free(file);
}

char *cli_notes_path(const char *target, const char *more)
{
    const char *slash = strrchr(target, '/');
    size_t bytes = strlen(target) + strlen(more) + sizeof ".resume";
    size_t n = strlen(target);
    char *path = malloc(bytes);

    // For a folder of blocks, the resume log is beside the folder, which does not exist yet.
    bool blocks = strchr(target, '{') != NULL;
    if (blocks && slash != NULL && slash != target) {
        n = (size_t)(slash - target);
    }
    if (path != NULL) {
        snprintf(path, bytes, "%.*s.resume%s", (int)n, target, more);
    }
    if (path != NULL && !blocks) {
        flatten_groups(target, path);
    }
    return path;
}

xta_status cli_notes_begin(const char *path, bool resume, bool *there, cli_error *err)
{
    FILE *file;

    *there = access(path, F_OK) == 0;
    if (*there && !resume) {
        return cli_fail(
            err, XTA_EEXIST, 0,
            "%s: an interrupted run has left it; --resume goes on from there, or remove "
            "it and the target to begin anew",
            path);
    }
    // If the resume log cannot be created, neither can the target, or the run will report why.
    file = *there ? NULL : fopen(path, "wx");
    if (file != NULL) {
        fclose(file);
    }
    return XTA_OK;
}

bool cli_notes_progress(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[128];
    bool found = false;

    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        found = strncmp(line, "block ", 6) == 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

static void print_json(FILE *out, const xta_repartition_report *done)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"reads", done->reads},           {"writes", done->writes},
                  {"read_runs", done->runs_read},   {"write_runs", done->runs_written},
                  {"bytes_read", done->bytes_read}, {"bytes_written", done->bytes_written},
                  {"peak_bytes", done->peak_bytes}, {"blocks_resumed", done->blocks_resumed}};

    fputs("{\n", out);
    for (size_t k = 0; k < CLI_COUNT(counts); k++) {
        fprintf(out, "  \"%s\": %" PRIu64 ",\n", counts[k].name, counts[k].value);
    }
    fprintf(out, "  \"seconds\": %.6f\n}\n", done->seconds);
}

void cli_report_print(FILE *out, const xta_repartition_report *done, bool json)
{
    char text[32];

    if (json) {
        print_json(out, done);
        return;
    }
    fprintf(out, "read        %s, %" PRIu64 " operations\n", cli_bytes_text(done->bytes_read, text),
            done->reads);
    fprintf(out, "written     %s, %" PRIu64 " operations\n",
            cli_bytes_text(done->bytes_written, text), done->writes);
    fprintf(out, "memory      %s at most\n", cli_bytes_text(done->peak_bytes, text));
    if (done->blocks_resumed > 0) {
        fprintf(out, "resumed     %" PRIu64 " blocks were there already\n", done->blocks_resumed);
    }
    fprintf(out, "time        %.2f s, %s/s\n", done->seconds,
            cli_bytes_text(done->seconds > 0
                               ? (uint64_t)((double)done->bytes_written / done->seconds)
                               : done->bytes_written,
                           text));
}
