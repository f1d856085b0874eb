/* The subcommands, one for each file cmd_<name>.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_COMMANDS_H
#define XTA_CLI_COMMANDS_H

#include "cli.h"

extern const cli_command cli_create, cli_extend, cli_shrink, cli_add_axis, cli_info, cli_address,
    cli_read, cli_write, cli_fill, cli_import, cli_export, cli_check, cli_compact, cli_undo,
    cli_upgrade, cli_attr, cli_ls, cli_draw, cli_extract, cli_tune, cli_help, cli_rechunk,
    cli_version;

/* The table of main.c. */
const cli_command *cli_command_find(const char *name);
const cli_command *cli_command_at(size_t k); // NULL behind the last

/* The command nearest to a name that there is not, as an error. */
xta_status cli_command_unknown(const char *name, cli_error *err);

/* The text of `xta --help`. */
void cli_print_commands(FILE *out);

#endif
