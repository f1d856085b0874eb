/* xta upgrade: give arrays of early releases a data file with a header.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "structure/verbs.h"

#include "kit/print/json.h"

/* Values of the options. */
typedef struct upgrade_options {
    bool json;
} upgrade_options;

static const cli_option options[] = {
    CLI_FLAG(upgrade_options, json, "json", "print one JSON object"),
};

static xta_status run(const cli_args *args, cli_error *err)
{
    bool json = ((const upgrade_options *)args->values)->json;
    xta_status status = XTA_OK;

    fputs(json ? "{\"arrays\": [" : "", stdout);
    for (int k = 0; k < args->n_words && status == XTA_OK; k++) {
        bool upgraded = false;
        status = xta_upgrade(args->words[k], &upgraded, &err->error);
        if (status == XTA_OK && json) {
            printf("%s\n  {\"array\": ", k > 0 ? "," : "");
            cli_json_text(stdout, args->words[k]);
            printf(", \"upgraded\": %s}", upgraded ? "true" : "false");
        } else if (status == XTA_OK) {
            printf("%s: %s\n", args->words[k], upgraded ? "upgraded" : "is of the newest layout");
        }
    }
    fputs(json ? "\n]}\n" : "", stdout);
    return status;
}

const cli_command cli_upgrade = {
    .name = "upgrade",
    .summary = "give arrays of early releases a header in the data file",
    .usage = "A... [--json]",
    .details =
        "Copies each array beside itself, with a header in the data file that ties it to its "
        "journal, and puts the copy in its place, all or nothing. Cells, addresses, "
        "attributes and history stay. Releases before 0.2 cannot read the result. An array "
        "of the newest layout is left alone.",
    .example = "  xta upgrade runs",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(upgrade_options),
    .min_words = 1,
    .max_words = 64,
    .run = run,
};
