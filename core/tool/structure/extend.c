/* xta extend: growth at either side of any axes, of one array, several, or a folder, in one step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "structure/verbs.h"

#include <stdlib.h>

#include "kit/folder.h"
#include "kit/print/describe.h"
#include "structure/extend_folder.h"

#define MOST_ARRAYS 1024

/* Values of the options. */
typedef struct extend_options {
    const char *coordinates;
    bool json;
} extend_options;

static const cli_option options[] = {
    CLI_LIST("axis", "AXIS",
             "axis that grows: a name, or a number from 0; each --axis begins a new pair"),
    CLI_LIST("by", "N", "by how many cells; belongs to the --axis before it"),
    CLI_LIST("front", NULL,
             "at the front, towards negative coordinates; belongs to the pair before it"),
    CLI_STRING(extend_options, coordinates, "coordinates", "V,V,...|FILE.npy",
               "of a folder: coordinates of the new cells, in ascending order of the cells"),
    CLI_FLAG(extend_options, json, "json", "print one JSON object"),
};

/* One of the arrays; `growths` are those of the command line, with the axis numbers of this
 * array. */
typedef struct member {
    xta_array *array;
    xta_growth growths[2 * XTA_MAX_NDIM];
} member;

static xta_status grow(const cli_args *args, member *members, cli_error *err)
{
    int n = args->n_words;
    xta_array_growth *wanted = calloc((size_t)n, sizeof wanted[0]);
    xta_box *after = calloc((size_t)n, sizeof after[0]);
    xta_status status = XTA_OK;

    if (wanted == NULL || after == NULL) {
        XTA_TRY(cli_fail(err, XTA_ENOMEM, 0, "no memory for %d arrays", n));
    }
    for (int k = 0; k < n; k++) {
        XTA_TRY(cli_open_writable(args->words[k], &members[k].array, err));
        wanted[k].array = members[k].array;
        wanted[k].growths = members[k].growths;
        XTA_TRY(cli_growths(args, members[k].array, members[k].growths, &wanted[k].n_growths, err));
    }
    if (n == 1) {
        XTA_TRY(xta_array_extend(wanted[0].array, wanted[0].growths, wanted[0].n_growths, after,
                                 &err->error));
    } else {
        XTA_TRY(xta_arrays_extend(wanted, n, after, &err->error));
    }
    bool nothing = true;
    for (int j = 0; j < wanted[0].n_growths; j++) {
        nothing = nothing && wanted[0].growths[j].by == 0;
    }
    if (nothing) {
        fprintf(stderr, "xta extend: growth by 0 cells: the bounds stay, and no step is added\n");
    }
    for (int k = 0; k < n; k++) {
        XTA_TRY(xta_array_sync(members[k].array, &err->error));
    }
    cli_print_bounds(stdout, ((const extend_options *)args->values)->json, n, args->words, after);

done:
    free(wanted);
    free(after);
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const extend_options *values = args->values;
    xta_status status = XTA_OK;

    for (int k = 0; k < args->n_words; k++) {
        if (cli_is_folder(args->words[k])) {
            return k == 0 ? cli_extend_folder(args, values->coordinates, values->json, err)
                          : cli_usage(err, "%s is a folder: it grows alone, not with other arrays",
                                      args->words[k]);
        }
    }
    if (values->coordinates != NULL) {
        return cli_usage(err,
                         "--coordinates belong to a folder, and %s is an array; xta attr sets "
                         "those of an array",
                         args->words[0]);
    }
    member *members = calloc((size_t)args->n_words, sizeof members[0]);
    if (members == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %d arrays", args->n_words);
    }
    status = grow(args, members, err);
    for (int k = 0; k < args->n_words; k++) {
        status = cli_close(members[k].array, status, err);
    }
    free(members);
    return status;
}

const cli_command cli_extend = {
    .name = "extend",
    .summary = "grow at either side of any axes",
    .usage = "A [B ...] --axis AXIS --by N [--front] [--axis AXIS --by N [--front] ...] "
             "[--coordinates V,V,...|FILE.npy] [--json]",
    .details =
        "Grows the array and prints its new bounds. Several pairs of --axis and --by are one "
        "atomic step, done in the order given. Several arrays, which share the axes that are "
        "named, grow in one atomic step too: all of them, or none. So do the arrays of a folder "
        "that "
        "have the axis; if its coordinates are listed, --coordinates gives those of the new cells. "
        "No cell moves and no "
        "coordinate changes; new cells hold the fill value.",
    .example = "  xta extend runs --axis t --by 1 --axis y --by 2 --front\n"
               "  xta extend temperature salinity --axis time --by 12\n"
               "  xta extend ocean/ --axis time --by 2 --coordinates 31,32",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(extend_options),
    .min_words = 1,
    .max_words = MOST_ARRAYS,
    .run = run,
};
