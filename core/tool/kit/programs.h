/* Verbs that are programs of their own: `xta VERB` runs `xta-VERB`, as git does.
 *
 * They are searched for in the folder that XTA_EXEC_PATH names, else in libexec/xta of the same
 * installation or build, and then in PATH. Programs in PATH are run but not listed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_PROGRAMS_H
#define XTA_TOOL_PROGRAMS_H

#include "kit/cli.h"

/* The verbs that are installed as programs, sorted by name. Freed by cli_programs_clear. */
typedef struct cli_programs {
    char **names;
    size_t n, capacity;
} cli_programs;

/* XTA_ENOMEM; a folder that does not exist has no programs. */
xta_status cli_programs_list(cli_programs *programs, cli_error *err);
void cli_programs_clear(cli_programs *programs);

/* Run xta-<verb> in place of this process, with argv[0] ... argv[argc - 1] as its arguments.
 * Returns only after a failure: XTA_ENOENT if there is no such program (`err` is left alone),
 * any other status with its text in `err`. */
xta_status cli_program_exec(const char *verb, int argc, char *argv[], cli_error *err);

/* Run xta-<verb> with one argument and return the first line that it prints, without its newline;
 * an empty text if it fails. The caller frees it. */
char *cli_program_line(const char *verb, const char *argument);

/* Run xta-<verb> with `n` arguments, at most 8, and return as a text all that it prints on standard
 * output and standard error, or the first 64 KiB of it; the caller frees it. XTA_EIO if it fails,
 * with the text; XTA_ENOENT if there is no such program and XTA_ENOMEM without one. */
xta_status cli_program_output(const char *verb, int n, const char *const arguments[], char **out);

/* Run xta-<verb> with one argument and copy what it prints to standard output. XTA_ENOENT if there
 * is no such program. */
xta_status cli_program_copy_output(const char *verb, const char *argument);

#endif
