/* Common main program of the tool's programs: `xta` itself, and each `xta-VERB` beside it.
 *
 * An error is one line on standard error, "xta <verb>: what, where, which value, remedy". Exit
 * codes: 0 done, 1 failed, 2 the command line is invalid; some verbs have others, which their help
 * names. If nobody reads the standard output any more, nothing is said and the process ends by
 * SIGPIPE.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_PROGRAM_H
#define XTA_TOOL_KIT_PROGRAM_H

#include "kit/cli.h"

/* What a program does with its arguments, argv[0] left out. `*name`: the requested verb, for error
 * messages; NULL until it is known. */
typedef xta_status cli_dispatch(int argc, char *argv[], const char **name, cli_error *err);

/* Guard the standard streams, dispatch, print the error if there is one. Returns the exit code. */
int cli_program(cli_dispatch *dispatch, int argc, char *argv[]);

/* The whole program of one verb: argv holds its options and words after argv[0]. For a verb that
 * has verbs, the next word names one of these. `--summary` prints its line in the list of verbs.
 * Returns the exit code. */
int cli_verb_program(const cli_command *command, int argc, char *argv[]);

/* Parse a command line, and run the command or print its help. */
xta_status cli_run_command(const cli_command *command, int argc, char *argv[], cli_error *err);

#endif
