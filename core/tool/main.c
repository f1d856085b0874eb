/* xta: the verbs of the core, and running verbs that are separate programs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cells/verbs.h"
#include "compare/verbs.h"
#include "help.h"
#include "inquiry/verbs.h"
#include "kit/command_table.h"
#include "kit/program.h"
#include "structure/verbs.h"
#include "transfer/verbs.h"
#include "version.h"

static const cli_command *const commands[] = {
    &cli_create, &cli_extend,  &cli_shrink,  &cli_add_axis, &cli_info,    &cli_address,
    &cli_read,   &cli_write,   &cli_fill,    &cli_tune,     &cli_attr,    &cli_ls,
    &cli_check,  &cli_compact, &cli_undo,    &cli_upgrade,  &cli_diff,    &cli_copy,
    &cli_concat, &cli_rename,  &cli_history, &cli_help,     &cli_version,
};

/* Handle the word in the place of a command. */
static xta_status dispatch(int argc, char *argv[], const char **name, cli_error *err)
{
    if (argc < 1) {
        return cli_usage(err, "a command is missing");
    }
    if (strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "-V") == 0) {
        printf("xta %s\n", xta_version());
        return XTA_OK;
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        return cli_print_commands(stdout, err);
    }
    const cli_command *command = cli_command_find(argv[0]);
    if (command == NULL) {
        return cli_run_program(argc, argv, err);
    }
    *name = command->name;
    return cli_run_command(command, argc - 1, argv + 1, err);
}

int main(int argc, char *argv[])
{
    cli_commands_set(commands, CLI_COUNT(commands));
    return cli_program(dispatch, argc, argv);
}
