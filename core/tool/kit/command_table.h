/* The verbs that a program contains, and running verbs that are separate programs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_COMMAND_TABLE_H
#define XTA_TOOL_KIT_COMMAND_TABLE_H

#include "kit/cli.h"

/* The verbs of this program; called once, before anything else here. */
void cli_commands_set(const cli_command *const commands[], size_t n);

/* The verb of this program with this name, or NULL. */
const cli_command *cli_command_find(const char *name);

/* A usage error for an unknown name, with the nearest command. */
xta_status cli_command_unknown(const char *name, cli_error *err);

/* Run the program of a verb that this program does not contain, in place of this process; argv[0]
 * is its name. Returns only after a failure; a usage error if there is no such program. */
xta_status cli_run_program(int argc, char *argv[], cli_error *err);

/* Call `visit` with name and summary of each verb: those of this program, then the separate
 * ones. */
typedef void cli_command_visit(void *user, const char *name, const char *summary);
xta_status cli_commands_visit(cli_command_visit *visit, void *user, cli_error *err);

/* The text of `xta --help`. */
xta_status cli_print_commands(FILE *out, cli_error *err);

#endif
