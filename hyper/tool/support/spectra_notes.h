/* Notes about guesses that a command has made, such as a unit that a file leaves out. They are
 * printed on standard error and in JSON, so that a wrong guess is noticed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_NOTES_H
#define XTA_CLI_HYPER_NOTES_H

#include "kit/cli.h"

/* Start from zeros. Notes beyond the capacity are dropped. */
typedef struct cli_notes {
    size_t n;
    char text[6][512];
} cli_notes;

void cli_notes_add(cli_notes *notes, const char *format, ...) XTA_PRINTF(2, 3);

/* Print "xta COMMAND: NOTE", one line each, on standard error, on the leading process. */
void cli_notes_print(const cli_args *args, const cli_notes *notes);

/* Print the member "notes" of an object, a list of texts. */
void cli_notes_json(FILE *out, const cli_notes *notes);

#endif
