/* xta check: check both files of an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "inquiry/verbs.h"

#include "kit/print/describe.h"

#include <inttypes.h>
#include <string.h>

/* Values of the options. */
typedef struct check_options {
    bool json;
} check_options;

static const cli_option options[] = {
    CLI_FLAG(check_options, json, "json", "print one JSON object"),
};

static void put_finding(void *user, const xta_finding *finding)
{
    uint64_t *n_findings = user;

    printf("%s\n  {\"fatal\": %s, \"offset\": %" PRIu64 ", \"text\": ",
           (*n_findings)++ > 0 ? "," : "", finding->fatal ? "true" : "false", finding->offset);
    cli_json_text(stdout, finding->text);
    printf("}");
}

static xta_status check_json(const char *path, cli_error *err)
{
    uint64_t n_findings = 0;

    printf("{\"array\": ");
    cli_json_text(stdout, path);
    printf(", \"findings\": [");
    xta_status status = xta_check(path, put_finding, &n_findings, &err->error);
    printf("%s], \"clean\": %s}\n", n_findings > 0 ? "\n" : "",
           status == XTA_OK && n_findings == 0 ? "true" : "false");
    return status;
}

/* Findings go to standard output: they are the result of the command. */
static void print_finding(void *user, const xta_finding *finding)
{
    uint64_t *n_findings = user;

    (*n_findings)++;
    printf("%s: ", finding->fatal ? "fatal" : "note");
    cli_print_name(stdout, finding->text);
    if (strstr(finding->text, "offset ") == NULL) {
        printf(" (offset %" PRIu64 ")", finding->offset);
    }
    printf("\n");
}

static xta_status run(const cli_args *args, cli_error *err)
{
    uint64_t n_findings = 0;

    if (((const check_options *)args->values)->json) {
        return check_json(args->words[0], err);
    }
    xta_status status = xta_check(args->words[0], print_finding, &n_findings, &err->error);

    if (status == XTA_OK && n_findings == 0) {
        printf("clean\n");
    }
    return status;
}

const cli_command cli_check = {
    .name = "check",
    .summary = "check the files of an array",
    .usage = "A [--json]",
    .details = "Checks the journal, the mapping and the size of the data file, and prints each "
               "finding: \"note\" is worth knowing (such as a record that was cut off by a crash, "
               "which the next writer removes), \"fatal\" means that something is lost or wrong. "
               "Never writes. Exit code 0: nothing fatal; 1: a fatal finding, or no such array; 2: "
               "the command line is wrong.",
    .example = "  xta check runs",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(check_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
