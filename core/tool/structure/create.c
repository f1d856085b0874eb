/* xta create: a new array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "structure/verbs.h"

#include <stdlib.h>
#include <string.h>

#include "kit/cells/cells.h"
#include "kit/print/json.h"
#include "kit/print/json_cells.h"
#include "kit/problem.h"
#include "util/checked.h"

/* Values of the options. */
typedef struct create_options {
    cli_cell_type type;
    cli_coords bounds;
    cli_coords chunk;
    uint64_t chunk_bytes;
    xta_order order;
    const char *fill;
    const char *names;
    cli_growth_policy policy;
    uint64_t align_bytes;
    bool headerless;
    const char *problem;
    bool json;
} create_options;

static const cli_option options[] = {
    CLI_PARSED(create_options, type, "type", "T", cli_parse_cell_type_value,
               "type of a cell: bool, i8 ... i64, u8 ... u64, f16, f32, f64, c64, c128, bytes:N"),
    CLI_PARSED(create_options, bounds, "bounds", "N,N,...", cli_parse_coords_value,
               "cells on each axis; 0 is allowed"),
    CLI_PARSED(create_options, chunk, "chunk", "N,N,...", cli_parse_coords_value,
               "cells of a chunk on each axis; without it a shape is chosen and said"),
    CLI_BYTES(create_options, chunk_bytes, "chunk-bytes", "SIZE",
              "what to aim at when the shape is chosen (1MiB)"),
    CLI_PARSED(create_options, order, "order", "ORDER", cli_parse_order_value,
               "of the cells in a chunk: row (default), column, morton, hilbert"),
    CLI_STRING(create_options, fill, "fill", "V",
               "value of cells that nobody wrote (0); complex as 1+2i, also nan and inf"),
    CLI_STRING(create_options, names, "names", "A,B,...", "names of the axes"),
    CLI_PARSED(create_options, policy, "policy", "P", cli_parse_policy_value,
               "growth policy: exact (default), linear:N, exponential:N, cubical, shell"),
    CLI_BYTES(create_options, align_bytes, "align", "SIZE",
              "round the place of a chunk in the file up to a multiple of this"),
    CLI_FLAG(create_options, headerless, "headerless",
             "a data file that releases before 0.2 can read: without header"),
    CLI_STRING(create_options, problem, "problem", "TEXT",
               "type, bounds, chunk, order and policy in one word, as f64:512x512:c64x64"),
    CLI_FLAG(create_options, json, "json", "print one JSON object"),
};

static const create_options *values_of(const cli_args *args)
{
    return args->values;
}

/* The command line in the form that the library expects. */
typedef struct create_plan {
    cli_problem problem;
    xta_create_options options;
    void *fill;
    char *names_text; // split into names
    const char *names[XTA_MAX_NDIM];
} create_plan;

static void plan_clear(create_plan *plan)
{
    free(plan->fill);
    free(plan->names_text);
}

/* The array's shape, from --problem or from separate options. */
static xta_status plan_shape(const cli_args *args, cli_problem *problem, cli_error *err)
{
    static const char *const single[] = {"type", "bounds", "chunk", "order", "policy"};
    const create_options *values = values_of(args);
    const char *text = values->problem;
    xta_status status = XTA_OK;

    if (text != NULL) {
        for (size_t k = 0; k < CLI_COUNT(single); k++) {
            if (cli_has(args, single[k])) {
                return cli_usage(err, "--problem says it all; leave out --%s", single[k]);
            }
        }
        status = cli_problem_parse(text, problem, &err->error);
        err->usage = status != XTA_OK;
        return status;
    }
    XTA_TRY(cli_need(args, "type", err));
    XTA_TRY(cli_need(args, "bounds", err));
    problem->type = values->type.type;
    problem->cell_bytes = values->type.cell_bytes;
    problem->ndim = values->bounds.n;
    memcpy(problem->bounds, values->bounds.at, sizeof problem->bounds);
    problem->has_chunk = values->chunk.n > 0;
    if (problem->has_chunk && values->chunk.n != problem->ndim) {
        return cli_usage(err, "--chunk: %d numbers for %d axes; give one for each", values->chunk.n,
                         problem->ndim);
    }
    memcpy(problem->chunk, values->chunk.at, sizeof problem->chunk);
    problem->order = values->order;
    problem->policy = values->policy.policy;
    problem->policy_amount = values->policy.amount;
done:
    return status;
}

static xta_status plan_names(const char *text, create_plan *plan, cli_error *err)
{
    char *at = xta__strdup(text);
    int n = 0;

    plan->names_text = at;
    if (at == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "--names: no memory for %zu bytes", strlen(text) + 1);
    }
    for (; at != NULL; n++) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma++ = '\0';
        }
        if (n < plan->problem.ndim) {
            plan->names[n] = *at == '\0' ? NULL : at;
        }
        at = comma;
    }
    if (n != plan->problem.ndim) {
        return cli_usage(err, "--names: %d names for %d axes; give one for each", n,
                         plan->problem.ndim);
    }
    plan->options.names = plan->names;
    return XTA_OK;
}

static xta_status plan_rest(const cli_args *args, create_plan *plan, cli_error *err)
{
    const cli_problem *problem = &plan->problem;
    xta_status status = XTA_OK;

    plan->options = (xta_create_options)XTA_CREATE_OPTIONS_INIT;
    plan->options.chunk = problem->has_chunk ? problem->chunk : NULL;
    plan->options.order = problem->order;
    plan->options.policy = problem->policy;
    plan->options.policy_amount = problem->policy_amount;
    plan->options.cell_bytes = problem->type == XTA_BYTES ? (uint32_t)problem->cell_bytes : 0;
    plan->options.chunk_bytes = values_of(args)->chunk_bytes;
    plan->options.alignment_bytes = values_of(args)->align_bytes;
    plan->options.layout = values_of(args)->headerless ? XTA_HEADERLESS : XTA_LAYOUT_DEFAULT;
    if (values_of(args)->names != NULL) {
        XTA_TRY(plan_names(values_of(args)->names, plan, err));
    }
    if (values_of(args)->fill != NULL) {
        plan->fill = calloc(problem->cell_bytes, 1);
        if (plan->fill == NULL) {
            return cli_fail(err, XTA_ENOMEM, 0, "--fill: no memory for a cell");
        }
        XTA_TRY(cli_value_parse(values_of(args)->fill, "--fill", problem->type, problem->cell_bytes,
                                plan->fill, err));
        plan->options.fill = plan->fill;
    }
done:
    return status;
}

/* The library knows only the shape of an array that does not exist yet, and says what is wrong with
 * it; the name is put before its message. */
static xta_status create(const char *path, const create_plan *plan, xta_array **array,
                         cli_error *err)
{
    xta_error said;
    xta_status status = xta_array_create(path, plan->problem.type, plan->problem.ndim,
                                         plan->problem.bounds, &plan->options, array, &said);

    if (status != XTA_OK && strncmp(said.text, path, strlen(path)) != 0) {
        return cli_fail(err, status, said.os_errno, "%s: %s", path, said.text);
    }
    err->error = said;
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    create_plan plan = {0};
    xta_array *array = NULL;
    xta_array_info info;
    xta_status status = XTA_OK;

    XTA_TRY(plan_shape(args, &plan.problem, err));
    XTA_TRY(plan_rest(args, &plan, err));
    XTA_TRY(create(args->words[0], &plan, &array, err));
    XTA_TRY(xta_array_inquire(array, &info, &err->error));
    if (values_of(args)->json) {
        printf("{\"array\": ");
        cli_json_text(stdout, args->words[0]);
        printf(", \"bounds\": ");
        cli_json_box(stdout, &info.bounds);
        printf(", \"chunk\": ");
        cli_json_coords(stdout, info.chunk, info.ndim);
        printf("}\n");
    } else if (!plan.problem.has_chunk) {
        printf("chunk ");
        cli_print_coords(stdout, info.chunk, info.ndim);
        printf(" chosen\n");
    }
done:
    plan_clear(&plan);
    return cli_close(array, status, err);
}

const cli_command cli_create = {
    .name = "create",
    .summary = "make a new array",
    .usage = "A --type T --bounds N,N,... [--chunk N,N,...] [--order ORDER] [--fill V] "
             "[--names A,B,...] [--policy P] [--json]",
    .details =
        "Makes the array A: the journal A.xmd and the data file A.xta. It covers 0:N on each "
        "axis, holds the fill value everywhere and takes no disk for cells until they are "
        "written.",
    .example = "  xta create runs --type f64 --bounds 4,3,1 --chunk 2,3,1 --names t,y,x",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(create_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
