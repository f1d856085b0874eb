/* xta undo: undo work that was interrupted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "structure/verbs.h"

#include "kit/print/json.h"
#include "kit/print/unfinished.h"

/* Values of the options. */
typedef struct undo_options {
    bool discard;
    bool json;
} undo_options;

static const cli_option options[] = {
    CLI_FLAG(undo_options, discard, "discard",
             "also where cells that were there before were overwritten: they become fill"),
    CLI_FLAG(undo_options, json, "json", "print one JSON object"),
};

static const undo_options *values_of(const cli_args *args)
{
    return args->values;
}

static void print_json(const char *path, const xta_unfinished *work, xta_undo_result result)
{
    static const char *const results[] = {"", "deleted", "shrunk", "filled"};

    printf("{\"array\": ");
    cli_json_text(stdout, path);
    printf(", \"id\": \"");
    for (size_t k = 0; k < sizeof work->id; k++) {
        printf("%02x", work->id[k]);
    }
    printf("\", \"verb\": \"%s\", \"result\": \"%s\"}\n", cli_verb_name(work->verb),
           results[result]);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    static const char *const told[] = {
        "", "the array is deleted", "the bounds are as they were",
        "its cells are fill; the bounds stay, since others may have written within them"};
    const char *path = args->words[0];
    xta_array *array = NULL;
    xta_unfinished work;
    xta_undo_result result = XTA_UNDO_FILLED;
    xta_status status = XTA_OK;

    XTA_TRY(cli_open(args, path, &array, err));
    status =
        cli_find_unfinished(array, args->n_words > 1 ? args->words[1] : NULL, 0, NULL, &work, err);
    status = cli_close(array, status, err);
    array = NULL;
    XTA_TRY(status);
    XTA_TRY(xta_work_undo(path, work.id, values_of(args)->discard, &result, &err->error));
    if (values_of(args)->json) {
        print_json(path, &work, result);
    } else {
        printf("%s undone: %s\n", cli_verb_name(work.verb), told[result]);
    }
done:
    return status;
}

const cli_command cli_undo = {
    .name = "undo",
    .summary = "take back work that was interrupted",
    .usage = "A [ID] [--discard] [--json]",
    .details =
        "An import, append or repartition that was cut off leaves an array that is not whole; "
        "`xta info` shows the work with its id, of which the first characters are enough, and "
        "which may be left out if there is only one. An array that the work had made is deleted. "
        "If it had grown the array by a slab that still is the outermost, the array shrinks back. "
        "Else its cells become fill, and the bounds stay. What lay in cells that the work wrote "
        "over cannot be brought back; then undo refuses without --discard.",
    .example = "  xta undo sst",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(undo_options),
    .min_words = 1,
    .max_words = 2,
    .run = run,
};
