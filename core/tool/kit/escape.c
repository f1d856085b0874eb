/* Printing text from files and folders on a terminal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/escape.h"

#include <string.h>

#include "util/text.h"

/* Whether a terminal may interpret the character as a command: C0, DEL and C1. */
static bool is_control(const unsigned char *at)
{
    return *at < 0x20 || *at == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0);
}

static void print_safely(FILE *out, const char *text, size_t n, bool escape_backslash)
{
    for (size_t k = 0; k < n;) {
        const unsigned char *at = (const unsigned char *)text + k;
        size_t length = xta__utf8_length(at, n - k);
        if (*at == '\n' || *at == '\t') {
            fputs(*at == '\n' ? "\\n" : "\\t", out);
        } else if (*at == '\\' && escape_backslash) {
            fputs("\\\\", out);
        } else if (length == 0 || is_control(at)) {
            length = length > 0 ? length : 1;
            for (size_t i = 0; i < length; i++) {
                fprintf(out, "\\x%02x", at[i]);
            }
        } else {
            fwrite(at, 1, length, out);
        }
        k += length;
    }
}

void cli_print_escaped(FILE *out, const char *text, size_t n)
{
    print_safely(out, text, n, true);
}

void cli_print_name(FILE *out, const char *text)
{
    print_safely(out, text, strlen(text), false);
}

void cli_print_csv(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"" : "", out);
        fputc(*text, out);
    }
    fputc('"', out);
}
