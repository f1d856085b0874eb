/* xta diff: what differs between two arrays, or between the arrays of two folders.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "compare/verbs.h"

#include <stdlib.h>
#include <string.h>

#include "compare/compare_arrays.h"
#include "compare/compare_sets.h"
#include "kit/folder.h"
#include "util/text.h"

enum { DIFF_DIFFERENT = 1, DIFF_TROUBLE = 2 };

/* Values of the options. */
typedef struct diff_options {
    double tolerance;
    double relative;
    bool cells;
    bool no_attributes;
    bool history;
    bool quiet;
    bool json;
} diff_options;

static const cli_option options[] = {
    CLI_REAL(diff_options, tolerance, "tolerance", "ABS",
             "cells and coordinates that differ by at most ABS agree (0)"),
    CLI_REAL(diff_options, relative, "relative", "REL",
             "also those that differ by at most REL times the larger magnitude (0)"),
    CLI_FLAG(diff_options, cells, "cells", "compare bounds and cells alone"),
    CLI_FLAG(diff_options, no_attributes, "no-attributes", "leave out attributes"),
    CLI_FLAG(diff_options, history, "history", "compare the attribute \"history\", too"),
    CLI_FLAG(diff_options, quiet, "quiet", "print nothing: the exit code says it"),
    CLI_FLAG(diff_options, json, "json", "print one JSON object"),
};

static const diff_options *values_of(const cli_args *args)
{
    return args->values;
}

static xta_status compare_paths(const cli_comparison *c, const char *name, const char *a,
                                const char *b, cli_error *err)
{
    xta_array *array_a = NULL, *array_b = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(xta_array_open(a, NULL, &array_a, &err->error));
    XTA_TRY(xta_array_open(b, NULL, &array_b, &err->error));
    cli_report_array_begin(c->report, name);
    status = cli_compare_arrays(c, array_a, array_b, err);
    cli_report_array_end(c->report);
done:
    status = cli_close(array_a, status, err);
    return cli_close(array_b, status, err);
}

/* A member of both folders. */
static xta_status compare_members(const cli_comparison *c, const char *name, const char *const at[],
                                  cli_error *err)
{
    char *a = NULL, *b = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(cli_join(at[0], name, &a, err));
    XTA_TRY(cli_join(at[1], name, &b, err));
    status = compare_paths(c, name, a, b, err);
done:
    free(a);
    free(b);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* By their bytes: the order within a folder depends on what follows the names. */
static void sort_names(cli_members *members)
{
    if (members->n > 1) {
        qsort(members->names, members->n, sizeof members->names[0], by_name);
    }
}

/* Two folders whose data sets are compared. */
typedef struct set_pair {
    const cli_comparison *comparison;
    const char *const *at;
} set_pair;

/* A folder in the first one: a group, if the second has it. */
static xta_status visit_group(void *user, const cli_member *member, cli_error *err)
{
    const set_pair *pair = user;
    char *name = xta__string("%s/dataset.xmd", member->name), *a = NULL, *b = NULL;
    xta_status status = XTA_OK;

    if (name == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", member->name);
    }
    XTA_TRY(cli_join(pair->at[0], member->name, &a, err));
    XTA_TRY(cli_join(pair->at[1], member->name, &b, err));
    if (!member->array && cli_is_folder(b)) {
        status = cli_compare_sets(pair->comparison, name, a, b, err);
    }
done:
    free(name);
    free(a);
    free(b);
    return status;
}

/* Merge the names of both folders. */
static xta_status compare_folders(const cli_comparison *c, const char *const at[], cli_error *err)
{
    cli_members a = {0}, b = {0};
    set_pair pair = {c, at};
    size_t i = 0, k = 0;
    xta_status status = XTA_OK;

    XTA_TRY(cli_compare_sets(c, "dataset.xmd", at[0], at[1], err));
    XTA_TRY(cli_members_visit(at[0], true, visit_group, &pair, err));
    XTA_TRY(cli_members_list(at[0], &a, err));
    XTA_TRY(cli_members_list(at[1], &b, err));
    sort_names(&a);
    sort_names(&b);
    while (i < a.n || k < b.n) {
        int order = i == a.n ? 1 : k == b.n ? -1 : strcmp(a.names[i], b.names[k]);
        if (order < 0) {
            cli_report_lone(c->report, a.names[i], "a", at[0]);
        } else if (order > 0) {
            cli_report_lone(c->report, b.names[k], "b", at[1]);
        } else {
            XTA_TRY(compare_members(c, a.names[i], at, err));
        }
        i += order <= 0;
        k += order >= 0;
    }
done:
    cli_members_clear(&a);
    cli_members_clear(&b);
    return status;
}

static xta_status check_options(const diff_options *values, cli_error *err)
{
    if (!(values->tolerance >= 0) || !(values->relative >= 0)) {
        return cli_usage(err, "--%s: a tolerance is a number of 0 or more",
                         values->tolerance >= 0 ? "relative" : "tolerance");
    }
    if (values->quiet && values->json) {
        return cli_usage(err, "--quiet prints nothing: leave out --json");
    }
    return XTA_OK;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const diff_options *values = values_of(args);
    cli_report report = {.out = stdout,
                         .form = values->quiet  ? CLI_REPORT_NOTHING
                                 : values->json ? CLI_REPORT_JSON
                                                : CLI_REPORT_TEXT};
    const cli_comparison c = {.tolerance = {values->tolerance, values->relative},
                              .cells_only = values->cells,
                              .no_attributes = values->no_attributes,
                              .history = values->history,
                              .report = &report};
    bool folder_a = cli_is_folder(args->words[0]), folder_b = cli_is_folder(args->words[1]);
    xta_status status = XTA_OK;

    err->failure_code = DIFF_TROUBLE;
    XTA_TRY(check_options(values, err));
    if (folder_a != folder_b) {
        return cli_fail(err, XTA_EARG, 0, "%s is a folder, and %s is not; give two of a kind",
                        args->words[folder_a ? 0 : 1], args->words[folder_a ? 1 : 0]);
    }
    cli_report_begin(&report, args->words[0], args->words[1]);
    XTA_TRY(folder_a ? compare_folders(&c, args->words, err)
                     : compare_paths(&c, NULL, args->words[0], args->words[1], err));
    cli_report_end(&report);
    err->result_code = report.n_differences > 0 ? DIFF_DIFFERENT : CLI_SUCCESS;
done:
    return status;
}

const cli_command cli_diff = {
    .name = "diff",
    .summary = "compare two arrays, or the arrays of two folders",
    .usage = "A B [--tolerance ABS] [--relative REL] [--cells | --no-attributes] [--history] "
             "[--quiet | --json]",
    .details =
        "Compares bounds, type, fill value, names and units of axes, coordinates, attributes and "
        "cells, and prints a line for each difference: that of A, a slash, that of B; of cells how "
        "many differ and where the first one and the largest difference are. NaN equals NaN. Cells "
        "are compared where both arrays have them. In two folders, arrays of the same name are "
        "compared, folders in them included, and what their data sets say: attributes, regular "
        "coordinates, unlimited dimensions, the order of members. The attribute \"history\" is "
        "left "
        "out without --history. Exit code 0: no difference; 1: differences; 2: "
        "trouble.",
    .example = "  xta diff before after --relative 1e-6",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(diff_options),
    .min_words = 2,
    .max_words = 2,
    .run = run,
};
