/* Notes about guesses that a command has made.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/spectra_notes.h"

#include "kit/print/describe.h"
#include "support/options.h"

void cli_notes_add(cli_notes *notes, const char *format, ...)
{
    va_list values;

    if (notes->n < CLI_COUNT(notes->text)) {
        va_start(values, format);
        vsnprintf(notes->text[notes->n++], sizeof notes->text[0], format, values);
        va_end(values);
    }
}

void cli_notes_print(const cli_args *args, const cli_notes *notes)
{
    for (size_t k = 0; k < notes->n && cli_hyper_leads(); k++) {
        fprintf(stderr, "xta %s: %s\n", args->command->name, notes->text[k]);
    }
}

void cli_notes_json(FILE *out, const cli_notes *notes)
{
    fputs("\"notes\": [", out);
    for (size_t k = 0; k < notes->n; k++) {
        fputs(k > 0 ? ", " : "", out);
        cli_json_text(out, notes->text[k]);
    }
    fputc(']', out);
}
