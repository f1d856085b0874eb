/* Attributes in print.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/describe.h"

#include <stdlib.h>
#include <string.h>

#include "util/text.h"

/* Whether a terminal may take the character for a command: C0, DEL and C1. */
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

/* The first `n` values, separated by commas. */
static xta_status print_numbers(FILE *out, const xta_attribute *attribute, size_t n, cli_error *err)
{
    const char *values = attribute->values;
    char *text = malloc(cli_value_capacity(attribute->type, attribute->cell_bytes));

    if (text == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for a value", attribute->name);
    }
    for (size_t k = 0; k < n; k++) {
        cli_value_text(attribute->type, attribute->cell_bytes, values + k * attribute->cell_bytes,
                       text);
        fprintf(out, "%s%s", k > 0 ? "," : "", text);
    }
    free(text);
    return XTA_OK;
}

xta_status cli_print_values(FILE *out, const xta_attribute *attribute, cli_error *err)
{
    if (attribute->type == XTA_TEXT) {
        fwrite(attribute->values, 1, attribute->count, out);
        return XTA_OK;
    }
    return print_numbers(out, attribute, attribute->count, err);
}

/* What a list shows of an attribute: its beginning, and how much there is if that is not all. */
static xta_status print_beginning(FILE *out, const xta_attribute *attribute, cli_error *err)
{
    bool is_text = attribute->type == XTA_TEXT;
    size_t most = is_text ? CLI_BYTES_LISTED : CLI_VALUES_LISTED;
    size_t n = attribute->count <= most ? attribute->count : most;
    xta_status status = XTA_OK;

    if (is_text) {
        cli_print_escaped(out, attribute->values, n);
    } else {
        status = print_numbers(out, attribute, n, err);
    }
    if (n < attribute->count) {
        fprintf(out, "... (%zu %s)", attribute->count, is_text ? "bytes" : "values");
    }
    return status;
}

xta_status cli_print_attributes(FILE *out, xta_array *array, int axis, const char *prefix,
                                cli_error *err)
{
    size_t n = xta_attribute_count(array, axis);
    xta_status status = XTA_OK;

    for (size_t k = 0; k < n; k++) {
        xta_attribute attribute;
        CLI_TRY(xta_attribute_at(array, axis, k, &attribute, &err->error));
        cli_print_name(out, prefix);
        cli_print_name(out, attribute.name);
        fprintf(out, "\t%s", xta_type_name(attribute.type));
        if (attribute.type == XTA_BYTES) {
            fprintf(out, ":%zu", attribute.cell_bytes);
        }
        fprintf(out, "\t");
        CLI_TRY(print_beginning(out, &attribute, err));
        fprintf(out, "\n");
    }
done:
    return status;
}

const char *cli_axis_label(xta_array *array, int axis, char number[16])
{
    const char *name = xta_axis_name(array, axis);

    snprintf(number, 16, "%d", axis);
    return name[0] != '\0' ? name : number;
}

const char *cli_step_name(xta_step_kind kind)
{
    static const char *const names[] = {[XTA_STEP_CREATE] = "create",
                                        [XTA_STEP_EXTEND] = "extend",
                                        [XTA_STEP_SHRINK] = "shrink",
                                        [XTA_STEP_ADD_AXIS] = "add-axis",
                                        [XTA_STEP_CHECKPOINT] = "checkpoint"};

    return (unsigned)kind < CLI_COUNT(names) ? names[kind] : "?";
}
