/* Printing attributes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/print/describe.h"

#include <stdlib.h>
#include <string.h>

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

xta_status cli_print_beginning(FILE *out, const xta_attribute *attribute, cli_error *err)
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
        XTA_TRY(xta_attribute_at(array, axis, k, &attribute, &err->error));
        cli_print_name(out, prefix);
        cli_print_name(out, attribute.name);
        fprintf(out, "\t%s", xta_type_name(attribute.type));
        if (attribute.type == XTA_BYTES) {
            fprintf(out, ":%zu", attribute.cell_bytes);
        }
        fprintf(out, "\t");
        XTA_TRY(cli_print_beginning(out, &attribute, err));
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

void cli_print_bounds(FILE *out, bool json, int n, const char *const paths[],
                      const xta_box bounds[])
{
    fputs(json ? "{\"arrays\": [" : "", out);
    for (int k = 0; k < n; k++) {
        if (json) {
            fprintf(out, "%s\n  {\"array\": ", k > 0 ? "," : "");
            cli_json_text(out, paths[k]);
            fputs(", \"bounds\": ", out);
            cli_json_box(out, &bounds[k]);
            fputc('}', out);
            continue;
        }
        if (n > 1) {
            fprintf(out, "%s\t", paths[k]);
        }
        cli_print_box(out, &bounds[k]);
        fputc('\n', out);
    }
    fputs(json ? "\n]}\n" : "", out);
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
