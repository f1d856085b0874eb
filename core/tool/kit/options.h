/* Parsing a command line, and help.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_OPTIONS_H
#define XTA_TOOL_KIT_OPTIONS_H

#include "kit/command.h"

/* Parse a command line: --name value, --name=value, flags, words; "--" ends the options. */
xta_status cli_args_parse(cli_args *args, const cli_command *command, int argc, char *const argv[],
                          cli_error *err);
void cli_args_clear(cli_args *args);

/* Whether an option was given; the text of its (last) value, NULL if it was not given or is a flag;
 * and the parsed value, NULL if it was not given. */
bool cli_has(const cli_args *args, const char *name);
const char *cli_get(const cli_args *args, const char *name);
const void *cli_value(const cli_args *args, const char *name);

/* The command line as a shell would read it, on one line: "xta copy a 'my b'". The caller frees it;
 * NULL: no memory. */
char *cli_command_line(const cli_args *args);

/* A usage error if an option is not given. */
xta_status cli_need(const cli_args *args, const char *name, cli_error *err);

void cli_print_help(const cli_command *command, FILE *out);

/* Print words of `text`, broken at 79 columns, lines after the first indented by `indent`.
 * `column` is where the first word starts. Ends the last line. */
void cli_print_wrapped(FILE *out, const char *text, int indent, int column);

#endif
