/* Values of JSON (RFC 8259). In text that is not UTF-8, U+FFFD replaces each invalid byte.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/print/json.h"

#include <inttypes.h>
#include <string.h>

#include "util/text.h"

void cli_json_bytes(FILE *out, const char *text, size_t n)
{
    fputc('"', out);
    for (size_t k = 0; k < n;) {
        const unsigned char *at = (const unsigned char *)text + k;
        size_t length = xta__utf8_length(at, n - k);
        if (length == 0) {
            fputs("\\ufffd", out);
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            fprintf(out, "\\%c", *at);
        } else if (*at < 0x20 || *at == 0x7f) {
            fprintf(out, "\\u%04x", *at);
        } else {
            fwrite(at, 1, length, out);
        }
        k += length;
    }
    fputc('"', out);
}

void cli_json_text(FILE *out, const char *text)
{
    cli_json_bytes(out, text, strlen(text));
}

void cli_json_box(FILE *out, const xta_box *box)
{
    fputc('[', out);
    for (int axis = 0; axis < box->ndim; axis++) {
        fprintf(out, "%s[%" PRId64 ", %" PRId64 "]", axis > 0 ? ", " : "", box->lo[axis],
                box->hi[axis]);
    }
    fputc(']', out);
}
