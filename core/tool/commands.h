/* The verbs of the core, one for each file of the folders structure/, cells/ and inquiry/.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_COMMANDS_H
#define XTA_TOOL_COMMANDS_H

#include "kit/cli.h"

extern const cli_command cli_create, cli_extend, cli_shrink, cli_add_axis, cli_info, cli_address,
    cli_read, cli_write, cli_fill, cli_check, cli_compact, cli_undo, cli_upgrade, cli_attr, cli_ls,
    cli_tune, cli_help, cli_version;

/* The verb of the core that has this name, or NULL. */
const cli_command *cli_command_find(const char *name);

/* The command nearest to a name that there is not, as an error. */
xta_status cli_command_unknown(const char *name, cli_error *err);

/* Run the program of a verb that is not the core's, argv[0] its name, in place of this process.
 * Returns only after a failure; a usage error if there is no such program. */
xta_status cli_run_program(int argc, char *argv[], cli_error *err);

/* The text of `xta --help`. */
xta_status cli_print_commands(FILE *out, cli_error *err);

#endif
