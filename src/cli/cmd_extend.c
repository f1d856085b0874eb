/* xta extend: growth at either side of any axes, in one step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

static const cli_option options[] = {
    {"axis", "AXIS", "axis that grows: a name, or a number from 0; each --axis begins a new pair",
     true},
    {"by", "N", "by how many cells; belongs to the --axis before it", true},
    {"front", NULL, "at the front, towards negative coordinates; belongs to the pair before it",
     true},
};

static xta_status run(const cli_args *args, cli_error *err)
{
    xta_growth growths[2 * XTA_MAX_NDIM];
    int n_growths = 0;
    xta_array *array = NULL;
    xta_box after;
    xta_status status = XTA_OK;

    CLI_TRY(cli_open_writable(args->words[0], &array, err));
    CLI_TRY(cli_growths(args, array, growths, &n_growths, err));
    CLI_TRY(xta_array_extend(array, growths, n_growths, &after, &err->error));
    CLI_TRY(xta_array_sync(array, &err->error));
    cli_print_box(stdout, &after);
    printf("\n");
done:
    return cli_close(array, status, err);
}

const cli_command cli_extend = {
    .name = "extend",
    .summary = "grow at either side of any axes",
    .usage = "A --axis AXIS --by N [--front] [--axis AXIS --by N [--front] ...]",
    .details =
        "Grows the array and prints its new bounds. Several pairs of --axis and --by are one "
        "atomic step, done in the order given. No cell moves and no coordinate changes; new "
        "cells hold the fill value.",
    .example = "  xta extend runs --axis t --by 1 --axis y --by 2 --front",
    .options = options,
    .n_options = CLI_COUNT(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
