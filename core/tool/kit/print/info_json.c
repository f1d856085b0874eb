/* Everything about an array as one JSON object (RFC 8259).
 *
 * JSON has no NaN, no infinities and no complex numbers: the first two are the strings "nan",
 * "inf" and "-inf", a complex number is a pair [real, imaginary], bytes are a string of 0x and
 * digits. In text that is not UTF-8, U+FFFD replaces each invalid byte.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/print/info_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kit/print/describe.h"
#include "kit/print/json.h"
#include "kit/print/unfinished.h"

/* A number, or the string that represents it if JSON has no such number. */
static void put_number(FILE *out, xta_type type, size_t cell_bytes, const void *cell)
{
    char text[128];

    cli_value_text(type, cell_bytes, cell, text);
    fprintf(out, strpbrk(text, "nif") != NULL ? "\"%s\"" : "%s", text);
}

static xta_status put_cell(FILE *out, xta_type type, size_t cell_bytes, const void *cell,
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

static void put_coords(FILE *out, const int64_t coord[], int n)
{
    fputc('[', out);
    for (int axis = 0; axis < n; axis++) {
        fprintf(out, "%s%" PRId64, axis > 0 ? ", " : "", coord[axis]);
    }
    fputc(']', out);
}

/* [[lo, hi], ...] */
static xta_status put_attribute(FILE *out, const xta_attribute *attribute, cli_error *err)
{
    const char *values = attribute->values;
    xta_status status = XTA_OK;

    cli_json_text(out, attribute->name);
    fprintf(out, ": {\"type\": \"%s\", ", xta_type_name(attribute->type));
    if (attribute->type == XTA_TEXT) {
        fputs("\"value\": ", out);
        cli_json_bytes(out, values, attribute->count);
    } else {
        fputs("\"values\": [", out);
        for (size_t k = 0; k < attribute->count; k++) {
            fputs(k > 0 ? ", " : "", out);
            XTA_TRY(put_cell(out, attribute->type, attribute->cell_bytes,
                             values + k * attribute->cell_bytes, err));
        }
        fputc(']', out);
    }
    fputc('}', out);
done:
    return status;
}

static xta_status put_attributes(FILE *out, xta_array *array, int axis, cli_error *err)
{
    size_t n = xta_attribute_count(array, axis);
    xta_status status = XTA_OK;

    fputc('{', out);
    for (size_t k = 0; k < n; k++) {
        xta_attribute attribute;
        XTA_TRY(xta_attribute_at(array, axis, k, &attribute, &err->error));
        fputs(k > 0 ? ", " : "", out);
        XTA_TRY(put_attribute(out, &attribute, err));
    }
    fputc('}', out);
done:
    return status;
}

static xta_status put_axes(FILE *out, xta_array *array, cli_error *err)
{
    int ndim = xta_array_ndim(array);
    xta_status status = XTA_OK;

    fputs("  \"axes\": [", out);
    for (int axis = 0; axis < ndim; axis++) {
        fprintf(out, "%s\n    {\"axis\": %d, \"name\": ", axis > 0 ? "," : "", axis);
        cli_json_text(out, xta_axis_name(array, axis));
        fputs(", \"unit\": ", out);
        cli_json_text(out, xta_axis_unit(array, axis));
        fputs(", \"attributes\": ", out);
        XTA_TRY(put_attributes(out, array, axis, err));
        fputc('}', out);
    }
    fputs("\n  ],\n  \"attributes\": ", out);
    XTA_TRY(put_attributes(out, array, XTA_ON_ARRAY, err));
    fputs(",\n", out);
done:
    return status;
}

static int put_step(void *user, const xta_step *step)
{
    FILE *out = user;

    fprintf(out, "%s\n    {\"step\": %" PRIu64 ", \"kind\": \"%s\"", step->step > 0 ? "," : "",
            step->step, cli_step_name(step->kind));
    if (step->kind == XTA_STEP_ADD_AXIS) {
        fprintf(out, ", \"axis\": %d", step->axis);
    }
    for (int k = 0; k < step->n_growths; k++) {
        fprintf(out, "%s{\"axis\": %d, \"side\": \"%s\", \"by\": %" PRId64 "}%s",
                k == 0 ? ", \"growths\": [" : ", ", step->growths[k].axis,
                step->growths[k].side == XTA_FRONT ? "front" : "back", step->growths[k].by,
                k + 1 == step->n_growths ? "]" : "");
    }
    fputs(", \"bounds\": ", out);
    cli_json_box(out, &step->bounds);
    fputc('}', out);
    return 0;
}

static xta_status put_shape(FILE *out, xta_array *array, const xta_array_info *info, cli_error *err)
{
    fputs("{\n  \"path\": ", out);
    cli_json_text(out, xta_array_path(array));
    fputs(",\n  \"uuid\": \"", out);
    for (size_t k = 0; k < sizeof info->uuid; k++) {
        fprintf(out, "%02x", info->uuid[k]);
    }
    fprintf(out,
            "\",\n  \"type\": \"%s\",\n  \"cell_bytes\": %zu,\n  \"ndim\": %d,\n  \"bounds\": ",
            xta_type_name(info->type), info->cell_bytes, info->ndim);
    cli_json_box(out, &info->bounds);
    fputs(",\n  \"allocated\": ", out);
    cli_json_box(out, &info->allocated);
    fputs(",\n  \"chunk\": ", out);
    put_coords(out, info->chunk, info->ndim);
    fprintf(out, ",\n  \"order\": \"%s\",\n  \"layout\": \"%s\",\n  \"policy\": \"%s\",\n",
            cli_order_name(info->order), info->layout == XTA_DIRECT ? "direct" : "headerless",
            cli_policy_name(info->policy));
    fprintf(out, "  \"policy_amount\": %" PRIu32 ",\n  \"fill\": ", info->policy_amount);
    return put_cell(out, info->type, info->cell_bytes, xta_array_fill_value(array), err);
}

xta_status cli_info_json(FILE *out, xta_array *array, const xta_array_info *info, cli_error *err)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"chunk_bytes", info->chunk_bytes},
                  {"slot_bytes", info->slot_bytes},
                  {"data_offset", info->data_offset},
                  {"n_chunks", info->n_chunks},
                  {"n_segments", info->n_segments},
                  {"n_steps", info->n_steps},
                  {"journal_bytes", info->journal_bytes},
                  {"data_apparent_bytes", info->data_apparent_bytes},
                  {"data_real_bytes", info->data_real_bytes},
                  {"moved_bytes", info->moved_bytes}};
    xta_status status = XTA_OK;

    XTA_TRY(put_shape(out, array, info, err));
    fputs(",\n", out);
    for (size_t k = 0; k < CLI_COUNT(counts); k++) {
        fprintf(out, "  \"%s\": %" PRIu64 ",\n", counts[k].name, counts[k].value);
    }
    XTA_TRY(put_axes(out, array, err));
    fputs("  \"unfinished\": ", out);
    XTA_TRY(cli_unfinished_json(out, array, err));
    fputs(",\n  \"history\": [", out);
    XTA_TRY(xta_array_history(array, put_step, out, &err->error));
    fputs("\n  ]\n}\n", out);
done:
    return status;
}
