/* xta help: the list of commands, or the help of one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "help.h"

#include "kit/command_table.h"

static xta_status run(const cli_args *args, cli_error *err)
{
    if (args->n_words == 0) {
        return cli_print_commands(stdout, err);
    }
    const cli_command *command = cli_command_find(args->words[0]);
    if (command == NULL) {
        // A separate program prints its own help: xta-VERB --help [WORD].
        char *words[] = {(char *)(uintptr_t)args->words[0], (char *)(uintptr_t) "--help",
                         args->n_words == 2 ? (char *)(uintptr_t)args->words[1] : NULL};
        return cli_run_program(args->n_words + 1, words, err);
    }
    if (args->n_words == 2) {
        return cli_usage(err, "\"%s\" is one argument too many: %s has no commands of its own",
                         args->words[1], command->name);
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
