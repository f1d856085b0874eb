/* xta help: the list of commands, or the help of one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

/* The command of a command that a second word names. */
static xta_status find_inner(const char *word, const cli_command **command, cli_error *err)
{
    if ((*command)->find == NULL) {
        return cli_usage(err, "\"%s\" is one argument too many: %s has no commands of its own",
                         word, (*command)->name);
    }
    return (*command)->find(word, command, err);
}

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
    if (args->n_words == 2) {
        xta_status status = find_inner(args->words[1], &command, err);
        if (status != XTA_OK) {
            return status;
        }
    }
    cli_print_help(command, stdout);
    return XTA_OK;
}

const cli_command cli_help = {
    .name = "help",
    .summary = "explain a command",
    .usage = "[COMMAND [COMMAND]]",
    .details = "Prints the commands, or what one of them does: the same as xta COMMAND --help. A "
               "command that has commands of its own takes the second word.",
    .example = "  xta help read",
    .min_words = 0,
    .max_words = 2,
    .run = run,
};
