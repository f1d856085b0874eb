/* xta version: which version this is, and what it was built with.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "version.h"

#include <stdlib.h>
#include <string.h>

#include "kit/print/json.h"
#include "kit/programs.h"

/* Values of the options. */
typedef struct version_options {
    bool json;
} version_options;

static const cli_option options[] = {
    CLI_FLAG(version_options, json, "json", "print one JSON object"),
};

/* The lines of the import program; it leaves them out if there is none. */
static xta_status print_json(cli_error *err)
{
    static const char *const arguments[] = {"--formats"};
    char *text = NULL;
    xta_status status = cli_program_output("import", 1, arguments, &text);
    bool first = true;

    if (status != XTA_OK && status != XTA_ENOENT) {
        free(text);
        return cli_fail(err, status, 0, "xta-import: cannot tell its formats");
    }
    printf("{\"version\": ");
    cli_json_text(stdout, xta_version());
    printf(", \"formats\": [");
    for (char *line = text, *end; line != NULL && (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        printf("%s\n  ", first ? "" : ",");
        cli_json_bytes(stdout, line, (size_t)(end - line));
        first = false;
    }
    printf("%s]}\n", first ? "" : "\n");
    free(text);
    return XTA_OK;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    if (((const version_options *)args->values)->json) {
        return print_json(err);
    }
    printf("xta %s\n", xta_version());
    fflush(stdout);
    // The import program lists its formats; a build without that program has none.
    if (cli_program_copy_output("import", "--formats") == XTA_EIO) {
        return cli_fail(err, XTA_EIO, 0, "xta-import: cannot tell its formats");
    }
    return XTA_OK;
}

const cli_command cli_version = {
    .name = "version",
    .summary = "print the version and the formats of this build",
    .usage = "[--json]",
    .details = "Prints the version and a line for each format that import and export know. "
               "xta --version prints the version alone.",
    .example = "  xta version",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(version_options),
    .min_words = 0,
    .max_words = 0,
    .run = run,
};
