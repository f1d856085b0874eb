/* Everything about an array as one JSON object (RFC 8259).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/print/info_json.h"

#include <inttypes.h>

#include "kit/print/describe.h"
#include "kit/print/json.h"
#include "kit/print/json_cells.h"
#include "kit/print/unfinished.h"

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
        XTA_TRY(cli_json_attributes(out, array, axis, err));
        fputc('}', out);
    }
    fputs("\n  ],\n  \"attributes\": ", out);
    XTA_TRY(cli_json_attributes(out, array, XTA_ON_ARRAY, err));
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
    cli_json_coords(out, info->chunk, info->ndim);
    fprintf(out, ",\n  \"order\": \"%s\",\n  \"layout\": \"%s\",\n  \"policy\": \"%s\",\n",
            cli_order_name(info->order), info->layout == XTA_DIRECT ? "direct" : "headerless",
            cli_policy_name(info->policy));
    fprintf(out, "  \"policy_amount\": %" PRIu32 ",\n  \"fill\": ", info->policy_amount);
    return cli_json_cell(out, info->type, info->cell_bytes, xta_array_fill_value(array), err);
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
