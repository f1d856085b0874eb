/* Cells and attributes as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/print/json_cells.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/print/json.h"

void cli_json_coords(FILE *out, const int64_t coord[], int n)
{
    fputc('[', out);
    for (int axis = 0; axis < n; axis++) {
        fprintf(out, "%s%" PRId64, axis > 0 ? ", " : "", coord[axis]);
    }
    fputc(']', out);
}

/* A number, or the string that represents it if JSON has no such number. */
static void put_number(FILE *out, xta_type type, size_t cell_bytes, const void *cell)
{
    char text[128];

    cli_value_text(type, cell_bytes, cell, text);
    fprintf(out, strpbrk(text, "nif") != NULL ? "\"%s\"" : "%s", text);
}

xta_status cli_json_cell(FILE *out, xta_type type, size_t cell_bytes, const void *cell,
                         cli_error *err)
{
    const uint8_t *part = cell;
    bool is_complex = type == XTA_C64 || type == XTA_C128;
    xta_type real = type == XTA_C64 ? XTA_F32 : XTA_F64;
    char *text;

    if (type == XTA_BYTES) {
        text = malloc(cli_value_capacity(type, cell_bytes));
        if (text == NULL) {
            return cli_fail(err, XTA_ENOMEM, 0, "no memory for a value of %zu bytes", cell_bytes);
        }
        cli_value_text(type, cell_bytes, cell, text);
        cli_json_text(out, text);
        free(text);
    } else if (is_complex) {
        fputc('[', out);
        put_number(out, real, cell_bytes / 2, part);
        fputs(", ", out);
        put_number(out, real, cell_bytes / 2, part + cell_bytes / 2);
        fputc(']', out);
    } else if (type == XTA_BOOL) {
        fputs(part[0] != 0 ? "true" : "false", out);
    } else {
        put_number(out, type, cell_bytes, cell);
    }
    return XTA_OK;
}

xta_status cli_json_attribute(FILE *out, const xta_attribute *attribute, cli_error *err)
{
    const char *values = attribute->values;
    xta_status status = XTA_OK;

    fprintf(out, "{\"type\": \"%s\", ", xta_type_name(attribute->type));
    if (attribute->type == XTA_TEXT) {
        fputs("\"value\": ", out);
        cli_json_bytes(out, values, attribute->count);
    } else {
        fputs("\"values\": [", out);
        for (size_t k = 0; k < attribute->count; k++) {
            fputs(k > 0 ? ", " : "", out);
            XTA_TRY(cli_json_cell(out, attribute->type, attribute->cell_bytes,
                                  values + k * attribute->cell_bytes, err));
        }
        fputc(']', out);
    }
    fputc('}', out);
done:
    return status;
}

xta_status cli_json_attributes(FILE *out, xta_array *array, int axis, cli_error *err)
{
    size_t n = xta_attribute_count(array, axis);
    xta_status status = XTA_OK;

    fputc('{', out);
    for (size_t k = 0; k < n; k++) {
        xta_attribute attribute;
        XTA_TRY(xta_attribute_at(array, axis, k, &attribute, &err->error));
        fputs(k > 0 ? ", " : "", out);
        cli_json_text(out, attribute.name);
        fputs(": ", out);
        XTA_TRY(cli_json_attribute(out, &attribute, err));
    }
    fputc('}', out);
done:
    return status;
}
