/* xta compact: rewrite the journal as one checkpoint.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "structure/verbs.h"

#include <inttypes.h>

#include "kit/print/json.h"

/* Values of the options. */
typedef struct compact_options {
    bool json;
} compact_options;

static const cli_option options[] = {
    CLI_FLAG(compact_options, json, "json", "print one JSON object"),
};

static xta_status run(const cli_args *args, cli_error *err)
{
    uint64_t before = 0;
    uint64_t after = 0;
    xta_status status = xta_compact(args->words[0], &before, &after, &err->error);

    if (status == XTA_OK && ((const compact_options *)args->values)->json) {
        printf("{\"array\": ");
        cli_json_text(stdout, args->words[0]);
        printf(", \"before_bytes\": %" PRIu64 ", \"after_bytes\": %" PRIu64 "}\n", before, after);
    } else if (status == XTA_OK) {
        printf("%" PRIu64 " bytes before, %" PRIu64 " bytes after\n", before, after);
    }
    return status;
}

const cli_command cli_compact = {
    .name = "compact",
    .summary = "rewrite the journal as one checkpoint",
    .usage = "A [--json]",
    .details = "Rewrites the journal, through a temporary file and a rename, and prints its size "
               "before and after. The history before it is given up: --as-of reaches back no "
               "further. Cells are not touched.",
    .example = "  xta compact runs",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(compact_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
