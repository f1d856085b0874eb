/* A data set as JSON: a flat list of the folder itself, whose name is "", and of its groups.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "inquiry/dataset_json.h"

#include <inttypes.h>
#include <stdlib.h>

#include <xta/dataset.h>

#include "kit/print/json.h"
#include "kit/print/json_cells.h"
#include "util/text.h"

/* Deeper groups are refused: folders do not nest like this by themselves. */
#define MOST_DEPTH 64

/* Where the output is, and whether it is the first group. */
typedef struct json_groups {
    FILE *out;
    bool begun;
    int depth;
} json_groups;

/* Attributes of the data set (NULL) or of a dimension. */
static xta_status put_attributes(FILE *out, xta_dataset *set, const char *dimension, cli_error *err)
{
    size_t n = xta_dataset_attribute_count(set, dimension);
    xta_attribute a;
    xta_status status = XTA_OK;

    fputs("\"attributes\": {", out);
    for (size_t k = 0; k < n; k++) {
        XTA_TRY(xta_dataset_attribute_at(set, dimension, k, &a, &err->error));
        fputs(k > 0 ? ", " : "", out);
        cli_json_text(out, a.name);
        fputs(": ", out);
        XTA_TRY(cli_json_attribute(out, &a, err));
    }
    fputc('}', out);
done:
    return status;
}

static xta_status put_coordinates(FILE *out, const xta_dimension *d, cli_error *err)
{
    const xta_regular *r = &d->regular;
    xta_status status = XTA_OK;

    if (d->coordinates != XTA_COORDINATES_REGULAR) {
        fprintf(out, "\"%s\"", d->coordinates == XTA_COORDINATES_LISTED ? "listed" : "none");
        return XTA_OK;
    }
    bool real = r->type == XTA_F32 || r->type == XTA_F64;
    const xta_type type = real ? XTA_F64 : XTA_I64;
    fputs("\"regular\", \"origin\": ", out);
    XTA_TRY(cli_json_cell(out, type, sizeof r->origin, &r->origin, err));
    fputs(", \"step\": ", out);
    XTA_TRY(cli_json_cell(out, type, sizeof r->step, &r->step, err));
    fprintf(out, ", \"type\": \"%s\"", xta_type_name(r->type));
done:
    return status;
}

static xta_status put_dimensions(FILE *out, xta_dataset *set, cli_error *err)
{
    xta_dimension d;
    size_t n = 0;
    xta_status status = XTA_OK;

    fputs("\"dimensions\": [", out);
    XTA_TRY(xta_dataset_dimension_count(set, &n, &err->error));
    for (size_t k = 0; k < n; k++) {
        XTA_TRY(xta_dataset_dimension_at(set, k, &d, &err->error));
        fputs(k > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ", out);
        cli_json_text(out, d.name);
        fprintf(out,
                ", \"lo\": %" PRId64 ", \"hi\": %" PRId64 ", \"unlimited\": %s, \"coordinates\": ",
                d.lo, d.hi, d.unlimited ? "true" : "false");
        XTA_TRY(put_coordinates(out, &d, err));
        fputs(", ", out);
        XTA_TRY(put_attributes(out, set, d.name, err));
        fputc('}', out);
    }
    fputs("],\n   ", out);
done:
    return status;
}

static xta_status put_members(FILE *out, xta_dataset *set, cli_error *err)
{
    const char *name;
    xta_array *array = NULL;
    xta_status status = XTA_OK;

    fputs("\"members\": [", out);
    for (size_t k = 0; (name = xta_dataset_member_name(set, k)) != NULL; k++) {
        XTA_TRY(xta_dataset_member(set, name, &array, &err->error));
        const xta_box bounds = xta_array_bounds(array);
        fputs(k > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ", out);
        cli_json_text(out, name);
        fprintf(out, ", \"type\": \"%s\", \"cell_bytes\": %zu, \"dimensions\": [",
                xta_type_name(xta_array_type(array)), xta_array_cell_bytes(array));
        for (int axis = 0; axis < bounds.ndim; axis++) {
            fputs(axis > 0 ? ", " : "", out);
            cli_json_text(out, xta_axis_name(array, axis));
        }
        fputs("], \"bounds\": ", out);
        cli_json_box(out, &bounds);
        fputs(", \"attributes\": ", out);
        XTA_TRY(cli_json_attributes(out, array, XTA_ON_ARRAY, err));
        fputc('}', out);
    }
    fputs("],\n   ", out);
done:
    return status;
}

/* One group, and then those in it. */
static xta_status put_group(json_groups *groups, xta_dataset *set, const char *name, cli_error *err)
{
    xta_dataset *inner = NULL;
    char *path = NULL;
    xta_status status = XTA_OK;

    if (groups->depth++ == MOST_DEPTH) {
        XTA_TRY(cli_fail(err, XTA_EARG, 0, "%s: groups nest more than %d deep",
                         xta_dataset_path(set), MOST_DEPTH));
    }
    fprintf(groups->out, "%s\n  {\"group\": ", groups->begun ? "," : "");
    groups->begun = true;
    cli_json_text(groups->out, name);
    fputs(", ", groups->out);
    XTA_TRY(put_dimensions(groups->out, set, err));
    XTA_TRY(put_members(groups->out, set, err));
    XTA_TRY(put_attributes(groups->out, set, NULL, err));
    fputc('}', groups->out);
    for (size_t k = 0; k < xta_dataset_group_count(set); k++) {
        const char *within = xta_dataset_group_name(set, k);
        path = xta__string("%s%s%s", name, name[0] != '\0' ? "/" : "", within);
        if (path == NULL) {
            XTA_TRY(cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for the name of a group", within));
        }
        XTA_TRY(xta_dataset_group(set, within, false, &inner, &err->error));
        XTA_TRY(put_group(groups, inner, path, err));
        xta_dataset_close(inner, NULL);
        inner = NULL;
        free(path);
        path = NULL;
    }
done:
    groups->depth--;
    free(path);
    xta_dataset_close(inner, NULL);
    return status;
}

xta_status cli_dataset_json(FILE *out, const char *folder, cli_error *err)
{
    json_groups groups = {.out = out};
    xta_dataset *set = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(xta_dataset_open(folder, NULL, &set, &err->error));
    fputs("{\"path\": ", out);
    cli_json_text(out, folder);
    fputs(", \"groups\": [", out);
    XTA_TRY(put_group(&groups, set, "", err));
    fputs("\n]}\n", out);
done:
    xta_dataset_close(set, NULL);
    return status;
}
