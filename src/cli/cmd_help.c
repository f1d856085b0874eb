/* xta help: the list of commands, or the help of one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

static xta_status run(const cli_args *args, cli_error *err)
{
    const cli_command *command;

    if (args->n_words == 0) {
        cli_print_commands(stdout);
        return XTA_OK;
    }
    command = cli_command_find(args->words[0]);
    if (command == NULL) {
        return cli_command_unknown(args->words[0], err);
    }
    cli_print_help(command, stdout);
    return XTA_OK;
}

const cli_command cli_help = {
    .name = "help",
    .summary = "explain a command",
    .usage = "[COMMAND]",
    .details = "Prints the commands, or what one of them does: the same as xta COMMAND --help.",
    .example = "  xta help read",
    .min_words = 0,
    .max_words = 1,
    .run = run,
};
