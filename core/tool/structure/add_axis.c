/* xta add-axis: add an axis of length 1.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "structure/verbs.h"

#include "kit/print/describe.h"

/* Values of the options. */
typedef struct add_axis_options {
    int64_t at;
    const char *name;
    bool json;
} add_axis_options;

static const cli_option options[] = {
    CLI_INT(add_axis_options, at, "at", "P", INT64_MIN, INT64_MAX, NULL,
            "position of the new axis: 0 is before the first, the number of axes behind the last"),
    CLI_STRING(add_axis_options, name, "name", "N", "its name"),
    CLI_FLAG(add_axis_options, json, "json", "print one JSON object"),
};

static const add_axis_options *values_of(const cli_args *args)
{
    return args->values;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    int64_t position = values_of(args)->at;
    xta_array *array = NULL;
    xta_box after;
    xta_status status = XTA_OK;

    XTA_TRY(cli_need(args, "at", err));
    XTA_TRY(cli_open_writable(args->words[0], &array, err));
    if (position < 0 || position > xta_array_ndim(array)) {
        status = cli_usage(err, "%s: --at %s is no position; the array has %d axes, want 0 to %d",
                           args->words[0], cli_get(args, "at"), xta_array_ndim(array),
                           xta_array_ndim(array));
        goto done;
    }
    XTA_TRY(xta_array_add_axis(array, (int)position, values_of(args)->name, &err->error));
    XTA_TRY(xta_array_sync(array, &err->error));
    after = xta_array_bounds(array);
    cli_print_bounds(stdout, values_of(args)->json, 1, args->words, &after);
done:
    return cli_close(array, status, err);
}

const cli_command cli_add_axis = {
    .name = "add-axis",
    .summary = "put in a new axis of length 1",
    .usage = "A --at P [--name N] [--json]",
    .details =
        "Puts in an axis of length 1 before axis P and prints the new bounds. Every cell gets "
        "coordinate 0 on it and no address changes; then it grows like any other.",
    .example = "  xta add-axis runs --at 0 --name year",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(add_axis_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
