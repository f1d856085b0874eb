/* xta shrink: move bounds inwards at either side of any axes, in one step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "structure/verbs.h"

#include "kit/print/describe.h"

/* Values of the options. */
typedef struct shrink_options {
    bool json;
} shrink_options;

static const cli_option options[] = {
    CLI_LIST("axis", "AXIS",
             "axis that shrinks: a name, or a number from 0; each --axis begins a new pair"),
    CLI_LIST("by", "N", "by how many cells; belongs to the --axis before it"),
    CLI_LIST("front", NULL,
             "at the front, where coordinates are smallest; belongs to the pair before it"),
    CLI_FLAG(shrink_options, json, "json", "print one JSON object"),
};

static xta_status run(const cli_args *args, cli_error *err)
{
    xta_growth shrinks[2 * XTA_MAX_NDIM];
    int n_shrinks = 0;
    xta_array *array = NULL;
    xta_box after;
    xta_status status = XTA_OK;

    XTA_TRY(cli_open_writable(args->words[0], &array, err));
    XTA_TRY(cli_growths(args, array, shrinks, &n_shrinks, err));
    XTA_TRY(xta_array_shrink(array, shrinks, n_shrinks, &after, &err->error));
    XTA_TRY(xta_array_sync(array, &err->error));
    cli_print_bounds(stdout, ((const shrink_options *)args->values)->json, 1, args->words, &after);
done:
    return cli_close(array, status, err);
}

const cli_command cli_shrink = {
    .name = "shrink",
    .summary = "take cells away at either side of any axes",
    .usage = "A --axis AXIS --by N [--front] [--axis AXIS --by N [--front] ...] [--json]",
    .details =
        "Takes cells away and prints the new bounds. Several pairs of --axis and --by are one "
        "atomic step. Chunks that lie wholly outside give their disk space back; if the array "
        "grows over the cells again they hold the fill value.",
    .example = "  xta shrink runs --axis t --by 1 --front",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(shrink_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
