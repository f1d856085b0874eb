/* xta fill: write one value to every cell of a box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cells/verbs.h"

#include <stdlib.h>

#include "kit/cells/choice.h"
#include "kit/print/json.h"
#include "kit/print/json_cells.h"

/* Values of the options. */
typedef struct fill_options {
    cli_choice cells;
    const char *value;
    bool json;
} fill_options;

static const cli_option options[] = {
    CLI_CELLS(fill_options, "what to fill"),
    CLI_STRING(fill_options, value, "value", "V", "the value, in the array's type"),
    CLI_FLAG(fill_options, json, "json", "print one JSON object"),
};

static const fill_options *values_of(const cli_args *args)
{
    return args->values;
}

/* What was filled. */
static xta_status print_json(const cli_args *args, xta_array *array, const xta_box *box,
                             const void *cell, cli_error *err)
{
    xta_status status;

    fputs("{\"array\": ", stdout);
    cli_json_text(stdout, args->words[0]);
    fputs(", \"box\": ", stdout);
    cli_json_box(stdout, box);
    fputs(", \"value\": ", stdout);
    status = cli_json_cell(stdout, xta_array_type(array), xta_array_cell_bytes(array), cell, err);
    fputs(status == XTA_OK ? "}\n" : "", stdout);
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const char *value = values_of(args)->value;
    xta_array *array = NULL;
    void *cell = NULL;
    xta_box box;
    xta_status status = XTA_OK;

    XTA_TRY(cli_need_cells(args, &values_of(args)->cells, err));
    XTA_TRY(cli_need(args, "value", err));
    XTA_TRY(cli_open_writable(args->words[0], &array, err));
    XTA_TRY(cli_choose_box(&values_of(args)->cells, array, &box, err));
    cell = malloc(xta_array_cell_bytes(array));
    if (cell == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for a cell", args->words[0]);
        goto done;
    }
    XTA_TRY(cli_value_parse(value, "--value", xta_array_type(array), xta_array_cell_bytes(array),
                            cell, err));
    XTA_TRY(xta_array_fill(array, &box, cell, &err->error));
    XTA_TRY(xta_array_sync(array, &err->error));
    if (values_of(args)->json) {
        status = print_json(args, array, &box, cell, err);
    }
done:
    free(cell);
    return cli_close(array, status, err);
}

const cli_command cli_fill = {
    .name = "fill",
    .summary = "set every cell of a box to one value",
    .usage = "A {--box LO:HI,... | --sel AXIS=LABELS,...} --value V [--json]",
    .details = "Sets every cell of the box. Where whole chunks become the array's fill value their "
               "disk space is given back.",
    .example = "  xta fill runs --box :,1:3,0 --value -1.5",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(fill_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
