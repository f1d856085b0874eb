/* What a command has decided without being asked, such as a unit that a file leaves out: said on
 * standard error and in JSON, so that a wrong guess is seen.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_NOTES_H
#define XTA_CLI_HYPER_NOTES_H

#include "kit/cli.h"

/* Begin with zeros. Further notes than there is room for are dropped. */
typedef struct cli_notes {
    size_t n;
    char text[6][512];
} cli_notes;

void cli_notes_add(cli_notes *notes, const char *format, ...) XTA_PRINTF(2, 3);

/* "xta COMMAND: NOTE", a line each, on standard error; of the process that leads. */
void cli_notes_print(const cli_args *args, const cli_notes *notes);

/* The member "notes" of an object, a list of texts. */
void cli_notes_json(FILE *out, const cli_notes *notes);

#endif
