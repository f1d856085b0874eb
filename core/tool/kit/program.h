/* The frame of a program of the tool: `xta` itself, and each `xta-VERB` beside it.
 *
 * An error is one line on standard error, "xta <verb>: what, where, which value, remedy". Exit
 * codes: 0 done, 1 failed, 2 the command line makes no sense.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_PROGRAM_H
#define XTA_TOOL_KIT_PROGRAM_H

#include "kit/cli.h"

/* What a program does with its arguments, argv[0] left out. `*name`: the verb that was asked for,
 * for error messages; NULL until it is known. */
typedef xta_status cli_dispatch(int argc, char *argv[], const char **name, cli_error *err);

/* Guard the standard streams, dispatch, print the error if there is one. Returns the exit code. */
int cli_program(cli_dispatch *dispatch, int argc, char *argv[]);

/* The whole program of one verb: argv holds its options and words behind argv[0]. A verb with verbs
 * of its own finds the one that the next word names. `--summary` prints its line in the list of
 * verbs. Returns the exit code. */
int cli_verb_program(const cli_command *command, int argc, char *argv[]);

/* Parse a command line, and run the command or print its help. */
xta_status cli_run_command(const cli_command *command, int argc, char *argv[], cli_error *err);

#endif
