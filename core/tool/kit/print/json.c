/* Values of JSON, written to a stream.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/print/json.h"

#include <inttypes.h>
#include <string.h>

#include "util/json.h"

void cli_json_bytes(FILE *out, const char *text, size_t n)
{
    fputc('"', out);
    while (n > 0) {
        char character[XTA__JSON_CHARACTER_BYTES];
        size_t length = 0;
        size_t used = xta__json_character(text, n, character, &length);
        fwrite(character, 1, length, out);
        text += used;
        n -= used;
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

bool cli_json_list_next(cli_json_list *list)
{
    if (list->out == NULL) {
        return false;
    }
    if (list->begun) {
        fputs(",\n  ", list->out);
    } else {
        fprintf(list->out, "{\"%s\": [\n  ", list->name);
    }
    list->begun = true;
    return true;
}

void cli_json_list_end(cli_json_list *list)
{
    if (list->out == NULL) {
        return;
    }
    if (!list->begun) {
        fprintf(list->out, "{\"%s\": [", list->name);
    }
    fputs("\n]}\n", list->out);
}
